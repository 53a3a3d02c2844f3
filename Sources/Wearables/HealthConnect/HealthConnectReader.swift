import Archive

/// Reads an export: samples into an engine of day values, and what is stored one by one to a closure.
struct HealthConnectReader {
  /// Holds all samples when `read` is through.
  var engine: DayEngine
  var report = HealthConnectReport()
  /// Milliseconds since 1970: what is said to be changed later isn't believed.
  var latest = Int64.max

  private let export: HealthConnectExport
  private let metrics: MetricTable
  private let withoutManual: Bool
  /// What ends before this can't belong to a day that was asked for.
  private let earliest: Int64
  /// What ends before this may belong to earlier days alone.
  private let sure: Int64
  /// The positions of sources by the rows of their app and device.
  private var sources: [SourceKey: UInt16] = [:]

  private struct SourceKey: Hashable {
    let app: Int64?
    let device: Int64?
  }

  /// Takes an event.
  typealias Take = (inout HealthConnectReader, HealthConnectEvent) throws -> Void

  /// - Parameters:
  ///   - home: where the person lives; a record with another offset than that zone's belongs to the
  ///     day that its own offset says.
  ///   - withoutManual: leaves out what a person typed in.
  ///   - since: the first day that is asked for.
  ///   - sorter: where the samples are put in order.
  init(
    _ export: HealthConnectExport, home: HomeZone, withoutManual: Bool = false,
    since: LocalDay? = nil, metrics: MetricTable = .shared,
    sorter: any SampleSorter = SpillSampleSorter()
  ) {
    self.export = export
    self.metrics = metrics
    self.withoutManual = withoutManual
    earliest = since?.earliestMillisecond ?? .min
    sure = since?.sureMillisecond ?? .min
    engine = DayEngine(
      home: home, priority: Self.priority(of: export.apps, metrics), withoutManual: withoutManual,
      since: since, metrics: metrics, sorter: sorter)
    report.document = export.name
    report.version = export.schema.version
    report.lacks = export.apps.lacks
  }

  private static func priority(
    of apps: HealthConnectApps, _ metrics: MetricTable
  ) -> SourcePriority {
    var lists: [UInt16: [String]] = [:]
    var addingUp: Set<UInt16> = []
    for type in HealthConnectType.all {
      guard let metric = metrics[.healthConnect, type.identifier] else { continue }
      let position = UInt16(metric.position)
      if type.shape == .point { addingUp.insert(position) }
      if let list = type.priorityCategory.flatMap({ apps.list(of: $0) }) { lists[position] = list }
    }
    return .listed(lists, addingUp: addingUp)
  }

  /// Reads every type that the export has. What is missing or can't be read is in the report, and
  /// the rest goes in.
  ///
  /// - Throws: what the engine's sorter throws, and what `take` throws.
  mutating func read(_ take: Take) throws {
    var done: Set<String> = []
    for type in HealthConnectType.all where done.insert(type.group).inserted {
      do {
        if type.isEvent {
          try readEvents(of: type, take)
        } else if type.isSession {
          try readSessions(HealthConnectType.all.filter { $0.group == type.group })
        } else {
          try readReadings(of: type)
        }
      } catch let lack as HealthConnectSchema.Lack {
        report.note(lack)
      } catch let error as SQLiteFileError {
        report.damages.append(.init(type: type.identifier, reason: "\(error)"))
      }
    }
  }

  private mutating func readReadings(of type: HealthConnectType) throws {
    guard let metric = metrics[.healthConnect, type.identifier] else { return }
    let targets = type.shape == .panel ? metrics.parts(of: metric) : [metric]
    try export.forEachReading(of: type) { reading, values in
      if case .success(let reading) = reading { note(reading) }
      // Most meals say little of most nutrients.
      if type.shape == .point, values.allSatisfy({ $0 == nil }) { return }
      report.countRead(type)
      let found = reading.flatMap { reading in
        type.takes(reading.detail)
          ? type.values(values, for: targets).map { (reading, $0) } : .failure(.otherKind)
      }
      switch found {
      case .failure(let reason): report.skip(reason, type.identifier)
      case .success((let reading, _)) where reading.end < earliest:
        report.skip(.before, type.identifier)
      case .success((let reading, let values)):
        let before = engine.counts
        for (target, value) in zip(targets, values) { try add(reading, value, to: target) }
        count(reasonAgainst(reading, of: type, since: before), type)
      }
    }
  }

  /// An export is made no earlier than the last record in it was changed, and hardly later, for phones
  /// record all day.
  private mutating func note(_ reading: HealthConnectReading) {
    guard reading.modified > 0, reading.modified <= latest else { return }
    let second = Int(reading.modified / 1_000)
    if second > engine.rule.madeAt ?? 0 { engine.rule.madeAt = second }
  }

  /// Counts a record that was left out for a reason, or is used.
  private mutating func count(_ reason: HealthConnectReport.Reason?, _ type: HealthConnectType) {
    if let reason { report.skip(reason, type.identifier) } else { report.used += 1 }
  }

  /// Why the engine leaves a record out, if it does; among kept samples it stays.
  private func reason(
    against reading: HealthConnectReading, of type: HealthConnectType
  ) -> HealthConnectReport.Reason? {
    if reading.isManual, withoutManual { return .manual }
    return place(of: reading, for: type) == nil ? .unlisted : nil
  }

  /// The same once its samples were given to the engine; it is used if one of them is.
  private mutating func reasonAgainst(
    _ reading: HealthConnectReading, of type: HealthConnectType, since before: DayEngine.Counts
  ) -> HealthConnectReport.Reason? {
    if position(of: reading) == nil { return .tooManySources }
    let after = engine.counts
    let isLeftOut = after.added == before.added
    if isLeftOut, after.outsideRange > before.outsideRange { return .outsideRange }
    return reason(against: reading, of: type) ?? (isLeftOut ? .badDate : nil)
  }

  private mutating func readSessions(_ types: [HealthConnectType]) throws {
    guard let first = types.first else { return }
    if let lack = export.lackOfParts(of: first) { report.note(lack) }
    var sweep = HealthConnectSessionSweep()
    var repeats = HealthConnectRepeats()
    var early: [Sample] = []
    try export.forEachSession(of: types) { result in
      report.countRead(first)
      switch result {
      case .failure(let reason): report.skip(reason, first.identifier)
      case .success(var session):
        let reading = session.reading
        note(reading)
        if reading.end < earliest { return report.skip(.before, first.identifier) }
        if position(of: reading) == nil { return report.skip(.tooManySources, first.identifier) }
        if let reason = reason(against: reading, of: first) {
          report.skip(reason, first.identifier)
          session.setCounted(of: types)
          return try add((session, reading.start, reading.end), to: types)
        }
        let isRepeat = repeats.isRepeat(session)
        session.rank = place(of: reading, for: first) ?? 0
        session.setCounted(of: types)
        guard try sweep.take(session, { try add($0, to: types) }) else {
          return report.skip(.crowded, first.identifier)
        }
        if isRepeat { report.merged += 1 } else { report.used += 1 }
        if !isRepeat, reading.end < sure, let sample = sample(of: reading, first) {
          early.append(sample)
        }
      }
    }
    try sweep.finish { try add($0, to: types) }
    report.skipUsed(.before, first.identifier, engine.countBefore(early))
  }

  /// A session as one stretch of a type.
  private mutating func sample(
    of reading: HealthConnectReading, _ type: HealthConnectType
  ) -> Sample? {
    metrics[.healthConnect, type.identifier].flatMap { sample(of: reading, 0, $0) }
  }

  /// Tells which of the values came more than once, and which of them too many others crowded out;
  /// once the engine is through.
  func settled(_ report: HealthConnectReport) -> HealthConnectReport {
    var report = report
    var counted: Set<UInt16> = []
    // Sessions were counted as they were read.
    for type in HealthConnectType.all where !type.isSession {
      guard let metric = metrics[.healthConnect, type.identifier],
        counted.insert(UInt16(metric.position)).inserted
      else { continue }
      // A panel came before if all of it did.
      let targets = type.shape == .panel ? metrics.parts(of: metric) : [metric]
      let positions = targets.map { UInt16($0.position) }
      let repeated = positions.map { engine.repeatedOf[$0] ?? 0 }.min() ?? 0
      report.merged += repeated
      report.used -= repeated
      let before = positions.map { engine.beforeOf[$0] ?? 0 }.min() ?? 0
      report.skipUsed(.before, type.identifier, before)
    }
    report.skipUsed(.crowded, "sums of records", engine.counts.crowded)
    return report
  }

  private mutating func readEvents(of type: HealthConnectType, _ take: Take) throws {
    guard let metric = metrics[.healthConnect, type.identifier] else { return }
    if let lack = export.lackOfParts(of: type) { report.note(lack) }
    if type.isSession {
      try export.forEachSession(of: [type]) { result in
        report.countRead(type)
        switch result {
        case .failure(let reason): report.skip(reason, type.identifier)
        case .success(let session):
          try take(&self, HealthConnectEvent(session, of: type, metric))
        }
      }
    } else {
      try export.forEachReading(of: type) { reading, values in
        report.countRead(type)
        switch reading.flatMap({ HealthConnectEvent.make($0, values, of: type, metric) }) {
        case .failure(let reason): report.skip(reason, type.identifier)
        case .success(let event): try take(&self, event)
        }
      }
    }
  }

  private func place(of reading: HealthConnectReading, for type: HealthConnectType) -> Int? {
    export.apps.place(of: reading.app, device: reading.device, in: type.priorityCategory)
  }

  private mutating func add(
    _ stretch: HealthConnectSessionSweep.Stretch, to types: [HealthConnectType]
  ) throws {
    for type in types {
      guard let metric = metrics[.healthConnect, type.identifier] else { continue }
      for part in stretch.session.counted(of: type, from: stretch.start, to: stretch.end) {
        var reading = stretch.session.reading
        (reading.start, reading.end) = (part.lowerBound, part.upperBound)
        try add(reading, 0, to: metric)
      }
    }
  }

  private mutating func add(
    _ reading: HealthConnectReading, _ value: Double, to metric: Metric
  ) throws {
    if let sample = sample(of: reading, value, metric) { try engine.add(sample) }
  }

  /// `nil` if there are more sources than can be told apart.
  private mutating func sample(
    of reading: HealthConnectReading, _ value: Double, _ metric: Metric
  ) -> Sample? {
    position(of: reading).map { source in
      Sample(
        metric: UInt16(metric.position), source: source, zone: zone(of: reading),
        isManual: reading.isManual, start: reading.start, end: reading.end,
        modified: reading.modified, value: value)
    }
  }

  /// The position of a reading's zone; the home zone where it has no offset, an impossible one, or
  /// the one that home had as the record began: what then lasts past a change of the clocks is of home
  /// all the same.
  mutating func zone(of reading: HealthConnectReading) -> UInt16 {
    guard let offset = reading.offset,
      !engine.zones.isHome(offset: offset, at: reading.recordStart)
    else { return 0 }
    return engine.zones.position(offset: offset) ?? 0
  }

  /// What measured.
  func source(of reading: HealthConnectReading) -> Source {
    export.apps.source(app: reading.app, device: reading.device)
  }

  private mutating func position(of reading: HealthConnectReading) -> UInt16? {
    let key = SourceKey(app: reading.app, device: reading.device)
    if let known = sources[key] { return known }
    guard let position = engine.sources.position(of: source(of: reading)) else { return nil }
    sources[key] = position
    return position
  }
}
