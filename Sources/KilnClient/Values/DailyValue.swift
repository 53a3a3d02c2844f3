/// What a phone knows of one metric on one local day: the form in which Kiln takes values.
///
/// ```swift
/// DailyValue("steps", on: day, in: "Europe/Budapest", value: 8342)
/// ```
///
/// Kiln keeps one Observation per person, metric, day and origin. The same day sent again changes it;
/// the same value again changes nothing.
public struct DailyValue: Hashable, Codable, Sendable {
  /// Kiln's name of the metric, such as `steps`.
  public var metric: String
  /// The day where the person was.
  public var day: LocalDay
  /// What was measured, in the metric's unit; `nil` withdraws what was sent of this day.
  public var numbers: Numbers?
  /// Where it was measured, and with what.
  public var context: Context

  /// A day's number, with its extremes where the metric has such.
  public struct Numbers: Hashable, Codable, Sendable {
    /// The day's total, mean or last value, in the metric's unit.
    public var value: Double
    /// The smallest of the day's samples.
    public var minimum: Double?
    /// The greatest of the day's samples.
    public var maximum: Double?
    /// Of a blood pressure the diastolic numbers; those beside it are the systolic ones then.
    public var diastolic: Diastolic?

    /// - Parameters:
    ///   - value: the day's total, mean or last value, in the metric's unit.
    ///   - minimum: `nil` for a total.
    ///   - maximum: `nil` for a total.
    ///   - diastolic: `nil` for all but blood pressures.
    public init(
      _ value: Double, minimum: Double? = nil, maximum: Double? = nil, diastolic: Diastolic? = nil
    ) {
      self.value = value
      self.minimum = minimum
      self.maximum = maximum
      self.diastolic = diastolic
    }

    /// All of them, in an order that stays.
    var all: [Double?] {
      [value, minimum, maximum] + (diastolic.map { [$0.value, $0.minimum, $0.maximum] } ?? [])
    }

    /// JSON has no other numbers.
    var areFinite: Bool { all.allSatisfy { $0?.isFinite ?? true } }

    /// The same with each number changed.
    func mapped(_ change: (Double) -> Double) -> Numbers {
      Numbers(
        change(value), minimum: minimum.map(change), maximum: maximum.map(change),
        diastolic: diastolic.map {
          Diastolic(
            change($0.value), minimum: $0.minimum.map(change), maximum: $0.maximum.map(change))
        })
    }
  }

  /// The diastolic numbers of a day's blood pressures.
  public struct Diastolic: Hashable, Codable, Sendable {
    /// The day's mean, in the metric's unit.
    public var value: Double
    /// The smallest of the day's samples.
    public var minimum: Double?
    /// The greatest of the day's samples.
    public var maximum: Double?

    /// - Parameters:
    ///   - value: the day's mean, in the metric's unit.
    ///   - minimum: `nil` if it isn't known.
    ///   - maximum: `nil` if it isn't known.
    public init(_ value: Double, minimum: Double? = nil, maximum: Double? = nil) {
      self.value = value
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  /// What all values of one request have in common.
  public struct Context: Hashable, Codable, Sendable {
    /// The name of the time zone in which `day` is a day, such as `Europe/Budapest`.
    public var timeZone: String
    /// The program that measured, or that merged what several measured.
    public var source: ValueSource?
    /// The device that measured.
    public var device: ValueDevice?

    /// - Parameters:
    ///   - timeZone: the name of a zone; no abbreviation, no offset.
    ///   - source: the program that measured.
    ///   - device: the device that measured.
    public init(timeZone: String, source: ValueSource? = nil, device: ValueDevice? = nil) {
      self.timeZone = timeZone
      self.source = source
      self.device = device
    }
  }

  /// - Parameters:
  ///   - metric: Kiln's name of it, such as `steps`.
  ///   - day: the day in the zone of the context.
  ///   - numbers: `nil` withdraws what was sent of this day.
  ///   - context: the zone, and what measured.
  public init(_ metric: String, on day: LocalDay, _ numbers: Numbers?, context: Context) {
    self.metric = metric
    self.day = day
    self.numbers = numbers
    self.context = context
  }

  /// A value of the day `day` of the zone `timeZone`.
  ///
  /// - Parameters:
  ///   - metric: Kiln's name of it, such as `steps`.
  ///   - day: the day in that zone.
  ///   - timeZone: the name of the zone in which the person was on that day.
  ///   - value: in the metric's unit.
  ///   - minimum: the smallest of the day's samples; `nil` for a total.
  ///   - maximum: the greatest of the day's samples; `nil` for a total.
  public init(
    _ metric: String, on day: LocalDay, in timeZone: String, value: Double,
    minimum: Double? = nil, maximum: Double? = nil
  ) {
    self.init(
      metric, on: day, Numbers(value, minimum: minimum, maximum: maximum),
      context: Context(timeZone: timeZone))
  }

  /// What Kiln keeps only once.
  var key: Key { Key(metric: metric, day: day) }

  struct Key: Hashable, Sendable {
    let metric: String
    let day: LocalDay
  }
}
