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

  /// Whether there may be more to read after a read gave `count` bytes of the `size` that it had room
  /// for.
  func mayHaveMore(after count: Int, of size: Int) -> Bool {
    tls?.hasPendingInput ?? (count == size)
  }

  func endWriting() {
    tls?.endWriting()
    socket.endWriting()
  }
}
