import FHIRModel
import REST

/// Runs fixtures against whatever answers requests: the service itself, or a server at the other end
/// of a socket.
package struct FixtureRun {
  /// The address of FHIR's base that links in the answers begin with; `{base}` in a fixture.
  package let base: String
  /// The token of whom a step's `as` names: `operator`, `person Patient/1`, or
  /// `app CLIENT Patient/1 SCOPES`.
  package let token: (String) throws -> String
  package let send: (Request) async throws -> Response

  package init(
    base: String, token: @escaping (String) throws -> String,
    send: @escaping (Request) async throws -> Response
  ) {
    self.base = base
    self.token = token
    self.send = send
  }

  /// - Returns: what was not as expected, each with its step and place; nothing if all was.
  package func faults(of fixture: Fixture) async throws -> [String] {
    guard !fixture.steps.isEmpty else { return ["\(fixture) has no steps"] }
    var names = Names(values: ["base": base])
    var faults: [String] = []
    for (position, step) in fixture.steps.enumerated() {
      let request = try request(step.request, names)
      let response = try await send(request)
      let found = names.faults(of: response, step.response)
      let head = "step \(position + 1), \(request.method) "
      faults += found.map {
        head + String(decoding: request.target, as: UTF8.self) + ": " + $0
      }
    }
    return faults
  }

  private func request(_ json: JSONValue, _ names: Names) throws -> Request {
    guard let method = json["method"]?.string, let target = json["target"]?.string else {
      throw FixtureError.form("a request has a method and a target")
    }
    let who = json["as"]?.string ?? "operator"
    var headers = Headers()
    if who != "nobody" { headers.append("Authorization", "Bearer " + (try token(who))) }
    if json["body"] != nil, json["headers"]?["Content-Type"] == nil {
      headers.append("Content-Type", "application/fhir+json")
    }
    if let more = json["headers"] {
      for member in more.members {
        headers.append(member.name, names.filled(member.value.string ?? ""))
      }
    }
    return Request(
      method: method, target: Array(origin(names.filled(target)).utf8), headers: headers,
      body: Self.body(json, names))
  }

  /// What a client sends of an address that it was given: all after scheme and authority.
  private func origin(_ target: String) -> String {
    guard target.hasPrefix(base), let scheme = target.firstRange(of: "://") else { return target }
    return String(target[scheme.upperBound...].drop { $0 != "/" })
  }

  /// The value of `body`, or the text of `text` as it stands.
  private static func body(_ json: JSONValue, _ names: Names) -> [UInt8] {
    if let text = json["text"]?.string { return Array(names.filled(text).utf8) }
    guard let body = json["body"] else { return [] }
    return Array(names.filled(String(decoding: body.rawBytes, as: UTF8.self)).utf8)
  }
}

extension Names {
  /// What in a response is not as expected.
  fileprivate mutating func faults(of response: Response, _ expected: JSONValue) -> [String] {
    var faults: [String] = []
    let status = expected["status"]?.numberText ?? "missing in the fixture"
    if String(response.status) != status {
      let body = String(decoding: response.body.prefix(400), as: UTF8.self)
      faults.append("the status is \(response.status), not \(status): \(body)")
    }
    if let headers = expected["headers"] {
      for member in headers.members {
        faults += headerFaults(response.headers[member.name], member.value, named: member.name)
      }
    }
    guard let body = expected["body"] else { return faults }
    return faults + bodyFaults(response.body, body)
  }

  private mutating func headerFaults(
    _ value: String?, _ expected: JSONValue, named name: String
  ) -> [String] {
    switch (value, expected.string) {
    case (nil, nil): return []
    case (let value?, nil): return ["\(name) is '\(value)', and should not be there"]
    case (nil, _?): return ["\(name) is missing"]
    case (let value?, let wanted?):
      return matches(value, wanted) ? [] : ["\(name) is '\(value)', not '\(filled(wanted))'"]
    }
  }

  /// - Parameter expected: `null` for a body that must be empty, a text for one that must be just so.
  private mutating func bodyFaults(_ body: [UInt8], _ expected: JSONValue) -> [String] {
    switch expected.kind {
    case .null: return body.isEmpty ? [] : ["there is a body"]
    case .string:
      let text = String(decoding: body, as: UTF8.self)
      return matches(text, expected.string ?? "") ? [] : ["the body is '\(text)'"]
    default:
      do {
        return faults(try JSONDocument(parsing: body).root, expected, at: "")
      } catch {
        return ["the body is no JSON: \(error)"]
      }
    }
  }
}
