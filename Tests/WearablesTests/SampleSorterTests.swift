import SeededNumbers
import Testing

@testable import Wearables

@Suite("Samples are sorted")
struct SampleSorterTests {
  private func samples(_ count: Int, seed: UInt64) -> [Sample] {
    var draw = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      Sample(
        metric: .random(in: 0...3, using: &draw), source: .random(in: 0...2, using: &draw),
        zone: .random(in: 0...300, using: &draw), isManual: .random(using: &draw),
        start: .random(in: -1_000...1_000, using: &draw) * 1_000,
        end: .random(in: -1_000...1_000, using: &draw) * 1_000,
        modified: .random(in: -1...1, using: &draw),
        value: [-1.5, -0.25, 0, 0.1, 72, 1e300].randomElement(using: &draw) ?? 0)
    }
  }

  @Test("outside memory as in it")
  func spilled() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    let samples = samples(20_000, seed: seed)
    var sorter = SpillSampleSorter(memoryByteCountMaximum: 1)
    for sample in samples { try sorter.append(sample) }
    var sorted: [Sample] = []
    try sorter.drain { sorted.append($0) }
    #expect(sorted == samples.sorted(), "seed \(seed)")
  }

  @Test("by their bytes as by themselves")
  func bytes() throws {
    let samples = samples(2_000, seed: 7)
    var record = [UInt8](repeating: 0, count: Sample.byteCount)
    let records = samples.map { sample in
      sample.write(to: &record)
      return record
    }
    for (record, sample) in zip(records, samples) {
      #expect(Sample(bytes: record.span) == sample)
    }
    for (one, two) in zip(samples.indices, samples.indices.dropFirst()) {
      #expect(
        records[one].lexicographicallyPrecedes(records[two]) == (samples[one] < samples[two]))
    }
  }
}
