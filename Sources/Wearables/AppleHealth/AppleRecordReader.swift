import Archive
import FHIRModel

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
  /// Of categories `nil`.
  var unit: AppleUnit?
  var source: AppleSource
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

/// What a unit is for a type, looked up once.
final class AppleUnit: Sendable {
  let text: String
  let type: AppleType
  /// How a number in it becomes one of each of the type's metrics; `nil` if of one it doesn't.
  let conversions: [(metric: Metric, convert: UnitConversion)]?
  private let bytes: [UInt8]

  init(_ bytes: [UInt8], of type: AppleType) {
    self.bytes = bytes
    self.type = type
    let text = String(decoding: bytes, as: UTF8.self)
    self.text = text
    let known = type.metrics.compactMap { metric in
      metric.unit?.conversions[text].map { (metric: metric, convert: $0) }
    }
    conversions = known.count == type.metrics.count ? known : nil
  }

  func isWritten(_ text: Span<UInt8>) -> Bool {
    let bytes = bytes
    return bytes.span.equals(text)
  }
}

/// A source and what it says of its device.
final class AppleSource: Sendable {
  /// `nil` where there are too many.
  let position: UInt16?
  let name: String

  init(position: UInt16?, name: String) {
    self.position = position
    self.name = name
  }
}

/// Reads records' attributes.
struct AppleRecordReader {
  private let table: MetricTable
  private var types = ByteTable<AppleType>(countMaximum: 4_096)
  private var categories = ByteTable<AppleCategory>(countMaximum: 4_096)
  /// Records of one type stand together, and seldom differ in their unit.
  private var unit: AppleUnit?
  private var sources = ByteTable<AppleSource>(countMaximum: 16_384)
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
    if !type.isCategory {
      record.unit =
        if let place = places.unit { unit(xml.attributeValue(at: place), of: type) } else {
          unit([UInt8]().span, of: type)
        }
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

  private mutating func unit(_ text: Span<UInt8>, of type: AppleType) -> AppleUnit {
    if let unit, unit.type === type, unit.isWritten(text) { return unit }
    var bytes: [UInt8] = []
    bytes.append(copying: text)
    let unit = AppleUnit(bytes, of: type)
    self.unit = unit
    return unit
  }

  private mutating func category(_ value: Span<UInt8>, of type: AppleType) -> AppleCategory {
    var key = takeKey()
    defer { self.key = key }
    key.append(contentsOf: type.identifier.utf8)
    key.append(0)
    let start = key.count
    key.append(copying: value)
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
  ) -> AppleSource {
    var key = takeKey()
    defer { self.key = key }
    if let place = places.source {
      key.append(copying: xml.attributeValue(at: place))
    }
    let nameEnd = key.count
    key.append(0)
    if let place = places.device {
      let device = xml.attributeValue(at: place)
      var start = 0
      while start < device.count, device[start] != UInt8(ascii: ">") { start += 1 }
      if start == device.count { start = 0 }
      key.append(copying: device.extracting(start..<device.count))
    }
    return sources.value(of: key.span) { text in
      let bytes = Array(text.utf8)
      let name = String(decoding: bytes[..<nameEnd], as: UTF8.self)
      let device = String(decoding: bytes[(nameEnd + 1)...], as: UTF8.self)
      let source = Source(
        appleName: String(name.prefix(Self.nameLengthMaximum)),
        device: device.isEmpty ? nil : device)
      return AppleSource(position: list.position(of: source), name: source.name)
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
