import FHIRModel

/// What a person's app was granted, as SMART scopes.
///
/// - SeeAlso: https://hl7.org/fhir/smart-app-launch/STU2/scopes-and-launch-context.html
package struct Scopes: Hashable, Sendable {
  /// The scopes as they were granted, separated by blanks.
  package let text: String
  /// What of them opens something.
  package let scopes: [Scope]
  /// What of them opens nothing here: other contexts (`openid`, `user/…`), unknown types, limits
  /// that can't be enforced.
  package let ignored: [String]

  /// What a caller may reach of a type.
  enum Grant: Equatable {
    case nothing
    case everything
    /// Only resources that keep one of these limits.
    case limited([ScopeLimit])
  }

  func grant(_ right: Scope.Rights, on type: ResourceType?) -> Grant {
    let matching = scopes.filter { $0.rights.isSuperset(of: right) && $0.covers(type) }
    if matching.isEmpty { return .nothing }
    let limits = matching.compactMap(\.limit)
    return limits.count == matching.count ? .limited(limits) : .everything
  }

  /// What may be reached by the interaction.
  ///
  /// A search over several types needs the same of each: what is limited for one of them could not
  /// be told from the others.
  func grant(for interaction: Interaction) -> Grant {
    let right = Scope.Rights(neededBy: interaction)
    guard case .search(let query) = interaction, let first = query.types.first else {
      return grant(right, on: interaction.resourceType)
    }
    let granted = grant(right, on: first)
    return query.types.allSatisfy { grant(right, on: $0) == granted } ? granted : .nothing
  }
}

/// One scope of a patient's data: `patient/Observation.rs?category=vital-signs`.
package struct Scope: Hashable, Sendable {
  /// Create, read, update, delete, search.
  package struct Rights: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let create = Rights(rawValue: 1)
    package static let read = Rights(rawValue: 2)
    package static let update = Rights(rawValue: 4)
    package static let delete = Rights(rawValue: 8)
    package static let search = Rights(rawValue: 16)
  }

  /// `nil` stands for all types.
  package let type: ResourceType?
  package let rights: Rights
  let limit: ScopeLimit?

  /// Whether the scope is one for `type`; all types together are covered by `*` alone.
  func covers(_ type: ResourceType?) -> Bool {
    self.type == nil || self.type == type
  }
}

extension Scope.Rights {
  /// A read by id, of the current or an older version, needs `r`; what lists resources needs `s`.
  ///
  /// An update may also create (SMART allows that under `u`). A conditional create may be answered
  /// with what stands already, so it needs `r` too.
  init(neededBy interaction: Interaction) {
    self =
      switch interaction {
      case .read, .vread, .history(.instance, _): .read
      case .history, .search: .search
      case .create(_, ifNoneExist: nil): .create
      case .create: [.create, .read]
      case .update, .conditionalUpdate: .update
      case .conditionalRevision(let revision, _):
        revision.mayDelete ? [.update, .delete] : .update
      case .delete, .conditionalDelete: .delete
      }
  }
}

/// A limit on a scope: all of these must hold, each by one of its patterns.
///
/// Only `category` can be enforced on what is kept of each version, so no other parameter makes one.
struct ScopeLimit: Hashable, Sendable {
  var categories: [[TokenPattern]]
}

/// A token as a search would ask for it: `code`, `system|code`, `|code` or `system|`.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#token
struct TokenPattern: Hashable, Sendable {
  enum System: Hashable, Sendable {
    case any
    case none
    case named(String)
  }

  var system: System
  /// `nil` for any code of the system.
  var code: String?

  /// `nil` if the text asks for nothing or has escapes, which no category needs.
  init?(_ text: some StringProtocol) {
    guard !text.contains("\\") else { return nil }
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    switch parts.count {
    case 1 where !parts[0].isEmpty:
      self.init(system: .any, code: String(parts[0]))
    case 2 where !(parts[0].isEmpty && parts[1].isEmpty):
      self.init(
        system: parts[0].isEmpty ? .none : .named(String(parts[0])),
        code: parts[1].isEmpty ? nil : String(parts[1]))
    default: return nil
    }
  }

  init(system: System, code: String?) {
    self.system = system
    self.code = code
  }
}
