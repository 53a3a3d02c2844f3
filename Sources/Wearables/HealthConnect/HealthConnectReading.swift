/// One record, or one row of its child, as the export has it: before its app and its zone are looked
/// at.
struct HealthConnectReading: Hashable {
  /// Milliseconds since 1970; `end` is not part of it and may equal `start`.
  var start: Int64
  var end: Int64
  /// The beginning of its record, at which the offset holds.
  var recordStart: Int64
  /// Of local time from UTC, in seconds.
  var offset: Int?
  /// The rows of `application_info_table` and `device_info_table`.
  var app: Int64?
  var device: Int64?
  var isManual: Bool
  /// Milliseconds since 1970.
  var modified: Int64
  /// Of an event, the identifier that the platform gave its record, as hexadecimal digits.
  var name: String?
  /// Of an event, the number that says what kind it was.
  var detail: Int?
}

extension HealthConnectReading {
  /// `RECORDING_METHOD_MANUAL_ENTRY`
  static let manualMethod: Int64 = 3

  /// Java's smallest number stands for a value that is missing.
  static let missing = Double.leastNonzeroMagnitude

  /// An offset that clocks may have, in whole minutes; `nil` for another one.
  static func offset(_ stored: Int64) -> Int? {
    guard -64_800...64_800 ~= stored, stored.isMultiple(of: 60) else { return nil }
    return Int(stored)
  }

  /// From 1900 to 2199: outside of it, no phone measured.
  static let times: ClosedRange<Int64> = -2_208_988_800_000...7_258_118_399_999
}
