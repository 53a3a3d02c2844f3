import FHIRModel

/// What kind of interaction it is, by FHIR's own codes.
///
/// - SeeAlso: https://hl7.org/fhir/R4/valueset-restful-interaction.html
package enum InteractionCode: UInt8, CaseIterable, Sendable {
  case read = 1
  case vread = 2
  case historyInstance = 3
  case historyType = 4
  case historySystem = 5
  case searchType = 6
  case searchSystem = 7
  case create = 8
  case update = 9
  case delete = 10

  /// The code as FHIR writes it: `history-instance`.
  package var text: String {
    switch self {
    case .read: "read"
    case .vread: "vread"
    case .historyInstance: "history-instance"
    case .historyType: "history-type"
    case .historySystem: "history-system"
    case .searchType: "search-type"
    case .searchSystem: "search-system"
    case .create: "create"
    case .update: "update"
    case .delete: "delete"
    }
  }

  var isWrite: Bool {
    switch self {
    case .create, .update, .delete: true
    default: false
    }
  }
}

extension Interaction {
  package var code: InteractionCode {
    switch self {
    case .read: .read
    case .vread: .vread
    case .history(.instance, _): .historyInstance
    case .history(.type, _): .historyType
    case .history(.system, _): .historySystem
    case .search(let query): query.type == nil ? .searchSystem : .searchType
    case .create: .create
    case .update, .conditionalUpdate, .conditionalRevision: .update
    case .delete, .conditionalDelete: .delete
    }
  }

  /// The type that is asked for; `nil` for all.
  package var resourceType: ResourceType? {
    switch self {
    case .read(let id), .vread(let id, _), .history(.instance(let id), _), .delete(let id, _):
      id.type
    case .history(.type(let type), _): type
    case .history(.system, _): nil
    case .search(let query), .conditionalDelete(let query): query.type
    case .create(let resource, _), .update(let resource, _),
      .conditionalUpdate(let resource, _, _):
      resource.type
    case .conditionalRevision(let revision, _): revision.type
    }
  }

  /// The one resource that is named; `nil` if it is yet to be found or made.
  package var target: ResourceID? {
    switch self {
    case .read(let id), .vread(let id, _), .history(.instance(let id), _), .delete(let id, _): id
    case .update(let resource, _): resource.id.map { ResourceID(resource.type, $0) }
    case .history, .search, .create, .conditionalUpdate, .conditionalRevision,
      .conditionalDelete:
      nil
    }
  }

  /// The parameters that were asked with.
  var parameters: [QueryParameter] {
    switch self {
    case .search(let query), .conditionalUpdate(_, let query, _),
      .conditionalRevision(_, let query), .conditionalDelete(let query):
      query.parameters
    case .create(_, let query): query?.parameters ?? []
    case .history(_, let query): query.parameters
    case .read, .vread, .update, .delete: []
    }
  }
}

extension HistoryQuery {
  var parameters: [QueryParameter] {
    var parameters: [QueryParameter] = []
    if let since { parameters.append(QueryParameter(name: "_since", value: since.description)) }
    if let at {
      let ends = "\(at.lowerBound)/\(at.upperBound)"
      parameters.append(QueryParameter(name: "_at", value: ends))
    }
    if let count { parameters.append(QueryParameter(name: "_count", value: String(count))) }
    return parameters
  }
}
