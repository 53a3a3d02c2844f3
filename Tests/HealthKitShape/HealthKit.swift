// The declarations of Apple's HealthKit that KilnClient uses, written after Apple's documentation, so
// that the one file which needs an Apple device is at least compiled here. They do nothing, and but for
// the store they promise nothing of threads, whatever a version of Apple's SDK may promise.
//
// https://developer.apple.com/documentation/healthkit

import Foundation

public class HKObjectType: NSObject {
  public class func quantityType(forIdentifier identifier: HKQuantityTypeIdentifier)
    -> HKQuantityType?
  { nil }
  public class func categoryType(forIdentifier identifier: HKCategoryTypeIdentifier)
    -> HKCategoryType?
  { nil }
}
public class HKSampleType: HKObjectType {}
public final class HKCategoryType: HKSampleType {}
public final class HKQuantityType: HKSampleType {
  public var aggregationStyle: HKQuantityAggregationStyle { .cumulative }
  public func `is`(compatibleWith unit: HKUnit) -> Bool { false }
}
public enum HKQuantityAggregationStyle: Int, Sendable {
  case cumulative, discreteArithmetic, discreteTemporallyWeighted
  case discreteEquivalentContinuousLevel
}
public struct HKQuantityTypeIdentifier: Hashable, RawRepresentable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}
public struct HKCategoryTypeIdentifier: Hashable, RawRepresentable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

public final class HKUnit: NSObject {
  public convenience init(from string: String) { self.init() }
}
public final class HKQuantity: NSObject {
  public func doubleValue(for unit: HKUnit) -> Double { 0 }
}

public class HKObject: NSObject {
  public var sourceRevision: HKSourceRevision { HKSourceRevision() }
  public var device: HKDevice? { nil }
}
public class HKSample: HKObject {
  public var startDate: Date { Date() }
  public var endDate: Date { Date() }
}
public class HKQuantitySample: HKSample {}
public final class HKCategorySample: HKSample {
  public var value: Int { 0 }
}
public final class HKDeletedObject: NSObject {}
public final class HKSource: NSObject {
  public var name: String { "" }
  public var bundleIdentifier: String { "" }
}
public final class HKSourceRevision: NSObject {
  public var source: HKSource { HKSource() }
  public var version: String? { nil }
  public var productType: String? { nil }
}
public final class HKDevice: NSObject {
  public var name: String? { nil }
  public var manufacturer: String? { nil }
  public var model: String? { nil }
  public var hardwareVersion: String? { nil }
}
public final class HKQueryAnchor: NSObject, NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }
  public func encode(with coder: NSCoder) {}
  public init?(coder: NSCoder) { nil }
}

public struct HKStatisticsOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let separateBySource = HKStatisticsOptions(rawValue: 1)
  public static let discreteAverage = HKStatisticsOptions(rawValue: 2)
  public static let discreteMin = HKStatisticsOptions(rawValue: 4)
  public static let discreteMax = HKStatisticsOptions(rawValue: 8)
  public static let cumulativeSum = HKStatisticsOptions(rawValue: 16)
  public static let mostRecent = HKStatisticsOptions(rawValue: 32)
}
public final class HKStatistics: NSObject {
  public var startDate: Date { Date() }
  public var sources: [HKSource]? { nil }
  public func sumQuantity() -> HKQuantity? { nil }
  public func averageQuantity() -> HKQuantity? { nil }
  public func minimumQuantity() -> HKQuantity? { nil }
  public func maximumQuantity() -> HKQuantity? { nil }
  public func mostRecentQuantity() -> HKQuantity? { nil }
}
public final class HKStatisticsCollection: NSObject {
  public func statistics() -> [HKStatistics] { [] }
  public func sources() -> Set<HKSource> { [] }
}

public struct HKQueryOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}
public class HKQuery: NSObject {
  public class func predicateForSamples(
    withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
  ) -> NSPredicate { NSPredicate(value: true) }
  public class func predicateForObjects(from sources: Set<HKSource>) -> NSPredicate {
    NSPredicate(value: true)
  }
}
public typealias HKObserverQueryCompletionHandler = () -> Void
public final class HKObserverQuery: HKQuery {
  public init(
    sampleType: HKSampleType, predicate: NSPredicate?,
    updateHandler:
      @escaping @Sendable (
        HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
      ) -> Void
  ) {}
}
public struct HKSamplePredicate<Sample: HKSample> {}
extension HKSamplePredicate where Sample == HKSample {
  public static func sample(type: HKSampleType, predicate: NSPredicate? = nil) -> Self { Self() }
}
extension HKSamplePredicate where Sample == HKQuantitySample {
  public static func quantitySample(type: HKQuantityType, predicate: NSPredicate? = nil) -> Self {
    Self()
  }
}
extension HKSamplePredicate where Sample == HKCategorySample {
  public static func categorySample(type: HKCategoryType, predicate: NSPredicate? = nil) -> Self {
    Self()
  }
}
public struct HKSampleQueryDescriptor<Sample: HKSample> {
  public init(
    predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>],
    limit: Int? = nil
  ) {}
  public func result(for healthStore: HKHealthStore) async throws -> [Sample] { [] }
}
public struct HKStatisticsCollectionQueryDescriptor {
  public init(
    predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions, anchorDate: Date,
    intervalComponents: DateComponents
  ) {}
  public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
    HKStatisticsCollection()
  }
}
public struct HKAnchoredObjectQueryDescriptor<Sample: HKSample>: Sendable {
  public struct Result {
    public let addedSamples: [Sample]
    public let deletedObjects: [HKDeletedObject]
    public let newAnchor: HKQueryAnchor
  }
  public init(
    predicates: [HKSamplePredicate<Sample>], anchor: HKQueryAnchor?, limit: Int? = nil
  ) {}
  public func result(for healthStore: HKHealthStore) async throws -> Result {
    throw CancellationError()
  }
}

public enum HKUpdateFrequency: Int, Sendable {
  case immediate = 1
  case hourly, daily, weekly
}
public final class HKHealthStore: NSObject, @unchecked Sendable {
  public override init() {}
  public class func isHealthDataAvailable() -> Bool { false }
  public func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws {}
  public func execute(_ query: HKQuery) {}
  public func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency
  ) async throws {}
}

public struct HKError: Error {
  public enum Code: Int, Sendable {
    case errorHealthDataUnavailable = 1
    case errorAuthorizationNotDetermined = 5
    case errorDatabaseInaccessible = 6
    case errorNoData = 11
  }
  public let code: Code
}
