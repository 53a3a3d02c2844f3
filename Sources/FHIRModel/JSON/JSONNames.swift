/// The names of the objects that are being read, to find one that stands twice, in time linear in
/// their number.
struct JSONNames {
  /// The names, the innermost object's last; what stands behind `end` is left from before.
  private var names: [JSONNode] = []
  private var end = 0
  /// Where the innermost object's names begin.
  private var start = 0

  /// So many names are compared pair by pair, which is fastest for a few.
  private static let pairwiseMaximum = 32

  /// Begins an object; what it returns is given to `close`.
  @inline(__always)
  mutating func open() -> Int {
    let outer = start
    start = end
    return outer
  }

  @inline(__always)
  mutating func insert(_ name: JSONNode, _ bytes: Span<UInt8>) throws(JSONError) {
    if end - start < Self.pairwiseMaximum {
      var other = start
      while other < end {
        if names[other].hash == name.hash, Self.isSame(names[other], name, bytes) {
          throw Self.duplicate(name, bytes)
        }
        other &+= 1
      }
    }
    if end < names.count { names[end] = name } else { names.append(name) }
    end &+= 1
  }

  /// Ends the innermost object.
  @inline(__always)
  mutating func close(_ outer: Int, _ bytes: Span<UInt8>) throws(JSONError) {
    if end - start > Self.pairwiseMaximum { try checkMany(bytes) }
    end = start
    start = outer
  }

  private func checkMany(_ bytes: Span<UInt8>) throws(JSONError) {
    // Set seeds its hashes, so nobody can choose names that all collide.
    var seen: Set<[UInt8]> = []
    seen.reserveCapacity(end - start)
    for name in names[start..<end] {
      guard seen.insert(JSONString.decoded(bytes, name)).inserted else {
        throw Self.duplicate(name, bytes)
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
