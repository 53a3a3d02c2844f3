import REST

extension Connection {
  /// Whether more may be read: not while many answers wait, nor while a request waits for its turn.
  func wantsInput(_ limits: ConnectionLimits) -> Bool {
    switch phase {
    case .handshake, .ready, .finishing: false
    case .lingering: !inputHasEnded
    case .head, .body, .chunkedBody: !inputHasEnded && hasRoom(limits)
    }
  }

  /// Whether few enough answers wait that another request may be begun.
  private func hasRoom(_ limits: ConnectionLimits) -> Bool {
    exchanges.count < limits.waitingRequestCountMaximum
      && output.byteCount + exchanges.answeredByteCount < limits.waitingByteCountMaximum
  }

  /// Takes in what was read.
  func receive(_ bytes: Span<UInt8>, on loop: Loop) {
    guard phase != .lingering else { return }
    guard input.isEmpty else {
      input.append(copying: bytes)
      _ = resume(on: loop)
      return
    }
    let used = understand(bytes, on: loop)
    if used < bytes.count { input.append(copying: bytes.extracting(used..<bytes.count)) }
  }

  /// Goes on with the bytes that are kept.
  ///
  /// - Returns: whether that led anywhere.
  func resume(on loop: Loop) -> Bool {
    let before = phase
    let kept = input
    input = []
    let used = understand(kept.span, on: loop)
    if used == 0 {
      input = kept
    } else if used < kept.count {
      input.append(copying: kept.span.extracting(used..<kept.count))
    }
    return used > 0 || phase != before
  }

  /// Reads requests out of `bytes` and hands them on.
  ///
  /// - Returns: how many bytes need not be kept.
  private func understand(_ bytes: Span<UInt8>, on loop: Loop) -> Int {
    var used = 0
    do throws(Refusal) {
      while true {
        let rest = bytes.extracting(used..<bytes.count)
        switch phase {
        case .head:
          guard !rest.isEmpty, hasRoom(loop.configuration.connections),
            let count = try readHead(rest, on: loop)
          else { return used }
          used += count
        case .body(let missing):
          guard !rest.isEmpty else { return used }
          let count = min(missing, rest.count)
          try takeBody(rest.extracting(0..<count), in: loop.ledger)
          phase = count == missing ? .ready : .body(missing: missing - count)
          used += count
        case .chunkedBody:
          guard !rest.isEmpty else { return used }
          used += try takeChunks(rest, in: loop.ledger)
          if chunks.isComplete { phase = .ready }
        case .ready:
          guard exchanges.allows(parser.head.method) else { return used }
          handOn(on: loop)
        case .handshake, .finishing, .lingering:
          return bytes.count
        }
      }
    } catch {
      refuse(error)
      upload = nil
      giveRoomBack(to: loop.ledger)
      return bytes.count
    }
  }

  /// - Returns: the number of bytes of the head; `nil` while it isn't complete.
  private func readHead(_ bytes: Span<UInt8>, on loop: Loop) throws(Refusal) -> Int? {
    guard let count = try parser.parse(bytes) else {
      if !headHasBegun { phaseBegan = loop.now }
      headHasBegun = true
      return nil
    }
    let head = parser.head
    request = Request(
      method: head.method.rawValue, target: Array(copying: bytes.extracting(head.target)),
      headers: Headers(
        bytes: Array(copying: bytes.extracting(0..<count)),
        fields: head.fields.map { Headers.Field(name: $0.name, value: $0.value) }),
      isSecure: transport.isSecure, peer: peer.text)
    phaseBegan = loop.now
    bodyByteCountAtWindow = 0
    try startBody(framing: head.framing, on: loop)
    owesContinue = head.expectsContinue && phase != .ready && count == bytes.count
    return count
  }

  private func startBody(framing: Framing, on loop: Loop) throws(Refusal) {
    var maximum = loop.configuration.bodyByteCountMaximum
    upload = nil
    leavesBodyUnread = false
    if framing != .none {
      switch loop.handler.bodyPlace(of: request) {
      case .memory: break
      case .file:
        upload = try Upload(in: loop.configuration.uploadFolder, ledger: loop.ledger)
        maximum = loop.configuration.uploadByteCountMaximum
      case .unread:
        leavesBodyUnread = true
        phase = .ready
        return
      }
    }
    switch framing {
    case .none, .length(0): phase = .ready
    case .length(let length):
      guard length <= maximum else { throw .bodyTooLarge(byteCountMaximum: maximum) }
      // What the client only announces is not reserved.
      if upload == nil { request.body.reserveCapacity(min(length, 64 * 1024)) }
      phase = .body(missing: length)
    case .chunked:
      chunks = ChunkDecoder(bodyByteCountMaximum: maximum)
      phase = .chunkedBody
    }
  }

  /// Hands the request to the handler, which may answer at once.
  private func handOn(on loop: Loop) {
    giveRoomBack(to: loop.ledger)
    var request = self.request
    self.request = .none
    request.file = upload?.finished()
    upload = nil
    var head = parser.head
    if leavesBodyUnread { head.keepsConnection = false }
    let sequence = exchanges.append(head)
    phase = head.keepsConnection ? .head : .finishing
    phaseBegan = loop.now
    headHasBegun = false
    parser.reset()
    loop.handler.respond(to: request) { [loop, token] response in
      loop.deliver(response, to: sequence, of: token)
    }
  }

  /// Answers what can't be understood, after the answers before it, and reads no more.
  func refuse(_ refusal: Refusal) {
    self.refusal = refusal
    phase = .finishing
    owesContinue = false
    input = []
    request = .none
  }
}
