/// A page of LMDB's data file, as bytes that nothing is believed of.
///
/// A page has a head of 16 bytes: its number (8), a width (2), flags (2), and where the space between
/// its places and its nodes begins and ends (2 each), or the count of an overflow value's pages (4).
/// Places of nodes follow, 2 bytes each. A node is 8 bytes (the low and the high half of its value's
/// size, flags, the key's size; in a branch the first three are a page number), its key and its value.
/// The lowest byte comes first.
///
/// - SeeAlso: `mdb.c` of LMDB 0.9, `MDB_page`, `MDB_node`, `MDB_db`, `MDB_meta`.
struct DataPage {
  struct Flags: OptionSet {
    let rawValue: UInt16
    static let branch = Flags(rawValue: 0x01)
    static let leaf = Flags(rawValue: 0x02)
    static let overflow = Flags(rawValue: 0x04)
    static let meta = Flags(rawValue: 0x08)
    /// Written by a transaction under way; what it leaves on the disk has no meaning.
    static let dirty = Flags(rawValue: 0x10)
    /// Keys of one width, without nodes.
    static let fixed = Flags(rawValue: 0x20)
    /// Stands inside a node, as its value.
    static let inner = Flags(rawValue: 0x40)
  }

  static let headByteCount = 16
  static let nodeHeadByteCount = 8

  let bytes: ArraySlice<UInt8>

  var number: UInt64 { integer(at: 0) }
  var width: Int { Int(integer(at: 8) as UInt16) }
  var flags: Flags { Flags(rawValue: integer(at: 10)).subtracting(.dirty) }
  var lower: Int { Int(integer(at: 12) as UInt16) }
  var upper: Int { Int(integer(at: 14) as UInt16) }
  var overflowPageCount: UInt64 { UInt64(integer(at: 12) as UInt32) }
  /// How many nodes or keys it has, if `lower` is right.
  var count: Int { (lower - Self.headByteCount) / 2 }

  /// What `offset` bytes into the page says; the caller has seen that so many are there.
  func integer<Value: FixedWidthInteger>(at offset: Int) -> Value {
    let start = bytes.startIndex + offset
    var value: Value = 0
    for position in 0..<Value.bitWidth / 8 {
      value |= Value(bytes[start + position]) << (8 * position)
    }
    return value
  }

  /// What is wrong with its bounds and the places of its nodes; `nil` if nothing is.
  func fault() -> String? {
    guard lower >= Self.headByteCount, lower % 2 == 0, lower <= upper, upper <= bytes.count else {
      return "its bounds \(lower) and \(upper) are none of a page"
    }
    guard count > (flags.contains(.branch) ? 1 : 0) else { return "it has only \(count) nodes" }
    if flags.contains(.fixed) {
      let end = Self.headByteCount + count * width
      return width > 0 && end <= bytes.count ? nil : "its \(count) keys of \(width) bytes don't fit"
    }
    return (0..<count).lazy.compactMap(faultOfNode).first
  }

  private func faultOfNode(at position: Int) -> String? {
    let place = self.place(of: position)
    guard place >= upper, place % 2 == 0, place + Self.nodeHeadByteCount <= bytes.count else {
      return "node \(position) stands at \(place)"
    }
    let node = node(at: position)
    guard node.valueStart + (flags.contains(.branch) ? 0 : node.standingByteCount) <= bytes.count
    else { return "node \(position) goes beyond the page" }
    guard flags.contains(.branch) || node.flags.isKnown else {
      return "node \(position) has unknown flags \(node.flags.rawValue)"
    }
    return nil
  }

  private func place(of position: Int) -> Int {
    Int(integer(at: Self.headByteCount + 2 * position) as UInt16)
  }
}

extension DataPage {
  struct Node {
    struct Flags: OptionSet {
      let rawValue: UInt16
      /// The value stands on pages of its own, whose number is here.
      static let overflow = Flags(rawValue: 0x01)
      /// The value is a tree.
      static let tree = Flags(rawValue: 0x02)
      /// The value is several, in a page inside the node or in a tree.
      static let several = Flags(rawValue: 0x04)

      var isKnown: Bool {
        [[], .overflow, .tree, .several, [.tree, .several]].contains(self)
      }
    }

    let flags: Flags
    /// Of a branch, the page below.
    let child: UInt64
    let keyByteCount: Int
    let valueByteCount: Int
    /// Where the value begins in the page.
    let valueStart: Int

    /// How much of the value stands in the node.
    var standingByteCount: Int { flags.contains(.overflow) ? 8 : valueByteCount }
  }

  /// A node whose head lies within the page.
  func node(at position: Int) -> Node {
    let place = place(of: position)
    let low: UInt16 = integer(at: place)
    let high: UInt16 = integer(at: place + 2)
    let flags: UInt16 = integer(at: place + 4)
    let keyByteCount: UInt16 = integer(at: place + 6)
    let size = UInt64(low) | UInt64(high) << 16
    return Node(
      flags: Node.Flags(rawValue: flags), child: size | UInt64(flags) << 32,
      keyByteCount: Int(keyByteCount), valueByteCount: Int(size),
      valueStart: place + Self.nodeHeadByteCount + Int(keyByteCount))
  }

  /// The value of a node, where it stands in the node.
  func value(of node: Node) -> ArraySlice<UInt8> {
    let start = bytes.startIndex + node.valueStart
    return bytes[start..<start + node.standingByteCount]
  }
}

/// What LMDB keeps of a tree: in the head of the file for its two own, in a node for any other.
struct TreeRecord {
  struct Flags: OptionSet {
    let rawValue: UInt16
    /// A key may have several values (`MDB_DUPSORT`), all of one width (`MDB_DUPFIXED`).
    static let several = Flags(rawValue: 0x04)
    static let integerKeys = Flags(rawValue: 0x08)
    static let fixed = Flags(rawValue: 0x10)
  }

  static let byteCount = 48
  /// All values of one width are numbers of this many bytes.
  static let numberByteCount = 8
  static let noRoot = UInt64.max
  static let depthMaximum = 32

  let width: Int
  let flags: Flags
  let depth: Int
  let root: UInt64
  /// It is the tree of one key's values, which have one width.
  var holdsNumbers: Bool { flags.contains(.fixed) && !flags.contains(.several) }
  /// LMDB compares its keys as numbers, whatever their size says.
  var hasNumbersAsKeys: Bool { flags.contains(.integerKeys) || holdsNumbers }
  var counts = Counts()

  /// How many pages and entries a tree has.
  struct Counts: Equatable {
    var branches: UInt64 = 0
    var leaves: UInt64 = 0
    var overflows: UInt64 = 0
    var entries: UInt64 = 0
  }

  init(_ bytes: ArraySlice<UInt8>) {
    let record = DataPage(bytes: bytes)
    width = Int(record.integer(at: 0) as UInt32)
    flags = Flags(rawValue: record.integer(at: 4))
    depth = Int(record.integer(at: 6) as UInt16)
    counts.branches = record.integer(at: 8)
    counts.leaves = record.integer(at: 16)
    counts.overflows = record.integer(at: 24)
    counts.entries = record.integer(at: 32)
    root = record.integer(at: 40)
  }
}
