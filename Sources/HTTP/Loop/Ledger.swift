import Synchronization

/// What the connections of all loops take together: how many each address has open, and how much
/// memory the bodies need that are being received.
final class Ledger: Sendable {
  private let limits: ConnectionLimits
  private let countMaximum: Int
  private let bodiesByteCountMaximum: Int
  private let uploadsByteCountMaximum: Int
  private let counts = Mutex(Counts())

  private struct Counts {
    var all = 0
    var byAddress: [[UInt8]: Int] = [:]
    var bodiesByteCount = 0
    var uploadsByteCount = 0
  }

  /// - Parameter descriptorCountMaximum: how many connections the system has descriptors for.
  init(_ configuration: ServerConfiguration, descriptorCountMaximum: Int) {
    limits = configuration.connections
    countMaximum = max(1, min(limits.countMaximum, descriptorCountMaximum))
    bodiesByteCountMaximum = configuration.bodiesByteCountMaximum
    uploadsByteCountMaximum = configuration.uploadsByteCountMaximum
  }

  /// Counts a connection in, unless there are too many.
  func admit(_ peer: Peer) -> Bool {
    counts.withLock { counts in
      guard counts.all < countMaximum else { return false }
      if let address = peer.address {
        let count = counts.byAddress[address, default: 0]
        guard count < limits.countPerAddressMaximum else { return false }
        counts.byAddress[address] = count + 1
      }
      counts.all += 1
      return true
    }
  }

  /// - Returns: whether there is room for so many more bytes of bodies; then they are counted.
  func reserve(_ byteCount: Int) -> Bool {
    counts.withLock { counts in
      guard counts.bodiesByteCount + byteCount <= bodiesByteCountMaximum else { return false }
      counts.bodiesByteCount += byteCount
      return true
    }
  }

  func unreserve(_ byteCount: Int) {
    counts.withLock { $0.bodiesByteCount -= byteCount }
  }

  /// - Returns: whether there is room for so many more bytes of files; then they are counted.
  func reserveUpload(_ byteCount: Int) -> Bool {
    counts.withLock { counts in
      guard counts.uploadsByteCount + byteCount <= uploadsByteCountMaximum else { return false }
      counts.uploadsByteCount += byteCount
      return true
    }
  }

  func unreserveUpload(_ byteCount: Int) {
    counts.withLock { $0.uploadsByteCount -= byteCount }
  }

  func release(_ peer: Peer) {
    counts.withLock { counts in
      counts.all -= 1
      guard let address = peer.address, let count = counts.byAddress[address] else { return }
      counts.byAddress[address] = count == 1 ? nil : count - 1
    }
  }
}
