import Foundation

/// What a reader asks of the phone's health store: the narrow edge behind which HealthKit stands, so
/// that all that can be wrong in front of it is tested without a phone.
///
/// A type that the person did not allow to read looks like one without data; nobody may tell them
/// apart.
public protocol HealthReading: Sendable {
  /// Asks the person to allow reading of these types; returns when the person has answered, or at
  /// once if asked before.
  ///
  /// - Throws: if the question could not be put.
  func requestPermission(toRead types: [HealthType]) async throws

  /// The statistics of buckets that follow each other; buckets without data are left out.
  func statistics(_ request: HealthStatisticsRequest) async throws -> [HealthStatistics]

  /// The samples of a category that touch the interval, in any order.
  func samples(of type: HealthType, touching interval: DateInterval) async throws
    -> [HealthSample]

  /// What was saved and deleted since `anchor`, at most `countMaximum` of it; with no anchor, all that
  /// is there.
  ///
  /// - Parameters:
  ///   - type: what changed.
  ///   - anchor: where the changes before ended.
  ///   - start: leaves out what ends before; deletions may be left out too. `nil` leaves out nothing.
  ///   - countMaximum: the most changes to give at once.
  func changes(
    of type: HealthType, after anchor: HealthAnchor?, endingAfter start: Date?, countMaximum: Int
  ) async throws -> HealthChanges

  /// Calls `onChange` whenever samples of a type were saved or deleted, also while the app is in the
  /// background; the store wakes it, and sleeps again when `onChange` returns.
  func observe(
    _ types: [HealthType], onChange: @escaping @Sendable (HealthType) async -> Void) async throws
}

/// A type of the health store.
public struct HealthType: Hashable, Codable, Sendable {
  /// HealthKit's identifier, such as `HKQuantityTypeIdentifierStepCount`.
  public let identifier: String

  /// A type by HealthKit's identifier of it.
  public init(_ identifier: String) { self.identifier = identifier }

  /// Whether it is a category (sleep, mindfulness); else a quantity.
  public var isCategory: Bool { identifier.hasPrefix("HKCategoryTypeIdentifier") }
}

/// How a quantity's samples come to the number of a day.
public enum HealthStatistic: String, Hashable, Codable, Sendable {
  /// The total, with what several devices counted at once counted once.
  case sum
  /// The mean, the smallest and the greatest.
  case average
  /// The latest sample.
  case latest
  /// The greatest sample.
  case maximum
}

/// A question for statistics.
public struct HealthStatisticsRequest: Hashable, Sendable {
  /// Of a quantity.
  public let type: HealthType
  /// HealthKit's text of the unit in which to answer.
  public let unit: String
  /// What to answer.
  public let statistic: HealthStatistic
  /// Where the first bucket begins.
  public let start: Date
  /// The length of each bucket.
  public let bucketSeconds: Int
  /// How many buckets.
  public let bucketCount: Int
}

/// The statistics of one bucket.
public struct HealthStatistics: Hashable, Sendable {
  /// Where the bucket begins.
  public let start: Date
  /// In the unit asked for.
  public let numbers: DailyValue.Numbers
  /// Whose samples they are.
  public let sources: [HealthSource]

  /// - Parameters:
  ///   - start: where the bucket begins.
  ///   - numbers: in the unit asked for.
  ///   - sources: whose samples they are.
  public init(start: Date, numbers: DailyValue.Numbers, sources: [HealthSource]) {
    self.start = start
    self.numbers = numbers
    self.sources = sources
  }
}

/// A program that saved samples, in the revision that saved the latest, and the device behind them.
public struct HealthSource: Hashable, Sendable {
  /// Name, bundle identifier and version.
  public let source: ValueSource
  /// `nil` if the samples name none.
  public let device: ValueDevice?

  /// A source revision of the health store.
  public init(_ source: ValueSource, device: ValueDevice? = nil) {
    self.source = source
    self.device = device
  }
}

/// A sample of a category.
public struct HealthSample: Hashable, Sendable {
  /// From its start to its end, which may be the same.
  public let interval: DateInterval
  /// HealthKit's number of the category's value.
  public let value: Int
  /// Who saved it.
  public let source: HealthSource

  /// - Parameters:
  ///   - interval: from its start to its end, which may be the same.
  ///   - value: HealthKit's number of the category's value.
  ///   - source: who saved it.
  public init(interval: DateInterval, value: Int, source: HealthSource) {
    self.interval = interval
    self.value = value
    self.source = source
  }
}

/// A place in the order of all changes of a type, in the health store's own form.
public struct HealthAnchor: Hashable, Codable, Sendable {
  /// To be kept as it is.
  public let bytes: Data

  /// An anchor in the form that the store gave it.
  public init(_ bytes: Data) { self.bytes = bytes }
}

/// What changed after an anchor.
public struct HealthChanges: Hashable, Sendable {
  /// When the samples that were saved begin and end.
  public let saved: [DateInterval]
  /// How many were deleted. The health store doesn't say when those were.
  public let deletedCount: Int
  /// Where to go on.
  public let anchor: HealthAnchor

  /// - Parameters:
  ///   - saved: when the samples that were saved begin and end.
  ///   - deletedCount: how many were deleted.
  ///   - anchor: where to go on.
  public init(saved: [DateInterval], deletedCount: Int, anchor: HealthAnchor) {
    self.saved = saved
    self.deletedCount = deletedCount
    self.anchor = anchor
  }
}

/// Why the health store gave nothing. Absent data is no failure.
public enum HealthReadingError: Error, Hashable, Sendable {
  /// The device is locked, and its health data with it; ask again when it is open.
  case locked
  /// The person was not asked yet whether this may be read.
  case notAsked
  /// There is no health store on this device.
  case unavailable
  /// The store does not take this anchor, for example because it is another device's.
  case anchorUnknown
  /// Anything else.
  case failed(reason: String)
}
