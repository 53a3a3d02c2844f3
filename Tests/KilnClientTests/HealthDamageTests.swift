import Foundation
import Testing

@testable import KilnClient

@Suite("Files of a phone that were damaged")
struct DamageTests {
  private func flip(_ scene: PhoneScene, _ name: String, line number: Int) throws {
    let url = try scene.client.folder.file(name)
    var lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
    lines[number] = lines[number].replacingOccurrences(of: "2026", with: "2025")
    try Data(lines.joined(separator: "\n").utf8).write(to: url)
  }

  @Test("a value that was lost from the outbox is read again")
  func outbox() async throws {
    let scene = try PhoneScene()
    for day in ["02", "03", "04"] {
      try await scene.health.save(
        .steps, "2026-10-\(day)T08:00:00Z", "2026-10-\(day)T08:10:00Z", 9)
    }
    for _ in 0..<9 { scene.client.server.then(.lost) }
    _ = await (try scene.start("steps")).synchronise()
    scene.client.server.state.withLock { $0.script = [] }
    try flip(scene, "outbox", line: 2)
    // A run of the app that finds the damage and is killed before it reads.
    let damage = try #require(await (try scene.client.start()).damagedFiles.first)
    #expect(damage.name == "outbox")
    #expect(damage.readableCount == 2)
    #expect(damage.writtenCount == 3)
    let expected = Dictionary(
      uniqueKeysWithValues: ["02", "03", "04"].map { ("steps 2026-10-\($0)", "9.0") })
    await scene.expectAll(try scene.start("steps"), expected)
  }

  @Test("a day whose sending was forgotten is withdrawn all the same")
  func sent() async throws {
    let scene = try PhoneScene()
    let number = try await scene.health.save(
      .steps, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    await scene.expectAll(try scene.start("steps"), ["steps 2026-10-03": "9.0"])
    try flip(scene, "sent-steps", line: 1)
    await scene.health.delete(number)
    let sync = try scene.start("steps")
    await scene.expectAll(sync, [:])
    #expect(await scene.expectNothingNew(sync) == nil)
    #expect(await sync.client.damagedFiles.map(\.name) == ["sent-steps"])
  }

  @Test("a reader that forgot how far it came reads all again and sends nothing twice")
  func reading() async throws {
    let scene = try PhoneScene()
    try await scene.health.save(.steps, "2026-10-03T08:00:00Z", "2026-10-03T08:10:00Z", 9)
    await scene.expectAll(try scene.start("steps"), ["steps 2026-10-03": "9.0"])
    try flip(scene, "reading", line: 1)
    #expect(await scene.expectNothingNew(try scene.start("steps")) == nil)
  }
}
