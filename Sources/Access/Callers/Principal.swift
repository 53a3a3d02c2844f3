import Crypto
import FHIRModel
import KeyValue

/// Who asks.
package enum Principal: Hashable, Sendable {
  /// Runs the store and may do everything in it that anyone may.
  case `operator`(name: String)
  /// A person, in their own compartment.
  case person(ResourceID)
  /// A registered client (the resource `Device/CLIENT`), acting for a patient who agreed.
  case app(client: LogicalID, patient: ResourceID, scopes: Scopes)

  /// The person whose compartment the caller is kept to; `nil` for an operator.
  package var patient: ResourceID? {
    switch self {
    case .operator: nil
    case .person(let patient), .app(_, let patient, _): patient
    }
  }

  /// How references name the caller; `nil` for an operator, who is no resource.
  package var reference: ResourceID? {
    switch self {
    case .operator: nil
    case .person(let patient): patient
    case .app(let client, _, _): .device(client)
    }
  }
}

/// Who asks, and by which token.
package struct Caller: Hashable, Sendable {
  package let principal: Principal
  /// The digest of the token; `nil` for a caller inside the process, which needs none.
  let digest: SHA256?
  /// The commit at which the token was last seen to be valid.
  let seen: Commit?

  package var token: TokenID? { digest.map(TokenID.init) }

  /// A caller inside the process.
  package init(_ principal: Principal) {
    self.init(principal, token: nil, seen: nil)
  }

  init(_ principal: Principal, token digest: SHA256?, seen: Commit?) {
    self.principal = principal
    self.digest = digest
    self.seen = seen
  }
}
