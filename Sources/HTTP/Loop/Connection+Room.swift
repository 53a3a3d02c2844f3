/// A limit on one body is none on all: without room of their own in the memory, many clients that send
/// large bodies slowly would take it all.
extension Connection {
  private static let freeByteCount = 64 * 1024
  private static let stepByteCount = 1024 * 1024

  /// Makes sure that `count` more bytes of the body fit.
  ///
  /// - Throws: `Refusal.tooManyBodies` if the bodies of all connections leave no room.
  func reserveRoom(for count: Int, in ledger: Ledger) throws(Refusal) {
    while request.body.count + count > Self.freeByteCount + reservedByteCount {
      guard ledger.reserve(Self.stepByteCount) else { throw .tooManyBodies }
      reservedByteCount += Self.stepByteCount
    }
  }

  func giveRoomBack(to ledger: Ledger) {
    guard reservedByteCount > 0 else { return }
    ledger.unreserve(reservedByteCount)
    reservedByteCount = 0
  }
}
