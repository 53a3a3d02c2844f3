extension Connection {
  /// Sets the deadline that its state asks for.
  func updateDeadline(_ deadlines: Deadlines) {
    deadline = nextDeadline(deadlines)
  }

  private func nextDeadline(_ deadlines: Deadlines) -> Deadline {
    if phase == .lingering {
      return Deadline(time: phaseBegan + deadlines.lingerSeconds, reason: .linger)
    }
    if !output.isEmpty {
      return Deadline(time: lastWrite + deadlines.writeStallSeconds, reason: .write)
    }
    // While an answer is being made, the client waits for the server and not the other way.
    guard exchanges.isEmpty else { return .none }
    // What the client must send it may have begun to send only when the last answer had come.
    let began = max(phaseBegan, lastWrite)
    switch phase {
    case .handshake:
      return Deadline(time: phaseBegan + deadlines.handshakeSeconds, reason: .handshake)
    case .head where !headHasBegun:
      return Deadline(time: began + deadlines.idleSeconds, reason: .idle)
    case .head:
      return Deadline(time: began + deadlines.headSeconds, reason: .head)
    case .body, .chunkedBody:
      return Deadline(time: began + deadlines.bodyWindowSeconds, reason: .body)
    case .ready, .finishing, .lingering:
      return .none
    }
  }

  /// Whether the body has come fast enough since this was last asked.
  func keepsBodyRate(_ deadlines: Deadlines, now: Double) -> Bool {
    let received = bodyByteCount - bodyByteCountAtWindow
    bodyByteCountAtWindow = bodyByteCount
    phaseBegan = now
    return Double(received) >= deadlines.bodyWindowSeconds * deadlines.bodyBytesPerSecondMinimum
  }
}
