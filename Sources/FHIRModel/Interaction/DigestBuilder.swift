/// Takes the Observations of a series one after the other and gives the rows of a digest.
package struct DigestBuilder {
  private let digest: Digest
  private var values: [CivilDay: DayNumbers] = [:]

  package init(_ digest: Digest) { self.digest = digest }

  /// Takes an Observation, in any order; what doesn't belong to the digest is passed over.
  package mutating func add(_ observation: JSONValue) {
    guard let rank = rank(of: observation), Self.isValid(observation),
      let day = Self.day(of: observation), digest.days.contains(day),
      values[day].map({ rank < $0.rank }) ?? true,
      let value = number(in: observation)
    else { return }
    var numbers = DayNumbers(rank: rank, value: value)
    if let extremes = digest.extremes {
      numbers.lowest = component(extremes.minimum, of: observation)
      numbers.highest = component(extremes.maximum, of: observation)
    }
    values[day] = numbers
  }

  /// The stretches in which a day has a value, in their order.
  package var rows: [Digest.Row] {
    var rows: [Digest.Row] = []
    for (day, numbers) in values.sorted(by: { $0.key < $1.key }) {
      if let last = rows.indices.last, rows[last].days.contains(day) {
        rows[last].add(numbers)
      } else {
        rows.append(Digest.Row(numbers, in: digest.bucket.days(around: day)))
      }
    }
    return rows
  }

  /// How the Observation's identifier ends; `nil` if it is none of the series.
  private func rank(of observation: JSONValue) -> Int? {
    for identifier in observation["identifier"].map({ Array($0.elements) }) ?? [] {
      guard identifier["system"]?.string == digest.identifierSystem,
        let value = identifier["value"]?.string, value.hasPrefix(digest.identifierPrefix)
      else { continue }
      return digest.identifierSuffixes.firstIndex { value.hasSuffix($0) }
    }
    return nil
  }

  private static func isValid(_ observation: JSONValue) -> Bool {
    switch observation["status"]?.string {
    case "entered-in-error", "cancelled": false
    default: true
    }
  }

  /// The local date with which the time begins, whatever its offset.
  private static func day(of observation: JSONValue) -> CivilDay? {
    let start = observation["effectivePeriod"]?["start"] ?? observation["effectiveDateTime"]
    guard let text = start?.string, text.utf8.count >= 10 else { return nil }
    return CivilDay(text.prefix(10))
  }

  private func number(in owner: JSONValue) -> FixedDecimal? {
    guard let quantity = owner["valueQuantity"], quantity["code"]?.string == digest.unit,
      let text = quantity["value"]?.numberText
    else { return nil }
    return FixedDecimal(text)
  }

  private func component(_ code: Digest.Code, of observation: JSONValue) -> FixedDecimal? {
    for component in observation["component"].map({ Array($0.elements) }) ?? [] {
      let codings = component["code"]?["coding"].map { Array($0.elements) } ?? []
      let isMeant = codings.contains {
        $0["code"]?.string == code.code && $0["system"]?.string == code.system
      }
      if isMeant { return number(in: component) }
    }
    return nil
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
  package init?(_ text: some StringProtocol) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.count) == [4, 2, 2] else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard part.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
      numbers.append(part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }
}
