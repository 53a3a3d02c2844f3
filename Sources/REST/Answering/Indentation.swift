/// Well-formed JSON with a line for each value and two spaces a level; the values to the letter.
func indented(_ json: [UInt8]) -> [UInt8] {
  var printer = Printer()
  printer.lines.reserveCapacity(json.count * 2)
  for byte in json { printer.take(byte) }
  printer.lines.append(UInt8(ascii: "\n"))
  return printer.lines
}

private struct Printer {
  var lines: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// A bracket was opened and nothing has stood in it yet.
  private var isFresh = false

  mutating func take(_ byte: UInt8) {
    if isInString {
      takeInString(byte)
      return
    }
    switch byte {
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if !isFresh { breakLine() }
      isFresh = false
      lines.append(byte)
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
    default: takeToken(byte)
    }
  }

  private mutating func takeToken(_ byte: UInt8) {
    if isFresh { breakLine() }
    isFresh = false
    lines.append(byte)
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: ","): breakLine()
    case UInt8(ascii: ":"): lines.append(UInt8(ascii: " "))
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      isFresh = true
    default: break
    }
  }

  private mutating func takeInString(_ byte: UInt8) {
    lines.append(byte)
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private mutating func breakLine() {
    lines.append(UInt8(ascii: "\n"))
    for _ in 0..<depth * 2 { lines.append(UInt8(ascii: " ")) }
  }
}
