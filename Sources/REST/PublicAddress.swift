/// The address of FHIR's base as clients see it, which every link in an answer begins with.
package enum PublicAddress: Hashable, Sendable {
  /// This one, whatever the request says: `https://store.example.org/fhir`.
  case fixed(String)
  /// For a server that listens on loopback only: the request's `Host` if that names this machine
  /// (`localhost`, `127.…`, `[::1]`), so that links work through a forwarded port; else this
  /// address. Any other `Host` is something that a stranger's page can have sent.
  case loopback(otherwise: String)

  /// The same without a slash at the end.
  var trimmed: PublicAddress {
    switch self {
    case .fixed(let address): .fixed(address.withoutSlash)
    case .loopback(let address): .loopback(otherwise: address.withoutSlash)
    }
  }

  /// - Parameter basePath: the path of FHIR's base, `/fhir`.
  /// - Returns: the address without a slash at its end.
  func base(for request: Request, basePath: String) -> String {
    switch self {
    case .fixed(let address): return address
    case .loopback(let otherwise):
      guard let host = request.headers.firstValue("Host"), Self.namesThisMachine(host) else {
        return otherwise
      }
      let scheme = request.isSecure ? "https://" : "http://"
      return scheme + String(decoding: host, as: UTF8.self) + basePath
    }
  }

  private static func namesThisMachine(_ authority: ArraySlice<UInt8>) -> Bool {
    let (host, port) = parts(of: authority)
    guard port.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return false }
    if host.elementsEqual("127.0.0.1".utf8) || host.elementsEqual("[::1]".utf8)
      || host.elementsEqual("localhost".utf8, by: { $0.lowercased == $1 })
    {
      return true
    }
    guard host.starts(with: "127.".utf8) else { return false }
    let numbers = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return numbers.count == 4
      && numbers.allSatisfy { number in
        number.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
          && UInt8(String(decoding: number, as: UTF8.self)) != nil
      }
  }

  private static func parts(
    of authority: ArraySlice<UInt8>
  ) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>) {
    let isBracketed = authority.first == UInt8(ascii: "[")
    let hostEnd = isBracketed ? authority.firstIndex(of: UInt8(ascii: "]")) : nil
    let colon = authority[(hostEnd ?? authority.startIndex)...].firstIndex(of: UInt8(ascii: ":"))
    guard let colon else { return (authority, []) }
    return (authority[..<colon], authority[(colon + 1)...])
  }
}

extension String {
  fileprivate var withoutSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
