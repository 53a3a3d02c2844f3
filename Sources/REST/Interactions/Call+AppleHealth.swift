import Access
import FHIRModel
import Wearables

/// A person's export of Apple Health, sent as one body and taken in while the client asks how far it
/// is.
extension Call {
  private static let exportTypes = [
    "application/zip", "application/xml", "application/x-zip-compressed", "text/xml",
    "application/octet-stream",
  ]

  /// - SeeAlso: https://hl7.org/fhir/R4/async.html
  func importAppleHealth() throws -> Plan {
    try ContentType.check(request.headers, isOneOf: Self.exportTypes)
    guard let caller else { throw InteractionError.unauthenticated(reason: "a token is needed") }
    let order = try ImportOrder(
      id: configuration.newID(), parameters: parameters, by: caller, from: request.peer,
      received: configuration.clock())
    guard !order.keepsSamples || configuration.shelf != nil else {
      throw InteractionError.invalidParameter(
        name: "samples", reason: "this server keeps no raw samples")
    }
    return .perform(
      Work(
        interactions: [], untried: (.observation, order.patient), isBeginning: true,
        isSlow: true,
        answer: .all { call, _ in
          guard call.request.file.map({ $0.byteCount > 0 }) ?? !call.request.body.isEmpty else {
            throw Refusal.unreadable(reason: "the body is no export: it is empty")
          }
          let job = try call.surroundings.imports.start(order, call.request)
          var response = Response(202, json: call.content(of: job), as: call.plainFormat)
          response.headers.append("Content-Location", "/wearables/imports/\(job.id)")
          return response
        }))
  }

  /// How far an import is: 202 while it runs, 200 when it is over.
  func importStatus() throws -> Plan {
    try workOnImport(.asking) { call, job in
      var response = Response(
        job.isOver ? 200 : 202, json: call.content(of: job), as: call.plainFormat)
      if !job.isOver, call.isToldCounts {
        response.headers.append("X-Progress", job.progressText)
      }
      return response
    }
  }

  /// Ends an import and forgets it.
  func cancelImport() throws -> Plan {
    try workOnImport(.ending) { call, job in
      Response(empty: try call.surroundings.imports.remove(job) ? 202 : 204)
    }
  }

  private func workOnImport(
    _ purpose: ImportAccess.Purpose,
    _ answer: @escaping @Sendable (Call, ImportJob) throws -> Response
  ) throws -> Plan {
    let id = String(decoding: place.id, as: UTF8.self)
    guard let caller, let job = surroundings.imports[id] else { throw unknownImport }
    return .perform(
      Work(
        interactions: [],
        importAccess: ImportAccess(
          to: id, of: job.order.caller, for: job.order.patient, purpose, by: caller,
          from: request.peer),
        isSlow: purpose == .ending, answer: .all { call, _ in try answer(call, job) }))
  }

  var unknownImport: any Error {
    Refusal.unknownPath("/wearables/imports/\(String(decoding: place.id, as: UTF8.self))")
  }

  private func content(of job: ImportJob) -> [UInt8] { job.content(hasCounts: isToldCounts) }

  /// Whether the caller may know how much of what an export holds.
  private var isToldCounts: Bool {
    if case .app? = caller?.principal { false } else { true }
  }
}

extension Work {
  /// Whether it is about another caller's import, which for this one doesn't exist.
  func isForeign(_ caller: Caller) -> Bool {
    if case .operator = caller.principal { return false }
    return importAccess.map { caller.identity != $0.owner.identity } ?? false
  }
}
