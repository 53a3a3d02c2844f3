import FHIRModel
import Foundation
import HTTPFixtures
import KeyValue
import REST
import Testing

@Suite("An export that is sent")
final class ImportTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("kiln-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// What is kept on the disk, without the lock.
  private var kept: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { !$0.hasPrefix(".lock") }
  }

  private static let export = """
    <HealthData><Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
    startDate="2026-10-24 08:00:00 +0200" endDate="2026-10-24 08:10:00 +0200" value="1200"/></HealthData>
    """

  private static let place = "/wearables/apple-health?patient=Patient/p&homeZone=Europe/Budapest"

  private func send(
    _ method: String, _ target: String, by words: String, in scene: Scene, body: String = "",
    type: String = "application/xml"
  ) async throws -> Response {
    await scene.response(
      to: Request(
        method: method, target: Array(target.utf8),
        headers: Headers([
          "Authorization": "Bearer " + (try scene.token(for: words)), "Content-Type": type,
        ]), body: Array(body.utf8)))
  }

  private func sceneWithPerson(
    _ engine: (any Engine)? = nil, runsImports: Bool = true
  ) async throws -> Scene {
    let scene = try Scene(
      engine: engine, importFolder: folder.path, runsImports: runsImports)
    let response = try await send(
      "PUT", "/fhir/Patient/p", by: "operator", in: scene,
      body: #"{"resourceType":"Patient","id":"p"}"#, type: "application/fhir+json")
    try #require(response.status == 201)
    return scene
  }

  /// The state of an import once it is over.
  private func end(of response: Response, by words: String, in scene: Scene) async throws
    -> JSONValue
  {
    let place = try #require(response.headers["Content-Location"])
    for _ in 0..<1_000 {
      let state = try await send("GET", place, by: words, in: scene)
      if state.status == 200 { return try JSONDocument(parsing: state.body).root }
      #expect(state.status == 202)
      try await Task.sleep(for: .milliseconds(5))
    }
    throw CancellationError()
  }

  @Test("goes in while the client asks, and again it changes nothing")
  func goesIn() async throws {
    let scene = try await sceneWithPerson()
    for (created, unchanged) in [("1", "0"), ("0", "1")] {
      let accepted = try await send(
        "POST", Self.place, by: "person Patient/p", in: scene, body: Self.export)
      #expect(accepted.status == 202)
      let state = try await end(of: accepted, by: "person Patient/p", in: scene)
      #expect(state["status"]?.string == "done")
      let observations = state["report"]?["observations"]
      #expect(observations?["created"]?.numberText == created)
      #expect(observations?["unchanged"]?.numberText == unchanged)
    }
    let found = try await send(
      "GET", "/fhir/Observation?patient=p&date=2026-10-24", by: "operator", in: scene)
    let bundle = try JSONDocument(parsing: found.body).root
    let observation = bundle["entry"]?.elements.first { _ in true }?["resource"]
    #expect(observation?["valueQuantity"]?["value"]?.numberText == "1200")
    #expect(kept.count == 2 && kept.allSatisfy { $0.hasSuffix(".json") })
  }

  @Test("that was taken over goes in after a restart, and its end is told after the next")
  func survives() async throws {
    let person = "person Patient/p"
    let first = try await sceneWithPerson(runsImports: false)
    let accepted = try await send("POST", Self.place, by: person, in: first, body: Self.export)
    #expect(accepted.status == 202)
    #expect(kept.count == 2)
    let second = try Scene(engine: first.engine, importFolder: folder.path)
    second.service.resumeImports()
    let state = try await end(of: accepted, by: person, in: second)
    #expect(state["status"]?.string == "done")
    #expect(state["report"]?["observations"]?["created"]?.numberText == "1")
    let third = try Scene(engine: first.engine, importFolder: folder.path)
    third.service.resumeImports()
    let told = try await end(of: accepted, by: person, in: third)
    #expect(
      String(decoding: told.rawBytes, as: UTF8.self)
        == String(decoding: state.rawBytes, as: UTF8.self))
    let place = try #require(accepted.headers["Content-Location"])
    #expect(try await send("DELETE", place, by: person, in: third).status == 204)
    #expect(try await send("GET", place, by: person, in: third).status == 404)
    #expect(kept == [])
    let fourth = try Scene(engine: first.engine, importFolder: folder.path)
    fourth.service.resumeImports()
    #expect(try await send("GET", place, by: person, in: fourth).status == 404)
  }

  @Test("goes in after a restart whatever else stands among those that were taken over")
  func damagedNeighbours() async throws {
    let first = try await sceneWithPerson(runsImports: false)
    let accepted = try await send("POST", Self.place, by: "operator", in: first, body: Self.export)
    let place = try #require(accepted.headers["Content-Location"])
    let own = try #require(kept.first { $0.hasSuffix(".json") })
    let description = try String(
      contentsOf: folder.appendingPathComponent(own), encoding: .utf8)
    func plant(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    for name in ["0-folder.json", "0-folder.export"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: false)
    }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("1-alone.export"), withIntermediateDirectories: false)
    try plant("2-empty.json", "")
    try plant("3-another.json", description)
    let withoutReport = description.replacing(#""status":"waiting""#, with: #""status":"done""#)
      .replacing(String(own.dropLast(".json".count)), with: "4-without-report")
    try plant("4-without-report.json", withoutReport)
    let second = try Scene(engine: first.engine, importFolder: folder.path)
    second.service.resumeImports()
    #expect(second.reportCount == 6)
    let state = try await end(of: accepted, by: "operator", in: second)
    #expect(state["status"]?.string == "done")
    for id in ["0-folder", "2-empty", "3-another", "4-without-report"] {
      let unknown = try await send(
        "GET", "/wearables/imports/\(id)", by: "operator", in: second)
      #expect(unknown.status == 404, "\(id)")
    }
    #expect(try await send("DELETE", place, by: "operator", in: second).status == 204)
  }

  @Test(
    "and was replaced by a pipe or a link isn't read, and keeps no other waiting",
    .timeLimit(.minutes(1)))
  func planted() async throws {
    let first = try await sceneWithPerson(runsImports: false)
    var places: [String] = []
    for _ in 0..<3 {
      let accepted = try await send(
        "POST", Self.place, by: "operator", in: first, body: Self.export)
      places.append(try #require(accepted.headers["Content-Location"]))
    }
    let exports = try places.map { place in
      let id = try #require(place.split(separator: "/").last)
      return folder.appendingPathComponent(id + ".export")
    }
    for export in exports.dropLast() { try FileManager.default.removeItem(at: export) }
    for path in [exports[0].path, folder.path + "/pipe.json"] {
      let pipe = unsafe mkfifo(path, 0o600)
      #expect(pipe == 0)
    }
    try FileManager.default.createSymbolicLink(at: exports[1], withDestinationURL: exports[2])
    let second = try Scene(engine: first.engine, importFolder: folder.path)
    second.service.resumeImports()
    #expect(second.reportCount == 3)
    var ends: [String?] = []
    for place in places {
      let state = try await send("GET", place, by: "operator", in: second)
      let root = try JSONDocument(parsing: state.body).root
      guard root["status"]?.string != "failed" else {
        ends.append(root["reason"]?.string)
        continue
      }
      let accepted = Response(status: 202, headers: Headers(["Content-Location": place]))
      let end = try await end(of: accepted, by: "operator", in: second)
      ends.append(end["status"]?.string)
    }
    #expect(ends == ["what was sent is gone", "what was sent is gone", "done"])
  }

  @Test("waits with few others of the same person, and with more of all")
  func waiting() async throws {
    let scene = try await sceneWithPerson(runsImports: false)
    func statuses(_ count: Int, by words: String) async throws -> [Int] {
      var statuses: [Int] = []
      for _ in 0..<count {
        statuses.append(
          try await send("POST", Self.place, by: words, in: scene, body: Self.export).status)
      }
      return statuses
    }
    #expect(try await statuses(5, by: "person Patient/p") == [202, 202, 202, 202, 503])
    #expect(try await statuses(5, by: "operator") == [202, 202, 202, 202, 503])
    #expect(kept.filter { $0.hasSuffix(".export") }.count == 8)
  }

  @Test("and waits is gone with all that is kept of it when it is given up")
  func givenUp() async throws {
    let scene = try await sceneWithPerson(runsImports: false)
    let accepted = try await send(
      "POST", Self.place, by: "operator", in: scene, body: Self.export)
    let place = try #require(accepted.headers["Content-Location"])
    #expect(try await send("DELETE", place, by: "operator", in: scene).status == 202)
    #expect(kept == [])
    #expect(try await send("GET", place, by: "operator", in: scene).status == 404)
  }

  @Test("is refused and leaves nothing where it can't be kept")
  func notKept() async throws {
    let scene = try await sceneWithPerson()
    try FileManager.default.removeItem(at: folder)
    let refused = try await send("POST", Self.place, by: "operator", in: scene, body: Self.export)
    #expect(refused.status == 500)
    #expect(kept == [])
    let elsewhere = try Scene(engine: scene.engine)
    let unavailable = try await send(
      "POST", Self.place, by: "operator", in: elsewhere, body: Self.export)
    #expect(unavailable.status == 503)
  }

  /// The log's entries of questions about imports and of their ends: action, outcome, agent.
  private func entries(_ scene: Scene) async throws -> [String] {
    let log = try await send(
      "GET", "/fhir/AuditEvent?patient=p&_count=100", by: "operator", in: scene)
    let events = try JSONDocument(parsing: log.body).root["entry"]?.elements.map { $0 } ?? []
    return events.compactMap { entry in
      let event = entry["resource"]
      let queries = event?["entity"]?.elements.compactMap { $0["query"]?.string } ?? []
      let asksForImport = queries.contains { query in
        Data(base64Encoded: query).map { String(decoding: $0, as: UTF8.self) }?
          .contains("import=") == true
      }
      guard asksForImport else { return nil }
      let agent = event?["agent"]?.elements.first { _ in true }
      let who = agent?["who"]?["reference"]?.string ?? "operator"
      return "\(event?["action"]?.string ?? "") \(event?["outcome"]?.string ?? "") \(who)"
    }.reversed()
  }

  @Test("has every question about it in the log, those that are refused too")
  func logged() async throws {
    let scene = try await sceneWithPerson(runsImports: false)
    _ = try await send(
      "PUT", "/fhir/Patient/q", by: "operator", in: scene,
      body: #"{"resourceType":"Patient","id":"q"}"#, type: "application/fhir+json")
    let accepted = try await send(
      "POST", Self.place, by: "person Patient/p", in: scene, body: Self.export)
    let place = try #require(accepted.headers["Content-Location"])
    for words in ["person Patient/p", "person Patient/q", "operator"] {
      _ = try await send("GET", place, by: words, in: scene)
    }
    _ = try await send("DELETE", place, by: "person Patient/q", in: scene)
    _ = try await send("DELETE", place, by: "person Patient/p", in: scene)
    #expect(
      try await entries(scene) == [
        "R 0 Patient/p", "R 4 Patient/q", "R 0 operator", "D 4 Patient/q", "D 0 Patient/p",
      ])
  }

  @Test("by an app says to it how it ended, and nothing of what it holds")
  func app() async throws {
    let scene = try await sceneWithPerson()
    let app = "app lunch Patient/p patient/*.cruds"
    func consent(_ status: String) async throws -> Int {
      let body = """
        {"resourceType":"Consent","id":"c","status":"\(status)","patient":{"reference":"Patient/p"},
        "scope":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/consentscope",
        "code":"patient-privacy"}]},
        "category":[{"coding":[{"system":"http://loinc.org","code":"59284-0"}]}],
        "policyRule":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v3-ActCode",
        "code":"OPTIN"}]},"provision":{"type":"permit","actor":[{"role":{"coding":[{"system":
        "http://terminology.hl7.org/CodeSystem/v3-ParticipationType","code":"IRCP"}]},
        "reference":{"reference":"Device/lunch"}}]}}
        """
      let put = try await send(
        "PUT", "/fhir/Consent/c", by: "person Patient/p", in: scene, body: body,
        type: "application/fhir+json")
      return put.status
    }
    #expect(try await consent("active") == 201)
    let accepted = try await send("POST", Self.place, by: app, in: scene, body: Self.export)
    #expect(accepted.status == 202)
    let state = try await end(of: accepted, by: app, in: scene)
    #expect(state.members.map { $0.name } == ["id", "status"])
    #expect(state["status"]?.string == "done")
    let place = try #require(accepted.headers["Content-Location"])
    let person = try await send("GET", place, by: "operator", in: scene)
    #expect(String(decoding: person.body, as: UTF8.self).contains("\"records\":{\"read\":1"))
    // The same app with another token, and another one.
    let narrower = "app lunch Patient/p patient/Observation.u"
    #expect(try await send("GET", place, by: narrower, in: scene).status == 200)
    let other = "app supper Patient/p patient/*.cruds"
    #expect(try await send("GET", place, by: other, in: scene).status == 404)
    #expect(try await consent("inactive") == 200)
    #expect(try await send("GET", place, by: app, in: scene).status == 403)
  }

  @Test("is whose it is: others may not send it, nor ask for it")
  func belongs() async throws {
    let scene = try await sceneWithPerson()
    let other = "person Patient/q"
    let refused = try await send("POST", Self.place, by: other, in: scene, body: Self.export)
    #expect(refused.status == 403)
    let app = "app lunch Patient/p patient/Observation.rs"
    #expect(
      try await send("POST", Self.place, by: app, in: scene, body: Self.export).status == 403)
    let accepted = try await send(
      "POST", Self.place, by: "person Patient/p", in: scene, body: Self.export)
    let place = try #require(accepted.headers["Content-Location"])
    #expect(try await send("GET", place, by: other, in: scene).status == 404)
    #expect(try await send("DELETE", place, by: other, in: scene).status == 404)
    #expect(try await send("GET", place, by: "operator", in: scene).status != 404)
  }

  @Test("and finds no room says so, and not that nothing of it went in")
  func full() async throws {
    let engine = FailingEngine()
    let scene = try await sceneWithPerson(engine)
    engine.fails(with: .full)
    let accepted = try await send(
      "POST", Self.place, by: "operator", in: scene, body: Self.export)
    let state = try await end(of: accepted, by: "operator", in: scene)
    #expect(state["status"]?.string == "failed")
    let reason = try #require(state["reason"]?.string)
    #expect(reason.contains("no room for the rest"))
    #expect(!reason.contains("nothing was changed"))
    engine.fails(with: nil)
    let again = try await send("POST", Self.place, by: "operator", in: scene, body: Self.export)
    let end = try await end(of: again, by: "operator", in: scene)
    #expect(end["report"]?["observations"]?["created"]?.numberText == "1")
  }

  @Test("says what is wrong with it")
  func wrong() async throws {
    let scene = try await sceneWithPerson()
    let notOne = try await send(
      "POST", Self.place, by: "operator", in: scene, body: "<ClinicalDocument/>")
    let state = try await end(of: notOne, by: "operator", in: scene)
    #expect(state["status"]?.string == "failed")
    #expect(
      state["reason"]?.string
        == "what was sent is no export of Apple Health: it is no document that begins with <HealthData>"
    )

    let nobody = try await send(
      "POST", Self.place.replacing("Patient/p", with: "Patient/nobody"), by: "operator", in: scene,
      body: Self.export)
    let reason = try await end(of: nobody, by: "operator", in: scene)["reason"]?.string
    #expect(reason == "Patient/nobody is not known")

    for (place, wrong) in [
      ("/wearables/apple-health", "patient"),
      ("/wearables/apple-health?patient=Patient/p", "homeZone"),
      (Self.place + "&homeZone=2024-01-01=Atlantis", "homeZone"),
      (Self.place + "&since=soon", "since"),
      (Self.place + "&withoutManual=maybe", "withoutManual"), (Self.place + "&zone=Z", "zone"),
      (Self.place + "&samples=true", "samples"),
    ] {
      let refused = try await send("POST", place, by: "operator", in: scene, body: Self.export)
      #expect(refused.status == 400, "\(place)")
      #expect(String(decoding: refused.body, as: UTF8.self).contains("'\(wrong)'"), "\(place)")
    }
    let empty = try await send("POST", Self.place, by: "operator", in: scene)
    #expect(empty.status == 400)
    let type = try await send(
      "POST", Self.place, by: "operator", in: scene, body: Self.export, type: "text/csv")
    #expect(type.status == 415)
    #expect(type.headers["Accept"] == "application/zip, application/xml")
    #expect(
      String(decoding: type.body, as: UTF8.self).contains(
        "expected is application/zip or application/xml"))
  }
}
