/// Where a server listens.
package enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// A numeric IPv4 or IPv6 address; port 0 lets the system choose one.
  case ip(host: String, port: UInt16)
  /// The path of a Unix-domain socket.
  case unix(path: String)

  /// Reads `127.0.0.1:8080`, `[::1]:8080` or `unix:/path`; `nil` for anything else. Names are not
  /// looked up.
  package init?(parsing text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !path.isEmpty else { return nil }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit), let port = UInt16(digits) else {
      return nil
    }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    guard host.contains(":") == isBracketed,
      SocketAddress(host: String(host), port: port) != nil
    else { return nil }
    self = .ip(host: String(host), port: port)
  }

  /// Only processes of this machine can reach it.
  package var isLoopback: Bool {
    switch self {
    case .unix: true
    case .ip(let host, _): host == "::1" || host.hasPrefix("127.")
    }
  }

  package var description: String {
    switch self {
    case .ip(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}
