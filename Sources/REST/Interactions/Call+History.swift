import FHIRModel

/// The histories of an instance, a type and everything.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#history
extension Call {
  func history() throws -> Plan { try history(.system, path: "_history") }

  func history(_ type: ResourceType) throws -> Plan {
    try history(.type(type), path: "\(type.name)/_history")
  }

  func history(of id: ResourceID) throws -> Plan {
    try history(.instance(id), path: "\(id)/_history")
  }

  private func history(_ scope: HistoryScope, path: String) throws -> Plan {
    let (query, used) = try historyQuery()
    return .perform(.history(scope, query)) { call, outcome in
      guard case .history(var page) = outcome else { throw UnexpectedOutcome(outcome) }
      if call.subset != .whole {
        for position in page.entries.indices where !page.entries[position].version.isDeleted {
          page.entries[position].version.bytes = try call.subset.applied(
            to: page.entries[position].version.bytes)
        }
      }
      let bundle = HistoryBundle(
        page: page, base: call.base, path: path, parameters: used + call.formatParameters)
      return Response(200, json: bundle.bytes, as: call.format)
    }
  }

  /// - Returns: the query, and the parameters that made it.
  private func historyQuery() throws -> (HistoryQuery, [QueryParameter]) {
    var query = HistoryQuery()
    var used: [QueryParameter] = []
    for parameter in parameters where !parameter.value.isEmpty {
      guard try query.take(parameter) else {
        if preferences.isLenient { continue }
        throw InteractionError.unknownParameter(name: parameter.name)
      }
      guard !used.contains(where: { $0.name == parameter.name }) else {
        throw InteractionError.invalidParameter(name: parameter.name, reason: "it is given twice")
      }
      used.append(parameter)
    }
    return (query, used)
  }
}

extension HistoryQuery {
  /// The parameter that carries the sealed place of a page.
  static let pageParameter = "_page"

  /// Whether the parameter is one of a history.
  fileprivate mutating func take(_ parameter: QueryParameter) throws -> Bool {
    func reading<Value>(_ read: (String) throws -> Value) throws -> Value {
      do { return try read(parameter.value) } catch {
        throw InteractionError.invalidParameter(
          name: parameter.name, reason: "'\(parameter.value)': \(error)")
      }
    }
    switch parameter.name {
    case "_since": since = try reading { try FHIRDateTime($0, as: .search).interval().lowerBound }
    case "_at": at = try reading { try FHIRDateTime($0, as: .search).interval() }
    case "_count": count = try Self.count(parameter.value)
    case Self.pageParameter: page = parameter.value
    default: return false
    }
    return true
  }

  private static func count(_ text: String) throws -> Int {
    guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else {
      throw InteractionError.invalidParameter(
        name: "_count", reason: "'\(text)' is not a count of entries")
    }
    // A wish for more than can be counted is a wish for as many as there are.
    return Int(text) ?? .max
  }
}
