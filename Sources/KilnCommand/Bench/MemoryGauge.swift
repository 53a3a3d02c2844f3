import Foundation
import Synchronization

/// What this process takes, from /proc/self.
final class MemoryGauge: Sendable {
  private let most = Mutex((own: 0, resident: 0))

  /// The most memory of its own that was seen, in bytes: without the pages of files that are mapped,
  /// which the system takes back when it needs them.
  var own: Int { most.withLock { $0.own } }
  /// The most that was ever resident, in bytes, mapped pages of the store included.
  var resident: Int { most.withLock { $0.resident } }

  func read() {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return
    }
    let (own, resident) = (Self.bytes("RssAnon", in: status), Self.bytes("VmHWM", in: status))
    most.withLock { $0 = (max($0.own, own), max($0.resident, resident)) }
  }

  private static func bytes(_ name: String, in status: String) -> Int {
    for line in status.split(separator: "\n") where line.hasPrefix(name + ":") {
      return 1024 * (line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0)
    }
    return 0
  }

  /// Processor time of all threads so far, in seconds.
  static func processorSeconds() -> Double {
    guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8) else {
      return 0
    }
    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return 0
    }
    return (user + system) / 100
  }
}
