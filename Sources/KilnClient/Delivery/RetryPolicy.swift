import Foundation

/// How often and how long after a failure the client tries again.
///
/// The wait before try *n* is drawn evenly from zero to `firstWaitSeconds` × 2ⁿ, at most
/// `longestWaitSeconds`, so that phones which lost the server together don't come back together. What
/// the server asks for in `Retry-After` is waited at least.
public struct RetryPolicy: Hashable, Sendable {
  /// The widest wait after the first failure.
  public var firstWaitSeconds: Double = 1
  /// The widest wait of all; a server that asks for more ends the delivery until then.
  public var longestWaitSeconds: Double = 60
  /// Failures in a row after which a delivery ends; the values stay in the outbox.
  public var failureCountMaximum = 6

  /// Waits of up to 1, 2, 4, 8 and 16 seconds: within what iOS grants an app in the background.
  public init() {}

  /// The wait after the failure `count`, counted from 1; `nil` when it is time to give up.
  ///
  /// - Parameters:
  ///   - asked: what the server asked for, in seconds.
  ///   - draw: evenly between 0 and 1.
  func waitSeconds(afterFailure count: Int, asked: Double?, draw: Double) -> Double? {
    guard count < failureCountMaximum, asked ?? 0 <= longestWaitSeconds else { return nil }
    let widest = min(longestWaitSeconds, firstWaitSeconds * Double(1 << min(count - 1, 30)))
    return (asked ?? 0) + widest * draw
  }
}

/// The server's `Retry-After`: seconds, or the moment as HTTP writes it.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
enum RetryAfter {
  /// In seconds from `now`; `nil` if it says nothing that can be read.
  static func seconds(_ text: String?, now: Date) -> Double? {
    guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return Double(text) }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text).map { max(0, $0.timeIntervalSince(now)) }
  }
}
