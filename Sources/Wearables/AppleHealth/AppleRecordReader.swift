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
  /// By their slots, the records that others repeat.
  private var known = [Known?](repeating: nil, count: AppleRecordPatterns.slotCount)
  /// What makes samples of those that repeat one of these; by the slots as well.
  private var samples = [RepeatedSample?](repeating: nil, count: AppleRecordPatterns.slotCount)
  /// Whose type stands here, if it is one of those.
  private var standing: Int?
  /// The record of that slot.
  private(set) var repeated = AppleRecord()
  private var typeText: [UInt8] = []
  private var unitText: [UInt8] = []
  private var key: [UInt8] = []

  init(_ table: MetricTable) {
    self.table = table
    type = AppleType("", in: table)
  }

  /// Reads the record of a tag.
  mutating func read(
    _ tag: XMLTagList.Tag, of tags: XMLTagList, sources list: inout SourceList
  ) -> AppleRecord {
    let places = Places(of: tag, in: tags)
    if standing != nil { forgetType() }
    var record = AppleRecord(byteOffset: tag.byteOffset)
    readType(tags.attributeValue(at: places.type, of: tag))
    record.source = sources.position(
      ofName: tags.attributeValue(at: places.source, of: tag),
      device: tags.attributeValue(at: places.device, of: tag), in: &list)
    record.start = stamps.read(tags.attributeValue(at: places.start, of: tag))
    record.end = stamps.read(tags.attributeValue(at: places.end, of: tag))
    record.created = stamps.read(tags.attributeValue(at: places.created, of: tag))
    let isCategory = type.isCategory
    if !isCategory { readUnit(tags.attributeValue(at: places.unit, of: tag)) }
    guard let place = places.value else {
      category = nil
      return record
    }
    record.hasValue = true
    if isCategory {
      category = category(tags.attributeValue(at: place, of: tag))
    } else {
      record.number = AppleNumber.parse(tags.attributeValue(at: place, of: tag))
    }
    return record
  }

  // MARK: repeated records

  /// A record that others repeat, with what its type and unit mean.
  private struct Known {
    let record: AppleRecord
    let type: AppleType
    let unit: AppleUnit?
    let conversion: (metric: UInt16, convert: UnitConversion)?
  }

  /// What all samples of records that repeat one have in common; trivial to copy, for most records of an
  /// export are such.
  struct RepeatedSample {
    let metric: UInt16
    let convert: UnitConversion
    let source: UInt16
    let isManual: Bool
  }

  /// Keeps the record that was read last.
  mutating func remember(_ record: AppleRecord, as slot: Int) {
    known[slot] = Known(record: record, type: type, unit: unit, conversion: conversion)
    samples[slot] = nil
    guard let conversion, let source = record.source, record.timeZone == nil else { return }
    samples[slot] = RepeatedSample(
      metric: conversion.metric, convert: conversion.convert, source: source,
      isManual: record.isManual)
  }

  /// What makes samples of the records that repeat the one of that slot; `nil` where they are to be
  /// looked at like others.
  func sample(at slot: Int) -> RepeatedSample? { samples[slot] }

  /// Has the type and the unit stand here that a kept record has, which is `repeated` then.
  mutating func stand(at slot: Int) {
    guard standing != slot, let known = known[slot] else { return }
    standing = slot
    repeated = known.record
    (type, unit, category, conversion) = (known.type, known.unit, nil, known.conversion)
  }

  /// What a record says that repeats the one that stands here.
  func record(_ varying: AppleRecordPatterns.Repeated) -> AppleRecord {
    var record = repeated
    record.byteOffset = varying.byteOffset
    record.start = varying.start
    record.end = varying.end
    record.created = varying.created
    record.number = varying.number
    return record
  }

  /// Has the next type looked up, whatever stood here.
  private mutating func forgetType() {
    standing = nil
    typeText.removeAll(keepingCapacity: true)
    type = AppleType("", in: table)
    unit = nil
    category = nil
    conversion = nil
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

    init(of tag: XMLTagList.Tag, in tags: XMLTagList) {
      for position in 0..<tags.attributeCount(of: tag) {
        note(position, tags.attributeName(at: position, of: tag))
      }
    }

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
