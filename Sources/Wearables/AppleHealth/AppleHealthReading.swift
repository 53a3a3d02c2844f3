import Archive
import FHIRModel

/// Reads the document of an export: records become samples, everything else interactions.
struct AppleHealthReading {
  let options: AppleHealthOptions
  let table: MetricTable
  var engine: DayEngine
  var report = AppleHealthReport()
  var check = SummaryCheck()
  /// What is to be performed and was not yet handed out.
  var pending: [Interaction] = []
  /// Which file of the export each clinical record is, and where it comes from.
  var clinicalIndex: [String: ClinicalRecord.Provider] = [:]
  /// Which workout each file of a route belongs to: its identifier.
  var routeIndex: [String: String] = [:]
  var me: AppleElement?

  private var records: AppleRecordReader
  /// Samples that end before this can't belong to a day that was asked for.
  private let earliest: Int64

  init(_ options: AppleHealthOptions, table: MetricTable = .shared, sorter: any SampleSorter) {
    self.options = options
    self.table = table
    engine = DayEngine(
      home: options.home, priority: .byKind(first: options.sourcePriority),
      withoutManual: options.withoutManual, metrics: table, sorter: sorter)
    records = AppleRecordReader(table)
    earliest = options.since.map { (Int64($0.number) - 2) * 86_400_000 } ?? .min
  }

  /// Reads a document to its end, or as far as it is whole.
  ///
  /// - Parameter step: called after every element of the root.
  /// - Throws: `ArchiveError`; what `step` throws.
  mutating func read(
    _ xml: inout XMLReader, step: (inout AppleHealthReading, ImportProgress) throws -> Void
  ) throws {
    while let event = try xml.next() {
      guard case .start = event else { continue }
      try readElement(&xml)
      let (byteCount, total) = xml.progress
      try step(
        &self,
        ImportProgress(
          records: report.recordsRead, byteCount: byteCount, byteCountTotal: total, resources: 0))
    }
    note(endOf: xml)
  }

  private mutating func note(endOf xml: borrowing XMLReader) {
    report.byteCount += xml.byteOffset
    report.replacedByteCount += xml.replacedByteCount
    report.faultCount += xml.faultCount
    guard xml.isTruncated else { return }
    report.endedAt = xml.byteOffset
    report.endedBecause =
      xml.sourceFailure.map { "\($0)" } ?? "the document ends before its root does"
  }

  private mutating func readElement(_ xml: inout XMLReader) throws {
    if xml.isNamed("Record") { return try readRecord(&xml) }
    // What these hold is read as it comes.
    if xml.isNamed("HealthData") {
      report.locale = xml.attributeText("locale")
      return
    }
    guard let element = try readTree(&xml) else { return }
    try take(element, at: xml.byteOffset)
  }

  private mutating func take(_ element: AppleElement, at byteOffset: Int) throws {
    switch element.name {
    case "Workout": try takeWorkout(element, at: byteOffset)
    case "Correlation": try takeCorrelation(element, at: byteOffset)
    case "Audiogram": try takeAudiogram(element, at: byteOffset)
    case "ActivitySummary": check.note(element, metrics: table)
    case "ClinicalRecord": noteClinicalRecord(element)
    case "ExportDate": report.exportDate = element["value"]
    case "Me": me = element
    case "MetadataEntry": break
    default:
      report.skip(.noMapping, at: byteOffset, element.name)
      report.noteUnknown("element \(element.name)")
    }
  }

  /// Reads an element with all that stands in it; records inside of it are read as records. What it
  /// holds beyond a limit is left out.
  ///
  /// - Returns: `nil` for one that was cut off.
  private mutating func readTree(_ xml: inout XMLReader) throws -> AppleElement? {
    var open = [AppleElement(xml)]
    var room = AppleElement.costMaximum
    while true {
      guard let event = try xml.next() else { return nil }
      switch event {
      case .text: continue
      case .start:
        if xml.isNamed("Record") {
          try readRecord(&xml)
        } else {
          open.append(AppleElement(xml))
        }
      case .end:
        let closed = open.removeLast()
        guard var parent = open.popLast() else { return closed }
        room -= closed.cost
        if room >= 0 { parent.children.append(closed) }
        open.append(parent)
      }
    }
  }

  // MARK: records

  private mutating func readRecord(_ xml: inout XMLReader) throws {
    report.recordsRead += 1
    var record = records.read(xml, sources: &engine.sources)
    var depth = 1
    while depth > 0 {
      // What was cut off in the middle of itself is not whole.
      guard let event = try xml.next() else { return }
      switch event {
      case .text: continue
      case .end: depth -= 1
      case .start:
        depth += 1
        if xml.isNamed("MetadataEntry") { readMetadata(xml, into: &record) }
      }
    }
    try take(record)
  }

  private func readMetadata(_ xml: borrowing XMLReader, into record: inout AppleRecord) {
    guard let place = xml.position(of: "key"), let value = xml.position(of: "value") else { return }
    let key = xml.attributeValue(at: place)
    if key.equals("HKTimeZone") {
      record.timeZone = String(copying: xml.attributeValue(at: value))
    } else if key.equals("HKWasUserEntered") {
      record.isManual = xml.attributeValue(at: value).equals("1")
    }
  }

  private mutating func take(_ record: AppleRecord) throws {
    let type = record.type
    guard !type.identifier.isEmpty else { return skip(record, .noType) }
    guard type.isKnown else {
      report.noteUnknown("type \(type.identifier)")
      return skip(record, .unknownType)
    }
    guard let start = record.start, let end = record.end else { return skip(record, .badDate) }
    guard start.milliseconds <= end.milliseconds else { return skip(record, .reversed) }
    guard end.milliseconds >= earliest else { return skip(record, .before) }
    guard record.source.position != nil else { return skip(record, .tooManySources) }
    if type.isCategory {
      try takeCategory(record, start, end)
    } else {
      try takeQuantity(record, start, end)
    }
  }

  private mutating func takeQuantity(
    _ record: AppleRecord, _ start: AppleStamp, _ end: AppleStamp
  ) throws {
    guard record.hasValue else { return skip(record, .noValue) }
    guard let number = record.number else { return skip(record, .badNumber) }
    guard !record.type.metrics.isEmpty, let unit = record.unit else {
      return skip(record, .notAValue)
    }
    guard let conversions = unit.conversions else {
      report.noteUnknown("unit “\(unit.text)” of \(record.type.identifier)")
      return skip(record, .unknownUnit)
    }
    let before = engine.counts
    for position in conversions.indices {
      try engine.add(
        sample(
          conversions[position].metric.position, record, start, end,
          value: conversions[position].convert(number)))
    }
    note(record, since: before)
  }

  private mutating func takeCategory(
    _ record: AppleRecord, _ start: AppleStamp, _ end: AppleStamp
  ) throws {
    guard let category = record.category else { return skip(record, .noValue) }
    guard let value = category.value else {
      report.noteUnknown("value “\(category.text)” of \(record.type.identifier)")
      return skip(record, .unknownValue)
    }
    guard !category.metrics.isEmpty else { return skip(record, .notCounted) }
    var samples: [Sample] = []
    for metric in category.metrics {
      if metric.aggregation == .perEvent {
        try takeEvent(metric, value, record, start, end)
      } else {
        samples.append(
          sample(metric.position, record, start, end, value: Double(value.rank)))
      }
    }
    guard !samples.isEmpty else { return }
    let before = engine.counts
    for sample in samples { try engine.add(sample) }
    note(record, since: before)
  }

  private mutating func sample(
    _ metric: Int, _ record: AppleRecord, _ start: AppleStamp, _ end: AppleStamp, value: Double
  ) -> Sample {
    Sample(
      metric: UInt16(metric), source: record.source.position ?? 0,
      zone: zone(named: record.timeZone, start), isManual: record.isManual,
      start: start.milliseconds, end: end.milliseconds,
      modified: record.created?.milliseconds ?? 0, value: value)
  }

  /// Notes what became of a record's samples; it is used if one of them is.
  private mutating func note(_ record: AppleRecord, since before: DayEngine.Counts) {
    let after = engine.counts
    if after.added > before.added {
      report.recordsUsed += 1
    } else if after.manual > before.manual {
      skip(record, .manual)
    } else if after.outsideRange > before.outsideRange {
      skip(record, .outsideRange)
    } else if after.outsideCalendar > before.outsideCalendar {
      skip(record, .outsideCalendar)
    } else {
      skip(record, .notAValue)
    }
  }

  /// The zone in the record's metadata, else the one at home; the offset of its dates only if asked.
  mutating func zone(named name: String?, _ start: AppleStamp) -> UInt16 {
    if let name, let position = engine.zones.position(named: name) { return position }
    guard options.trustsOffsets else { return 0 }
    return engine.zones.position(offset: start.offsetSeconds) ?? 0
  }

  mutating func skip(_ record: AppleRecord, _ reason: AppleHealthReport.Reason) {
    report.recordsSkipped += 1
    report.skip(reason, at: record.byteOffset, record.type.identifier)
  }
}

extension AppleElement {
  /// The element whose start the reader stands at, without what stands in it.
  init(_ xml: borrowing XMLReader) {
    name = String(copying: xml.name)
    for position in 0..<xml.attributeCount {
      let name = String(copying: xml.attributeName(at: position))
      if attributes[name] == nil {
        attributes[name] = String(copying: xml.attributeValue(at: position))
      }
    }
  }
}

extension XMLReader {
  /// The value of the first attribute with that name.
  func attributeText(_ name: StaticString) -> String? {
    position(of: name).map { String(copying: attributeValue(at: $0)) }
  }
}

extension String {
  init(copying span: Span<UInt8>) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(span.count)
    for position in span.indices { bytes.append(span[position]) }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
