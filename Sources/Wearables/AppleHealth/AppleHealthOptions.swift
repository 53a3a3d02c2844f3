import FHIRModel

/// How an export is to be read.
package struct AppleHealthOptions: Sendable {
  package let patient: ResourceID
  package let home: HomeZone
  package let now: Instant
  /// Names of sources, the best first; sources that aren't named follow by kind.
  package var sourcePriority: [String] = []
  /// Only days from this one on.
  package var since: LocalDay?
  /// Leaves out what the person typed in.
  package var withoutManual = false
  /// Takes the offset beside each date as that of the place where the person was. Apple's own
  /// exports have one offset for all dates; other programs write each sample's own.
  package var trustsOffsets = false
  /// Fills in the person's date of birth and gender where they have none, and keeps the blood type.
  package var updatesPatient = false
  /// Keeps the single beats inside of variability records, each series as an Observation.
  package var keepsHeartbeats = false

  package init(patient: ResourceID, home: HomeZone, now: Instant) {
    self.patient = patient
    self.home = home
    self.now = now
  }
}
