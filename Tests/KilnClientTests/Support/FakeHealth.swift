import Foundation
import Synchronization

@testable import KilnClient

/// A health store as Apple documents HealthKit: a denied type looks empty, a deletion says nothing of
/// what was deleted, a sample that touches a query's border is found, a total is spread over the
/// buckets that a sample covers, observers are woken by saving and by deleting.
final class FakeHealth: HealthReading {
  struct Sample: Sendable {
    let type: HealthType
    let interval: DateInterval
    let value: Double
    let source: HealthSource
  }

  struct State {
    var samples: [Int: Sample] = [:]
    /// In their order; a deletion keeps only the number of what is gone.
    var events: [Event] = []
    var denied: Set<HealthType> = []
    var asked: [[HealthType]] = []
    var isLocked = false
    /// What anchors must begin with: another device's are unknown.
    var device = "phone"
    var observers: [(types: [HealthType], onChange: @Sendable (HealthType) async -> Void)] = []
    var statisticsRequests: [HealthStatisticsRequest] = []
  }

  enum Event: Sendable {
    case saved(Int, HealthType)
    case deleted(HealthType)
  }

  let state = Mutex(State())

  static let watch = HealthSource(
    ValueSource(name: "Watch", bundleIdentifier: "com.apple.health.W", version: "12.1"),
    device: ValueDevice(manufacturer: "Apple Inc.", hardwareVersion: "Watch7,5"))
  static let phone = HealthSource(
    ValueSource(name: "Phone", bundleIdentifier: "com.apple.health.P", version: "26.1"))

  @discardableResult
  func save(
    _ type: HealthType, _ from: String, _ to: String, _ value: Double,
    source: HealthSource = FakeHealth.watch
  ) async throws -> Int {
    let sample = Sample(
      type: type, interval: DateInterval(start: try moment(from), end: try moment(to)),
      value: value, source: source)
    let number = state.withLock { state in
      let number = state.events.count
      state.samples[number] = sample
      state.events.append(.saved(number, type))
      return number
    }
    await wake(type)
    return number
  }

  func delete(_ number: Int) async {
    let type = state.withLock { state in
      let type = state.samples.removeValue(forKey: number)?.type
      if let type { state.events.append(.deleted(type)) }
      return type
    }
    if let type { await wake(type) }
  }

  private func wake(_ type: HealthType) async {
    let observers = state.withLock { state in
      state.denied.contains(type) ? [] : state.observers.filter { $0.types.contains(type) }
    }
    for observer in observers { await observer.onChange(type) }
  }

  func requestPermission(toRead types: [HealthType]) async throws {
    state.withLock { $0.asked.append(types) }
  }

  func observe(
    _ types: [HealthType], onChange: @escaping @Sendable (HealthType) async -> Void
  ) async throws {
    state.withLock { $0.observers.append((types, onChange)) }
  }

  private func samples(_ type: HealthType, touching interval: DateInterval) throws -> [Sample] {
    try state.withLock { state in
      if state.isLocked { throw HealthReadingError.locked }
      if state.denied.contains(type) { return [] }
      return state.samples.values.filter { $0.type == type && $0.interval.intersects(interval) }
    }
  }

  func samples(of type: HealthType, touching interval: DateInterval) async throws -> [HealthSample]
  {
    try samples(type, touching: interval).map {
      HealthSample(interval: $0.interval, value: Int($0.value), source: $0.source)
    }
  }

  func statistics(_ request: HealthStatisticsRequest) async throws -> [HealthStatistics] {
    state.withLock { $0.statisticsRequests.append(request) }
    // A sample that reaches over the border makes a bucket outside of what was asked for.
    return try (-1...request.bucketCount).compactMap { position in
      let start = request.start.addingTimeInterval(Double(position * request.bucketSeconds))
      let bucket = DateInterval(start: start, duration: Double(request.bucketSeconds))
      let found = try samples(request.type, touching: bucket).filter {
        $0.interval.start < bucket.end && ($0.interval.end > start || $0.interval.start == start)
      }
      guard let numbers = Self.numbers(request.statistic, of: found, in: bucket) else { return nil }
      return HealthStatistics(
        start: start, numbers: numbers, sources: Array(Set(found.map(\.source))))
    }
  }

  private static func numbers(
    _ statistic: HealthStatistic, of found: [Sample], in bucket: DateInterval
  ) -> DailyValue.Numbers? {
    let values = found.map(\.value)
    guard let least = values.min(), let most = values.max() else { return nil }
    switch statistic {
    case .sum:
      return DailyValue.Numbers(
        found.reduce(0) { total, sample in
          let inside = sample.interval.intersection(with: bucket)?.duration ?? 0
          let share = sample.interval.duration == 0 ? 1 : inside / sample.interval.duration
          return total + sample.value * share
        })
    case .average:
      return DailyValue.Numbers(
        values.reduce(0, +) / Double(values.count), minimum: least, maximum: most)
    case .latest:
      return found.max { $0.interval.end < $1.interval.end }.map { DailyValue.Numbers($0.value) }
    case .maximum: return DailyValue.Numbers(most)
    }
  }

  func changes(
    of type: HealthType, after anchor: HealthAnchor?, endingAfter start: Date?, countMaximum: Int
  ) async throws -> HealthChanges {
    try state.withLock { state in
      if state.isLocked { throw HealthReadingError.locked }
      let parts = anchor.map { String(decoding: $0.bytes, as: UTF8.self).split(separator: " ") }
      if let parts, parts.first.map(String.init) != state.device {
        throw HealthReadingError.anchorUnknown
      }
      var position = parts.flatMap { Int($0[1]) } ?? 0
      var saved: [DateInterval] = []
      var deletedCount = 0
      while position < state.events.count, saved.count + deletedCount < countMaximum {
        defer { position += 1 }
        guard !state.denied.contains(type) else { continue }
        switch state.events[position] {
        case .saved(let number, type):
          // What was saved and deleted again is found as deleted alone.
          if let sample = state.samples[number], sample.interval.end > start ?? .distantPast {
            saved.append(sample.interval)
          }
        // A deletion has no date, so a predicate of dates leaves it out.
        case .deleted(type): deletedCount += start == nil ? 1 : 0
        case .saved, .deleted: continue
        }
      }
      return HealthChanges(
        saved: saved, deletedCount: deletedCount,
        anchor: HealthAnchor(Data("\(state.device) \(position)".utf8)))
    }
  }
}
