import Archive
import FHIRModel

/// Reads an export into an engine of day values.
package struct HealthConnectImport {
  /// Holds all samples when `read()` is through.
  package private(set) var engine: DayEngine
  package private(set) var report = HealthConnectReport()

  private let export: HealthConnectExport
  private let metrics: MetricTable
  /// The lists of apps by category, as far as the export holds them.
  private let lists: [Int: [String]]
  /// The positions of sources by the rows of their app and device.
  private var sources: [SourceKey: UInt16] = [:]

  private struct SourceKey: Hashable {
    let app: Int64?
    let device: Int64?
  }

  /// - Parameters:
  ///   - home: where the person lives; a record with another offset than that zone's belongs to the
  ///     day that its own offset says.
  ///   - withoutManual: leaves out what a person typed in.
  ///   - sorter: where the samples are put in order.
  package init(
    _ export: HealthConnectExport, home: HomeZone, withoutManual: Bool = false,
    metrics: MetricTable = .shared, sorter: any SampleSorter = MemorySampleSorter()
  ) {
    self.export = export
    self.metrics = metrics
    let categories = Set(HealthConnectType.all.compactMap(\.priorityCategory))
    var lists: [Int: [String]] = [:]
    for category in categories { lists[category] = export.apps.list(of: category) }
    self.lists = lists
    engine = DayEngine(
      home: home, priority: Self.priority(lists, metrics), withoutManual: withoutManual,
      metrics: metrics, sorter: sorter)
    report.version = export.schema.version
    report.lacks = export.apps.lacks
  }

  private static func priority(_ lists: [Int: [String]], _ metrics: MetricTable) -> SourcePriority {
    var listsByMetric: [UInt16: [String]] = [:]
    var addingUp: Set<UInt16> = []
    for type in HealthConnectType.all {
      guard let metric = metrics[.healthConnect, type.identifier] else { continue }
      let position = UInt16(metric.position)
      if type.shape == .point { addingUp.insert(position) }
      if let list = type.priorityCategory.flatMap({ lists[$0] }) { listsByMetric[position] = list }
    }
    return .listed(listsByMetric, addingUp: addingUp)
  }

  /// Reads every type that the export has. What is missing or can't be read is in the report, and
  /// the rest goes in.
  ///
  /// - Throws: what the engine's sorter throws.
  package mutating func read() throws {
    var done: Set<String> = []
    for type in HealthConnectType.all where done.insert(type.group).inserted {
      do {
        if type.isSession {
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
      report.count(type, .read)
      let found = reading.flatMap { reading in
        type.values(values, for: targets).map { (reading, $0) }
      }
      switch found {
      case .failure(let fault): report.count(type, .skipped(fault))
      case .success((let reading, let values)):
        for (target, value) in zip(targets, values) { try add(reading, value: value, to: target) }
      }
    }
  }

  private mutating func readSessions(_ types: [HealthConnectType]) throws {
    guard let first = types.first else { return }
    var sweep = HealthConnectSessionSweep()
    let ranks = first.priorityCategory.flatMap { lists[$0] }
    try export.forEachSession(of: types) { result in
      report.count(first, .read)
      switch result {
      case .failure(let fault): report.count(first, .skipped(fault))
      case .success(var session):
        guard let rank = rank(of: session, in: ranks) else {
          return report.count(first, .unlisted)
        }
        session.rank = rank
        try sweep.take(session) { try add($0, to: types) }
      }
    }
    try sweep.finish { try add($0, to: types) }
  }

  private func rank(of session: HealthConnectSession, in list: [String]?) -> Int? {
    let identifier = export.apps.identifier(of: session.reading.app)
    guard let list else {
      return Int(
        export.apps.source(app: session.reading.app, device: session.reading.device).kind.rawValue)
    }
    return list.firstIndex(of: identifier)
  }

  private mutating func add(
    _ stretch: HealthConnectSessionSweep.Stretch, to types: [HealthConnectType]
  ) throws {
    for type in types {
      guard let metric = metrics[.healthConnect, type.identifier] else { continue }
      let numbers = type.filter?.values ?? []
      let (start, end) = (stretch.start, stretch.end)
      let parts =
        type.shape == .session || type.filter == nil
        ? stretch.session.stretches(without: numbers, from: start, to: end)
        : stretch.session.stretches(of: numbers, from: start, to: end)
      for part in parts {
        var reading = stretch.session.reading
        (reading.start, reading.end) = (part.lowerBound, part.upperBound)
        try add(reading, value: 0, to: metric)
      }
    }
  }

  private mutating func add(
    _ reading: HealthConnectReading, value: Double, to metric: Metric
  ) throws {
    guard let source = position(of: reading) else {
      report.sourcesLeftOut += 1
      return
    }
    let zone =
      reading.offset.flatMap { engine.zones.position(offset: $0, at: reading.recordStart) } ?? 0
    try engine.add(
      Sample(
        metric: UInt16(metric.position), source: source, zone: zone, isManual: reading.isManual,
        start: reading.start, end: reading.end, modified: reading.modified, value: value))
  }

  private mutating func position(of reading: HealthConnectReading) -> UInt16? {
    let key = SourceKey(app: reading.app, device: reading.device)
    if let known = sources[key] { return known }
    let source = export.apps.source(app: reading.app, device: reading.device)
    guard let position = engine.sources.position(of: source) else { return nil }
    sources[key] = position
    return position
  }
}
