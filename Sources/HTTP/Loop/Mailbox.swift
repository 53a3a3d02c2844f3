import REST
import Synchronization

/// What other threads have for a loop.
enum Message: Sendable {
  case connection(Socket, Peer, isEncrypted: Bool)
  case answer(Response, sequence: UInt64, token: UInt64)
  /// No new requests; the ones under way are finished.
  case drain
}

/// Messages from any thread, taken out together. Only the first of them wakes the loop.
final class Mailbox: Sendable {
  private struct Content {
    var messages: [Message] = []
    var isClosed = false
  }

  private let content = Mutex(Content())

  /// Calls `wake` when the loop doesn't know of earlier messages yet. The call is made under the
  /// lock, so that it never comes after `close`.
  ///
  /// - Returns: `false` if the loop has ended.
  @discardableResult
  func put(_ message: sending Message, wake: () -> Void) -> Bool {
    content.withLock { content in
      guard !content.isClosed else { return false }
      content.messages.append(message)
      if content.messages.count == 1 { wake() }
      return true
    }
  }

  func takeAll() -> [Message] {
    content.withLock { content in
      let messages = content.messages
      content.messages = []
      return messages
    }
  }

  /// Takes nothing more.
  ///
  /// - Returns: the messages that nobody has taken.
  func close() -> [Message] {
    content.withLock { content in
      content.isClosed = true
      let messages = content.messages
      content.messages = []
      return messages
    }
  }
}
