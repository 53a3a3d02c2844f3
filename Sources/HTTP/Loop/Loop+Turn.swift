// What a loop does with one connection in one turn.
extension Loop {
  func handle(_ event: Event) {
    guard let connection = connections[event.token] else { return }
    touch(connection)
    if event.isGone, !event.isReadable {
      connection.isBroken = true
      return
    }
    connection.transportInterest = []
    if connection.phase == .handshake { shakeHands(connection) }
    if event.isReadable || connection.transport.isSecure { read(connection) }
  }

  private func shakeHands(_ connection: Connection) {
    guard let tls = connection.transport.tls else { return }
    switch tls.handshake() {
    case .bytes:
      connection.phase = .head
      connection.phaseBegan = now
    case .waits(let interest): connection.transportInterest = interest
    case .ended, .failed: connection.isBroken = true
    }
  }

  /// Reads what has come, but not without end: the other connections wait.
  private func read(_ connection: Connection) {
    var roundsLeft = 8
    while roundsLeft > 0, wantsInput(connection) {
      roundsLeft -= 1
      let result = connection.transport.read(into: &readBuffer)
      switch result {
      case .bytes(let count):
        connection.receive(readBuffer.span.extracting(first: count), on: self)
        let transport = connection.transport
        guard transport.mayHaveMore(after: count, of: readBuffer.count) else {
          connection.mayHaveInput = false
          return
        }
        connection.mayHaveInput = transport.isSecure
      case .waits(let interest):
        connection.transportInterest.formUnion(interest)
        connection.mayHaveInput = false
        return
      case .ended:
        connection.inputHasEnded = true
        return
      case .failed:
        connection.isBroken = true
        return
      }
    }
  }

  private func wantsInput(_ connection: Connection) -> Bool {
    connection.wantsInput(configuration.connections)
  }

  func settle(_ connection: Connection) {
    if connection.isBroken { return close(connection) }
    repeat {
      connection.answer(on: self)
      connection.write(now: now)
      // Room in the output may let a request go on that waited for it.
    } while !connection.isBroken && connection.output.isEmpty && !connection.input.isEmpty
      && connection.resume(on: self)
    if connection.isFinished || isDraining && connection.isIdle { return close(connection) }
    if connection.phase == .finishing, connection.exchanges.isEmpty, connection.output.isEmpty {
      linger(connection)
    }
    watch(connection)
    connection.updateDeadline(configuration.deadlines)
    noteDeadline(connection.deadline.time)
  }

  /// Ends the answers and waits for the client to close: closing at once, with input unread, would
  /// make the system reset the connection and lose the last answer on its way.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9112#section-9.6
  private func linger(_ connection: Connection) {
    connection.transport.endWriting()
    connection.phase = .lingering
    connection.phaseBegan = now
    connection.transportInterest = []
  }

  /// Tells the poller what the connection waits for now.
  private func watch(_ connection: Connection) {
    var interest = connection.transportInterest
    if wantsInput(connection) {
      interest.insert(.read)
      if connection.mayHaveInput { readAgain(connection) }
    }
    if !connection.output.isEmpty, interest.isEmpty { interest.insert(.write) }
    if interest != connection.interest {
      connection.interest = interest
      poller.modify(
        connection.transport.socket.descriptor, for: interest, token: connection.token)
    }
  }

  /// Ends what took too long.
  func expire(_ connection: Connection) {
    switch connection.deadline.reason {
    case .none: return
    case .handshake, .idle, .linger: connection.isBroken = true
    case .write:
      connection.transport.socket.dropUnsentOnClose()
      connection.isBroken = true
    case .head: connection.refuse(.headTooSlow)
    case .body:
      guard !connection.keepsBodyRate(configuration.deadlines, now: now) else { break }
      connection.refuse(.bodyTooSlow)
    }
    connection.deadline = .none
    touch(connection)
  }

  func close(_ connection: Connection) {
    guard connections.remove(connection.token) else { return }
    poller.remove(connection.transport.socket.descriptor)
    connection.transport.socket.close()
    connection.giveRoomBack(to: ledger)
    ledger.release(connection.peer)
  }
}
