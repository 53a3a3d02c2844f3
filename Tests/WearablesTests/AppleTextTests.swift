import FHIRModel
import Testing

@testable import Wearables

/// Dates, numbers and names as an export writes them.
struct AppleTextTests {
  @Test(
    "a date is a moment",
    arguments: [
      // By `date -d … +%s`.
      ("2026-10-25 08:00:00 +0100", 1_792_911_600_000, 3_600),
      ("1969-12-31 23:59:59 +0000", -1_000, 0),
      ("2024-02-29 00:00:00 -0330", 1_709_177_400_000, -12_600),
      ("2026-10-25T08:00:00.25+01:00", 1_792_911_600_250, 3_600),
      ("2026-10-25T07:00:00Z", 1_792_911_600_000, 0),
    ])
  func reads(text: String, milliseconds: Int64, offset: Int) throws {
    let stamp = try #require(AppleStamp(text))
    #expect(stamp.milliseconds == milliseconds)
    #expect(stamp.offsetSeconds == offset)
  }

  @Test(
    "what is no date is none",
    arguments: [
      "", "invalid", "2026-10-25", "2026-10-25 08:00:00", "2026-02-30 08:00:00 +0100",
      "2026-10-25 24:00:00 +0100", "2026-10-25 08:60:00 +0100", "2026-10-25 08:00:00 +9900",
      "2026-10-25 08:00:00 +0100x", "20261025 080000 +0100", "٢٠٢٦-١٠-٠١ 08:00:00 +0100",
    ])
  func refuses(text: String) { #expect(AppleStamp(text) == nil) }

  @Test("dates that follow each other are each read as if alone, whatever byte of one is wrong")
  func datesInARow() {
    var reader = AppleStampReader()
    let dates = [
      "2026-10-25 08:00:00 +0100", "2026-10-25 23:59:59 +0100", "2026-10-26 00:00:00 +0100",
      "2026-10-25 08:00:00 -0330", "1969-12-31 23:59:59 +0000", "2026-10-25T08:00:00.5+0100",
    ]
    for date in dates + dates.reversed() {
      #expect(reader.read(Array(date.utf8).span) == AppleStamp(date), "\(date)")
      for position in date.utf8.indices {
        for byte in UInt8.min...UInt8.max {
          var other = Array(date.utf8)
          other[date.utf8.distance(from: date.startIndex, to: position)] = byte
          let alone = AppleStamp(other.span)
          #expect(reader.read(other.span) == alone, "\(other)")
        }
        let short = Array(date.utf8.dropLast())
        #expect(reader.read(short.span) == AppleStamp(short.span))
      }
    }
  }

  @Test("a number is the nearest double, as the standard library reads it")
  func numbers() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...20, using: &generator)
      var text = Bool.random(using: &generator) ? "-" : ""
      let point = Int.random(in: 0...digits, using: &generator)
      for place in 0..<digits {
        if place == point { text += "." }
        text += "\(Int.random(in: 0...9, using: &generator))"
      }
      #expect(AppleNumber.parse(text) == Double(text), "\(text)")
    }
    #expect(AppleNumber.parse("1e3") == 1_000)
    #expect(AppleNumber.parse("-0,265868", allowsComma: true) == -0.265868)
    for text in ["", "-", ".", "NaN", "inf", "0x1p3", "1,5", "1 ", "--1", "1e999", "٣"] {
      #expect(AppleNumber.parse(text) == nil, "\(text)")
    }
  }

  @Test("a device is named without its address in memory and its software")
  func devices() {
    let text =
      "<<HKDevice: 0x282a45810>, name:Apple\u{a0}Watch, manufacturer:Apple Inc., model:Watch, "
      + "hardware:Watch2,4, software:4.3.1>"
    #expect(AppleDevice(describedBy: text)?.display == "Apple Watch (Watch2,4)")
    let maker = "<<HKDevice: 0x1>, manufacturer:Withings, model:BPM, hardware:7>"
    #expect(AppleDevice(describedBy: maker)?.display == "Withings BPM (7)")
    #expect(AppleDevice(describedBy: "Some device") == nil)
  }

  @Test("a text that came before is found, and many are forgotten rather than kept")
  func byteTable() {
    var table = ByteTable<Int>(countMaximum: 100)
    var made = 0
    func value(_ text: String) -> Int {
      table.value(of: Array(text.utf8).span) { _ in
        made += 1
        return made
      }
    }
    let first = value("a")
    for number in 0..<90 { _ = value("text \(number)") }
    #expect(value("a") == first)
    #expect(made == 91)
    for number in 0..<1_000 { #expect(value("other \(number)") == made) }
    #expect(value("other 999") == made)
  }

  @Test("digits that conversion adds are gone")
  func decimals() {
    #expect(decimalText(97.00000000000001) == "97")
    #expect(decimalText(0.1 + 0.2) == "0.3")
    #expect(decimalText(-1.5) == "-1.5")
    #expect(decimalText(0) == "0")
    #expect(decimalText(123_456_789) == "123456789")
  }
}
