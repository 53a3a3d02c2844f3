// Sources: Sources/HTTP/Syntax

/// No head stops the parser, and one that comes in two parts is read as the whole is.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  let whole = outcome(of: [bytes])
  let cut = bytes.count * Int(first) / 255
  let parts = outcome(of: [Array(bytes[..<cut]), bytes])
  precondition(whole.count == parts.count && whole.refusal == parts.refusal, "the cut changes it")
  if let length = whole.count { check(whole.head, in: Array(bytes[..<length])) }
  return 0
}

private func outcome(of inputs: [[UInt8]]) -> (head: RequestHead, count: Int?, refusal: Refusal?) {
  var parser = HeadParser()
  do throws(Refusal) {
    for input in inputs {
      if let count = try parser.parse(input.span) { return (parser.head, count, nil) }
    }
    return (parser.head, nil, nil)
  } catch {
    return (parser.head, nil, error)
  }
}

/// What any head that is accepted must be.
private func check(_ head: RequestHead, in bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self).lowercased()
  precondition(text.hasSuffix("\r\n\r\n"))
  let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
  precondition(lines.dropLast().allSatisfy { $0.last == 0x0d }, "a bare LF got through")
  precondition(
    bytes.count { $0 == 0x0d } == bytes.count { $0 == 0x0a }, "a bare CR got through")
  precondition(!bytes.contains(0))
  let names = head.fields.map {
    String(decoding: bytes[$0.name], as: UTF8.self).lowercased()
  }
  precondition(names.allSatisfy { !$0.isEmpty && !$0.contains(" ") })
  func count(_ name: String) -> Int { names.count { $0 == name } }
  precondition(count("host") == 1 || count("host") == 0 && head.minorVersion == 0)
  precondition(count("content-length") + count("transfer-encoding") <= 1)
  precondition((head.framing == .chunked) == (count("transfer-encoding") == 1))
}
