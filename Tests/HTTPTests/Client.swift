import CSystem
import Glibc

@testable import HTTP

/// A client that sends bytes as they are.
final class Client {
  private let socket: Socket

  init(_ address: ListenAddress) throws {
    guard case .ip(let host, let port) = address, let target = SocketAddress(host: host, port: port)
    else { throw SystemError("connect to \(address)", code: EINVAL) }
    socket = Socket(descriptor: Glibc.socket(target.family, Int32(SOCK_STREAM.rawValue), 0))
    guard unsafe target.pass({ unsafe connect(socket.descriptor, $0, $1) }) == 0 else {
      throw SystemError("connect to \(address)")
    }
  }

  deinit { socket.close() }

  func send(_ text: String) throws {
    guard case .bytes = socket.write(Array(text.utf8), from: 0) else { throw SystemError("send") }
  }

  /// What comes until the server closes.
  func readAll() throws -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      switch socket.read(into: &buffer) {
      case .bytes(let count): all += buffer[..<count]
      case .ended: return all
      case .waits, .failed: throw SystemError("recv")
      }
    }
  }
}
