import Foundation

/// What this process takes, from /proc/self.
final class MemoryGauge {
  /// The most memory of its own that was seen, in bytes: without the pages of files that are mapped,
  /// which the system takes back when it needs them.
  private(set) var own = 0
  /// The most that was ever resident, in bytes, mapped pages of the store included.
  private(set) var resident = 0

  func read() {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return
    }
    own = max(own, Self.bytes("RssAnon", in: status))
    resident = max(resident, Self.bytes("VmHWM", in: status))
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
