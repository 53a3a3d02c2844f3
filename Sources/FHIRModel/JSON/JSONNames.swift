/// The names of the objects that are being read, to find one that stands twice, in time linear in
/// their number.
struct JSONNames {
  /// Hash and position of each name, the innermost object's last.
  private var hashes: [UInt16] = []
  private var positions: [Int] = []
  /// Where the innermost object's names begin.
  private var start = 0

  /// So many names are compared pair by pair, which is fastest for a few.
  private static let pairwiseMaximum = 32

  /// Begins an object; what it returns is given to `end`.
  @inline(__always)
  mutating func begin() -> Int {
    defer { start = hashes.count }
    return start
  }

  @inline(__always)
  mutating func insert(
    _ name: Int, of tape: [JSONNode], _ bytes: Span<UInt8>
  ) throws(JSONError) {
    let hash = tape[name].hash
    if hashes.count - start < Self.pairwiseMaximum {
      var other = start
      while other < hashes.count {
        if hashes[other] == hash, Self.isSame(tape[positions[other]], tape[name], bytes) {
          throw Self.duplicate(tape[name], bytes)
        }
        other += 1
      }
    }
    hashes.append(hash)
    positions.append(name)
  }

  /// Ends the innermost object.
  @inline(__always)
  mutating func end(_ outer: Int, of tape: [JSONNode], _ bytes: Span<UInt8>) throws(JSONError) {
    if hashes.count - start > Self.pairwiseMaximum { try checkMany(of: tape, bytes) }
    hashes.removeLast(hashes.count - start)
    positions.removeLast(positions.count - start)
    start = outer
  }

  private func checkMany(of tape: [JSONNode], _ bytes: Span<UInt8>) throws(JSONError) {
    // Set seeds its hashes, so nobody can choose names that all collide.
    var seen: Set<[UInt8]> = []
    seen.reserveCapacity(positions.count - start)
    for position in positions[start...] {
      guard seen.insert(JSONString.decoded(bytes, tape[position])).inserted else {
        throw Self.duplicate(tape[position], bytes)
      }
    }
  }

  private static func isSame(_ left: JSONNode, _ right: JSONNode, _ bytes: Span<UInt8>) -> Bool {
    if left.hasEscape || right.hasEscape {
      return JSONString.decoded(bytes, left) == JSONString.decoded(bytes, right)
    }
    return bytes.extracting(left.range).equals(bytes.extracting(right.range))
  }

  private static func duplicate(_ name: JSONNode, _ bytes: Span<UInt8>) -> JSONError {
    let text = String(decoding: JSONString.decoded(bytes, name), as: UTF8.self)
    return JSONError(offset: Int(name.offset) - 1, reason: .duplicateName(text))
  }
}
