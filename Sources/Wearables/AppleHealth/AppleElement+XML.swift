import Archive

extension AppleElement {
  /// The element whose start the reader stands at, without what stands in it.
  init(_ xml: borrowing XMLReader) {
    name = String(copying: xml.name)
    for position in 0..<xml.attributeCount {
      let name = String(copying: xml.attributeName(at: position))
      if attributes[name] == nil {
        attributes[name] = String(copying: xml.attributeValue(at: position))
      }
    }
  }
}

extension XMLReader {
  /// The value of the first attribute with that name.
  func attributeText(_ name: StaticString) -> String? {
    position(of: name).map { String(copying: attributeValue(at: $0)) }
  }
}

extension String {
  init(copying span: Span<UInt8>) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(span.count)
    for position in span.indices { bytes.append(span[position]) }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
