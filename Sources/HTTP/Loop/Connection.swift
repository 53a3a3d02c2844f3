import REST

/// One connection: what was read of it, which of its requests wait for answers, and what waits to be
/// written. It belongs to one loop and is touched on that loop's thread alone.
final class Connection {
  let token: UInt64
  let peer: Peer
  let transport: Transport

  var phase: Phase
  var parser: HeadParser
  var chunks = ChunkDecoder(bodyByteCountMaximum: 0)
  /// The request whose head has been read, until it is handed on.
  var request = Request.none
  /// Where its body goes, if that is a file.
  var upload: Upload?
  /// The request is answered without its body, and nothing more is read.
  var leavesBodyUnread = false
  /// Bytes that were read and are not yet understood.
  var input: [UInt8] = []
  var exchanges = Exchanges()
  /// A refusal that is answered after the requests before it.
  var refusal: Refusal?
  var owesContinue = false
  var output = Output()

  /// A part of a head has come.
  var headHasBegun = false
  /// Bytes may wait to be read of which the poller won't tell, since TLS has taken them in.
  var mayHaveInput = false
  /// The client will send no more.
  var inputHasEnded = false
  var isBroken = false
  /// The loop will look after it at the end of its turn.
  var isTouched = false
  /// What the poller watches for.
  var interest: Interest
  /// What TLS waits for beside what the phase asks for.
  var transportInterest: Interest = []

  /// What had come of the body when its rate was last looked at.
  var bodyByteCountAtWindow = 0
  /// What of all bodies' room this one holds.
  var reservedByteCount = 0
  /// When the phase began that has a deadline.
  var phaseBegan: Double
  /// When the client last took a byte of an answer, or an answer began to wait.
  var lastWrite: Double
  var deadline: Deadline

  enum Phase: Equatable {
    case handshake
    case head
    /// A body of which this many bytes are missing.
    case body(missing: Int)
    case chunkedBody
    /// A whole request that waits until those before it are answered.
    case ready
    /// Nothing more is read; it closes when the last answer is written.
    case finishing
    /// The last answer is written; what still comes in is dropped until the client closes.
    case lingering
  }

  struct Deadline {
    enum Reason { case none, handshake, idle, head, body, write, linger }
    var time: Double
    var reason: Reason

    static let none = Deadline(time: .infinity, reason: .none)
  }

  init(
    token: UInt64, peer: Peer, transport: Transport, limits: HeadLimits, now: Double
  ) {
    self.token = token
    self.peer = peer
    self.transport = transport
    phase = transport.isSecure ? .handshake : .head
    parser = HeadParser(limits: limits)
    interest = .read
    // The client speaks first in a handshake.
    if transport.isSecure { transportInterest = .read }
    phaseBegan = now
    lastWrite = now
    deadline = .none
  }

  /// Nothing was asked that isn't answered, and no part of a request has come.
  var isIdle: Bool {
    (phase == .head && input.isEmpty || phase == .handshake) && exchanges.isEmpty && output.isEmpty
  }
}
