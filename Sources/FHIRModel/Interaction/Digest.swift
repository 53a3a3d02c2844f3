/// What is wanted of a search's matches instead of themselves: the numbers of one series of daily
/// Observations, put together by stretches of the calendar.
///
/// A day is the local day of the person, as the beginning of `effectivePeriod` has it.
package struct Digest: Hashable, Sendable {
  package enum Bucket: String, CaseIterable, Sendable {
    case day
    /// From Monday to Sunday, as ISO 8601 has it.
    case week
    case month
  }

  /// The series: Observations that have an identifier of this system that begins so.
  package var identifierSystem: String
  package var identifierPrefix: String
  /// How the identifier ends. Of several Observations of one day the one counts whose ending comes
  /// first here; one with another ending doesn't count.
  package var identifierSuffixes: [String]
  /// The code of the component that has the value; `nil` if it is the Observation's own.
  package var component: Code?
  /// The UCUM code of the unit; a value in another one doesn't count.
  package var unit: String
  /// The codes of the components with a day's least and greatest value, if it has them.
  package var extremes: Extremes?
  /// The first and the last day.
  package var days: ClosedRange<CivilDay>
  package var bucket: Bucket

  package struct Extremes: Hashable, Sendable {
    package var minimum: Code
    package var maximum: Code

    package init(minimum: Code, maximum: Code) {
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  package struct Code: Hashable, Sendable {
    package var system: String
    package var code: String

    package init(system: String, code: String) {
      self.system = system
      self.code = code
    }
  }

  package init(
    identifierSystem: String, identifierPrefix: String, identifierSuffixes: [String],
    component: Code? = nil, unit: String, extremes: Extremes?, days: ClosedRange<CivilDay>,
    bucket: Bucket
  ) {
    self.component = component
    self.identifierSystem = identifierSystem
    self.identifierPrefix = identifierPrefix
    self.identifierSuffixes = identifierSuffixes
    self.unit = unit
    self.extremes = extremes
    self.days = days
    self.bucket = bucket
  }

  /// What the days of one stretch come to.
  package struct Row: Hashable, Sendable {
    /// The first and the last day of the stretch by the calendar, whether they were asked for or not.
    package var days: ClosedRange<CivilDay>
    /// The days that have a value.
    package var count: Int
    package var sum: FixedDecimal
    package var minimum: FixedDecimal
    package var maximum: FixedDecimal
    /// The least and greatest value within the days; `nil` where no day tells.
    package var lowest: FixedDecimal?
    package var highest: FixedDecimal?

    package var mean: FixedDecimal { sum.divided(by: count) }
  }
}

extension CivilDay: Comparable {
  package static func < (left: CivilDay, right: CivilDay) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension Digest.Bucket {
  /// The stretch that a day lies in.
  package func days(around day: CivilDay) -> ClosedRange<CivilDay> {
    let number = day.daysSince1970
    switch self {
    case .day: return day...day
    case .week:
      let monday = number - (day.weekday + 6) % 7
      return CivilDay(daysSince1970: monday)...CivilDay(daysSince1970: monday + 6)
    case .month:
      let first = number - (day.day - 1)
      let count = CivilDay.dayCount(ofMonth: day.month, year: day.year)
      return CivilDay(daysSince1970: first)...CivilDay(daysSince1970: first + count - 1)
    }
  }
}
