import Foundation

/// One run of `wrk`, the load from a second process.
struct Wrk {
  var url: String
  var connections = 32
  var seconds = 3
  var token: String?
  /// A Lua script for wrk, for requests that differ from each other.
  var script: String?

  struct Result {
    var requestsPerSecond: Double
    /// Answers that were not 2xx or 3xx, and connections that failed.
    var failures: Int
  }

  /// - Throws: `BenchError` if wrk can't be started or says something unknown.
  func run() throws -> Result {
    var arguments = ["-t1", "-c\(connections)", "-d\(seconds)s"]
    if let token { arguments += ["-H", "Authorization: Bearer \(token)"] }
    if let script { arguments += ["-s", script] }
    let output = try Subprocess.output(of: ["wrk"] + arguments + [url])
    guard let rate = output.firstMatch(of: #/Requests/sec:\s+([0-9.]+)/#).flatMap({ Double($0.1) })
    else { throw BenchError("wrk said: \(output)") }
    let refused = output.firstMatch(of: #/Non-2xx or 3xx responses: ([0-9]+)/#)
      .flatMap { Int($0.1) }
    let broken = output.firstMatch(
      of: #/Socket errors: connect ([0-9]+), read ([0-9]+), write ([0-9]+), timeout ([0-9]+)/#)
    let brokenCount = broken.map { [$0.1, $0.2, $0.3, $0.4].compactMap { Int($0) }.reduce(0, +) }
    return Result(requestsPerSecond: rate, failures: (refused ?? 0) + (brokenCount ?? 0))
  }
}

struct BenchError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
