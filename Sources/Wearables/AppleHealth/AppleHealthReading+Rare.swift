import FHIRModel

/// What an export holds of a person's meals, hearing, mood and single heartbeats.
extension AppleHealthReading {
  /// A record that is an event and may have a number: a state of mind has its valence.
  mutating func takeEvent(
    _ metric: Metric, _ record: AppleRecord, _ start: AppleStamp, _ end: AppleStamp
  ) -> Fate {
    guard record.hasValue else { return takeEvent(metric, record, start, end, saying: nil) }
    guard let number = record.number, let text = DecimalText(number) else {
      return .skipped(.badNumber)
    }
    guard Self.valences ~= number else { return .skipped(.outsideRange) }
    return takeEvent(metric, record, start, end, saying: .number(text))
  }

  /// From unpleasant to pleasant.
  private static let valences = -1.0...1.0

  /// Takes the beats inside of a record as an event beside it.
  mutating func takeHeartbeats(_ series: AppleHeartbeats, of record: AppleRecord) {
    guard let metric = table["heartbeat_series"] else { return }
    let name = "\(series.count) beats in \(records.type.identifier)"
    func leaveOut(_ reason: AppleHealthReport.Reason) {
      report.leaveOut(reason, at: record.byteOffset, name)
    }
    guard let text = series.text else { return leaveOut(.unreadable) }
    guard let start = record.start, let end = record.end, record.source != nil else {
      return leaveOut(.badDate)
    }
    guard start.milliseconds <= end.milliseconds else { return leaveOut(.reversed) }
    if case .skipped(let reason, _) = takeEvent(metric, record, start, end, saying: .text(text)) {
      leaveOut(reason)
    }
  }

  /// A meal is an event of its own; what was in it stands in records, which count by themselves. The
  /// two pressures of a blood pressure are records too, and nothing more.
  mutating func takeCorrelation(_ element: AppleElement, at byteOffset: Int) throws {
    report.correlations += 1
    guard element["type"] == "HKCorrelationTypeIdentifierFood", let metric = table["food"] else {
      return
    }
    report.events.read += 1
    let food = element.metadata("HKFoodType")
    try takeRare(element, metric, [food ?? ""], at: byteOffset) { draft in
      draft.value = .code("HKCorrelationTypeIdentifierFood", text: food)
    }
  }

  mutating func takeAudiogram(_ element: AppleElement, at byteOffset: Int) throws {
    report.events.read += 1
    guard let metric = table["audiogram"] else { return }
    try takeRare(element, metric, [], at: byteOffset) { draft in
      draft.components = element.children(named: "SensitivityPoint").flatMap(Self.thresholds)
    }
  }

  /// The thresholds of both ears at one frequency, as far as they were measured.
  private static func thresholds(_ point: AppleElement) -> [ObservationDraft.Component] {
    guard let frequency = point["frequencyValue"], point.number("frequencyValue") != nil else {
      return []
    }
    return ["left", "right"].compactMap { ear in
      guard let value = point.number("\(ear)EarValue"), let number = DecimalText(value) else {
        return nil
      }
      let coding = Coding(system: "urn:kiln:audiogram", code: "\(ear).\(frequency)", display: nil)
      return .init(
        [coding], text: "Hearing threshold of the \(ear) ear at \(frequency) Hz",
        .quantity(number, unit: "dB HL", ucum: "dB"))
    }
  }

  private mutating func takeRare(
    _ element: AppleElement, _ metric: Metric, _ identity: [String], at byteOffset: Int,
    _ fill: (inout ObservationDraft) -> Void
  ) throws {
    guard element.faultOfDates == nil, let start = element.stamp("startDate"),
      let end = element.stamp("endDate")
    else {
      return report.leaveOut(element.faultOfDates ?? .badDate, at: byteOffset, element.name)
    }
    if element.isManual, options.withoutManual {
      return report.leaveOut(.manual, at: byteOffset, element.name)
    }
    let source = Source(appleName: element["sourceName"] ?? "", device: element["device"])
    let zone = zone(named: element.metadata("HKTimeZone"), start)
    let period = period(from: start, to: end, in: zone)
    if isBefore(period.startText) {
      return report.leaveOut(.before, at: byteOffset, element.name)
    }
    let moments = [start, end].map { Instant(milliseconds: $0.milliseconds).description }
    var draft = draft(
      of: metric, identity: moments + [source.name] + identity, in: period,
      measuredBy: source.name, isManual: element.isManual)
    fill(&draft)
    if put(draft, at: byteOffset, metric.name) { report.events.taken += 1 }
  }
}

extension Metric {
  /// Whether a record of it is an event and no category: the others have elements or files of their own.
  var isRecordedAsEvent: Bool { ["heartbeat_series", "state_of_mind"].contains(name) }
}
