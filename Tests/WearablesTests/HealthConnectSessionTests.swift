import SeededNumbers
import Testing

@testable import Wearables

@Suite("Sessions of several apps")
struct HealthConnectSessionTests {
  private func session(
    _ start: Int64, _ end: Int64, rank: Int, modified: Int64 = 0
  ) -> HealthConnectSession {
    HealthConnectSession(
      reading: HealthConnectReading(
        start: start, end: end, recordStart: start, app: Int64(rank), isManual: false,
        modified: modified), rank: rank)
  }

  private func stretches(_ sessions: [HealthConnectSession]) -> [String] {
    var sweep = HealthConnectSessionSweep()
    var told: [String] = []
    let tell = { (stretch: HealthConnectSessionSweep.Stretch) in
      told.append("\(stretch.session.rank): \(stretch.start)-\(stretch.end)")
    }
    let taken = sessions.map { sweep.take($0, tell) }
    #expect(taken.allSatisfy { $0 })
    sweep.finish(tell)
    return told
  }

  @Test("count one at a time: that of the best app, and where it has none the next")
  func order() {
    #expect(
      stretches([session(0, 100, rank: 1), session(20, 40, rank: 0), session(90, 120, rank: 2)])
        == ["1: 0-20", "0: 20-40", "1: 40-90", "1: 90-100", "2: 100-120"])
  }

  @Test("of one app count as it changed them last")
  func changes() {
    #expect(
      stretches([
        session(0, 100, rank: 0, modified: 1), session(50, 150, rank: 0, modified: 2),
      ]) == ["0: 0-50", "0: 50-150"])
    #expect(
      stretches([
        session(0, 100, rank: 0, modified: 2), session(50, 150, rank: 0, modified: 1),
      ]) == ["0: 0-50", "0: 50-100", "0: 100-150"])
  }

  @Test("without length or covered by a better one count for nothing")
  func covered() {
    #expect(
      stretches([session(0, 100, rank: 0), session(10, 90, rank: 1), session(20, 20, rank: 0)])
        .allSatisfy { $0.hasPrefix("0:") })
  }

  @Test("are one at each moment, the best that is open then", arguments: [11, 12])
  func everyMoment(seed: UInt64) {
    var dice = SplitMix64(seed: seed)
    let sessions = (0..<200).map { _ in
      let start = Int64(dice.next() % 500)
      return session(
        start, start + Int64(dice.next() % 60), rank: Int(dice.next() % 4),
        modified: Int64(dice.next() % 3))
    }.sorted { $0.reading.start < $1.reading.start }
    // Second by second, of those that are open the best rank, then the last change, start and end.
    let expected = (0..<600).map { moment -> [Int64] in
      let open = sessions.map(\.reading).enumerated().filter {
        $0.element.start <= moment && moment < $0.element.end
      }
      let order = open.map { place, reading in
        [Int64(-sessions[place].rank), reading.modified, reading.start, reading.end]
      }
      return order.max { $0.lexicographicallyPrecedes($1) } ?? []
    }
    var sweep = HealthConnectSessionSweep()
    var told = [[Int64]](repeating: [], count: 600)
    let tell = { (stretch: HealthConnectSessionSweep.Stretch) in
      let reading = stretch.session.reading
      for moment in stretch.start..<stretch.end {
        #expect(told[Int(moment)].isEmpty)
        told[Int(moment)] = [
          Int64(-stretch.session.rank), reading.modified, reading.start, reading.end,
        ]
      }
    }
    let taken = sessions.map { sweep.take($0, tell) }
    #expect(taken.allSatisfy { $0 })
    sweep.finish(tell)
    #expect(told == expected)
  }

  @Test("of which tens of thousands are open at once count all the same, and more are refused")
  func crowd() {
    var sweep = HealthConnectSessionSweep()
    var length: Int64 = 0
    let tell = { (stretch: HealthConnectSessionSweep.Stretch) in
      length += stretch.end - stretch.start
    }
    let count: Int64 = 100_000
    // Each begins and ends later than those before it, and was changed earlier.
    let taken = (0..<count).map {
      sweep.take(session($0, 10 * count + $0, rank: 0, modified: -$0), tell)
    }
    #expect(taken.count { $0 } == 65_536)
    sweep.finish(tell)
    #expect(length == 10 * count + 65_535)
  }

  @Test("that are cut into many stretches count as they do whole")
  func cut() throws {
    let types = HealthConnectType.all.filter { $0.group == "sleep_session_record_table" }
    let sleeping = try #require(types.first { $0.identifier == "SleepSessionRecord" })
    var night = session(0, 100_000, rank: 0)
    // Awake (1) every other ten.
    night.parts = (0..<5_000).map { .init(start: 20 * $0, end: 20 * $0 + 10, type: 1) }
    night.setCounted(of: types)
    #expect(night.counted(of: sleeping, from: 5, to: 35) == [10..<20, 30..<35])
    #expect(night.counted(of: sleeping, from: 20, to: 30) == [])
    #expect(night.counted(of: sleeping, from: 99_985, to: 100_000) == [99_990..<100_000])
    #expect(night.counted(of: sleeping, from: 0, to: 100_000).count == 5_000)
  }

  @Test("leave out overlapping and nested parts once")
  func parts() {
    var night = session(0, 100, rank: 0)
    night.parts = [
      .init(start: -5, end: 10, type: 1), .init(start: 5, end: 8, type: 1),
      .init(start: 30, end: 50, type: 3), .init(start: 40, end: 60, type: 1),
      .init(start: 90, end: 200, type: 7),
    ]
    #expect(night.stretches(without: [1, 3, 7], from: 0, to: 100) == [10..<30, 60..<90])
    #expect(night.stretches(of: [1], from: 7, to: 45) == [7..<10, 40..<45])
  }
}
