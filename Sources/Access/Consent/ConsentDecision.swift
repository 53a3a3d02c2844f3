import FHIRModel
import Store

/// What a patient's Consents, taken together, let one client do.
package struct ConsentDecision: Sendable {
  /// A Consent that speaks of the client.
  struct Part: Sendable {
    let consent: VersionedID
    let root: Provision
  }

  let parts: [Part]

  /// Whether the Consents permit the action on a resource at this moment, and which of them do.
  /// Without any nothing is permitted; one that denies wins over all that permit.
  func permits(
    _ action: ConsentAction, on facets: Facets, at now: Instant
  ) -> (isPermitted: Bool, by: ConsentSet) {
    var permitting = ConsentSet()
    for (position, part) in parts.enumerated() {
      switch part.root.verdict(on: facets, action, at: now) {
      case .deny: return (false, ConsentSet())
      case .permit: permitting.insert(position)
      case .silent: break
      }
    }
    return (!permitting.isEmpty, permitting)
  }

  /// Whether there is anything on which the Consents may permit the action at this moment.
  func mayPermit(_ action: ConsentAction, at now: Instant) -> Bool {
    parts.contains { $0.root.mayPermit(action, at: now) }
  }
}

/// Positions of Consents in a decision. Those beyond the 64th share the last place, so a set may
/// name one Consent too many and never one too few.
struct ConsentSet: Sendable {
  private var bits: UInt64 = 0

  var isEmpty: Bool { bits == 0 }

  mutating func insert(_ position: Int) { bits |= 1 << UInt64(min(position, 63)) }

  mutating func formUnion(_ other: ConsentSet) { bits |= other.bits }

  func contains(_ position: Int) -> Bool { bits & (1 << UInt64(min(position, 63))) != 0 }
}

/// A version of a resource: `Consent/1/_history/3`.
package struct VersionedID: Hashable, Sendable {
  package var id: ResourceID
  package var version: VersionID

  package init(_ id: ResourceID, _ version: VersionID) {
    self.id = id
    self.version = version
  }
}

extension VersionedID: CustomStringConvertible {
  package var description: String { "\(id)/_history/\(version.number)" }
}
