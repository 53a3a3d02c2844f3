import REST

/// One thread that reads requests from its connections, hands them to the handler and writes the
/// answers. A handler that answers at once is answered without a hop; answers from other threads come
/// through the mailbox.
// Everything but the mailbox and the poller's `wake` is touched on the loop's thread alone.
final class Loop: @unchecked Sendable {
  let configuration: ServerConfiguration
  let handler: any RequestHandler
  let ledger: Ledger
  private let tls: TLSKeeper?

  let poller: SystemPoller
  private let mailbox = Mailbox()
  private var thread: Thread.Identity?
  var connections = ConnectionTable()

  /// The time of this turn.
  var now = monotonicSeconds()
  var date = DateField()
  private(set) var isDraining = false
  private var drainDeadline = Double.infinity
  private var nextSweep = Double.infinity

  private var touched: [Connection] = []
  /// Connections with input that the poller doesn't know of.
  private var again: [UInt64] = []
  var readBuffer = [UInt8](repeating: 0, count: 64 * 1024)

  init(
    configuration: ServerConfiguration, handler: any RequestHandler, ledger: Ledger,
    tls: TLSKeeper?
  ) throws(SystemError) {
    self.configuration = configuration
    self.handler = handler
    self.ledger = ledger
    self.tls = tls
    poller = try SystemPoller()
  }

  /// Works until it was told to drain and has.
  func run() {
    thread = Thread.current
    var events: [Event] = []
    while !(isDraining && connections.isEmpty) {
      poller.wait(milliseconds: waitMilliseconds(), into: &events)
      now = monotonicSeconds()
      date.update()
      for message in mailbox.takeAll() { take(message) }
      let waiting = again
      again = []
      for token in waiting { handle(Event(token: token, isReadable: true)) }
      for event in events { handle(event) }
      settle()
      if now >= nextSweep { sweep() }
      if now >= drainDeadline { connections.each(close) }
    }
    end()
  }

  private func waitMilliseconds() -> Int32 {
    guard again.isEmpty else { return 0 }
    let next = min(nextSweep, drainDeadline)
    guard next < .infinity else { return -1 }
    // Rounded up, so that the turn comes when the deadline has passed.
    return Int32(max(0, min(60_000, (next - monotonicSeconds()) * 1000 + 1)))
  }

  private func end() {
    for case .connection(let socket, let peer, _) in mailbox.close() {
      socket.close()
      ledger.release(peer)
    }
  }
}

// What other threads call.
extension Loop {
  func adopt(_ socket: Socket, _ peer: Peer, isEncrypted: Bool) {
    let isTaken = mailbox.put(
      .connection(socket, peer, isEncrypted: isEncrypted), wake: poller.wake)
    guard isTaken else {
      socket.close()
      ledger.release(peer)
      return
    }
  }

  /// Finishes the requests under way and ends.
  func drain() {
    mailbox.put(.drain, wake: poller.wake)
  }

  /// Takes the answer to a request, on any thread.
  func deliver(_ response: Response, to sequence: UInt64, of token: UInt64) {
    if Thread.current == thread {
      answer(token, sequence, response)
    } else {
      mailbox.put(.answer(response, sequence: sequence, token: token), wake: poller.wake)
    }
  }
}

extension Loop {
  private func take(_ message: Message) {
    switch message {
    case .connection(let socket, let peer, let isEncrypted):
      open(socket, peer, isEncrypted: isEncrypted)
    case .answer(let response, let sequence, let token):
      answer(token, sequence, response)
    case .drain:
      isDraining = true
      drainDeadline = now + configuration.deadlines.drainSeconds
      connections.each(touch)
    }
  }

  private func answer(_ token: UInt64, _ sequence: UInt64, _ response: Response) {
    guard let connection = connections[token] else { return }
    connection.exchanges.answer(sequence, with: response)
    touch(connection)
  }

  private func open(_ socket: Socket, _ peer: Peer, isEncrypted: Bool) {
    let session = isEncrypted ? tls?.session(on: socket) : nil
    guard !isEncrypted || session != nil else {
      socket.close()
      ledger.release(peer)
      return
    }
    let connection = connections.insert { token in
      Connection(
        token: token, peer: peer, transport: Transport(socket: socket, tls: session),
        limits: configuration.head, now: now)
    }
    do throws(SystemError) {
      try poller.add(socket.descriptor, for: .read, token: connection.token)
      touch(connection)
    } catch {
      close(connection)
    }
  }

  func touch(_ connection: Connection) {
    guard !connection.isTouched else { return }
    connection.isTouched = true
    touched.append(connection)
  }

  /// Brings each connection that something happened to into order, once a turn.
  private func settle() {
    var position = 0
    while position < touched.count {
      let connection = touched[position]
      position += 1
      settle(connection)
      connection.isTouched = false
    }
    touched.removeAll(keepingCapacity: true)
  }

  func noteDeadline(_ time: Double) {
    if time < nextSweep { nextSweep = time }
  }

  func readAgain(_ connection: Connection) {
    again.append(connection.token)
  }

  /// Looks for deadlines that have passed.
  private func sweep() {
    nextSweep = .infinity
    connections.each { connection in
      if connection.deadline.time <= now { expire(connection) }
      noteDeadline(connection.deadline.time)
    }
    settle()
    // Many connections have deadlines close together; a tenth of a second serves them at once.
    nextSweep = max(nextSweep, now + 0.1)
  }
}
