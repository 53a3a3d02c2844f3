import Foundation
import Synchronization

/// What this process takes, from /proc/self.
final class MemoryGauge: Sendable {
  private let most = Mutex(0)

  /// The most memory of its own that was seen, in bytes: without the pages of files that are mapped,
  /// which the system takes back when it needs them.
  var own: Int { most.withLock(\.self) }

  /// The most that was ever resident, in bytes, mapped pages of the store included.
  static func resident() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
      return 1024 * (line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0)
    }
    return 0
  }

  /// Looks at what is taken now; cheap enough for the middle of what is measured.
  func read() {
    guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return
    }
    let pages = statm.split(separator: " ").compactMap { Int($0) }
    guard pages.count > 2 else { return }
    let own = (pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE))
    most.withLock { $0 = max($0, own) }
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
