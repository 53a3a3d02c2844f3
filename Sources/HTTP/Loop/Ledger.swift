import Synchronization

/// Which addresses have how many connections open, over all loops.
final class Ledger: Sendable {
  private let limits: ConnectionLimits
  private let countMaximum: Int
  private let counts = Mutex(Counts())

  private struct Counts {
    var all = 0
    var byAddress: [[UInt8]: Int] = [:]
  }

  /// - Parameter descriptorCountMaximum: how many connections the system has descriptors for.
  init(limits: ConnectionLimits, descriptorCountMaximum: Int) {
    self.limits = limits
    countMaximum = max(1, min(limits.countMaximum, descriptorCountMaximum))
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

  func release(_ peer: Peer) {
    counts.withLock { counts in
      counts.all -= 1
      guard let address = peer.address, let count = counts.byAddress[address] else { return }
      counts.byAddress[address] = count == 1 ? nil : count - 1
    }
  }
}
