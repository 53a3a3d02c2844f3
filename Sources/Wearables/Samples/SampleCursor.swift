/// A place in a kept chunk's bytes. Every read checks that the bytes are there, and gives `nil` if not.
struct SampleCursor {
  private(set) var position = 0

  mutating func byte(in bytes: Span<UInt8>) -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func varint(in bytes: Span<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let next = byte(in: bytes) else { return nil }
      let group = UInt64(next & 0x7F)
      guard shift < 63 || group < 2 else { return nil }
      number |= group << shift
      if next & 0x80 == 0 { return number }
    }
    return nil
  }

  /// A count and so many things, of which each takes a byte at least.
  mutating func list<Element>(
    in bytes: Span<UInt8>, _ element: (inout SampleCursor, Span<UInt8>) -> Element?
  ) -> [Element]? {
    guard let count = varint(in: bytes), count <= UInt64(bytes.count - position) else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let next = element(&self, bytes) else { return nil }
      elements.append(next)
    }
    return elements
  }

  mutating func text(in bytes: Span<UInt8>) -> String? {
    guard let count = varint(in: bytes), count <= UInt64(bytes.count - position) else { return nil }
    let end = position + Int(count)
    var text: [UInt8] = []
    while position < end {
      text.append(bytes[position])
      position += 1
    }
    return String(validating: text, as: UTF8.self)
  }

  mutating func source(in bytes: Span<UInt8>) -> Source? {
    guard let kind = byte(in: bytes).flatMap(Source.Kind.init), let name = text(in: bytes),
      let identifier = text(in: bytes)
    else { return nil }
    return Source(name: name, identifier: identifier.isEmpty ? nil : identifier, kind: kind)
  }

  mutating func row(in bytes: Span<UInt8>, after before: Int64, tick: Int64) -> SampleChunk.Row? {
    guard let start = time(in: bytes, tick).flatMap({ sum(before, $0) }),
      let end = time(in: bytes, tick).flatMap({ sum(start, $0) }),
      let source = varint(in: bytes).flatMap({ Int(exactly: $0) }),
      let zone = varint(in: bytes).flatMap({ Int(exactly: $0) }),
      let modified = varint(in: bytes).flatMap({ moment($0, after: end, tick) }),
      let value = number(in: bytes)
    else { return nil }
    return SampleChunk.Row(
      start: start, end: end, modified: modified, value: value, source: source >> 1, zone: zone,
      isManual: source & 1 == 1)
  }

  private mutating func time(in bytes: Span<UInt8>, _ tick: Int64) -> Int64? {
    varint(in: bytes).flatMap { Int64(exactly: $0) }.flatMap { product($0, tick) }
  }

  private func moment(_ told: UInt64, after end: Int64, _ tick: Int64) -> Int64? {
    if told == 0 { return 0 }
    return product(Self.unzigzag(told - 1), tick).flatMap { sum(end, $0) }
  }

  private mutating func number(in bytes: Span<UInt8>) -> Double? {
    guard let head = varint(in: bytes) else { return nil }
    guard head & 7 == 7 else {
      var scale = 1.0
      for _ in 0..<(head & 7) { scale *= 10 }
      return Double(Self.unzigzag(head >> 3)) / scale
    }
    var bits: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      guard let next = byte(in: bytes) else { return nil }
      bits |= UInt64(next) << shift
    }
    return Double(bitPattern: bits)
  }

  private func sum(_ one: Int64, _ other: Int64) -> Int64? {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? nil : sum
  }

  private func product(_ one: Int64, _ other: Int64) -> Int64? {
    let (product, overflow) = one.multipliedReportingOverflow(by: other)
    return overflow ? nil : product
  }

  private static func unzigzag(_ number: UInt64) -> Int64 {
    Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }
}
