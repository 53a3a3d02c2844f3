import CSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A socket's address in the system's form.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private var byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// Room for an address that a call fills in.
  init() {}

  /// `nil` unless `host` is a numeric address.
  init?(host: String, port: UInt16) {
    var v4 = sockaddr_in()
    var v6 = sockaddr_in6()
    if unsafe inet_pton(AF_INET, host, &v4.sin_addr) == 1 {
      v4.sin_family = sa_family_t(AF_INET)
      v4.sin_port = port.bigEndian
      set(v4)
    } else if unsafe inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 {
      v6.sin6_family = sa_family_t(AF_INET6)
      v6.sin6_port = port.bigEndian
      set(v6)
    } else {
      return nil
    }
  }

  /// `nil` if the path is too long for a socket's address.
  init?(path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    // The path ends with a NUL, for which room must be left (unix(7)).
    guard bytes.count < Int(kiln_unix_path_size()), !bytes.contains(0) else { return nil }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    set(address)
  }

  private mutating func set<Address>(_ address: Address) {
    byteCount = socklen_t(MemoryLayout<Address>.size)
    unsafe withUnsafeMutableBytes(of: &storage) { storage in
      unsafe withUnsafeBytes(of: address) { unsafe storage.copyMemory(from: $0) }
    }
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// Calls a function that takes an address.
  func pass(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    unsafe withUnsafePointer(to: storage) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, byteCount) }
    }
  }

  /// Calls a function that fills an address in.
  mutating func fill(
    _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> Int32 {
    byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutablePointer(to: &storage) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe call($0, &byteCount)
      }
    }
  }

  private func read<Address>(as empty: Address) -> Address {
    var address = empty
    unsafe withUnsafeMutableBytes(of: &address) { address in
      unsafe withUnsafeBytes(of: storage) { storage in
        unsafe address.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<address.count]))
      }
    }
    return address
  }

  /// The bytes of an IP address, 4 or 16; an IPv4 address within IPv6 as the 4 that it is. Empty for
  /// a Unix-domain socket.
  var octets: [UInt8] {
    switch family {
    case AF_INET:
      return unsafe withUnsafeBytes(of: read(as: sockaddr_in()).sin_addr) { unsafe Array($0) }
    case AF_INET6:
      let octets = unsafe withUnsafeBytes(of: read(as: sockaddr_in6()).sin6_addr) {
        unsafe Array($0)
      }
      let isMapped = octets[..<10].allSatisfy { $0 == 0 } && octets[10] == 255 && octets[11] == 255
      return isMapped ? Array(octets[12...]) : octets
    default:
      return []
    }
  }

  var port: UInt16 {
    switch family {
    case AF_INET: UInt16(bigEndian: read(as: sockaddr_in()).sin_port)
    case AF_INET6: UInt16(bigEndian: read(as: sockaddr_in6()).sin6_port)
    default: 0
    }
  }
}
