import Foundation

/// What a delivery did.
public struct DeliveryReport: Hashable, Sendable {
  /// Values that the server took, withdrew or already had.
  public internal(set) var deliveredCount = 0
  /// Of these, the values that changed what the server holds.
  public internal(set) var changedCount = 0
  /// Values that the server refused, each for itself; they are no longer in the outbox.
  public internal(set) var refusals: [Refusal] = []
  /// Values that are still in the outbox.
  public internal(set) var pendingCount = 0
  /// Why values are still in the outbox; `nil` if none are, or all came while it ended.
  public internal(set) var failure: DeliveryFailure?
}

/// A value that can't be taken as it is. The rest went in.
public struct Refusal: Hashable, Sendable {
  /// As it was sent.
  public let value: DailyValue
  /// For a person to read.
  public let reason: String
}

/// Why values could not be delivered. They stay in the outbox.
public enum DeliveryFailure: Error, Hashable, Sendable {
  /// No answer came, however often it was tried.
  case unreachable(reason: String)
  /// The server can't take anything now, and said so with this status. If it asked for a longer wait
  /// than the policy has, nothing is sent until then.
  case unavailable(status: Int, until: Date?)
  /// What came back is no answer of Kiln.
  case notUnderstood(status: Int)
  /// The token is missing, invalid or doesn't allow it (401, 403).
  case notAuthorised(status: Int, reason: String?)
  /// The request can't be taken as it is, for example because the server doesn't know the time zone;
  /// values that were measured elsewhere were tried nevertheless.
  case refused(status: Int, reason: String?)
  /// The app gave no token.
  case noToken(reason: String)
  /// The outbox can't be written; the values will be sent once more, which changes nothing.
  case storage(reason: String)
  /// The task was cancelled.
  case cancelled
}
