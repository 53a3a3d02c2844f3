import Synchronization

/// The certificate under which new connections are encrypted. Its files can be read again at any time;
/// connections that stand keep what they began with.
final class TLSKeeper: Sendable {
  private let files: TLSFiles
  private let context: Mutex<TLSContext>

  /// - Throws: `TLSError` naming the file that can't be used.
  init(_ files: TLSFiles) throws(TLSError) {
    self.files = files
    context = Mutex(try TLSContext(certificate: files.certificate, key: files.key))
  }

  /// Reads the files again. What can't be used changes nothing.
  ///
  /// - Throws: as `init`.
  func reload() throws(TLSError) {
    let new = try TLSContext(certificate: files.certificate, key: files.key)
    context.withLock { $0 = new }
  }

  /// The server's side of a connection that has just been accepted; `nil` if memory is short.
  func session(on socket: Socket) -> TLSSession? {
    context.withLock { $0 }.session(on: socket)
  }
}
