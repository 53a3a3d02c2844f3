import FHIRModel

/// An electrocardiogram as an export has it: a file of comma-separated values, whose labels and
/// decimal points follow the phone's language, so that rows are told apart by what they hold and by
/// their order.
struct Electrocardiogram {
  let recorded: AppleStamp
  let classification: String?
  let symptoms: String?
  let device: String?
  let hertz: Double
  let lead: String
  /// Multiplied with a value it gives microvolts.
  let microvolts: Double
  let values: [Double]

  /// Why a file is no electrocardiogram.
  struct Failure: Error, Hashable {
    let reason: String
  }

  private static let valueCountMaximum = 1_000_000
  private static let rates = 50.0...10_000.0

  init(parsing bytes: [UInt8]) throws(Failure) {
    var rows: [[String]] = []
    var values: [Double] = []
    for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      if let value = Self.value(line) {
        values.append(value)
        guard values.count <= Self.valueCountMaximum else {
          throw Failure(reason: "it has more than \(Self.valueCountMaximum) values")
        }
      } else if values.isEmpty {
        rows.append(Self.cells(line))
      } else {
        throw Failure(reason: "value \(values.count + 1) is no number")
      }
    }
    let contents = rows.map { $0.count > 1 ? $0[1] : "" }
    guard let place = contents.firstIndex(where: { AppleStamp($0) != nil }),
      let recorded = AppleStamp(contents[place])
    else { throw Failure(reason: "it has no date of recording") }
    let after = contents[(place + 1)...]
    let rates = after.lazy.compactMap { Self.rate($0) }
    guard let hertz = rates.first ?? after.lazy.compactMap({ Self.rate($0, in: nil) }).first else {
      throw Failure(reason: "it has no sample rate")
    }
    guard let unit = after.lastIndex(where: { Self.microvolts(of: $0) != nil }),
      let microvolts = Self.microvolts(of: contents[unit])
    else { throw Failure(reason: "it has no unit of voltage") }
    guard !values.isEmpty else { throw Failure(reason: "it has no values") }
    self.recorded = recorded
    self.hertz = hertz
    self.microvolts = microvolts
    self.values = values
    lead = unit > place + 1 ? contents[unit - 1] : ""
    classification = Self.word(after.first)
    symptoms = Self.word(after.dropFirst().first)
    device = Self.word(after.dropFirst(3).first)
  }

  /// A whole line that is one number, its decimal point a point or a comma.
  private static func value(_ line: ArraySlice<UInt8>) -> Double? {
    let text = line.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: " ") }
    return AppleNumber.parse(text.span, allowsComma: true)
  }

  /// The cells of a row; in quotes a comma is a comma.
  private static func cells(_ line: ArraySlice<UInt8>) -> [String] {
    var cells: [[UInt8]] = [[]]
    var isQuoted = false
    for byte in line {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ","), UInt8(ascii: ";"):
        if isQuoted || cells.count == 2 && byte == UInt8(ascii: ",") {
          cells[cells.count - 1].append(byte)
        } else {
          cells.append([])
        }
      default: cells[cells.count - 1].append(byte)
      }
    }
    return cells.map { Source.normalised(String(decoding: $0, as: UTF8.self)) }
  }

  /// How the unit begins in languages that are known.
  private static let unitsOfRate = ["h", "г", "赫", "ヘ", "헤", "ه"]

  /// `512 hertz`, `511,562 Hertz`, `512 Гц`: a number with a unit behind it.
  ///
  /// - Parameter units: how the unit may begin; `nil` for any letter.
  private static func rate(_ text: String, in units: [String]? = unitsOfRate) -> Double? {
    let number = text.prefix { $0.isNumber || $0 == "." || $0 == "," }
    let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
    guard units?.contains(where: unit.hasPrefix) ?? (unit.first?.isLetter == true),
      let hertz = AppleNumber.parse(String(number), allowsComma: true), rates ~= hertz
    else { return nil }
    return hertz
  }

  private static func microvolts(of unit: String) -> Double? {
    switch unit {
    case "µV", "\u{3bc}V", "uV", "мкВ": 1
    case "mV", "мВ": 1_000
    case "V": 1_000_000
    default: nil
    }
  }

  private static func word(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Electrocardiogram {
  /// What tells it from other recordings.
  var identity: [String] { [Instant(milliseconds: recorded.milliseconds).description] }

  /// - Parameter offset: of local time from UTC, in seconds, at a second since 1970.
  func period(_ offset: (Int) -> Int) -> LocalPeriod {
    let length = Int64((Double(values.count) * 1_000 / hertz).rounded())
    return LocalPeriod(
      start: recorded.milliseconds, end: recorded.milliseconds + length,
      startOffset: offset(recorded.seconds),
      endOffset: offset(recorded.seconds + Int(length / 1_000)))
  }

  /// Writes the recording, its values in microvolts.
  func write(to draft: inout ObservationDraft) {
    draft.interpretation = classification
    draft.note = symptoms
    guard let period = DecimalText((1_000_000_000 / hertz).rounded() / 1_000_000) else { return }
    let data = SampledData(
      unit: "µV", ucum: "uV", period: period,
      data: values.map { decimalText($0 * microvolts) }.joined(separator: " "))
    draft.components = [
      .init(
        isLeadOne ? [.leadOne] : [], text: lead.isEmpty ? "Electrocardiogram" : lead,
        .sampled(data))
    ]
  }

  /// The watch records between the arms, which is lead I in every language.
  private var isLeadOne: Bool { lead.split { !$0.isCased }.contains("I") }
}

extension Coding {
  fileprivate static let leadOne = Coding(
    system: "urn:iso:std:iso:11073:10101", code: "131329", display: "MDC_ECG_ELEC_POTL_I")
}

extension Instant {
  /// - Parameter milliseconds: since 1970.
  init(milliseconds: Int64) {
    self.init(ticks: milliseconds * (Instant.ticksPerSecond / 1_000))
  }
}
