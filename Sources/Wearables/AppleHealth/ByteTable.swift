import Archive
import FHIRModel

/// Values by texts that come again and again, found without making a `String` of them.
///
/// It holds as many as its limit and then begins anew, so that a file of ever new texts can't fill
/// the memory.
struct ByteTable<Value> {
  private struct Slot {
    var hash: UInt64
    var key: Range<Int>
    var value: Value
  }

  private let countMaximum: Int
  /// Longer texts are no names; they are looked at each time.
  private static var keyByteCountMaximum: Int { 2_048 }
  private let seed: UInt64
  private var keys: [UInt8] = []
  private var slots: [Slot] = []
  /// Positions in `slots` plus one; 0 is free.
  private var index: [Int32]
  private var last = 0
  private var previous = 0

  init(countMaximum: Int = 65_536) {
    self.countMaximum = countMaximum
    // From outside it can't be told which texts meet in one place.
    seed = UInt64.random(in: .min ... .max) | 1
    index = [Int32](repeating: 0, count: 256)
  }

  /// The value of that text, made when it is met for the first time.
  mutating func value(of text: Span<UInt8>, _ make: (String) -> Value) -> Value {
    guard text.count <= Self.keyByteCountMaximum else { return make(String(copying: text)) }
    // Records of one kind stand together, and mostly two sources alternate.
    if last < slots.count, matches(last, text) { return slots[last].value }
    if previous < slots.count, matches(previous, text) {
      swap(&last, &previous)
      return slots[last].value
    }
    previous = last
    let hash = hash(text)
    var place = Int(truncatingIfNeeded: hash) & (index.count - 1)
    while index[place] != 0 {
      let position = Int(index[place]) - 1
      if slots[position].hash == hash, matches(position, text) {
        last = position
        return slots[position].value
      }
      place = (place + 1) & (index.count - 1)
    }
    return insert(text, hash, make)
  }

  private mutating func insert(
    _ text: Span<UInt8>, _ hash: UInt64, _ make: (String) -> Value
  ) -> Value {
    if slots.count >= countMaximum { self = ByteTable(countMaximum: countMaximum) }
    if slots.count * 2 >= index.count { grow() }
    let start = keys.count
    keys.append(copying: text)
    let value = make(String(decoding: keys[start...], as: UTF8.self))
    last = slots.count
    // Begun anew it has another seed.
    slots.append(Slot(hash: self.hash(text), key: start..<keys.count, value: value))
    place(last)
    return value
  }

  private mutating func grow() {
    index = [Int32](repeating: 0, count: index.count * 2)
    for position in slots.indices { place(position) }
  }

  private mutating func place(_ position: Int) {
    var place = Int(truncatingIfNeeded: slots[position].hash) & (index.count - 1)
    while index[place] != 0 { place = (place + 1) & (index.count - 1) }
    index[place] = Int32(position + 1)
  }

  @inline(__always)
  private func matches(_ position: Int, _ text: Span<UInt8>) -> Bool {
    keys.span.extracting(slots[position].key).equals(text)
  }

  @inline(__always)
  private func hash(_ text: Span<UInt8>) -> UInt64 {
    var hash = seed
    for position in text.indices {
      hash = (hash ^ UInt64(text[position])) &* 0x0000_0100_0000_01b3
      hash ^= hash >> 29
    }
    return hash
  }
}
