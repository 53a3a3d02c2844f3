import Archive

/// A record as its attributes give it, in numbers for the texts that repeat.
struct AppleRecord {
  var type: AppleType
  var start: AppleStamp?
  var end: AppleStamp?
  var created: AppleStamp?
  /// `nil` where there is none, or none that is a number.
  var number: Double?
  var hasValue = false
  /// What a category's value counts for; of quantities `nil`.
  var category: AppleCategory?
  var unit: String?
  var source: AppleSourcePosition
  var isManual = false
  var timeZone: String?
  var byteOffset = 0
}

/// What a type of an export is here, looked up once.
final class AppleType: Sendable {
  let identifier: String
  let isCategory: Bool
  let isKnown: Bool
  /// The metrics that a quantity counts for.
  let metrics: [Metric]

  init(_ identifier: String, in table: MetricTable) {
    self.identifier = identifier
    isCategory = identifier.hasPrefix("HKCategoryTypeIdentifier")
    metrics = table.metrics(of: .appleHealth, type: identifier, value: "")
    isKnown =
      table.type(identifier, of: .appleHealth) != nil
      || !table.metrics(of: .appleHealth, type: identifier, value: "0").isEmpty
  }
}

/// What a category's value is here, looked up once.
final class AppleCategory: Sendable {
  let value: CategoryValue?
  let text: String
  let metrics: [Metric]

  init(_ text: String, of type: AppleType, in table: MetricTable) {
    self.text = text
    metrics = table.metrics(of: .appleHealth, type: type.identifier, value: text)
    let types =
      metrics.compactMap { $0.sourceTypes[.appleHealth] }
      + [table.type(type.identifier, of: .appleHealth)].compactMap(\.self)
    let isCoded = types.contains { !$0.values.isEmpty }
    value =
      types.lazy.compactMap { $0.value(text) }.first
      // The platform's word where the type says all.
      ?? (isCoded ? nil : CategoryValue(raw: 0, code: Self.notApplicable, text: "", rank: 0))
  }

  static let notApplicable = "HKCategoryValueNotApplicable"
}

/// A source and what it says of its device.
struct AppleSourcePosition {
  /// `nil` where there are too many.
  var position: UInt16?
  var name: String
}

/// Reads records' attributes.
struct AppleRecordReader {
  private let table: MetricTable
  private var types = ByteTable<AppleType>(countMaximum: 4_096)
  private var categories = ByteTable<AppleCategory>(countMaximum: 4_096)
  private var units = ByteTable<String>(countMaximum: 1_024)
  private var sources = ByteTable<AppleSourcePosition>(countMaximum: 16_384)
  private var key: [UInt8] = []

  init(_ table: MetricTable) { self.table = table }

  /// Reads the record whose start the reader stands at.
  mutating func read(_ xml: borrowing XMLReader, sources list: inout SourceList) -> AppleRecord {
    var places = Places()
    for position in 0..<xml.attributeCount {
      places.note(position, xml.attributeName(at: position))
    }
    let table = table
    let type =
      if let place = places.type {
        types.value(of: xml.attributeValue(at: place)) { AppleType($0, in: table) }
      } else {
        AppleType("", in: table)
      }
    var record = AppleRecord(
      type: type, source: source(xml, places, &list), byteOffset: xml.byteOffset)
    if let place = places.start { record.start = AppleStamp(xml.attributeValue(at: place)) }
    if let place = places.end { record.end = AppleStamp(xml.attributeValue(at: place)) }
    if let place = places.created { record.created = AppleStamp(xml.attributeValue(at: place)) }
    if let place = places.unit {
      record.unit = units.value(of: xml.attributeValue(at: place)) { $0 }
    }
    guard let place = places.value else { return record }
    record.hasValue = true
    if type.isCategory {
      record.category = category(xml.attributeValue(at: place), of: type)
    } else {
      record.number = AppleNumber.parse(xml.attributeValue(at: place))
    }
    return record
  }

  private mutating func category(_ value: Span<UInt8>, of type: AppleType) -> AppleCategory {
    var key = takeKey()
    defer { self.key = key }
    key.append(contentsOf: type.identifier.utf8)
    key.append(0)
    let start = key.count
    for position in value.indices { key.append(value[position]) }
    let table = table
    return categories.value(of: key.span) { text in
      AppleCategory(
        String(decoding: Array(text.utf8)[start...], as: UTF8.self), of: type, in: table)
    }
  }

  /// No person gives a watch a longer one.
  private static let nameLengthMaximum = 500

  /// The space in which keys are made, emptied.
  private mutating func takeKey() -> [UInt8] {
    var key: [UInt8] = []
    swap(&key, &self.key)
    key.removeAll(keepingCapacity: true)
    return key
  }

  /// The source by its name and its device. The address in the device's description is another one
  /// each time, so it is no part of what is looked up.
  private mutating func source(
    _ xml: borrowing XMLReader, _ places: Places, _ list: inout SourceList
  ) -> AppleSourcePosition {
    var key = takeKey()
    defer { self.key = key }
    if let place = places.source {
      let name = xml.attributeValue(at: place)
      for position in name.indices { key.append(name[position]) }
    }
    let nameEnd = key.count
    key.append(0)
    if let place = places.device {
      let device = xml.attributeValue(at: place)
      var start = 0
      while start < device.count, device[start] != UInt8(ascii: ">") { start += 1 }
      if start == device.count { start = 0 }
      for position in start..<device.count { key.append(device[position]) }
    }
    return sources.value(of: key.span) { text in
      let bytes = Array(text.utf8)
      let name = String(decoding: bytes[..<nameEnd], as: UTF8.self)
      let device = String(decoding: bytes[(nameEnd + 1)...], as: UTF8.self)
      let source = Source(
        appleName: String(name.prefix(Self.nameLengthMaximum)),
        device: device.isEmpty ? nil : device)
      return AppleSourcePosition(position: list.position(of: source), name: source.name)
    }
  }

  /// Where a record's attributes stand in its tag.
  private struct Places {
    var type: Int?
    var unit: Int?
    var value: Int?
    var device: Int?
    var source: Int?
    var start: Int?
    var end: Int?
    var created: Int?

    /// Of two attributes of one name the first counts.
    @inline(__always)
    mutating func note(_ position: Int, _ name: Span<UInt8>) {
      switch name.count {
      case 4:
        if name.equals("type") { type = type ?? position }
        if name.equals("unit") { unit = unit ?? position }
      case 5: if name.equals("value") { value = value ?? position }
      case 6: if name.equals("device") { device = device ?? position }
      case 7: if name.equals("endDate") { end = end ?? position }
      case 9: if name.equals("startDate") { start = start ?? position }
      case 10: if name.equals("sourceName") { source = source ?? position }
      case 12: if name.equals("creationDate") { created = created ?? position }
      default: break
      }
    }
  }
}
