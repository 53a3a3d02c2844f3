/// The connections of a loop by their tokens. A token names its place and how often that was used, so
/// that a late answer never reaches the connection that took the place over.
struct ConnectionTable {
  private var places: [Connection?] = []
  private var uses: [UInt32] = []
  private var free: [Int] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  subscript(_ token: UInt64) -> Connection? {
    let place = Int(token & 0xffff_ffff)
    guard place < places.count, let connection = places[place], connection.token == token else {
      return nil
    }
    return connection
  }

  mutating func insert(_ make: (_ token: UInt64) -> Connection) -> Connection {
    let place: Int
    if let last = free.popLast() {
      place = last
    } else {
      place = places.count
      places.append(nil)
      uses.append(0)
    }
    // The highest bit stays clear: the poller and the server have tokens of their own there.
    uses[place] = (uses[place] + 1) & 0x7fff_ffff
    let connection = make(UInt64(uses[place]) << 32 | UInt64(place))
    places[place] = connection
    count += 1
    return connection
  }

  /// - Returns: whether it was there.
  mutating func remove(_ token: UInt64) -> Bool {
    guard self[token] != nil else { return false }
    let place = Int(token & 0xffff_ffff)
    places[place] = nil
    free.append(place)
    count -= 1
    return true
  }

  /// Calls `body` with each connection; `body` may remove it.
  func each(_ body: (Connection) -> Void) {
    for case .some(let connection) in places { body(connection) }
  }
}
