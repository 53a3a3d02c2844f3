#if canImport(HealthKit) && !os(macOS)
  import HealthKit

  /// HealthKit's “I am done”. Its type doesn't say so, but it is made to be called later and from
  /// elsewhere: Apple documents that it is called when what was fetched has been processed.
  struct ObserverCompletion: @unchecked Sendable {
    let call: HKObserverQueryCompletionHandler
  }
#endif
