/// A connection's bytes, encrypted or not.
struct Transport {
  let socket: Socket
  let tls: TLSSession?

  var isSecure: Bool { tls != nil }

  func read(into buffer: inout [UInt8]) -> Transfer {
    guard let tls else { return socket.read(into: &buffer) }
    return tls.read(into: &buffer)
  }

  func write(_ bytes: [UInt8], from offset: Int) -> Transfer {
    guard let tls else { return socket.write(bytes, from: offset) }
    return tls.write(bytes, from: offset)
  }

  /// Whether bytes wait to be read of which the poller won't tell.
  var hasPendingInput: Bool { tls?.hasPendingInput ?? false }

  func endWriting() {
    tls?.endWriting()
    socket.endWriting()
  }
}
