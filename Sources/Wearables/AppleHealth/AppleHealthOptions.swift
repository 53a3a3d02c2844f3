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

  package init(patient: ResourceID, home: HomeZone, now: Instant) {
    self.patient = patient
    self.home = home
    self.now = now
  }
}

/// Interactions that are to be performed together, and where they come from.
package struct ImportBatch: Sendable {
  package var interactions: [Interaction]
  /// An absolute URI, for the Provenance.
  package var sourceSystem: String
}

/// How far an import has come.
package struct ImportProgress: Sendable {
  package var records = 0
  /// Bytes of the document that were read, and how many it has if that is known.
  package var byteCount = 0
  package var byteCountTotal: Int?
  package var resources = 0

  package init(
    records: Int = 0, byteCount: Int = 0, byteCountTotal: Int? = nil, resources: Int = 0
  ) {
    self.records = records
    self.byteCount = byteCount
    self.byteCountTotal = byteCountTotal
    self.resources = resources
  }
}
