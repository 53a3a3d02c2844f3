import Foundation

/// What a process takes, from its folder in /proc.
///
/// - SeeAlso: proc_pid_statm(5), proc_pid_status(5), proc_pid_stat(5)
struct ProcessUsage {
  private let folder: String

  /// This process.
  static let own = ProcessUsage(folder: "/proc/self")

  init(of process: Int32) { self.init(folder: "/proc/\(process)") }

  private init(folder: String) { self.folder = folder }

  /// Memory of its own now, in bytes: without the pages of files that are mapped, which the system takes
  /// back when it needs them.
  func ownMemory() throws -> Int {
    let pages = try text(of: "statm").split(separator: " ").compactMap { Int($0) }
    guard pages.count > 2 else { throw BenchError("unreadable \(folder)/statm") }
    return (pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// The most that was ever resident, in bytes, mapped pages included.
  func mostResidentMemory() throws -> Int {
    for line in try text(of: "status").split(separator: "\n") where line.hasPrefix("VmHWM:") {
      if let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) {
        return 1024 * kilobytes
      }
    }
    throw BenchError("no VmHWM in \(folder)/status")
  }

  /// Processor time of all threads so far, in seconds.
  func processorSeconds() throws -> Double {
    let fields = try text(of: "stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      throw BenchError("unreadable \(folder)/stat")
    }
    return (user + system) / 100
  }

  private func text(of name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }
}
