import Access
import FHIRModel
import Wearables

/// A person's export of Apple Health, sent as one body and taken in while the client asks how far it
/// is.
extension Call {
  private static let exportTypes = [
    "application/zip", "application/x-zip-compressed", "application/xml", "text/xml",
    "application/octet-stream",
  ]

  /// - SeeAlso: https://hl7.org/fhir/R4/async.html
  func importAppleHealth() throws -> Plan {
    try ContentType.check(request.headers, isOneOf: Self.exportTypes)
    let options = try appleHealthOptions()
    let keepsSamples = try keepsSamples()
    guard let caller else { throw InteractionError.unauthenticated(reason: "a token is needed") }
    return .perform(
      Work(
        interactions: [], untried: (.observation, options.patient), isBeginning: true,
        answer: .all { call, _ in
          let job = try call.surroundings.imports.start(
            try call.export(), of: call.request.file, options, by: caller,
            from: call.request.peer, id: call.configuration.newID(),
            keepingSamples: keepsSamples)
          var response = Response(202, json: job.content, as: call.plainFormat)
          response.headers.append("Content-Location", "/wearables/imports/\(job.id)")
          return response
        }))
  }

  private func export() throws -> AppleExport {
    do {
      if let file = request.file { return try AppleExport(path: file.path) }
      return try AppleExport(bytes: request.body)
    } catch {
      let words = request.file.map { "\(error)".replacing($0.path, with: "it") } ?? "\(error)"
      throw Refusal.unreadable(reason: "the body is no export: \(words)")
    }
  }

  /// How far an import is: 202 while it runs, 200 when it is over.
  func importStatus() throws -> Plan {
    let job = try job()
    var response = Response(job.isOver ? 200 : 202, json: job.content, as: plainFormat)
    if !job.isOver { response.headers.append("X-Progress", job.progressText) }
    return .answer(response)
  }

  func cancelImport() throws -> Plan {
    try job().cancel()
    return .answer(Response(empty: 202))
  }

  private func job() throws -> ImportJob {
    let id = String(decoding: place.id, as: UTF8.self)
    guard let caller, let job = surroundings.imports[id], job.isOf(caller) else {
      throw Refusal.unknownPath("/wearables/imports/\(id)")
    }
    return job
  }

  private func appleHealthOptions() throws -> AppleHealthOptions {
    var fields: [String: [String]] = [:]
    for parameter in parameters {
      guard Self.optionNames.contains(parameter.name) else {
        throw InteractionError.unknownParameter(name: parameter.name)
      }
      fields[parameter.name, default: []] += [parameter.value]
    }
    guard let text = fields["patient"]?.last, let patient = ResourceID(text),
      patient.type.name == "Patient"
    else {
      throw InteractionError.invalidParameter(
        name: "patient", reason: "it must be Patient/ and an id")
    }
    var options = AppleHealthOptions(
      patient: patient, home: try home(fields["homeZone"] ?? []), now: configuration.clock())
    options.sourcePriority = (fields["sourcePriority"] ?? []).flatMap {
      $0.split(separator: ",").map(String.init)
    }
    if let text = fields["since"]?.last {
      guard let day = LocalDay(text) else {
        throw InteractionError.invalidParameter(
          name: "since", reason: "it must be a day such as 2024-01-01")
      }
      options.since = day
    }
    options.withoutManual = try flag("withoutManual", fields)
    options.trustsOffsets = try flag("trustOffsets", fields)
    options.updatesPatient = try flag("updatePatient", fields)
    return options
  }

  private static let optionNames: Set<String> = [
    "patient", "homeZone", "sourcePriority", "since", "withoutManual", "trustOffsets",
    "updatePatient", "samples",
  ]

  /// Whether the raw samples are to be kept.
  ///
  /// - Throws: if they are and this server keeps none.
  private func keepsSamples() throws -> Bool {
    let values = parameters.filter { $0.name == "samples" }.map(\.value)
    let keeps = try flag("samples", ["samples": values])
    guard !keeps || configuration.shelf != nil else {
      throw InteractionError.invalidParameter(
        name: "samples", reason: "this server keeps no raw samples")
    }
    return keeps
  }

  private func home(_ entries: [String]) throws -> HomeZone {
    do throws(HomeZone.Failure) {
      return try HomeZone(parsing: entries.flatMap { $0.split(separator: ",").map(String.init) })
    } catch {
      throw InteractionError.invalidParameter(name: "homeZone", reason: error.description)
    }
  }

  private func flag(_ name: String, _ fields: [String: [String]]) throws -> Bool {
    switch fields[name]?.last {
    case nil, "false": false
    case "true": true
    case .some:
      throw InteractionError.invalidParameter(name: name, reason: "it must be true or false")
    }
  }
}
