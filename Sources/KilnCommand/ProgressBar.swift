import Foundation
import Wearables

#if canImport(Glibc)
  import Glibc
#endif

/// How far an import is, on one line of a terminal that is written again and again. Where standard
/// error is no terminal, one line at its end says how far it came.
struct ProgressBar {
  private let isTerminal = isatty(2) == 1
  private let start = Date()
  private var lastShown = Date.distantPast
  private var isOpen = false
  /// The last that was told.
  private var progress: ImportProgress?

  private static let secondsBetween = 0.1
  private static let width = 24

  mutating func show(_ progress: ImportProgress) {
    self.progress = progress
    let now = Date()
    guard isTerminal, now.timeIntervalSince(lastShown) >= Self.secondsBetween else { return }
    lastShown = now
    isOpen = true
    write("\r\u{1b}[K" + Self.line(progress, seconds: now.timeIntervalSince(start)))
  }

  /// Leaves the line, or writes it where there was none; once.
  mutating func end() {
    if isOpen { write("\r\u{1b}[K") }
    isOpen = false
    if !isTerminal, let progress { write(Self.line(progress) + "\n") }
    progress = nil
  }

  private static func line(_ progress: ImportProgress) -> String {
    "\(progress.records) records, \(tenths(Double(progress.byteCount) / 1_000_000)) MB, "
      + "\(progress.resources) resources"
  }

  static func line(_ progress: ImportProgress, seconds: Double) -> String {
    let megabytes = Double(progress.byteCount) / 1_000_000
    var text = "\(progress.records) records, \(tenths(megabytes))"
    if let total = progress.byteCountTotal, total > 0 {
      let share = min(1, Double(progress.byteCount) / Double(total))
      let filled = Int(share * Double(width))
      let bar =
        String(repeating: "=", count: filled) + String(repeating: " ", count: width - filled)
      text = "[\(bar)] \(text) of \(tenths(Double(total) / 1_000_000)) MB"
      if share > 0.01, share < 1 {
        text += ", \(time(seconds / share * (1 - share))) left"
      }
    } else {
      text += " MB"
    }
    return progress.resources > 0 ? text + ", \(progress.resources) resources" : text
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func time(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
