import Archive
import FHIRModel

/// A record as its attributes give it; its type, unit and category are those of the reader.
struct AppleRecord {
  var start: AppleStamp?
  var end: AppleStamp?
  var created: AppleStamp?
  /// `nil` where there is none, or none that is a number.
  var number: Double?
  var hasValue = false
  /// Position in the list of sources; `nil` where there are too many.
  var source: UInt16?
  var isManual = false
  var timeZone: String?
  var byteOffset = 0
}

/// Reads records' attributes.
///
/// Records of one type stand together and differ little, so each attribute is first compared with
/// that of the record before, and what it means is looked up only where it differs.
struct AppleRecordReader {
  /// The last record's.
  private(set) var type: AppleType
  /// Of categories `nil`.
  private(set) var unit: AppleUnit?
  /// What a category's value counts for; of quantities `nil`.
  private(set) var category: AppleCategory?
  /// Of a quantity that counts for one metric: which, and how a number becomes its value.
  private(set) var conversion: (metric: UInt16, convert: UnitConversion)?

  private let table: MetricTable
  private var types = ByteTable<AppleType>(countMaximum: 4_096)
  private var categories = ByteTable<AppleCategory>(countMaximum: 4_096)
  private var sources = AppleSourceReader()
  private var stamps = AppleStampReader()
  private var places = Places()
  /// Of the tags of which shape these are the places.
  private var shape: Int?
  private var typeText: [UInt8] = []
  private var unitText: [UInt8] = []
  private var key: [UInt8] = []

  init(_ table: MetricTable) {
    self.table = table
    type = AppleType("", in: table)
  }

  /// Reads the record of a tag.
  ///
  /// - Parameters:
  ///   - reader: has read that tag; it resolves what is needed.
  ///   - shape: what the reader told.
  mutating func read(
    _ tag: XMLTagList.Tag, of tags: XMLTagList, by reader: inout XMLTagReader, shape: Int?,
    sources list: inout SourceList
  ) -> AppleRecord {
    if shape == nil || shape != self.shape { findPlaces(tag, tags, reader, shape) }
    reader.resolve(tag, of: tags, except: places.device)
    var record = AppleRecord(byteOffset: tag.byteOffset)
    readType(reader.attributeValue(at: places.type, of: tag, in: tags))
    record.source = source(tag, tags, &reader, &list)
    record.start = stamps.read(reader.attributeValue(at: places.start, of: tag, in: tags))
    record.end = stamps.read(reader.attributeValue(at: places.end, of: tag, in: tags))
    record.created = stamps.read(reader.attributeValue(at: places.created, of: tag, in: tags))
    let isCategory = type.isCategory
    if !isCategory { readUnit(reader.attributeValue(at: places.unit, of: tag, in: tags)) }
    guard let place = places.value else {
      category = nil
      return record
    }
    record.hasValue = true
    if isCategory {
      category = category(reader.attributeValue(at: place, of: tag, in: tags))
    } else {
      record.number = AppleNumber.parse(reader.attributeValue(at: place, of: tag, in: tags))
    }
    return record
  }

  /// The description of the device, nearly always that of a record before, is resolved only if it is
  /// not.
  private mutating func source(
    _ tag: XMLTagList.Tag, _ tags: XMLTagList, _ reader: inout XMLTagReader,
    _ list: inout SourceList
  ) -> UInt16? {
    var written: [UInt8] = []
    if reader.isUnresolved(at: places.device) {
      if let known = writtenSource(tag, tags, reader) { return known }
      written.append(copying: reader.attributeValue(at: places.device, of: tag, in: tags))
      let faults = reader.faults
      reader.resolve(tag, of: tags)
      // What counts as a fault must be met each time.
      if reader.faults != faults { written = [] }
    }
    return sources.position(
      ofName: reader.attributeValue(at: places.source, of: tag, in: tags),
      device: reader.attributeValue(at: places.device, of: tag, in: tags), written: written,
      in: &list)
  }

  private mutating func writtenSource(
    _ tag: XMLTagList.Tag, _ tags: XMLTagList, _ reader: borrowing XMLTagReader
  ) -> UInt16? {
    sources.position(
      ofName: reader.attributeValue(at: places.source, of: tag, in: tags),
      written: reader.attributeValue(at: places.device, of: tag, in: tags))
  }

  private mutating func findPlaces(
    _ tag: XMLTagList.Tag, _ tags: XMLTagList, _ reader: XMLTagReader, _ shape: Int?
  ) {
    self.shape = shape
    places = Places()
    for position in 0..<reader.attributeCount(of: tag, in: tags) {
      places.note(position, reader.attributeName(at: position, of: tag, in: tags).span)
    }
  }

  private mutating func readType(_ text: Span<UInt8>) {
    if typeText.span.equals(text) { return }
    typeText.replaceAll(with: text)
    let table = table
    type = types.value(of: text) { AppleType($0, in: table) }
    unit = nil
    category = nil
    conversion = nil
  }

  private mutating func readUnit(_ text: Span<UInt8>) {
    if unit != nil, unitText.span.equals(text) { return }
    unitText.replaceAll(with: text)
    let unit = AppleUnit(String(copying: text), of: type)
    self.unit = unit
    let known = unit.conversions ?? []
    conversion =
      known.count == 1 ? (UInt16(known[0].metric.position), known[0].convert) : nil
  }

  private mutating func category(_ value: Span<UInt8>) -> AppleCategory {
    var key: [UInt8] = []
    swap(&key, &self.key)
    defer { self.key = key }
    key.removeAll(keepingCapacity: true)
    key.append(contentsOf: type.identifier.utf8)
    key.append(0)
    let start = key.count
    key.append(copying: value)
    let (type, table) = (type, table)
    return categories.value(of: key.span) { text in
      AppleCategory(
        String(decoding: Array(text.utf8)[start...], as: UTF8.self), of: type, in: table)
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

extension [UInt8] {
  /// Holds those bytes and no others, in the space that it has.
  fileprivate mutating func replaceAll(with bytes: Span<UInt8>) {
    removeAll(keepingCapacity: true)
    append(copying: bytes)
  }
}
