import Crypto
import FHIRModel

/// How an access ended, by FHIR's codes.
///
/// - SeeAlso: https://hl7.org/fhir/R4/valueset-audit-event-outcome.html
package enum LogOutcome: UInt8, Sendable {
  case success = 0
  /// Refused, or nothing was there.
  case minorFailure = 4
  /// The server could not do it.
  case seriousFailure = 8
}

/// An access as it is to be recorded: what is known before the entry has its place in the chain.
package struct LogRecord: Hashable, Sendable {
  package var occurred: Instant
  package var agent: LogAgent
  /// The persons whose data was asked for or shown; of one who may see only their own, theirs first.
  package var patients: [ResourceID] = []
  /// The Consents that permitted it.
  package var consents: [VersionedID] = []
  package var interaction: InteractionCode
  package var outcome: LogOutcome = .success
  /// The type that was asked for; `nil` for all.
  package var type: ResourceType?
  /// The resource that was named.
  package var target: ResourceID?
  /// The parameters that were asked with.
  package var parameters: [QueryParameter] = []
  /// What went wrong, for a person to read.
  package var reason: String = ""
  /// The versions that were shown or written.
  package var shown: [LogShown] = []
  /// The address of the network peer; empty inside the process.
  package var peer: String = ""

  package init(
    occurred: Instant, agent: LogAgent, interaction: InteractionCode, type: ResourceType?,
    target: ResourceID? = nil
  ) {
    self.occurred = occurred
    self.agent = agent
    self.interaction = interaction
    self.type = type
    self.target = target
  }
}

/// A version that was shown or written.
package struct LogShown: Hashable, Sendable {
  package var version: VersionedID
  /// The one of the record's patients whose it is, by position; `nil` if it is of none or several.
  package var owner: Int?

  package init(_ version: VersionedID, owner: Int? = nil) {
    self.version = version
    self.owner = owner
  }
}

/// Who asked, as the log keeps it.
package struct LogAgent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case `operator`(name: String)
    case person(ResourceID)
    case app(ResourceID)
  }

  package var kind: Kind
  /// `nil` for a caller inside the process.
  package var token: TokenID?

  init(_ caller: Caller) {
    token = caller.token
    kind =
      switch caller.principal {
      case .operator(let name): .operator(name: name)
      case .person(let patient): .person(patient)
      case .app(let client, _, _): .app(.device(client))
      }
  }

  init(kind: Kind, token: TokenID?) {
    self.kind = kind
    self.token = token
  }

  /// A person, or an app for its person: their own patient is the first that a record names.
  var isKeptToOnePatient: Bool { reference != nil }

  /// How references name the agent; `nil` for an operator.
  package var reference: ResourceID? {
    switch kind {
    case .operator: nil
    case .person(let id), .app(let id): id
    }
  }
}

/// An entry of the log.
package struct LogEntry: Hashable, Sendable {
  /// 1 for the first, rising by one.
  package var sequence: UInt64
  /// The SHA-256 of the entry before; zeros before the first.
  package var previous: SHA256
  /// When it was written into the log: never before the entry ahead of it.
  package var recorded: Instant
  package var record: LogRecord
}

/// The last entry of a log, or the last up to some moment.
package struct LogHead: Hashable, Sendable {
  /// 0 for an empty log.
  package var sequence: UInt64
  /// The SHA-256 of its bytes; zeros for an empty log.
  package var hash: SHA256

  package static let empty = LogHead(sequence: 0, hash: .zero)
}

extension SHA256 {
  static let zero: SHA256 = {
    guard let zero = SHA256(digest: [UInt8](repeating: 0, count: byteCount)) else {
      preconditionFailure("a digest has as many bytes as a digest")
    }
    return zero
  }()
}
