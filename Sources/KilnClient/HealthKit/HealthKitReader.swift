// On Linux this file is empty, so the checks there can't compile it against Apple's frameworks; they
// compile it against declarations written after Apple's documentation (Tests/HealthKitShape). Nothing
// is decided here: all that is stands before `HealthReading`, and is tested.
#if canImport(HealthKit) && !os(macOS)
  import Foundation
  import HealthKit

  /// The phone's health store: `HealthReading` over HealthKit.
  ///
  /// The app needs the HealthKit capability with background delivery
  /// (`com.apple.developer.healthkit.background-delivery`) and `NSHealthShareUsageDescription`.
  ///
  /// - Important: The project's checks run on Linux, where there is no HealthKit: this type was never
  ///   compiled against Apple's SDK there, only against declarations of the same shape.
  public struct HealthKitReader: HealthReading {
    let store: HKHealthStore

    /// - Parameter store: the app's one store.
    public init(_ store: HKHealthStore = HKHealthStore()) { self.store = store }

    public func requestPermission(toRead types: [HealthType]) async throws {
      guard HKHealthStore.isHealthDataAvailable() else { throw HealthReadingError.unavailable }
      let known = Set(types.compactMap(\.sampleType))
      try await HealthReadingError.translating {
        try await store.requestAuthorization(toShare: [], read: known)
      }
    }

    public func statistics(_ request: HealthStatisticsRequest) async throws -> [HealthStatistics] {
      let (type, unit) = try request.typeAndUnit()
      return try await HealthReadingError.translating(ifEmpty: []) {
        let merged = try await collection(of: type, request, request.statistic.options)
        let numbers = merged.statistics().compactMap { statistics in
          request.statistic.numbers(of: statistics, in: unit).map { (statistics.startDate, $0) }
        }
        let sources = numbers.isEmpty ? [:] : try await sources(of: type, request)
        return numbers.map {
          HealthStatistics(start: $0, numbers: $1, sources: sources[$0] ?? [])
        }
      }
    }

    private func collection(
      of type: HKQuantityType, _ request: HealthStatisticsRequest, _ options: HKStatisticsOptions
    ) async throws -> HKStatisticsCollection {
      try await HKStatisticsCollectionQueryDescriptor(
        predicate: .quantitySample(type: type, predicate: request.dates), options: options,
        anchorDate: request.start,
        intervalComponents: DateComponents(second: request.bucketSeconds)
      ).result(for: store)
    }

    /// The sources of each bucket, by its start. They are asked for apart: Apple says that statistics
    /// name them only when they are separated, and are merged only when they are not.
    private func sources(
      of type: HKQuantityType, _ request: HealthStatisticsRequest
    ) async throws -> [Date: [HealthSource]] {
      let options = request.statistic.options.union(.separateBySource)
      let separate = try await collection(of: type, request, options)
      var revisions: [HKSource: HealthSource] = [:]
      for source in separate.sources() {
        revisions[source] = try await revision(of: source, type, request.dates)
      }
      return separate.statistics().reduce(into: [:]) { found, statistics in
        found[statistics.startDate] = (statistics.sources ?? []).compactMap { revisions[$0] }
      }
    }

    /// The source as it was when it saved its latest sample.
    private func revision(
      of source: HKSource, _ type: HKQuantityType, _ dates: NSPredicate
    ) async throws -> HealthSource {
      let both = NSCompoundPredicate(
        andPredicateWithSubpredicates: [dates, HKQuery.predicateForObjects(from: [source])])
      let latest = HKSampleQueryDescriptor(
        predicates: [.quantitySample(type: type, predicate: both)],
        sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 1)
      guard let sample = try await latest.result(for: store).first else {
        return HealthSource(
          ValueSource(name: source.name, bundleIdentifier: source.bundleIdentifier))
      }
      return HealthSource(sample.sourceRevision, sample.device)
    }

    public func samples(
      of type: HealthType, touching interval: DateInterval
    ) async throws -> [HealthSample] {
      guard let category = type.categoryType else { throw type.isUnknown }
      let dates = HKQuery.predicateForSamples(
        withStart: interval.start, end: interval.end, options: [])
      let query = HKSampleQueryDescriptor(
        predicates: [.categorySample(type: category, predicate: dates)], sortDescriptors: [])
      return try await HealthReadingError.translating(ifEmpty: []) {
        try await query.result(for: store).map { sample in
          HealthSample(
            interval: sample.interval, value: sample.value,
            source: HealthSource(sample.sourceRevision, sample.device))
        }
      }
    }

    public func changes(
      of type: HealthType, after anchor: HealthAnchor?, endingAfter start: Date?, countMaximum: Int
    ) async throws -> HealthChanges {
      guard let sampleType = type.sampleType else { throw type.isUnknown }
      let dates = start.map {
        HKQuery.predicateForSamples(withStart: $0, end: nil, options: [])
      }
      let query = HKAnchoredObjectQueryDescriptor(
        predicates: [HKSamplePredicate<HKSample>.sample(type: sampleType, predicate: dates)],
        anchor: try anchor.map { try $0.queryAnchor() }, limit: countMaximum)
      return try await HealthReadingError.translating {
        let result = try await query.result(for: store)
        return HealthChanges(
          saved: result.addedSamples.map(\.interval), deletedCount: result.deletedObjects.count,
          anchor: try HealthAnchor(result.newAnchor))
      }
    }

    public func observe(
      _ types: [HealthType], onChange: @escaping @Sendable (HealthType) async -> Void
    ) async throws {
      let known = types.filter { $0.sampleType != nil }
      for type in known { watch(type, onChange) }
      // A type that can't wake the app must not keep the others from doing so.
      var failure: (any Error)?
      for sampleType in known.compactMap(\.sampleType) {
        do {
          try await HealthReadingError.translating {
            try await store.enableBackgroundDelivery(for: sampleType, frequency: .immediate)
          }
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
    }

    private func watch(
      _ type: HealthType, _ onChange: @escaping @Sendable (HealthType) async -> Void
    ) {
      guard let sampleType = type.sampleType else { return }
      let query = HKObserverQuery(sampleType: sampleType, predicate: nil) { _, done, failure in
        let completion = ObserverCompletion(call: done)
        guard failure == nil else { return completion.call() }
        Task {
          await onChange(type)
          // Without it HealthKit wakes the app twice more, and then never again.
          completion.call()
        }
      }
      store.execute(query)
    }
  }
#endif
