import Archive

/// Takes samples in any order and gives them back in rising order.
package protocol SampleSorter {
  /// - Throws: `ArchiveError.system` if a temporary file can't be written.
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

/// Sorts any number of samples in bounded memory; what doesn't fit waits in a temporary file.
package struct SpillSampleSorter: SampleSorter {
  private let sorter: SpillSorter
  /// What is still to be handed to the sorter.
  private var block = [UInt8](repeating: 0, count: blockByteCount)
  private var blockEnd = 0

  private static let blockByteCount = 256 * Sample.byteCount

  /// - Parameters:
  ///   - memoryByteCountMaximum: what it may hold in memory.
  ///   - folder: where the temporary file is made; `TMPDIR` or `/tmp` if `nil`.
  package init(memoryByteCountMaximum: Int = 64 << 20, folder: String? = nil) {
    sorter = SpillSorter(
      recordByteCount: Sample.byteCount, memoryByteCountMaximum: memoryByteCountMaximum,
      folder: folder)
  }

  package mutating func append(_ sample: Sample) throws {
    if blockEnd == Self.blockByteCount { try flush() }
    sample.write(to: &block, at: blockEnd)
    blockEnd += Sample.byteCount
  }

  private mutating func flush() throws {
    try sorter.append(block.span.extracting(first: blockEnd))
    blockEnd = 0
  }

  package mutating func drain(_ body: (Sample) throws -> Void) throws {
    try flush()
    var records = try sorter.finish()
    while try records.advance() { try body(Sample(bytes: records.record)) }
  }
}
