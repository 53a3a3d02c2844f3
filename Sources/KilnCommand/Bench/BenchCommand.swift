import FHIRModel
import Foundation
import HTTP
import Kiln
import LMDBStorage
import REST

extension Command {
  static let bench = Command(
    name: "bench", summary: "Measures the ratios that speed is judged by, in one run.",
    options: [
      .optional("--persons", "COUNT", "synthetic persons, 100 by default"),
      .optional("--days", "COUNT", "days of each, 50 by default, at least 31"),
      .optional("--metrics", "COUNT", "metrics a day, 1 to 10, 2 by default"),
      .optional("--seconds", "COUNT", "how long each load lasts, 3 by default"),
      .optional("--folder", "DIR", "where the store is made; a temporary folder by default"),
    ]
  ) { arguments in
    let folder =
      arguments["--folder"]
      ?? FileManager.default.temporaryDirectory.appending(path: "kiln-bench-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { if !arguments.has("--folder") { try? FileManager.default.removeItem(atPath: folder) } }
    let store = BenchStore(
      folder: folder + "/store",
      personCount: try arguments.integer("--persons", in: 1...100_000) ?? 100,
      metricCount: try arguments.integer("--metrics", in: 1...10) ?? 2,
      dayCount: try arguments.integer("--days", in: 31...10_000) ?? 50)
    try Bench(store: store, seconds: try arguments.integer("--seconds", in: 1...60) ?? 3).run()
    return 0
  }

  /// The same server answering a constant: what a read is compared with.
  static let benchConstant = Command(
    name: "bench-constant", summary: "Serves one constant body, to compare with.",
    options: [.required("--bytes", "COUNT", "the body's size")], isListed: false
  ) { arguments in
    guard let address = ListenAddress(parsing: "127.0.0.1:0") else { return 1 }
    let count = try arguments.integer("--bytes", in: 1...100_000_000) ?? 1
    let server = try Server(
      ServerConfiguration(addresses: [address]), handler: ConstantAnswer(byteCount: count))
    try server.heedSignals()
    Output.notice("serving http://\(server.addresses[0])/")
    try server.run()
    return 0
  }
}

/// Answers every request with the same body.
private struct ConstantAnswer: RequestHandler {
  let response: Response

  init(byteCount: Int) {
    var response = Response(status: 200)
    response.headers.append("Content-Type", "application/fhir+json")
    response.body = [UInt8](repeating: UInt8(ascii: "k"), count: byteCount)
    self.response = response
  }

  func respond(to request: Request, completion: @escaping @Sendable (Response) -> Void) {
    completion(response)
  }
}

/// One run of all measurements.
struct Bench {
  let store: BenchStore
  let seconds: Int

  func run() throws {
    let disk = try DiskProbe.flushesPerSecond(
      in: FileManager.default.temporaryDirectory.path, count: 200)
    let (jsonByteCount, loadSeconds) = try store.fill()
    let requests = try BenchReads(of: store)
    let table = BenchTable()
    table.figure("the disk's own flushes", disk, unit: "/s")
    table.figure("Observations", Double(store.observationCount), unit: "")
    table.figure(
      "loaded day by day, durably", Double(store.observationCount) / loadSeconds, unit: "/s")
    table.figure(
      "bytes on disk for a byte of JSON",
      Double(try store.fileByteCount()) / Double(jsonByteCount), unit: "", limit: 2.5)
    try serve(["--log-flush", "50ms"]) { server, token in
      table.figure(
        "start to first answer", server.secondsToFirstAnswer * 1000, unit: "ms", limit: 100)
      table.figure(
        "anonymous memory at idle", Double(try server.usage.ownMemory()) / 1e6, unit: "MB",
        limit: 40)
      try compare(
        "read of an Observation, log held 50 ms", requests.reads, server, token, 0.6, table)
      try compare("30 days of a metric, newest first", requests.searches, server, token, 0.4, table)
    }
    try serve([]) { server, token in
      try compare(
        "read of an Observation, log durable first", requests.reads, server, token, 0, table)
      let script = LuaScript.updating(
        requests.updates.map {
          LuaScript.Update(path: $0.path, before: $0.before, after: $0.after)
        })
      var groupSize = 0.0
      let pairs = try script.withFile { script in
        try (0..<3).map { _ in
          let rate = try load(server.url, token: token, connections: 64, script: script)
          let (other, size) = try BenchUpdates(folder: store.folder)
            .bareRate(requests.updates, seconds: Double(seconds))
          groupSize = size
          return (rate: rate, other: other)
        }
      }
      table.ratio("durable conditional updates, 64 clients", pairs, goal: 0.6)
      table.figure("documents in a group commit", groupSize, unit: "")
    }
  }

  private func serve(
    _ options: [String], _ body: (ServerProcess, _ token: String) throws -> Void
  ) throws {
    let token = try Subprocess.output(of: [
      "/proc/\(ProcessInfo.processInfo.processIdentifier)/exe", "token", "create", "--store",
      store.folder, "--operator",
    ]).trimmingCharacters(in: .whitespacesAndNewlines)
    let server = try ServerProcess(
      arguments: ["serve", "--store", store.folder, "--listen", "127.0.0.1:0"] + options,
      probing: "/health")
    defer { server.stop() }
    try body(server, token)
  }

  private static let turnCount = 5

  /// Sends GETs to the store and, for as long, to a constant of the same size, in turns.
  private func compare(
    _ name: String, _ paths: [String], _ server: ServerProcess, _ token: String, _ goal: Double,
    _ table: BenchTable
  ) throws {
    let size = try Subprocess.output(of: [
      "curl", "-s", "-H", "Authorization: Bearer \(token)", server.url + paths[0],
    ]).utf8.count
    let constant = try ServerProcess(
      arguments: ["bench-constant", "--bytes", String(size)], probing: "/")
    defer { constant.stop() }
    try LuaScript.reading(paths).withFile { script in
      let pairs = try (0..<Self.turnCount).map { _ in
        (
          rate: try load(server.url, token: token, connections: 32, script: script),
          other: try load(constant.url, token: token, connections: 32, script: script)
        )
      }
      table.ratio(name, pairs, goal: goal)
    }
  }

  private func load(
    _ url: String, token: String, connections: Int, script: String
  ) throws -> Double {
    let result = try Wrk(
      url: url, connections: connections, seconds: seconds, token: token, script: script
    ).run()
    guard result.failures == 0 else {
      throw BenchError("\(result.failures) requests of the load failed")
    }
    return result.requestsPerSecond
  }
}
