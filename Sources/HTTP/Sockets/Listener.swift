import CSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A socket that takes connections in.
struct Listener {
  let descriptor: Int32
  /// Where it listens, with the port that the system chose.
  let address: ListenAddress
  /// The socket file as it was made, so that another's is not removed.
  private let file: FileIdentity?

  private static let backlog: Int32 = 1024

  /// - Parameter permissions: of the file of a Unix-domain socket.
  /// - Throws: `SystemError`, with the code `EADDRINUSE` if another process listens there.
  init(at address: ListenAddress, permissions: UInt16) throws(SystemError) {
    switch address {
    case .ip(let host, let port):
      guard let wanted = SocketAddress(host: host, port: port) else {
        throw SystemError("listen on \(address)", code: EINVAL)
      }
      descriptor = try Self.bound(to: wanted, named: address) { descriptor in
        Self.allowQuickRestart(descriptor)
      }
      var chosen = SocketAddress()
      _ = unsafe chosen.fill { [descriptor] in unsafe getsockname(descriptor, $0, $1) }
      self.address = .ip(host: host, port: chosen.port)
      file = nil
    case .unix(let path):
      guard let wanted = SocketAddress(path: path) else {
        throw SystemError("listen on \(address)", code: ENAMETOOLONG)
      }
      try Self.removeStaleSocket(at: path, wanted)
      descriptor = try Self.bound(to: wanted, named: address) { descriptor in
        // On Linux the file gets the mode that the socket has when it is bound, so that it is never
        // open to others, not even for a moment.
        _ = fchmod(descriptor, mode_t(permissions))
      }
      _ = unsafe chmod(path, mode_t(permissions))
      self.address = address
      file = FileIdentity(of: path)
    }
  }

  private static func bound(
    to address: SocketAddress, named name: ListenAddress, prepare: (Int32) -> Void
  ) throws(SystemError) -> Int32 {
    let descriptor = kiln_socket(address.family)
    guard descriptor >= 0 else { throw SystemError("socket") }
    prepare(descriptor)
    guard unsafe address.pass({ unsafe bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, backlog) == 0
    else {
      let error = SystemError("listen on \(name)")
      Socket(descriptor: descriptor).close()
      throw error
    }
    return descriptor
  }

  private static func allowQuickRestart(_ descriptor: Int32) {
    var on: Int32 = 1
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Removes the socket file that a killed process left behind; one that still answers stays.
  private static func removeStaleSocket(
    at path: String, _ address: SocketAddress
  ) throws(SystemError) {
    guard let file = FileIdentity(of: path) else { return }
    guard file.isSocket else { throw SystemError("listen on unix:\(path)", code: EEXIST) }
    let probe = kiln_socket(AF_UNIX)
    guard probe >= 0 else { throw SystemError("socket") }
    let result = unsafe address.pass { unsafe connect(probe, $0, $1) }
    let code = errno
    Socket(descriptor: probe).close()
    guard result != 0, code == ECONNREFUSED else {
      throw SystemError("listen on unix:\(path)", code: EADDRINUSE)
    }
    _ = unsafe unlink(path)
  }

  enum Accepted {
    case connection(Socket, Peer)
    case none
    /// No descriptor is free for it.
    case exhausted
  }

  func accept() -> Accepted {
    while true {
      var peer = SocketAddress()
      let accepted = unsafe peer.fill { unsafe kiln_accept(descriptor, $0, $1) }
      if accepted >= 0 { return .connection(Socket(descriptor: accepted), Peer(peer)) }
      switch errno {
      case EAGAIN: return .none
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      // The connection was gone before it was taken in: the next one (accept(2), ERRORS).
      default: continue
      }
    }
  }

  func close() {
    Socket(descriptor: descriptor).close()
    if case .unix(let path) = address, let file, file == FileIdentity(of: path) {
      _ = unsafe unlink(path)
    }
  }
}

/// Which file stands at a path.
private struct FileIdentity: Equatable {
  let device: UInt64
  let number: UInt64
  let isSocket: Bool

  /// `nil` if there is none.
  init?(of path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    isSocket = status.st_mode & S_IFMT == S_IFSOCK
  }
}
