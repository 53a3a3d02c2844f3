import Foundation
import Testing

@testable import KilnClient

@Suite("The outbox")
struct OutboxTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func open(countMaximum: Int = 100) throws -> Outbox {
    try Outbox(in: folder.url, countMaximum: countMaximum)
  }

  @Test("gives back after a restart what was put into it, in its order")
  func restart() throws {
    var outbox = try open()
    let context = DailyValue.Context(
      timeZone: "Australia/Lord_Howe",
      source: ValueSource(
        name: "Zoë’s Watch “7”\n", bundleIdentifier: "com.apple.health", version: "12"),
      device: ValueDevice(manufacturer: "Apple Inc.", hardwareVersion: "Watch7,5"))
    let values = [
      DailyValue(
        "heart_rate", on: "2026-10-25", .init(71.48372093023256, minimum: 48, maximum: 142),
        context: context),
      DailyValue("steps", on: "2026-10-24", nil, context: context),
    ]
    try outbox.add(values)
    let again = try open()
    #expect(again.damage == nil)
    #expect(again.batch(countMaximum: 9, without: []).map(\.value) == values)
  }

  @Test("keeps the newest value of a metric and day")
  func newest() throws {
    var outbox = try open()
    try outbox.add([steps("2026-10-25", 1), steps("2026-10-25", 2)])
    try outbox.add([steps("2026-10-25", 3), steps("2026-10-24", 9)])
    #expect(
      try open().batch(countMaximum: 9, without: []).map(\.value)
        == [steps("2026-10-25", 3), steps("2026-10-24", 9)])
  }

  @Test("a value that came while an older one was on its way stays")
  func overtaken() throws {
    var outbox = try open()
    try outbox.add([steps("2026-10-25", 1), steps("2026-10-24", 5)])
    let underway = outbox.batch(countMaximum: 9, without: [])
    try outbox.add([steps("2026-10-25", 2)])
    try outbox.remove(underway)
    #expect(try open().entries.values.map(\.value) == [steps("2026-10-25", 2)])
  }

  @Test("takes no more than it may hold, and then none of what was added")
  func bounded() throws {
    var outbox = try open(countMaximum: 2)
    try outbox.add([steps("2026-10-24", 1)])
    #expect(throws: ClientError.outboxFull(limit: 2)) {
      try outbox.add([steps("2026-10-25", 1), steps("2026-10-26", 1)])
    }
    #expect(outbox.entries.count == 1)
    try outbox.add([steps("2026-10-24", 2), steps("2026-10-25", 1)])
    #expect(try open().entries.count == 2)
  }

  @Test("sends together only what was measured in one place with one device")
  func batches() throws {
    var outbox = try open()
    try outbox.add([
      steps("2026-10-23", 1), steps("2026-10-24", 2, in: "Asia/Tokyo"), steps("2026-10-25", 3),
    ])
    let first = outbox.batch(countMaximum: 9, without: [])
    #expect(first.map(\.value.day) == ["2026-10-23", "2026-10-25"])
    let second = outbox.batch(countMaximum: 9, without: [first[0].value.context])
    #expect(second.map(\.value.day) == ["2026-10-24"])
    #expect(outbox.batch(countMaximum: 1, without: []).map(\.value.day) == ["2026-10-23"])
  }

  /// Each byte of the file is changed in turn.
  @Test("a damaged file is kept aside and reported, and what is whole in it is used")
  func damage() throws {
    var outbox = try open()
    try outbox.add((1...3).map { steps(LocalDay(number: 20_000 + $0), Double($0)) })
    let url = folder.url.appendingPathComponent("outbox")
    let whole = try Data(contentsOf: url)
    for position in whole.indices {
      var bytes = whole
      bytes[position] ^= 0x01
      try bytes.write(to: url)
      do {
        let opened = try open()
        let damage = try #require(opened.damage, "byte \(position) was not missed")
        #expect(damage.readableCount == opened.entries.count)
        // A lost line break takes the line before with it.
        let least = position < 22 ? 3 : whole[position] == UInt8(ascii: "\n") ? 1 : 2
        #expect(opened.entries.count >= least, "byte \(position)")
        #expect(try Data(contentsOf: damage.movedTo) == bytes)
        #expect(
          opened.entries.values.allSatisfy {
            $0.value.numbers?.value == Double($0.value.day.number - 20_000)
          })
        #expect(try open().damage == nil)
      } catch ClientError.writtenByAnotherVersion {
        #expect(try Data(contentsOf: url) == bytes, "it was left as it is")
      }
    }
  }

  @Test("a file cut short anywhere is noticed")
  func truncation() throws {
    var outbox = try open()
    try outbox.add((1...3).map { steps(LocalDay(number: 20_000 + $0), Double($0)) })
    let url = folder.url.appendingPathComponent("outbox")
    let whole = try Data(contentsOf: url)
    for count in 0..<(whole.count - 1) {
      try whole.prefix(count).write(to: url)
      let opened = try open()
      #expect(opened.damage != nil, "\(count) bytes")
      #expect(opened.entries.count <= 3)
    }
  }
}
