import CSystem
import REST
import Synchronization

/// Takes connections in and gives them to the loops in turn.
// What isn't in the Mutex is touched by the thread of `run` alone, or doesn't change after `init`.
final class Acceptor: @unchecked Sendable {
  let addresses: [ListenAddress]
  private let listeners: [Listener]
  private let loops: [Loop]
  private let ledger: Ledger
  private let tls: TLSKeeper?
  private let poller: SystemPoller
  private let state = Mutex(State())
  private var nextLoop = 0
  /// Given up for a moment when no descriptor is left, so that the connection that waits for one can
  /// be taken in and closed; else the poller would tell of it without end.
  private var reserve = kiln_reserve_descriptor()
  private var mayAccept = true

  private struct State {
    var isStopping = false
    var signalPipe: Int32?
    var whenReloaded: @Sendable (TLSError?) -> Void = { _ in }
  }

  private static let signalToken: UInt64 = 1 << 63

  init(
    _ configuration: ServerConfiguration, loops: [Loop], ledger: Ledger, tls: TLSKeeper?
  ) throws(SystemError) {
    self.loops = loops
    self.ledger = ledger
    self.tls = tls
    poller = try SystemPoller()
    var listeners: [Listener] = []
    do throws(SystemError) {
      for address in configuration.addresses {
        let listener = try Listener(at: address, permissions: configuration.socketPermissions)
        listeners.append(listener)
        try poller.add(listener.descriptor, for: .read, token: UInt64(listeners.count - 1))
      }
    } catch {
      for listener in listeners { listener.close() }
      throw error
    }
    self.listeners = listeners
    addresses = listeners.map(\.address)
  }

  /// Takes connections in until `stop`.
  func run() {
    var events: [Event] = []
    while !state.withLock({ $0.isStopping }) {
      poller.wait(milliseconds: mayAccept ? -1 : 100, into: &events)
      if !mayAccept { setAccepting(true) }
      for event in events {
        if event.token == Self.signalToken {
          takeSignals()
        } else {
          acceptAll(from: listeners[Int(event.token)])
        }
      }
    }
    end()
  }

  private func end() {
    for listener in listeners {
      poller.remove(listener.descriptor)
      listener.close()
    }
    if let pipe = state.withLock({ $0.signalPipe }) {
      poller.remove(pipe)
      Socket(descriptor: pipe).close()
    }
    if reserve >= 0 { Socket(descriptor: reserve).close() }
  }

  /// From any thread.
  func stop() {
    state.withLock { $0.isStopping = true }
    poller.wake()
  }

  func heedSignals(
    _ whenReloaded: @escaping @Sendable (TLSError?) -> Void
  ) throws(SystemError) {
    let pipe = kiln_pipe_of_signals(tls == nil ? 0 : 1)
    guard pipe >= 0 else { throw SystemError("pipe") }
    state.withLock { state in
      state.signalPipe = pipe
      state.whenReloaded = whenReloaded
    }
    try poller.add(pipe, for: .read, token: Self.signalToken)
  }

  private func takeSignals() {
    let (pipe, whenReloaded) = state.withLock { ($0.signalPipe, $0.whenReloaded) }
    guard let pipe else { return }
    while true {
      switch kiln_next_signal(pipe) {
      case KILN_ENDS: state.withLock { $0.isStopping = true }
      case KILN_HANGS_UP: whenReloaded(reloadCertificate())
      default: return
      }
    }
  }

  private func reloadCertificate() -> TLSError? {
    do throws(TLSError) {
      try tls?.reload()
      return nil
    } catch {
      return error
    }
  }

  private func acceptAll(from listener: Listener) {
    // Bounded, so that shutting down is noticed among connections without end.
    for _ in 0..<64 {
      switch listener.accept() {
      case .connection(let socket, let peer): take(socket, peer)
      case .none: return
      case .exhausted:
        guard closeOne(of: listener) else { return setAccepting(false) }
      }
    }
  }

  private func take(_ socket: Socket, _ peer: Peer) {
    let encrypts = tls != nil && peer.address != nil
    guard ledger.admit(peer) else { return turnAway(socket, encrypts: encrypts) }
    if peer.address != nil { socket.sendWithoutDelay() }
    loops[nextLoop].adopt(socket, peer, isEncrypted: encrypts)
    nextLoop = (nextLoop + 1) % loops.count
  }

  /// Answers 503 as far as the socket takes it at once.
  private func turnAway(_ socket: Socket, encrypts: Bool) {
    if !encrypts {
      var output = Output()
      var date = DateField()
      date.update()
      output.append(
        Response(to: .tooManyConnections), isHead: false, connection: .closed,
        date: date)
      _ = output.write(to: Transport(socket: socket, tls: nil))
      socket.endWriting()
      // What has come is read, so that closing doesn't take the answer back.
      var buffer = [UInt8](repeating: 0, count: 16 * 1024)
      _ = socket.read(into: &buffer)
    }
    socket.close()
  }

  /// Makes room for one connection and closes it.
  ///
  /// - Returns: whether there was room.
  private func closeOne(of listener: Listener) -> Bool {
    guard reserve >= 0 else {
      reserve = kiln_reserve_descriptor()
      return false
    }
    Socket(descriptor: reserve).close()
    if case .connection(let socket, _) = listener.accept() { socket.close() }
    reserve = kiln_reserve_descriptor()
    return reserve >= 0
  }

  /// Stops or goes on looking for connections.
  private func setAccepting(_ accepts: Bool) {
    mayAccept = accepts
    for (position, listener) in listeners.enumerated() {
      poller.modify(
        listener.descriptor, for: accepts ? .read : [], token: UInt64(position))
    }
  }
}
