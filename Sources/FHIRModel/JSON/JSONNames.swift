/// The names of one object while it is read, to find one that stands twice.
///
/// A few names are compared pair by pair by their hashes; more than that go into a set, so that the
/// time stays linear in the text.
struct JSONNames {
  private var positions: [Int] = []
  private var seen: Set<[UInt8]>?

  private static let pairwiseMaximum = 32

  mutating func insert(
    _ name: Int, of tape: [JSONNode], _ bytes: Span<UInt8>
  ) throws(JSONError) {
    if try isRepeated(name, of: tape, bytes) {
      let decoded = JSONString.decoded(bytes, tape[name])
      throw JSONError(
        offset: Int(tape[name].offset) - 1,
        reason: .duplicateName(String(decoding: decoded, as: UTF8.self)))
    }
  }

  private mutating func isRepeated(
    _ name: Int, of tape: [JSONNode], _ bytes: Span<UInt8>
  ) throws(JSONError) -> Bool {
    guard seen == nil else { return !insertIntoSet(name, of: tape, bytes) }
    for other in positions where tape[other].hash == tape[name].hash {
      if JSONString.decoded(bytes, tape[other]) == JSONString.decoded(bytes, tape[name]) {
        return true
      }
    }
    positions.append(name)
    if positions.count > Self.pairwiseMaximum {
      seen = []
      for position in positions { _ = insertIntoSet(position, of: tape, bytes) }
    }
    return false
  }

  private mutating func insertIntoSet(
    _ name: Int, of tape: [JSONNode], _ bytes: Span<UInt8>
  ) -> Bool {
    seen?.insert(JSONString.decoded(bytes, tape[name])).inserted ?? false
  }
}
