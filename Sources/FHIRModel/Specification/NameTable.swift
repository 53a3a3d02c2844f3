/// Names in the order in which they were added, found again by their bytes.
struct NameTable: Sendable {
  private(set) var names: [String] = []
  private var places: [Place] = []
  /// The names' UTF-8, one after the other.
  private(set) var bytes: [UInt8] = []
  /// Positions plus one, at the place that the hash gives or the next free one; 0 is free.
  private var slots: [UInt16]

  /// A name's `nameHash`, and where its bytes are.
  struct Place: Sendable {
    let hash: UInt16
    let start: UInt32
    let count: UInt32
  }

  /// Room for at most `capacity` names, less than 30,000.
  init(capacity: Int) {
    precondition(capacity < 30_000, "positions are kept in 16 bits")
    slots = Array(repeating: 0, count: max(4, (capacity * 2).nextPowerOfTwo))
  }

  init(_ names: [TableText]) {
    self.init(capacity: names.count)
    for name in names { add(name.text) }
  }

  var count: Int { names.count }

  func place(of position: Int) -> Place { places[position] }

  /// The position of the name, which is added if it isn't there.
  @discardableResult
  mutating func add(_ name: String) -> Int {
    let utf8 = name.utf8.span
    let hash = nameHash(utf8)
    if let position = position(of: utf8, hash: hash) { return position }
    precondition(names.count * 2 < slots.count, "more names than room was made for")
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt16(names.count + 1)
    places.append(Place(hash: hash, start: UInt32(bytes.count), count: UInt32(utf8.count)))
    bytes += name.utf8
    names.append(name)
    return names.count - 1
  }

  func position(of name: Span<UInt8>) -> Int? {
    position(of: name, hash: nameHash(name))
  }

  /// The same for a name whose `nameHash` is known.
  func position(of name: Span<UInt8>, hash: UInt16) -> Int? {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let position = Int(slots[slot]) - 1
      let place = places[position]
      if place.hash == hash, place.count == name.count {
        let start = Int(place.start)
        if bytes.span.extracting(start..<start + name.count).equals(name) { return position }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  func position(of name: TableText) -> Int? { position(of: name.bytes.span) }

  func position(of name: some StringProtocol) -> Int? {
    let name = Substring(name)
    return position(of: name.utf8.span)
  }
}

extension Int {
  fileprivate var nextPowerOfTwo: Int {
    1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
  }
}
