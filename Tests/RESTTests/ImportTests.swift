import FHIRModel
import HTTPFixtures
import REST
import Testing

@Suite("An export that is sent")
struct ImportTests {
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

  private func sceneWithPerson() async throws -> Scene {
    let scene = try Scene()
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
  }
}
