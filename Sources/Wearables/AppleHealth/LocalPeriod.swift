import FHIRModel

/// A time from one moment to another where the person was.
struct LocalPeriod {
  var start: Int64
  var end: Int64
  /// How far local time was ahead of UTC at those moments, in seconds.
  var startOffset: Int
  var endOffset: Int

  /// A moment as a dateTime, else a Period.
  var effective: ObservationDraft.Effective {
    let endText = Self.text(end, offsetSeconds: endOffset)
    return start == end ? .dateTime(startText) : .period(start: startText, end: endText)
  }

  /// When it begins, as FHIR writes it.
  var startText: String { Self.text(start, offsetSeconds: startOffset) }

  /// A moment as FHIR writes it, with an offset in whole minutes: `2026-10-25T08:00:00+01:00`.
  ///
  /// - Parameter milliseconds: since 1970; a part of a second is written only if there is one.
  static func text(_ milliseconds: Int64, offsetSeconds: Int) -> String {
    let minutes = Int((Double(offsetSeconds) / 60).rounded())
    let local = milliseconds + Int64(minutes) * 60_000
    let day = Int((Double(local) / 86_400_000).rounded(.down))
    let rest = Int(local - Int64(day) * 86_400_000)
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map(Self.twoDigits)
    let fraction = rest % 1_000 == 0 ? "" : "." + String(String(1_000 + rest % 1_000).dropFirst())
    let offset = [abs(minutes) / 60, abs(minutes) % 60].map(Self.twoDigits)
    return "\(CivilDay(daysSince1970: day))T" + time.joined(separator: ":") + fraction
      + (minutes < 0 ? "-" : "+") + offset.joined(separator: ":")
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
