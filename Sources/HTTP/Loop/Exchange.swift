import REST

/// A request that was handed on, and its answer when it has come.
struct Exchange {
  let sequence: UInt64
  let method: Method
  let isOldVersion: Bool
  let keepsConnection: Bool
  var response: Response?

  /// What its answer says of the connection, unless that closes for another reason.
  var connection: ConnectionOption {
    guard keepsConnection else { return .closed }
    return isOldVersion ? .keptForOldVersion : .kept
  }
}

/// The requests of a connection whose answers aren't sent yet, in their order.
struct Exchanges {
  private var waiting: [Exchange] = []
  private var nextSequence: UInt64 = 0
  private var unansweredCount = 0
  private var unansweredUnsafeCount = 0
  /// The bodies of answers whose turn hasn't come.
  private(set) var answeredByteCount = 0

  var isEmpty: Bool { waiting.isEmpty }
  var count: Int { waiting.count }

  /// Requests of one connection run at once only if all of them are safe.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9112#section-9.3.2
  func allows(_ method: Method) -> Bool {
    method.isSafe ? unansweredUnsafeCount == 0 : unansweredCount == 0
  }

  /// - Returns: the number by which its answer is told.
  mutating func append(_ head: RequestHead) -> UInt64 {
    let sequence = nextSequence
    nextSequence += 1
    waiting.append(
      Exchange(
        sequence: sequence, method: head.method, isOldVersion: head.minorVersion == 0,
        keepsConnection: head.keepsConnection))
    unansweredCount += 1
    if !head.method.isSafe { unansweredUnsafeCount += 1 }
    return sequence
  }

  /// Keeps an answer until its turn has come. A second one to the same request is dropped.
  mutating func answer(_ sequence: UInt64, with response: Response) {
    guard let first = waiting.first, sequence >= first.sequence else { return }
    let position = Int(sequence - first.sequence)
    guard position < waiting.count, waiting[position].response == nil else { return }
    waiting[position].response = response
    answeredByteCount += response.bodyByteCount
    unansweredCount -= 1
    if !waiting[position].method.isSafe { unansweredUnsafeCount -= 1 }
  }

  /// Takes the first exchange if it has its answer.
  mutating func takeAnswered() -> Exchange? {
    guard let first = waiting.first, let response = first.response else { return nil }
    waiting.removeFirst()
    answeredByteCount -= response.bodyByteCount
    return first
  }
}
