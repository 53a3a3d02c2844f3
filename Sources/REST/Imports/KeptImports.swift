import Access
import FHIRModel

/// How many imports that are over stay to be asked for: so many of a caller, whoever else sends how many,
/// and so many in all.
struct KeptImports {
  private let maximum: Int
  private let maximumOfCaller: Int
  private let earliest: Int64

  /// - Parameter earliest: in ticks; what was received before is forgotten.
  init(atMost maximum: Int, ofCaller maximumOfCaller: Int, since earliest: Int64) {
    self.maximum = maximum
    self.maximumOfCaller = maximumOfCaller
    self.earliest = earliest
  }

  /// What is to be forgotten of jobs, which are in the order in which they came: the oldest of a caller
  /// first. Where all have too many, one after the other is forgotten of whoever has the most, so that
  /// nobody pushes out another who has fewer.
  func forgotten(of jobs: [ImportJob]) -> [ImportJob] {
    var forgotten: [ImportJob] = []
    var kept: [Caller.Identity: ArraySlice<ImportJob>] = [:]
    for job in jobs where job.isOver {
      guard job.order.received.ticks >= earliest else {
        forgotten.append(job)
        continue
      }
      kept[job.order.caller.identity, default: []].append(job)
    }
    for (caller, jobs) in kept where jobs.count > maximumOfCaller {
      let surplus = jobs.count - maximumOfCaller
      forgotten += jobs.prefix(surplus)
      kept[caller] = jobs.dropFirst(surplus)
    }
    var count = kept.values.reduce(0) { $0 + $1.count }
    while count > maximum, let most = kept.max(by: { isFewer($0.value, $1.value) }) {
      forgotten += most.value.prefix(1)
      kept[most.key] = most.value.dropFirst()
      count -= 1
    }
    return forgotten
  }

  /// Of as many, those whose oldest came first count as more.
  private func isFewer(_ left: ArraySlice<ImportJob>, _ right: ArraySlice<ImportJob>) -> Bool {
    guard left.count == right.count, let one = left.first, let other = right.first else {
      return left.count < right.count
    }
    return one.order.received > other.order.received
  }
}
