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
      guard let megabytes = Int(text), 1...100_000 ~= megabytes else {
        throw UsageError("--megabytes takes a whole number from 1 to 100000")
      }
      try BenchIngest(folder: folder, megabytes: megabytes).run(table)
    }
    return 0
  }

  /// One measurement in a process of its own: prints its seconds and its peak memory in bytes.
  static let benchIngestPart = Command(
    name: "bench-ingest-part", summary: "Runs one part of bench ingest.", operands: ["FILE"],
    options: [.required("--part", "NAME", "drop, days or commit"), .store], isListed: false
  ) { arguments in
    guard let part = IngestPart(rawValue: try arguments.required("--part")) else {
      throw UsageError("--part is drop, days or commit")
    }
    let start = ContinuousClock.now
    try part.run(on: arguments.operands[0], store: try arguments.required("--store"))
    let seconds = (ContinuousClock.now - start).inSeconds
    Output.line("\(seconds) \(try IngestPart.peakMemory())")
    return 0
  }
}

/// The measurements on one export.
struct BenchIngest {
  let folder: String
  let megabytes: Int

  func run(_ table: BenchTable) throws {
    let path = folder + "/export.xml"
    let size = try generate(path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    table.figure("the export", Double(size.byteCount) / 1e6, unit: "MB")
    table.figure("records in it", Double(size.recordCount), unit: "")
    var results: [IngestPart: (seconds: Double, memory: Int)] = [:]
    for _ in 0..<(megabytes > 500 ? 1 : 3) {
      for part in IngestPart.allCases {
        let result = try measure(part, path)
        if result.seconds < results[part]?.seconds ?? .infinity { results[part] = result }
      }
    }
    func rate(_ part: IngestPart) -> Double {
      Double(size.byteCount) / 1e6 / (results[part]?.seconds ?? .infinity)
    }
    table.ratio("read to day values, MB/s", rate(.days), against: rate(.drop), goal: 0.6)
    table.ratio("read to committed values, MB/s", rate(.commit), against: rate(.drop), goal: 0.6)
    for part in IngestPart.allCases {
      table.figure(
        "peak memory, \(part.rawValue)", Double(results[part]?.memory ?? 0) / 1e6, unit: "MB",
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

  private func measure(_ part: IngestPart, _ path: String) throws -> (seconds: Double, memory: Int)
  {
    let store = folder + "/store"
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: store) }
    let words = try Subprocess.output(of: [
      "/proc/\(ProcessInfo.processInfo.processIdentifier)/exe", "bench-ingest-part", path, "--part",
      part.rawValue, "--store", store,
    ]).split(separator: " ")
    guard words.count == 2, let seconds = Double(words[0]),
      let memory = Int(words[1].trimmingCharacters(in: .whitespacesAndNewlines))
    else { throw BenchError("\(part.rawValue) printed no measurement") }
    return (seconds, memory)
  }
}
