import Foundation

/// Why the client can't be opened, or can't keep a value.
public enum ClientError: Error, Hashable, Sendable {
  /// A token would travel unencrypted: the server must be `https`, or on this machine.
  case unencrypted(URL)
  /// The file was written by another version of this library; it was not touched.
  case writtenByAnotherVersion(URL)
  /// The outbox holds as many values as it may. Nothing was added; deliver, then add again.
  case outboxFull(limit: Int)
}
