import REST

extension Connection {
  /// Puts the answers whose turn has come into the output, and goes on with the requests that waited
  /// for that.
  func answer(on loop: Loop) {
    repeat {
      while let exchange = exchanges.takeAnswered(), let response = exchange.response {
        append(response, of: exchange, on: loop)
      }
      if owesContinue, exchanges.isEmpty {
        startWaiting(loop.now)
        output.append("HTTP/1.1 100 Continue\r\n\r\n")
        owesContinue = false
      }
    } while (phase == .ready || !input.isEmpty) && resume(on: loop)
    if let refusal, exchanges.isEmpty {
      self.refusal = nil
      startWaiting(loop.now)
      output.append(
        Response(to: refusal), isHead: parser.head.method == .head,
        connection: .closed, date: loop.date)
    }
  }

  private func append(_ response: Response, of exchange: Exchange, on loop: Loop) {
    var connection = exchange.connection
    if loop.isDraining, exchanges.isEmpty, phase == .head, refusal == nil {
      connection = .closed
      phase = .finishing
      input = []
    }
    startWaiting(loop.now)
    output.append(
      response, isHead: exchange.method == .head, connection: connection, date: loop.date)
  }

  private func startWaiting(_ now: Double) {
    if output.isEmpty { lastWrite = now }
  }

  /// Writes what waits, as far as the client takes it.
  func write(now: Double) {
    guard !output.isEmpty else { return }
    let (result, count) = output.write(to: transport)
    if count > 0 { lastWrite = now }
    switch result {
    case .bytes: break
    case .waits(let interest): transportInterest.formUnion(interest)
    case .ended, .failed: isBroken = true
    }
  }

  /// Whether the connection has nothing left to do.
  var isFinished: Bool {
    if isBroken { return true }
    guard exchanges.isEmpty, output.isEmpty, refusal == nil else { return false }
    return inputHasEnded && phase != .ready
  }
}

extension Response {
  init(to refusal: Refusal) {
    self.init(unhandled: refusal.status, because: refusal.reason)
  }
}
