import Foundation

/// The text of an export, written to a file as it grows.
struct ExportText {
  private var bytes: [UInt8] = []
  private let file: FileHandle
  /// Bytes written so far.
  private(set) var byteCount = 0

  init(to file: FileHandle) { self.file = file }

  mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func put(_ number: Int) { put(String(number)) }

  /// Two digits.
  private mutating func putPair(_ number: Int) {
    bytes.append(UInt8(0x30 + number / 10 % 10))
    bytes.append(UInt8(0x30 + number % 10))
  }

  /// A stamp as Apple writes it, at a second of a day.
  mutating func put(_ day: String, second: Int) {
    put(day)
    bytes.append(0x20)
    putPair(second / 3600)
    bytes.append(0x3a)
    putPair(second / 60 % 60)
    bytes.append(0x3a)
    putPair(second % 60)
    put(" +0100")
  }

  /// A number of thousandths.
  mutating func put(thousandths number: Int) {
    put(number / 1000)
    bytes.append(0x2e)
    putPair(number / 10)
    bytes.append(UInt8(0x30 + number % 10))
  }

  /// Writes what was gathered, if it is much or if it `isLast`.
  mutating func flush(isLast: Bool = false) throws {
    guard isLast || bytes.count > 1 << 20 else { return }
    try file.write(contentsOf: Data(bytes))
    byteCount += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }
}
