extension FHIRDateTime {
  /// Reads the whole text.
  ///
  /// - Throws: `FHIRDateTimeError` with the place or the reason.
  package init(_ text: some StringProtocol, as form: Form = .dateTime) throws(FHIRDateTimeError) {
    let bytes = Array(text.utf8)
    try self.init(bytes.span, as: form)
  }

  /// Reads the whole UTF-8 text.
  ///
  /// - Throws: `FHIRDateTimeError` with the place or the reason.
  package init(_ text: Span<UInt8>, as form: Form = .dateTime) throws(FHIRDateTimeError) {
    var scanner = DateScanner(position: 0)
    let year = try scanner.number(4, in: text)
    let month = try scanner.skip("-", in: text) ? scanner.number(2, in: text) : nil
    let dayOfMonth =
      try month != nil && scanner.skip("-", in: text) ? scanner.number(2, in: text) : nil
    guard let day = CivilDay(year: year, month: month ?? 1, day: dayOfMonth ?? 1) else {
      throw .impossible
    }
    if form != .date, dayOfMonth != nil, scanner.skip("T", in: text) {
      try self.init(timeOf: day, as: form, &scanner, in: text)
    } else {
      guard scanner.isAtEnd(of: text), form != .instant else { throw scanner.unexpected }
      let precision: Precision = dayOfMonth != nil ? .day : month != nil ? .month : .year
      self.init(precision: precision, offset: nil, day: day, ticksOfDay: 0)
    }
  }

  /// Reads what stands after the `T`.
  private init(
    timeOf day: CivilDay, as form: Form, _ scanner: inout DateScanner, in text: Span<UInt8>
  ) throws(FHIRDateTimeError) {
    let hour = try scanner.number(2, in: text)
    guard scanner.skip(":", in: text) else { throw scanner.unexpected }
    let minute = try scanner.number(2, in: text)
    var precision = Precision.minute
    var second = 0
    var fraction: Int64 = 0
    if scanner.skip(":", in: text) {
      second = try scanner.number(2, in: text)
      precision = .second
      if scanner.skip(".", in: text) {
        let digits: Int
        (fraction, digits) = try scanner.fraction(in: text)
        precision = .fraction(digits: digits)
      }
    } else if form != .search {
      throw scanner.unexpected
    }
    let offset = try scanner.offset(form: form, in: text)
    guard scanner.isAtEnd(of: text) else { throw scanner.unexpected }
    guard offset != nil || form == .search else { throw .missingOffset }
    // R4's dateTime takes 60 for a leap second.
    guard hour < 24, minute < 60, second <= 60 else { throw .impossible }
    let seconds = Int64(hour * 3600 + minute * 60 + second)
    self.init(
      precision: precision, offset: offset, day: day,
      ticksOfDay: seconds * Instant.ticksPerSecond + fraction)
  }
}

/// A place in the text of a date.
struct DateScanner {
  var position: Int

  var unexpected: FHIRDateTimeError { .malformed(offset: position) }

  func isAtEnd(of text: Span<UInt8>) -> Bool { position == text.count }

  func peek(in text: Span<UInt8>) -> UInt8? { position < text.count ? text[position] : nil }

  /// Steps over the character if it is the next.
  mutating func skip(_ character: Unicode.Scalar, in text: Span<UInt8>) -> Bool {
    guard peek(in: text) == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func digit(in text: Span<UInt8>) -> Int? {
    guard let byte = peek(in: text), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else {
      return nil
    }
    position += 1
    return Int(byte - UInt8(ascii: "0"))
  }

  /// Exactly so many digits.
  mutating func number(
    _ digits: Int, in text: Span<UInt8>
  ) throws(FHIRDateTimeError) -> Int {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit(in: text) else { throw unexpected }
      number = number * 10 + digit
    }
    return number
  }

  /// One or more digits of a second, in ticks; digits beyond a tick are cut off.
  mutating func fraction(
    in text: Span<UInt8>
  ) throws(FHIRDateTimeError) -> (ticks: Int64, digits: Int) {
    var ticks: Int64 = 0
    var digits = 0
    while let digit = digit(in: text) {
      digits += 1
      if digits <= 7 { ticks += Int64(digit) * FHIRDateTime.ticks(ofFractionDigit: digits) }
    }
    guard digits > 0 else { throw unexpected }
    return (ticks, digits)
  }

  /// `Z`, `+hh:mm` or `-hh:mm`; `nil` if there is none.
  mutating func offset(
    form: FHIRDateTime.Form, in text: Span<UInt8>
  ) throws(FHIRDateTimeError) -> UTCOffset? {
    if skip("Z", in: text) { return .utc }
    let isWest = skip("-", in: text)
    guard isWest || skip("+", in: text) || (form == .search && skip(" ", in: text)) else {
      return nil
    }
    let hours = try number(2, in: text)
    guard skip(":", in: text) else { throw unexpected }
    let minutes = try number(2, in: text)
    guard minutes < 60, let offset = UTCOffset(minutes: hours * 60 + minutes) else {
      throw .impossible
    }
    return isWest ? UTCOffset(minutes: -offset.minutes) : offset
  }
}
