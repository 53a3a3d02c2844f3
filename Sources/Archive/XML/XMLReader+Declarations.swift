extension XMLReader {
  /// Reads `<!…` and `<?…`: comments, instructions and the document type are passed over.
  mutating func stepAtDeclaration() throws(ArchiveError) -> Step {
    if window.has("<!--", at: position) { return try pass(from: position + 4, to: "-->") }
    if window.has("<![CDATA[", at: position) {
      position += 9
      isInCDATA = true
      return .passed
    }
    let isShort = window.count - position < 9 && !window.isComplete
    if isShort { return .needsMore }
    if window.has("<?", at: position) { return try stepAtInstruction() }
    if window.has("<!DOCTYPE", at: position), !hasRoot { return passDocumentType() }
    return try pass(from: position + 2, to: ">")
  }

  /// Passes over everything up to `end` and drops it meanwhile.
  private mutating func pass(from start: Int, to end: StaticString) throws(ArchiveError) -> Step {
    position = min(start, window.count)
    while true {
      if let found = window.firstPosition(of: end, from: position) {
        position = found + end.utf8CodeUnitCount
        return .passed
      }
      if window.isComplete {
        position = window.count
        endsInMarkup = true
        return .passed
      }
      window.fill(droppingBefore: max(position, window.count - end.utf8CodeUnitCount + 1))
      position = 0
    }
  }

  /// The length up to which the end of an XML declaration is waited for.
  private static let declarationByteCountMaximum = 1024

  private mutating func stepAtInstruction() throws(ArchiveError) -> Step {
    if !hasRoot, window.has("<?xml", at: position) {
      let end = window.firstPosition(of: "?>", from: position)
      let isShort = window.count - position < Self.declarationByteCountMaximum
      if end == nil, isShort, !window.isComplete { return .needsMore }
      if let end { try checkEncoding(position..<end) }
    }
    return try pass(from: position + 2, to: "?>")
  }

  /// Refuses a document that says of itself that it is in another encoding.
  private func checkEncoding(_ declaration: Range<Int>) throws(ArchiveError) {
    let text = String(decoding: window.bytes[declaration], as: UTF8.self)
    guard let match = text.firstMatch(of: #/encoding\s*=\s*["']([^"']*)/#) else { return }
    let name = match.1.uppercased()
    guard ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name) else {
      throw .unsupportedEncoding(String(match.1))
    }
  }
}
