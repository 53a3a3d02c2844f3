#if canImport(HealthKit) && !os(macOS)
  import Foundation
  import HealthKit

  extension HealthType {
    /// `nil` if this version of the system has no such type.
    var sampleType: HKSampleType? { isCategory ? categoryType : quantityType }

    var categoryType: HKCategoryType? {
      isCategory
        ? HKObjectType.categoryType(forIdentifier: HKCategoryTypeIdentifier(rawValue: identifier))
        : nil
    }

    var quantityType: HKQuantityType? {
      isCategory
        ? nil
        : HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier))
    }

    var isUnknown: HealthReadingError {
      .failed(reason: "This system has no type \(identifier).")
    }
  }

  extension HealthStatisticsRequest {
    /// HealthKit stops an app that asks for a unit or a statistic which a type doesn't have.
    func typeAndUnit() throws -> (HKQuantityType, HKUnit) {
      guard let quantity = type.quantityType else { throw type.isUnknown }
      let unit = HKUnit(from: unit)
      guard quantity.is(compatibleWith: unit),
        (quantity.aggregationStyle == .cumulative) == (statistic == .sum)
      else {
        throw HealthReadingError.failed(
          reason: "\(type.identifier) has no \(statistic) in \(unit).")
      }
      return (quantity, unit)
    }

    /// What touches any of the buckets.
    var dates: NSPredicate {
      let seconds = Double(bucketSeconds * bucketCount)
      return HKQuery.predicateForSamples(
        withStart: start, end: start.addingTimeInterval(seconds), options: [])
    }
  }

  extension HealthStatistic {
    var options: HKStatisticsOptions {
      switch self {
      case .sum: .cumulativeSum
      case .average: [.discreteAverage, .discreteMin, .discreteMax]
      case .latest: .mostRecent
      case .maximum: .discreteMax
      }
    }

    /// `nil` if there are none.
    func numbers(of statistics: HKStatistics, in unit: HKUnit) -> DailyValue.Numbers? {
      func number(_ quantity: HKQuantity?) -> Double? { quantity?.doubleValue(for: unit) }
      let value =
        switch self {
        case .sum: number(statistics.sumQuantity())
        case .average: number(statistics.averageQuantity())
        case .latest: number(statistics.mostRecentQuantity())
        case .maximum: number(statistics.maximumQuantity())
        }
      guard let value else { return nil }
      guard self == .average else { return DailyValue.Numbers(value) }
      return DailyValue.Numbers(
        value, minimum: number(statistics.minimumQuantity()),
        maximum: number(statistics.maximumQuantity()))
    }
  }

  extension HKSample {
    var interval: DateInterval { DateInterval(start: startDate, end: max(startDate, endDate)) }
  }

  extension HealthSource {
    init(_ revision: HKSourceRevision, _ device: HKDevice?) {
      let source = ValueSource(
        name: revision.source.name, bundleIdentifier: revision.source.bundleIdentifier,
        version: revision.version)
      let hardware = device?.hardwareVersion ?? revision.productType
      guard device != nil || hardware != nil else {
        self.init(source)
        return
      }
      self.init(
        source,
        device: ValueDevice(
          name: device?.name, manufacturer: device?.manufacturer, model: device?.model,
          hardwareVersion: hardware))
    }
  }

  extension HealthAnchor {
    init(_ anchor: HKQueryAnchor) throws {
      self.init(
        try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true))
    }

    func queryAnchor() throws -> HKQueryAnchor {
      let read = try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: bytes)
      guard let read else { throw HealthReadingError.anchorUnknown }
      return read
    }
  }

  extension HealthReadingError {
    /// Says what HealthKit throws in this library's words.
    ///
    /// - Parameter nothing: what it comes to where HealthKit calls absent data an error.
    static func translating<Result>(
      ifEmpty nothing: Result? = nil, _ work: () async throws -> Result
    ) async throws -> Result {
      do {
        return try await work()
      } catch let error as HKError {
        if error.code == .errorNoData, let nothing { return nothing }
        switch error.code {
        case .errorDatabaseInaccessible: throw HealthReadingError.locked
        case .errorHealthDataUnavailable: throw HealthReadingError.unavailable
        case .errorAuthorizationNotDetermined: throw HealthReadingError.notAsked
        default: throw HealthReadingError.failed(reason: error.localizedDescription)
        }
      } catch let error as HealthReadingError {
        throw error
      } catch {
        throw HealthReadingError.failed(reason: "\(error)")
      }
    }
  }
#endif
