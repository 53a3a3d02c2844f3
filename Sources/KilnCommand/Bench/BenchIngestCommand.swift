import Foundation

extension Command {
  static let benchIngest = Command(
    name: "bench ingest",
    summary: "Measures taking in a generated Apple Health export against only parsing it.",
    options: [
      .optional("--megabytes", "COUNT", "the export's size, 100 by default; again for more"),
      .optional(
        "--folder", "DIR", "where export and store are made; a temporary folder by default"),
    ]
  ) { arguments in
    let parent = arguments["--folder"] ?? FileManager.default.temporaryDirectory.path
    let folder = parent + "/kiln-bench-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let table = BenchTable()
    for text in arguments.has("--megabytes") ? arguments.list("--megabytes") : ["100"] {
      guard let megabytes = Int(text), ExportGenerator.megabytes ~= megabytes else {
        let range = ExportGenerator.megabytes
        throw UsageError(
          "--megabytes takes a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      try BenchIngest(folder: folder, megabytes: megabytes).run(table)
    }
    return 0
  }

  /// One measurement in a process of its own: prints its `IngestFigures`.
  static let benchIngestPart = Command(
    name: "bench-ingest-part", summary: "Runs one part of bench ingest.", operands: ["FILE"],
    options: [.required("--part", "NAME", "drop, days or commit"), .store], isListed: false
  ) { arguments in
    guard let part = IngestPart(rawValue: try arguments.required("--part")) else {
      throw UsageError("--part is drop, days or commit")
    }
    let gauge = MemoryGauge()
    let start = ContinuousClock.now
    try part.run(on: arguments.operands[0], store: try arguments.required("--store"), gauge)
    let figures = IngestFigures(
      seconds: (ContinuousClock.now - start).inSeconds,
      processorSeconds: try ProcessUsage.own.processorSeconds(), own: gauge.own,
      resident: try ProcessUsage.own.mostResidentMemory())
    Output.line(figures.line)
    return 0
  }
}

/// What one part took.
struct IngestFigures {
  var seconds = Double.infinity
  var processorSeconds = Double.infinity
  /// Memory in bytes, see `MemoryGauge`.
  var own = 0
  var resident = 0

  var line: String { "\(seconds) \(processorSeconds) \(own) \(resident)" }

  init() {}

  init(seconds: Double, processorSeconds: Double, own: Int, resident: Int) {
    self.seconds = seconds
    self.processorSeconds = processorSeconds
    self.own = own
    self.resident = resident
  }

  /// Reads a line as `line` makes it.
  init?(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 4, let seconds = Double(words[0]), let processor = Double(words[1]),
      let own = Int(words[2]), let resident = Int(words[3])
    else { return nil }
    self.init(seconds: seconds, processorSeconds: processor, own: own, resident: resident)
  }

  /// The shorter times and the greater memory of two runs: what else a machine does only ever adds.
  func joined(with other: IngestFigures) -> IngestFigures {
    IngestFigures(
      seconds: min(seconds, other.seconds),
      processorSeconds: min(processorSeconds, other.processorSeconds),
      own: max(own, other.own), resident: max(resident, other.resident))
  }
}

/// The measurements on one export.
struct BenchIngest {
  let folder: String
  let megabytes: Int

  func run(_ table: BenchTable) throws {
    let path = folder + "/export.xml"
    let (bytes, records) = try generate(path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    table.figure("the export", Double(bytes) / 1e6, unit: "MB")
    table.figure("records in it", Double(records), unit: "")
    var results: [IngestPart: IngestFigures] = [:]
    for _ in 0..<(megabytes > 500 ? 3 : 7) {
      for part in IngestPart.allCases {
        results[part] = try measure(part, path).joined(with: results[part] ?? IngestFigures())
      }
    }
    let size = Double(bytes) / 1e6
    for (name, part) in [("day values", IngestPart.days), ("committed values", .commit)] {
      func ratio(_ unit: String, _ time: KeyPath<IngestFigures, Double>, goal: Double?) {
        func rate(_ part: IngestPart) -> Double {
          size / (results[part]?[keyPath: time] ?? .infinity)
        }
        table.ratio("read to \(name), \(unit)", rate(part), against: rate(.drop), goal: goal)
      }
      ratio("MB/s", \.seconds, goal: 0.6)
      // Of a parse on one thread against an import on several it tells what else could be saved.
      ratio("MB a second of processor", \.processorSeconds, goal: nil)
    }
    for part in IngestPart.allCases {
      let figures = results[part] ?? IngestFigures()
      table.figure(
        "memory of its own, \(part.rawValue)", Double(figures.own) / 1e6, unit: "MB", limit: 200)
      table.figure(
        "resident with mapped pages, \(part.rawValue)", Double(figures.resident) / 1e6, unit: "MB",
        limit: 200)
    }
  }

  private func generate(_ path: String) throws -> (byteCount: Int, recordCount: Int) {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw BenchError("\(path) can't be written") }
    defer { try? file.close() }
    var generator = ExportGenerator(byteCount: megabytes * 1_000_000, to: file)
    return try generator.run()
  }

  private func measure(_ part: IngestPart, _ path: String) throws -> IngestFigures {
    let store = folder + "/store"
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: store) }
    if part == .commit { try IngestPart.makeStore(in: store) }
    let line = try Subprocess.output(of: [
      "/proc/\(ProcessInfo.processInfo.processIdentifier)/exe", "bench-ingest-part", path, "--part",
      part.rawValue, "--store", store,
    ])
    guard let figures = IngestFigures(line) else {
      throw BenchError("\(part.rawValue) printed no measurement")
    }
    return figures
  }
}
