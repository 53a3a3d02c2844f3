/// A request's body that is too large for memory: a file without a name, gone with its last
/// reference or with the process.
package final class BodyFile: Sendable {
  /// A path under which it can be opened as long as this object lives.
  package let path: String
  package let byteCount: Int
  private let release: @Sendable () -> Void

  /// - Parameter release: called once, when nobody needs the file any more.
  package init(path: String, byteCount: Int, release: @escaping @Sendable () -> Void) {
    self.path = path
    self.byteCount = byteCount
    self.release = release
  }

  deinit { release() }
}

/// Where a request's body goes while it is received.
package enum BodyPlace: Hashable, Sendable {
  /// Into `Request.body`, up to the server's limit.
  case memory
  /// Into `Request.file`, up to the server's limit for uploads.
  case file
  /// Nowhere: the request is answered without it, and the connection closes.
  case unread
}
