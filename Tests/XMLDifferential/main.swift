/// Reads lines of hexadecimal digits, each a document, and writes for each what the reader gives:
/// names, attributes and text behind letters, with zero bytes between them, again in hexadecimal.
struct Written {
  var bytes: [UInt8] = []
  private var isInText = false

  mutating func put(_ letter: Unicode.Scalar, _ text: Span<UInt8>) {
    // Text that comes in pieces is one text.
    if letter != "T" || !isInText { bytes += [0, UInt8(letter.value)] }
    isInText = letter == "T"
    bytes.append(copying: text)
  }
}

func events(of document: [UInt8], chunkByteCount: Int) -> [UInt8] {
  var reader = XMLReader(ByteSource(document, chunkByteCount: chunkByteCount))
  var written = Written()
  do {
    while let event = try reader.next() {
      switch event {
      case .start:
        written.put("S", reader.name)
        for position in 0..<reader.attributeCount {
          written.put("A", reader.attributeName(at: position))
          written.put("V", reader.attributeValue(at: position))
        }
      case .end: written.put("E", reader.name)
      case .text: written.put("T", reader.text)
      }
    }
  } catch { return Array("\(error)".utf8) }
  let isWhole = !reader.isTruncated && reader.faultCount == 0 && reader.replacedByteCount == 0
  return isWhole ? written.bytes : [UInt8(ascii: "!")] + written.bytes
}

func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

var count = 0
while let line = readLine() {
  let digits = Array(line)
  let document = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
    UInt8(String(digits[$0...$0 + 1]), radix: 16)
  }
  count += 1
  print(hexadecimal(events(of: document, chunkByteCount: [1, 2, 3, 5, 17, 64, 4096][count % 7])))
}
