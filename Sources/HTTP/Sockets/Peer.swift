/// Who is at the other end of a connection.
struct Peer: Sendable {
  /// The numeric address, or `unix`.
  let text: String
  /// What connections are counted by: an IPv4 address, or the 64 bits of an IPv6 address that name a
  /// network, since one host has all addresses of its network. `nil` for a Unix-domain socket.
  let address: [UInt8]?

  init(_ address: SocketAddress) {
    let octets = address.octets
    switch octets.count {
    case 4:
      text = octets.map(String.init).joined(separator: ".")
      self.address = octets
    case 16:
      text = Self.groups(of: octets)
      self.address = Array(octets[..<8])
    default:
      text = "unix"
      self.address = nil
    }
  }

  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc5952
  private static func groups(of octets: [UInt8]) -> String {
    let groups = (0..<8).map { UInt16(octets[2 * $0]) << 8 | UInt16(octets[2 * $0 + 1]) }
    var longest = 0..<0
    var start = 0
    while start < 8 {
      var end = start
      while end < 8, groups[end] == 0 { end += 1 }
      if end - start > max(longest.count, 1) { longest = start..<end }
      start = max(end, start + 1)
    }
    func text(_ part: ArraySlice<UInt16>) -> String {
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard !longest.isEmpty else { return text(groups[...]) }
    return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
  }
}
