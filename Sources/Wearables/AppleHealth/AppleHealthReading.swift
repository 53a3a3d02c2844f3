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
  /// Of the routes among them; the others are small.
  var pendingByteCount = 0
  /// Which file of the export each clinical record is, and where it comes from.
  var clinicalIndex: [String: ClinicalRecord.Provider] = [:]
  /// Which workout each file of a route belongs to: its identifier.
  var routeIndex: [String: String] = [:]
  /// How many routes began at a moment, in milliseconds since 1970.
  var routesBegun: [Int64: Int] = [:]
  var me: AppleElement?
  /// Hashes of the identifiers of the events so far.
  var known: Set<Int> = []
  /// The metrics for which a record counts beside the one that stands for it.
  private var further: Set<UInt16> = []

  private(set) var records: AppleRecordReader
  /// The record that is being decoded.
  private var record = AppleRecord()
  /// The beats in it, where they are kept.
  private var heartbeats: AppleHeartbeats?
  /// Samples that end before this can't belong to a day that was asked for.
  private let earliest: Int64

  init(_ options: AppleHealthOptions, table: MetricTable = .shared, sorter: any SampleSorter) {
    self.options = options
    self.table = table
    engine = DayEngine(
      home: options.home, priority: .byKind(first: options.sourcePriority),
      withoutManual: options.withoutManual, since: options.since, metrics: table, sorter: sorter)
    records = AppleRecordReader(table)
    earliest = options.since?.earliestMillisecond ?? .min
  }

  /// Reads a document to its end, or as far as it is whole.
  ///
  /// - Parameter step: called now and then, and whenever much is pending.
  /// - Throws: `ArchiveError`; what `step` throws.
  mutating func read(
    _ xml: inout XMLReader, step: (inout AppleHealthReading, ImportProgress) throws -> Void
  ) throws {
    var reader = AppleDocumentReader(self)
    defer { self = reader.finish() }
    try reader.read(&xml, step: step)
  }

  /// - Parameter reason: why no more of it could be read; `nil` if it was read to its end.
  mutating func note(endOf xml: borrowing XMLReader, stoppedBy reason: String? = nil) {
    report.byteCount += xml.byteOffset
    report.replacedByteCount += xml.replacedByteCount
    report.faultCount += xml.faultCount
    guard reason != nil || xml.isTruncated else { return }
    report.endedAt = xml.byteOffset
    report.endedBecause =
      reason ?? xml.sourceFailure.map { "\($0)" } ?? "the document ends before its root does"
  }

  /// As many may be pending before they are to be handed out, and so many are performed together: they lie
  /// anywhere in a store, and all that they touch of it is resident until they are stored.
  static let pendingCountMaximum = 350
  static let pendingByteCountMaximum = 8 << 20
  var isMuchPending: Bool {
    pending.count >= Self.pendingCountMaximum
      || pendingByteCount >= Self.pendingByteCountMaximum
  }

  /// Reads an element that is no record.
  mutating func readElement(_ xml: inout XMLReader) throws {
    // What it holds is read as it comes.
    if xml.isNamed("HealthData") {
      report.locale = xml.attributeText("locale")
      return
    }
    while let (element, isInterrupted) = try readTree(&xml) {
      try take(element, at: xml.byteOffset)
      guard isInterrupted else { return }
    }
  }

  private mutating func take(_ element: AppleElement, at byteOffset: Int) throws {
    switch element.name {
    case "Workout": try takeWorkout(element, at: byteOffset)
    case "Correlation": try takeCorrelation(element, at: byteOffset)
    case "Audiogram": try takeAudiogram(element, at: byteOffset)
    case "ActivitySummary": check.note(element, metrics: table, since: options.since)
    case "ClinicalRecord": noteClinicalRecord(element)
    case "ExportDate": report.exportDate = element["value"]
    case "Me": me = element
    case "VisionPrescription": report.leaveOut(.prescription, at: byteOffset, element.name)
    case "MetadataEntry": break
    default:
      report.leaveOut(.noMapping, at: byteOffset, element.name)
      report.noteUnknown("element \(element.name)")
    }
  }

  /// Reads an element with all that stands in it; records inside of it are read as records. What it
  /// holds beyond a limit is left out.
  ///
  /// - Returns: `nil` for one that was cut off. It is interrupted where its end is missing and the
  ///   reader stands at the start of what is in no other element.
  private mutating func readTree(
    _ xml: inout XMLReader
  ) throws -> (element: AppleElement, isInterrupted: Bool)? {
    var open = [AppleElement(xml)]
    var room = AppleElement.costMaximum
    while true {
      guard let event = try xml.next() else { return nil }
      switch event {
      case .text: continue
      case .start:
        let isRecord = xml.isNamed("Record")
        if try isRecord ? readRecord(&xml) : xml.isAtPartOfExport {
          while open.count > 1 { Self.closeLast(of: &open, &room) }
          return (open[0], true)
        }
        if !isRecord { open.append(AppleElement(xml)) }
      case .end:
        guard open.count > 1 else { return (open[0], false) }
        Self.closeLast(of: &open, &room)
      }
    }
  }

  /// Makes the last of the open elements one of that before.
  private static func closeLast(of open: inout [AppleElement], _ room: inout Int) {
    let closed = open.removeLast()
    let place = open.count - 1
    if closed.name == "Location" {
      let point = InlineRoute.point(closed)
      guard room >= point.utf8.count else {
        open[place].isCut = true
        return
      }
      room -= point.utf8.count
      open[place].points += point
      return
    }
    // A part of a way would be told as the whole.
    if closed.isCut {
      room += closed.points.utf8.count
      open[place].isCut = true
      return
    }
    room -= closed.cost
    if room >= 0 { open[place].children.append(closed) }
  }

  // MARK: records

  /// Reads a record that stands in something else.
  ///
  /// - Returns: whether the reader stands at the start of what is in no other element by now.
  private mutating func readRecord(_ xml: inout XMLReader) throws -> Bool {
    var batch = AppleRecordBatch(keepsHeartbeats: options.keepsHeartbeats)
    batch.begin(&xml)
    var depth = 1
    while true {
      let stop = try batch.readOn(&xml, depth: &depth)
      try decode(batch)
      if stop != .full { return stop == .interrupted }
      batch.removeAll()
    }
  }

  /// Takes the records of a batch, of which the first may have begun in the one before and the last may
  /// go on in the next.
  mutating func decode(_ batch: AppleRecordBatch) throws {
    var record = self.record
    for part in batch.parts {
      switch part {
      case .record(let tag):
        record = records.read(tag, of: batch.tags, sources: &engine.sources)
      case .metadata(let tag): readMetadata(tag, of: batch.tags, into: &record)
      case .heartbeats(let byteOffset):
        if options.keepsHeartbeats {
          heartbeats = heartbeats ?? AppleHeartbeats()
        } else {
          report.leaveOut(.heartbeats, at: byteOffset, records.type.identifier)
        }
      case .heartbeat(let tag): readHeartbeat(tag, of: batch.tags)
      case .end:
        report.recordsRead += 1
        try count(take(record), record)
        if let series = heartbeats { takeHeartbeats(series, of: record) }
        heartbeats = nil
      case .pattern(let slot): records.remember(record, as: slot)
      case .repeated(let varying): try takeRepeated(varying)
      }
    }
    self.record = record
  }

  private func readMetadata(
    _ tag: XMLTagList.Tag, of tags: XMLTagList, into record: inout AppleRecord
  ) {
    guard let place = tags.position(of: "key", in: tag),
      let value = tags.position(of: "value", in: tag)
    else { return }
    let key = tags.attributeValue(at: place, of: tag)
    if key.equals("HKTimeZone") {
      record.timeZone = String(copying: tags.attributeValue(at: value, of: tag))
    } else if key.equals("HKWasUserEntered") {
      record.isManual = tags.attributeValue(at: value, of: tag).equals("1")
    }
  }

  private mutating func readHeartbeat(_ tag: XMLTagList.Tag, of tags: XMLTagList) {
    func text(_ name: StaticString) -> String {
      let place = tags.position(of: name, in: tag)
      return place.map { String(copying: tags.attributeValue(at: $0, of: tag)) } ?? ""
    }
    heartbeats?.append(time: text("time"), rate: text("bpm"))
  }

  /// Whether `readMetadata` reads an entry of that key.
  static func reads(metadata key: Span<UInt8>) -> Bool {
    key.equals("HKTimeZone") || key.equals("HKWasUserEntered")
  }

  /// What becomes of a record.
  enum Fate {
    case used, merged
    /// With more than its type to tell, or `nil`.
    case skipped(AppleHealthReport.Reason, String? = nil)
  }

  private mutating func count(_ fate: Fate, _ record: AppleRecord) {
    switch fate {
    case .used: report.recordsUsed += 1
    case .merged: report.recordsMerged += 1
    case .skipped(let reason, let text):
      report.skip(reason, at: record.byteOffset, text ?? records.type.identifier)
    }
  }

  private mutating func take(_ record: AppleRecord) throws -> Fate {
    // Nearly all records are of one metric and whole.
    guard let conversion = records.conversion, let start = record.start, let end = record.end,
      let number = record.number, start.milliseconds <= end.milliseconds,
      end.milliseconds >= earliest, record.source != nil
    else { return try takeOther(record) }
    let value = conversion.convert(number)
    return Fate(try engine.add(sample(conversion.metric, record, start, end, value: value)))
  }

  /// Takes a record that repeats another: of most of them only a sample's times and value are new.
  private mutating func takeRepeated(_ varying: AppleRecordPatterns.Repeated) throws {
    report.recordsRead += 1
    guard let known = records.sample(at: varying.slot),
      let start = varying.start, let end = varying.end, let number = varying.number,
      start.milliseconds <= end.milliseconds, end.milliseconds >= earliest,
      !options.trustsOffsets
    else {
      records.stand(at: varying.slot)
      let record = records.record(varying)
      return count(try take(record), record)
    }
    let sample = Sample(
      metric: known.metric, source: known.source, isManual: known.isManual,
      start: start.milliseconds, end: end.milliseconds,
      modified: varying.created?.milliseconds ?? 0, value: known.convert(number))
    let verdict = try engine.add(sample)
    if verdict == .added {
      report.recordsUsed += 1
    } else {
      records.stand(at: varying.slot)
      count(Fate(verdict), records.record(varying))
    }
  }

  private mutating func takeOther(_ record: AppleRecord) throws -> Fate {
    let type = records.type
    guard !type.identifier.isEmpty else { return .skipped(.noType) }
    guard type.isKnown else {
      report.noteUnknown("type \(type.identifier)")
      return .skipped(.unknownType)
    }
    guard let start = record.start, let end = record.end else { return .skipped(.badDate) }
    guard start.milliseconds <= end.milliseconds else { return .skipped(.reversed) }
    guard end.milliseconds >= earliest else { return .skipped(.before) }
    guard record.source != nil else { return .skipped(.tooManySources) }
    return type.isCategory
      ? try takeCategory(record, start, end) : try takeQuantity(record, start, end)
  }

  private mutating func takeQuantity(
    _ record: AppleRecord, _ start: AppleStamp, _ end: AppleStamp
  ) throws -> Fate {
    let type = records.type
    if let metric = type.metrics.first, metric.isRecordedAsEvent {
      return takeEvent(metric, record, start, end)
    }
    guard record.hasValue else { return .skipped(.noValue) }
    guard let number = record.number else { return .skipped(.badNumber) }
    guard !type.metrics.isEmpty, let unit = records.unit else { return .skipped(.notAValue) }
    guard let conversions = unit.conversions else {
      let name = unit.text.isEmpty ? "no unit" : "unit “\(unit.text)”"
      report.noteUnknown("\(name) of \(type.identifier)")
      return .skipped(.unknownUnit)
    }
    var verdict = DayEngine.Verdict.withoutDayValue
    for (metric, convert) in conversions {
      let sample = sample(
        UInt16(metric.position), record, start, end, value: convert(number))
      verdict = min(verdict, try engine.add(sample))
    }
    return Fate(verdict)
  }

  private mutating func takeCategory(
    _ record: AppleRecord, _ start: AppleStamp, _ end: AppleStamp
  ) throws -> Fate {
    guard let category = records.category else { return .skipped(.noValue) }
    guard let value = category.value else {
      report.noteUnknown("value “\(category.text)” of \(records.type.identifier)")
      return .skipped(.unknownValue)
    }
    guard let standing = category.metrics.last else { return .skipped(.notCounted) }
    if standing.aggregation == .perEvent { return takeEvent(standing, value, record, start, end) }
    // The part of a whole stands behind it in the table and tells one record from another.
    for metric in category.metrics.dropLast() { further.insert(UInt16(metric.position)) }
    var verdict = DayEngine.Verdict.withoutDayValue
    for metric in category.metrics {
      let sample = sample(
        UInt16(metric.position), record, start, end, value: Double(value.rank))
      verdict = min(verdict, try engine.add(sample))
    }
    return Fate(verdict)
  }

  /// Of so many samples by their metric, those that stand for a record.
  func recordCount(of samples: [UInt16: Int]) -> Int {
    samples.reduce(0) { further.contains($1.key) ? $0 : $0 + $1.value }
  }

  private mutating func sample(
    _ metric: UInt16, _ record: AppleRecord, _ start: AppleStamp, _ end: AppleStamp, value: Double
  ) -> Sample {
    Sample(
      metric: metric, source: record.source ?? 0,
      zone: zone(named: record.timeZone, start), isManual: record.isManual,
      start: start.milliseconds, end: end.milliseconds,
      modified: record.created?.milliseconds ?? 0, value: value)
  }

  /// The zone in the record's metadata, else the one at home; the offset of its dates only if asked.
  mutating func zone(named name: String?, _ start: AppleStamp) -> UInt16 {
    if let name, let position = engine.zones.position(named: name) { return position }
    guard options.trustsOffsets else { return 0 }
    return engine.zones.position(offset: start.offsetSeconds) ?? 0
  }
}

extension AppleHealthReading.Fate {
  /// What became of a record by that of its samples; it is used if one of them is.
  fileprivate init(_ verdict: DayEngine.Verdict) {
    self =
      switch verdict {
      case .added: .used
      case .manual: .skipped(.manual)
      case .outsideRange: .skipped(.outsideRange)
      case .outsideCalendar: .skipped(.outsideCalendar)
      case .reversed, .unlisted, .withoutDayValue: .skipped(.notAValue)
      }
  }
}
