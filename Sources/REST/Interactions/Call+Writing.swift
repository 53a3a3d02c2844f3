import FHIRModel

/// create, update, delete and their conditional forms.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html#create, https://hl7.org/fhir/R4/http.html#cond-update
extension Call {
  func create(_ type: ResourceType) throws -> Plan {
    try refuseParameters()
    try refuseHeaders(["If-Match", "If-None-Match", "If-Unmodified-Since"])
    let resource = try resource(of: type)
    let criteria = try request.headers["If-None-Exist"].map { text in
      try Query(parsing: text, type: type)
    }
    guard criteria?.parameters.isEmpty != true else {
      throw Refusal.header(name: "If-None-Exist", reason: "there are no search parameters in it")
    }
    return .perform(.create(resource, ifNoneExist: criteria)) { try $0.answer(write: $1) }
  }

  func update(_ id: ResourceID) throws -> Plan {
    try refuseParameters()
    let precondition = try precondition()
    let resource = try resource(of: id.type)
    guard resource.id == id.id else {
      throw InteractionError.idMismatch(expected: id.id, found: resource.id)
    }
    return .perform(.update(resource, if: precondition)) { try $0.answer(write: $1) }
  }

  func conditionalUpdate(_ type: ResourceType) throws -> Plan {
    let criteria = try criteria(of: type, for: "an update")
    let precondition = try precondition()
    let resource = try resource(of: type)
    return .perform(.conditionalUpdate(resource, matching: criteria, if: precondition)) {
      try $0.answer(write: $1)
    }
  }

  func delete(_ id: ResourceID) throws -> Plan {
    try refuseParameters()
    return .perform(.delete(id, if: try precondition())) { try $0.answer(write: $1) }
  }

  func conditionalDelete(_ type: ResourceType) throws -> Plan {
    let criteria = try criteria(of: type, for: "a delete")
    try refuseHeaders(["If-Match", "If-None-Match", "If-Unmodified-Since"])
    return .perform(.conditionalDelete(matching: criteria)) { try $0.answer(write: $1) }
  }

  /// What `If-Match` and `If-None-Match` demand.
  ///
  /// - Throws: `Refusal.header` for what can't be read, and for a condition that can't be kept: a
  ///   condition that is passed over would be a licence to overwrite.
  private func precondition() throws -> Precondition {
    try refuseHeaders(["If-Unmodified-Since"])
    let match = request.headers["If-Match"]
    let noneMatch = request.headers["If-None-Match"]
    switch (match, noneMatch) {
    case (nil, nil):
      // A header that is there and can't be read as text is no permission either.
      try refuseHeaders(["If-Match", "If-None-Match"])
      return .none
    case (let match?, nil):
      switch try EntityTags(match, of: "If-Match") {
      case .any: return .ifExists
      case .versions(let versions): return .ifMatch(versions)
      }
    case (nil, "*"): return .ifNoneExists
    default:
      throw Refusal.header(
        name: "If-None-Match", reason: "only '*' is supported on a write, and no If-Match beside it"
      )
    }
  }

  private func refuseHeaders(_ names: [String]) throws {
    for name in names where request.headers.has(name) {
      throw Refusal.header(name: name, reason: "it is not supported on this request")
    }
  }
}
