/// Takes samples in any order and gives them back in rising order.
package protocol SampleSorter {
  mutating func append(_ sample: Sample) throws
  /// Lends every sample, equal ones included, in rising order; the sorter is empty afterwards.
  mutating func drain(_ body: (Sample) throws -> Void) throws
}

/// Sorts in memory: for a phone's day, and for tests.
package struct MemorySampleSorter: SampleSorter {
  private var samples: [Sample] = []

  package init() {}

  package mutating func append(_ sample: Sample) { samples.append(sample) }

  package mutating func drain(_ body: (Sample) throws -> Void) throws {
    samples.sort()
    for sample in samples { try body(sample) }
    samples = []
  }
}
