import Archive

/// The last records that others may repeat, but for the address of the device, the dates and the value.
///
/// A pattern is learned of a record that was read in the usual way, and known by a slot, which another
/// takes over when it is not met any more.
struct AppleRecordPatterns {
  /// A record that repeats another: what varies in it, as `AppleRecord` has it.
  struct Repeated: Sendable {
    let slot: Int
    fileprivate(set) var start: AppleStamp?
    fileprivate(set) var end: AppleStamp?
    fileprivate(set) var created: AppleStamp?
    fileprivate(set) var number: Double?
    /// The document's byte behind its first tag.
    let byteOffset: Int

    fileprivate init(slot: Int, byteOffset: Int) {
      self.slot = slot
      self.byteOffset = byteOffset
    }
  }

  /// Which of the parts that vary is which.
  fileprivate struct Roles {
    var start: Int?
    var end: Int?
    var created: Int?
    var value: Int?
    var count = 0
    /// The tag of metadata at hand, and whether its key is none that is read.
    var metadata: (tag: Int, isIdle: Bool)?
  }

  private var patterns = XMLPatternList()
  /// By the patterns' numbers, as what follows.
  private var roles: [Roles] = []
  private var wasMet: [Bool] = []
  private var stamps = AppleStampReader()
  /// So many records pass before the next is learned, and how many were when that was told: where ever
  /// new ones come, learning them is no use.
  private var wait = 0
  private var patience = 0

  static let slotCount = 8
  private static let patienceMaximum = 64
  private static let byteCountMaximum = 4_096

  /// Passes over the next records as long as they are like those known.
  ///
  /// - Parameter take: is given each; whether it wants more.
  mutating func passAll(_ xml: inout XMLReader, _ take: (Repeated) -> Bool) {
    guard patterns.count > 0, xml.leaveEnd() else { return }
    xml.passAll(like: &patterns) { element in
      let slot = element.number
      let roles = roles[slot]
      var repeated = Repeated(slot: slot, byteOffset: element.byteOffset)
      if let part = roles.start { repeated.start = stamps.read(element[part]) }
      if let part = roles.end { repeated.end = stamps.read(element[part]) }
      if let part = roles.created { repeated.created = stamps.read(element[part]) }
      if let part = roles.value { repeated.number = AppleNumber.parse(element[part]) }
      wasMet[slot] = true
      return take(repeated)
    }
  }

  /// Learns a record that was read whole.
  ///
  /// - Parameter text: from behind what was before it to its end.
  /// - Returns: its slot; `nil` if it is none that others repeat.
  mutating func learn(_ text: Span<UInt8>) -> Int? {
    guard wait == 0 else {
      wait -= 1
      return nil
    }
    guard text.count <= Self.byteCountMaximum else { return nil }
    var roles = Roles()
    var isQuantity: Bool?
    let pattern = XMLPattern(of: text) { tag, name, value in
      if tag > 0 { return roles.noteMetadata(tag, name, value) }
      if name.equals("type") { isQuantity = isQuantity ?? value.isQuantityType }
      return roles.note(name, value)
    }
    guard let pattern, isQuantity == true, roles.start != nil, roles.end != nil, roles.value != nil
    else {
      return nil
    }
    return keep(pattern, roles)
  }

  private mutating func keep(_ pattern: XMLPattern, _ roles: Roles) -> Int {
    var slot = patterns.count
    if slot < Self.slotCount {
      self.roles.append(roles)
      wasMet.append(false)
    } else {
      slot = patterns.last ?? 0
      patience = wasMet[slot] ? 0 : min(Self.patienceMaximum, max(1, 2 * patience))
      wait = patience
      self.roles[slot] = roles
      wasMet[slot] = false
    }
    patterns.keep(pattern, as: slot)
    return slot
  }
}

extension AppleRecordPatterns.Roles {
  /// Notes an attribute, and tells which part of its value varies from record to record.
  fileprivate mutating func note(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Range<Int>? {
    // Of two attributes of one name the first counts.
    if name.equals("startDate"), start == nil {
      start = count
    } else if name.equals("endDate"), end == nil {
      end = count
    } else if name.equals("creationDate"), created == nil {
      created = count
    } else if name.equals("value"), self.value == nil {
      self.value = count
    } else if name.equals("device"), let address = value.address {
      count += 1
      return address
    } else {
      return nil
    }
    count += 1
    return 0..<value.count
  }

  /// The same of an attribute of the record's metadata: what is not read varies.
  fileprivate mutating func noteMetadata(
    _ tag: Int, _ name: Span<UInt8>, _ value: Span<UInt8>
  ) -> Range<Int>? {
    if name.equals("key") {
      let wasIdle = metadata?.tag != tag || metadata?.isIdle == true
      metadata = (tag, wasIdle && !AppleHealthReading.reads(metadata: value))
      return nil
    }
    guard name.equals("value"), let metadata, metadata.tag == tag, metadata.isIdle else {
      return nil
    }
    return 0..<value.count
  }
}

extension Span<UInt8> {
  fileprivate var isQuantityType: Bool {
    let name: StaticString = "HKQuantityTypeIdentifier"
    return count > name.utf8CodeUnitCount
      && extracting(first: name.utf8CodeUnitCount).equals(name)
  }

  /// Where the address stands in `&lt;&lt;HKDevice: 0x2830c1d60&gt;, name:…`.
  fileprivate var address: Range<Int>? {
    let head: StaticString = "&lt;&lt;HKDevice: 0x"
    let start = head.utf8CodeUnitCount
    guard count > start, extracting(first: start).equals(head) else { return nil }
    let length = extracting(start...).firstPosition(of: UInt8(ascii: "&"))
    guard start + length + 4 <= count,
      extracting(start + length..<start + length + 4).equals("&gt;")
    else { return nil }
    return start..<start + length
  }
}
