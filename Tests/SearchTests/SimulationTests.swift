import FHIRModel
import Foundation
import Search
import SeededNumbers
import Testing

/// Observations as plain facts, and R4's rules over them as plainly as they can be said: no index,
/// no JSON, and a calendar of its own.
struct NaiveObservation {
  struct Moment {
    var year = 2026, month = 1, day = 1, hour = 0, minute = 0, second = 0
    /// Minutes; `nil` for a date without a time.
    var offset: Int?
    /// 0 year, 1 month, 2 day, 3 second.
    var precision = 3

    static let calendar: Calendar = {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      return calendar
    }()

    /// Seconds of local time as if it were UTC: first and first after.
    var local: (Double, Double) {
      let components = DateComponents(
        year: year, month: precision > 0 ? month : 1, day: precision > 1 ? day : 1,
        hour: precision > 2 ? hour : 0, minute: precision > 2 ? minute : 0,
        second: precision > 2 ? second : 0)
      let start = Self.calendar.date(from: components) ?? .distantPast
      let unit: Calendar.Component = [.year, .month, .day, .second][precision]
      let end = Self.calendar.date(byAdding: unit, value: 1, to: start) ?? .distantFuture
      return (start.timeIntervalSince1970, end.timeIntervalSince1970)
    }

    var text: String {
      var text = String(format: "%04d", year)
      if precision > 0 { text += String(format: "-%02d", month) }
      if precision > 1 { text += String(format: "-%02d", day) }
      if precision > 2 { text += String(format: "T%02d:%02d:%02d", hour, minute, second) }
      guard let offset else { return text }
      if offset == 0 { return text + "Z" }
      return text
        + String(
          format: "%@%02d:%02d", offset < 0 ? "-" : "+", abs(offset) / 60, abs(offset) % 60)
    }
  }

  enum Effective {
    case none
    case moment(Moment)
    case period(Moment?, Moment?)
  }

  var id: String
  var subject: String?
  /// System (`nil` for none) and code.
  var codes: [(String?, String)]
  var effective: Effective
  var status: String
  var value: Double?

  /// First and first after, each with its offset in seconds; infinite where open.
  var interval: (start: Double, startOffset: Double, end: Double, endOffset: Double)? {
    switch effective {
    case .none: return nil
    case .moment(let moment):
      let offset = Double(moment.offset ?? 0) * 60
      return (moment.local.0 - offset, offset, moment.local.1 - offset, offset)
    case .period(let first, let last):
      let startOffset = Double(first?.offset ?? 0) * 60
      let endOffset = Double(last?.offset ?? 0) * 60
      return (
        first.map { $0.local.0 - startOffset } ?? -.infinity, startOffset,
        last.map { $0.local.1 - endOffset } ?? .infinity, endOffset
      )
    }
  }

  func matches(prefix: String, _ date: Moment) -> Bool {
    guard let interval else { return false }
    var (low, high) = date.local
    var (start, end) = (interval.start, interval.end)
    if let offset = date.offset {
      low -= Double(offset) * 60
      high -= Double(offset) * 60
    } else {
      start += interval.startOffset
      end += interval.endOffset
    }
    let contained = low <= start && end <= high
    switch prefix {
    case "ne": return !contained
    case "gt": return end > high
    case "lt": return start < low
    case "ge": return contained || end > high
    case "le": return contained || start < low
    case "sa": return start >= high
    case "eb": return end <= low
    default: return contained
    }
  }

  var json: String {
    var parts = [#""resourceType":"Observation","id":"\#(id)","status":"\#(status)""#]
    let codings = codes.map { system, code in
      "{" + (system.map { #""system":"\#($0)","# } ?? "") + #""code":"\#(code)"}"#
    }
    parts.append(
      codings.isEmpty
        ? #""code":{"text":"?"}"# : #""code":{"coding":[\#(codings.joined(separator: ","))]}"#)
    if let subject { parts.append(#""subject":{"reference":"\#(subject)"}"#) }
    switch effective {
    case .none: break
    case .moment(let moment): parts.append(#""effectiveDateTime":"\#(moment.text)""#)
    case .period(let first, let last):
      let ends = [
        first.map { #""start":"\#($0.text)""# }, last.map { #""end":"\#($0.text)""# },
      ].compactMap(\.self)
      parts.append(#""effectivePeriod":{\#(ends.joined(separator: ","))}"#)
    }
    if let value { parts.append(#""valueQuantity":{"value":\#(value),"unit":"u"}"#) }
    return "{\(parts.joined(separator: ","))}"
  }
}

extension SplitMix64 {
  mutating func moment(withOffset: Bool? = nil) -> NaiveObservation.Moment {
    var moment = NaiveObservation.Moment()
    moment.month = .random(in: 9...12, using: &self)
    moment.day = .random(in: 1...30, using: &self)
    moment.hour = .random(in: 0...23, using: &self)
    moment.minute = [0, 30, 59].randomElement(using: &self) ?? 0
    moment.second = [0, 59].randomElement(using: &self) ?? 0
    moment.precision = [0, 1, 2, 2, 2, 3, 3, 3].randomElement(using: &self) ?? 3
    let hasOffset = withOffset ?? true
    if moment.precision == 3, hasOffset {
      moment.offset = [0, 60, 120, -600, 840, -720, 330].randomElement(using: &self)
    }
    return moment
  }

  mutating func observation(_ id: String) -> NaiveObservation {
    let systems: [String?] = [nil, "http://a", "http://b"]
    let codes = (0..<Int.random(in: 0...2, using: &self)).map { _ in
      (systems.randomElement(using: &self) ?? nil, "c\(Int.random(in: 0...2, using: &self))")
    }
    return NaiveObservation(
      id: id,
      subject: ["Patient/p0", "Patient/p1", "Group/p0", nil].randomElement(using: &self) ?? nil,
      codes: codes, effective: effective(),
      status: ["final", "preliminary"].randomElement(using: &self) ?? "final",
      value: Bool.random(using: &self) ? Double(Int.random(in: 0...20, using: &self)) / 2 : nil)
  }

  private mutating func effective() -> NaiveObservation.Effective {
    switch Int.random(in: 0...9, using: &self) {
    case 0: return .none
    case 1...5: return .moment(moment())
    case 6: return .period(moment(), nil)
    case 7: return .period(nil, moment())
    default:
      let ends = [moment(), moment()].sorted { $0.local.0 < $1.local.0 }
      let start = ends[0].local.0 - Double(ends[0].offset ?? 0) * 60
      let end = ends[1].local.1 - Double(ends[1].offset ?? 0) * 60
      return start <= end ? .period(ends[0], ends[1]) : .moment(ends[0])
    }
  }
}

@Suite("Random searches find what a naive reading of R4 finds")
struct SimulationTests {
  typealias Condition = (query: String, holds: (NaiveObservation) -> Bool)

  @Test("over random resources that come, change and go", arguments: [1, 2, 3, 4] as [UInt64])
  func random(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let store = SearchTestStore()
    let type = try #require(ResourceType("Observation"))
    var all: [String: NaiveObservation] = [:]
    for _ in 0..<260 {
      let id = "o\(Int.random(in: 0..<140, using: &generator))"
      let resource = ResourceID(type, try #require(LogicalID(id)))
      let isDeleted = Int.random(in: 0...6, using: &generator) == 0
      all[id] = isDeleted ? nil : generator.observation(id)
      try store.put(resource, all[id]?.json)
    }
    for _ in 0..<300 {
      let conditions = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        condition(&generator)
      }
      let sort =
        ["", "&_sort=date", "&_sort=-date", "&_sort=status,-date"]
        .randomElement(using: &generator) ?? ""
      let query = conditions.map(\.query).joined(separator: "&") + sort
      let expected = all.values.filter { observation in
        conditions.allSatisfy { $0.holds(observation) }
      }
      let found = try store.ids(
        query, of: type, pageCount: Int.random(in: 1...200, using: &generator))
      #expect(found.sorted() == expected.map(\.id).sorted(), "seed \(seed): \(query)")
      let total = try store.matches(query + "&_summary=count", of: type).total
      #expect(total == expected.count, "seed \(seed): \(query)")
      expectOrder(found.compactMap { all[$0] }, sort, "seed \(seed): \(query)")
    }
    let (stored, expected) = try store.entries()
    #expect(stored == expected, "seed \(seed)")
  }

  private func expectOrder(_ found: [NaiveObservation], _ sort: String, _ comment: Comment) {
    let starts = found.map { $0.interval?.start }
    guard sort.hasSuffix("_sort=date") || sort.hasSuffix("_sort=-date") else { return }
    for (left, right) in zip(starts, starts.dropFirst()) {
      let isRight =
        switch (left, right) {
        case (let left?, let right?): sort.hasSuffix("-date") ? left >= right : left <= right
        case (nil, _?): false
        default: true
        }
      #expect(isRight, comment)
    }
  }

  private func condition(_ generator: inout SplitMix64) -> Condition {
    switch Int.random(in: 0...8, using: &generator) {
    case 0:
      let patient = ["p0", "p1", "Patient/p0"].randomElement(using: &generator) ?? ""
      let reference = patient.contains("/") ? patient : "Patient/" + patient
      return ("patient=\(patient)", { $0.subject == reference })
    case 1:
      return ("subject=p0", { $0.subject == "Patient/p0" || $0.subject == "Group/p0" })
    case 2:
      let code = "c\(Int.random(in: 0...3, using: &generator))"
      return ("code=\(code)", { $0.codes.contains { $0.1 == code } })
    case 3:
      let code = "c\(Int.random(in: 0...2, using: &generator))"
      return (
        "code=http://a|\(code),|\(code)",
        { $0.codes.contains { $0.1 == code && $0.0 != "http://b" } }
      )
    case 4: return ("status:not=final", { $0.status != "final" })
    case 5:
      let number = Double(Int.random(in: 0...20, using: &generator)) / 2
      return ("value-quantity=ge\(number)", { $0.value.map { $0 >= number } ?? false })
    case 6: return ("date:missing=true", { $0.interval == nil })
    default:
      let date = generator.moment(withOffset: Bool.random(using: &generator))
      let prefixes = ["", "ne", "gt", "lt", "ge", "le", "sa", "eb"]
      let prefix = prefixes.randomElement(using: &generator) ?? ""
      let text = date.text.replacing("+", with: "%2B")
      return ("date=\(prefix)\(text)", { $0.matches(prefix: prefix, date) })
    }
  }
}
