import Wearables

/// A list of samples as `fixtures/wearables/day_values.py` describes it, computed by the engine.
package struct SampleList {
  package struct Unreadable: Error {
    package let line: String
  }

  private var homes: [String] = []
  private var first: [String] = []
  private var listed: [UInt16: [String]] = [:]
  private var withoutManual = false
  private var samples: [[String]] = []

  package init(lines: some Sequence<String>) throws {
    for line in lines {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      switch cells[0] {
      case "home": homes += cells.dropFirst()
      case "first": first += cells.dropFirst()
      case "listed": listed[try Self.metric(cells[1], line)] = Array(cells.dropFirst(2))
      case "without-manual": withoutManual = true
      case "sample" where cells.count == 11: samples.append(cells)
      default: throw Unreadable(line: line)
      }
    }
  }

  private static func metric(_ name: String, _ line: String) throws -> UInt16 {
    guard let position = MetricTable.shared.metrics.firstIndex(where: { $0.name == name }) else {
      throw Unreadable(line: line)
    }
    return UInt16(position)
  }

  private func engine(_ sorter: any SampleSorter) throws -> DayEngine {
    var engine = DayEngine(
      home: try HomeZone(parsing: homes),
      priority: listed.isEmpty ? .byKind(first: first) : .listed(listed),
      withoutManual: withoutManual, sorter: sorter)
    for cells in samples { try engine.add(try Self.sample(cells, for: &engine)) }
    return engine
  }

  private static func sample(_ cells: [String], for engine: inout DayEngine) throws -> Sample {
    let line = cells.joined(separator: ",")
    guard let kind = kinds[cells[4]], let start = milliseconds(cells[7]),
      let end = milliseconds(cells[8]), let value = Double(cells[10]),
      let source = engine.sources.position(of: Source(name: cells[3], kind: kind)),
      let zone = engine.zones.position(written: cells[5])
    else { throw Unreadable(line: line) }
    return Sample(
      metric: try metric(cells[1], line), source: source, zone: zone, isManual: cells[6] == "1",
      start: start, end: end, modified: milliseconds(cells[9]) ?? 0, value: value)
  }

  private static let kinds: [String: Source.Kind] = [
    "watch": .watch, "phone": .phone, "other": .other,
  ]

  /// Of `2024-03-10T08:00:00.000Z`.
  private static func milliseconds(_ text: String) -> Int64? {
    guard text.count >= 20, text.last == "Z", let day = LocalDay(String(text.prefix(10))) else {
      return nil
    }
    let time = text.dropFirst(11).dropLast().split { ":.".contains($0) }.compactMap { Int64($0) }
    guard 3...4 ~= time.count else { return nil }
    return zip(time, [3_600_000, 60_000, 1_000, 1])
      .reduce(Int64(day.number) * 86_400_000) { $0 + $1.0 * $1.1 }
  }

  /// The values as the Python program writes them, in the order of metric names and days.
  package func values(sorter: any SampleSorter = SpillSampleSorter()) throws -> [String] {
    var engine = try engine(sorter)
    let sources = engine.sources
    var values: [(metric: String, line: String)] = []
    try engine.finish { value in
      let metric = MetricTable.shared.metrics[Int(value.metric)].name
      let numbers = [value.value, value.minimum, value.maximum].map { $0.map { "\($0)" } ?? "" }
      let names = value.sources.map { sources[$0].name }.sorted().joined(separator: "|")
      let cells =
        [metric, value.day.text] + numbers + [
          "\(value.sampleCount)", "\(value.manualCount)", names,
        ]
      values.append((metric, cells.joined(separator: "\t")))
    }
    return values.enumerated()
      .sorted { ($0.element.metric, $0.offset) < ($1.element.metric, $1.offset) }
      .map(\.element.line)
  }
}
