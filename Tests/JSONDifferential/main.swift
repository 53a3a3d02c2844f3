/// Reads lines of hexadecimal digits, each a text, and says of each whether it is JSON.
while let line = readLine() {
  let digits = Array(line)
  let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
    UInt8(String(digits[$0...$0 + 1]), radix: 16)
  }
  print((try? JSONDocument(parsing: bytes)) == nil ? "refused" : "taken")
}
