import HTTPFixtures
import Testing

@Suite("A conversation of fixtures/http")
struct FixtureTests {
  @Test("there are some")
  func fixtures() {
    #expect(Fixture.all.count >= 15)
  }

  @Test("goes as the specifications say, without a socket", arguments: Fixture.all)
  func conversation(_ fixture: Fixture) async throws {
    let scene = try Scene()
    let run = FixtureRun(base: Scene.base, token: scene.token) { await scene.response(to: $0) }
    let faults = try await run.faults(of: fixture)
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    #expect(scene.reportCount == 0)
  }
}
