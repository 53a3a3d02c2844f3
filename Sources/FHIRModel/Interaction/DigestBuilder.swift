/// Takes the Observations of a series one after the other and gives the rows of a digest.
package struct DigestBuilder {
  private let digest: Digest
  private let firstDay: Int
  /// By the days asked for.
  private var values: [DayNumbers?]
  private let identifierSystem: [UInt8]
  private let identifierPrefix: [UInt8]
  private let identifierSuffixes: [[UInt8]]
  private let unit: [UInt8]

  package init(_ digest: Digest) {
    self.digest = digest
    firstDay = digest.days.lowerBound.daysSince1970
    values = Array(
      repeating: nil, count: digest.days.upperBound.daysSince1970 - firstDay + 1)
    identifierSystem = Array(digest.identifierSystem.utf8)
    identifierPrefix = Array(digest.identifierPrefix.utf8)
    identifierSuffixes = digest.identifierSuffixes.map { Array($0.utf8) }
    unit = Array(digest.unit.utf8)
  }

  /// Takes an Observation, in any order; what doesn't belong to the digest is passed over.
  package mutating func add(_ observation: JSONValue) {
    guard let rank = rank(of: observation), Self.isValid(observation),
      let day = Self.day(of: observation), values.indices.contains(day - firstDay),
      values[day - firstDay].map({ rank < $0.rank }) ?? true,
      let value = digest.component.map({ component($0, of: observation) })
        ?? number(in: observation)
    else { return }
    var numbers = DayNumbers(rank: rank, value: value)
    if let extremes = digest.extremes {
      numbers.lowest = component(extremes.minimum, of: observation)
      numbers.highest = component(extremes.maximum, of: observation)
    }
    values[day - firstDay] = numbers
  }

  /// The stretches in which a day has a value, in their order.
  package var rows: [Digest.Row] {
    var rows: [Digest.Row] = []
    var end = Int.min
    for (position, numbers) in values.enumerated() {
      guard let numbers else { continue }
      if let last = rows.indices.last, firstDay + position <= end {
        rows[last].add(numbers)
      } else {
        let days = digest.bucket.days(around: CivilDay(daysSince1970: firstDay + position))
        end = days.upperBound.daysSince1970
        rows.append(Digest.Row(numbers, in: days))
      }
    }
    return rows
  }

  /// How the Observation's identifier ends; `nil` if it is none of the series.
  private func rank(of observation: JSONValue) -> Int? {
    guard let identifiers = observation[.identifier] else { return nil }
    for identifier in identifiers.elements
    where identifier[.system]?.isText(identifierSystem) == true {
      let rank = identifier[.value]?.withUTF8 { value -> Int? in
        guard value.starts(with: identifierPrefix) else { return nil }
        return identifierSuffixes.firstIndex { value.ends(with: $0) }
      }
      if let rank, let rank { return rank }
    }
    return nil
  }

  private static func isValid(_ observation: JSONValue) -> Bool {
    guard let status = observation[.status] else { return true }
    return !status.isText(enteredInError) && !status.isText(cancelled)
  }

  private static let enteredInError = Array("entered-in-error".utf8)
  private static let cancelled = Array("cancelled".utf8)

  /// The local date with which the time begins, whatever its offset, in days since 1970.
  private static func day(of observation: JSONValue) -> Int? {
    let start = observation[.effectivePeriod]?[.start] ?? observation[.effectiveDateTime]
    let day = start?.withUTF8 { text in
      text.count < 10 ? nil : CivilDay(text.extracting(0..<10))
    }
    return day.flatMap { $0 }?.daysSince1970
  }

  private func number(in owner: JSONValue) -> FixedDecimal? {
    guard let quantity = owner[.valueQuantity], quantity[.code]?.isText(unit) == true,
      let value = quantity[.value], value.kind == .number
    else { return nil }
    return FixedDecimal(value.rawBytes)
  }

  private func component(_ code: Digest.Code, of observation: JSONValue) -> FixedDecimal? {
    guard let components = observation[.component] else { return nil }
    for component in components.elements {
      guard let codings = component[.code]?[.coding] else { continue }
      for coding in codings.elements
      where coding[.code]?.string == code.code && coding[.system]?.string == code.system {
        return number(in: component)
      }
    }
    return nil
  }
}

extension MemberName {
  fileprivate static let identifier: MemberName = "identifier"
  fileprivate static let system: MemberName = "system"
  fileprivate static let value: MemberName = "value"
  fileprivate static let status: MemberName = "status"
  fileprivate static let effectivePeriod: MemberName = "effectivePeriod"
  fileprivate static let effectiveDateTime: MemberName = "effectiveDateTime"
  fileprivate static let start: MemberName = "start"
  fileprivate static let valueQuantity: MemberName = "valueQuantity"
  fileprivate static let code: MemberName = "code"
  fileprivate static let coding: MemberName = "coding"
  fileprivate static let component: MemberName = "component"
}

extension JSONValue {
  fileprivate func isText(_ text: [UInt8]) -> Bool {
    withUTF8 { $0.equals(text.span) } ?? false
  }
}

extension Span<UInt8> {
  fileprivate func starts(with text: [UInt8]) -> Bool {
    count >= text.count && extracting(0..<text.count).equals(text.span)
  }

  fileprivate func ends(with text: [UInt8]) -> Bool {
    count >= text.count && extracting(count - text.count..<count).equals(text.span)
  }
}

/// What one day has to say.
private struct DayNumbers {
  /// The place of the identifier's ending among those that count.
  var rank: Int
  var value: FixedDecimal
  var lowest: FixedDecimal?
  var highest: FixedDecimal?

  init(rank: Int, value: FixedDecimal) {
    self.rank = rank
    self.value = value
  }
}

extension Digest.Row {
  fileprivate init(_ numbers: DayNumbers, in days: ClosedRange<CivilDay>) {
    self.init(
      days: days, count: 1, sum: numbers.value, minimum: numbers.value, maximum: numbers.value,
      lowest: numbers.lowest, highest: numbers.highest)
  }

  fileprivate mutating func add(_ numbers: DayNumbers) {
    count += 1
    sum = sum + numbers.value
    minimum = min(minimum, numbers.value)
    maximum = max(maximum, numbers.value)
    lowest = [lowest, numbers.lowest].compactMap(\.self).min()
    highest = [highest, numbers.highest].compactMap(\.self).max()
  }
}

extension CivilDay {
  /// Reads `YYYY-MM-DD`; `nil` for another form or a day that the calendar doesn't have.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }

  init?(_ text: Span<UInt8>) {
    let dash = UInt8(ascii: "-")
    guard text.count == 10, text[4] == dash, text[7] == dash,
      let year = Self.number(text.extracting(0..<4)),
      let month = Self.number(text.extracting(5..<7)),
      let day = Self.number(text.extracting(8..<10))
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  private static func number(_ digits: Span<UInt8>) -> Int? {
    var number = 0
    for position in digits.indices {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digits[position] else { return nil }
      number = number * 10 + Int(digits[position] - UInt8(ascii: "0"))
    }
    return number
  }
}
