/// What is stored by itself, whatever the day: a workout, a test.
struct HealthConnectEvent {
  let metric: Metric
  /// The platform's name of its type.
  let type: String
  let reading: HealthConnectReading
  /// The value of a coded type.
  var coded: CategoryValue?
  /// The platform's name of the kind that it was.
  var kind: String?
  /// How long it lasted, without its pauses.
  var minutes: Double?

  /// A session, whose parts of the types that are left out don't count.
  init(_ session: HealthConnectSession, of type: HealthConnectType, _ metric: Metric) {
    self.metric = metric
    self.type = type.identifier
    reading = session.reading
    kind = reading.detail.flatMap { type.codes.indices.contains($0) ? type.codes[$0] : nil }
    let stretches = session.stretches(of: type, from: reading.start, to: reading.end)
    let milliseconds = stretches.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    minutes = Double(milliseconds) / 60_000
  }

  private init(
    _ reading: HealthConnectReading, _ coded: CategoryValue?, of type: HealthConnectType,
    _ metric: Metric
  ) {
    self.metric = metric
    self.type = type.identifier
    self.reading = reading
    self.coded = coded
  }

  /// An event at one time, with its value if the type has values.
  static func make(
    _ reading: HealthConnectReading, _ values: [Double?], of type: HealthConnectType,
    _ metric: Metric
  ) -> Result<HealthConnectEvent, HealthConnectReport.Reason> {
    let known = metric.sourceTypes[.healthConnect]?.values ?? []
    guard !known.isEmpty else {
      return .success(HealthConnectEvent(reading, nil, of: type, metric))
    }
    guard let stored = values.first ?? nil else { return .failure(.noValue) }
    guard let value = known.first(where: { Double($0.raw) == stored }) else {
      return .failure(.unknownValue)
    }
    return .success(HealthConnectEvent(reading, value, of: type, metric))
  }

  /// What tells it from others of its kind: the platform's identifier, which stays when the record is
  /// changed; of an export without them, its time.
  var key: String { reading.name?.lowercased() ?? "\(reading.start)-\(reading.end)" }
}
