extension XMLReader {
  /// The next event; `nil` at the document's end and ever after.
  ///
  /// - Throws: `ArchiveError` if the source fails, other than by being truncated or damaged, once
  ///   everything complete before it was given; `.malformed` if elements are nested too deep;
  ///   `.unsupportedEncoding`.
  package mutating func next() throws(ArchiveError) -> XMLEvent? {
    if closeEvent() { return .end }
    while true {
      let step =
        isInCDATA
        ? stepInCDATA() : position < window.count ? try stepInContent() : Step.needsMore
      switch step {
      case .event(let event): return event
      case .passed: continue
      case .needsMore:
        if window.isComplete { return try finish() }
        try fill()
      }
    }
  }

  enum Step {
    case event(XMLEvent)
    /// Something that gives no event was passed.
    case passed
    /// It can't be told yet what follows.
    case needsMore
  }

  /// Leaves what the last event named, and tells whether the end of an empty element is due.
  private mutating func closeEvent() -> Bool {
    tag.forget()
    switch place {
    case .start(isEmpty: true):
      place = .emptyEnd
      return true
    case .end: nesting.pop()
    default: break
    }
    place = .none
    return false
  }

  private mutating func fill() throws(ArchiveError) {
    let isFirst = !hasRoot && window.byteCountRead == 0
    if isFirst { try window.checkEncoding() }
    window.fill(droppingBefore: position)
    position = isFirst && window.has("\u{feff}", at: 0) ? 3 : 0
  }

  private mutating func finish() throws(ArchiveError) -> XMLEvent? {
    endsInMarkup = endsInMarkup || position < window.count || isInCDATA
    position = window.count
    isFinished = true
    switch window.failure {
    case nil, .truncated, .corrupt: return nil
    case .some(let failure): throw failure
    }
  }

  /// Reads what follows at `position`, where there is at least one byte.
  private mutating func stepInContent() throws(ArchiveError) -> Step {
    if window[position] != UInt8(ascii: "<") { return stepInText() }
    guard position + 1 < window.count else { return .needsMore }
    switch window[position + 1] {
    case UInt8(ascii: "/"): return stepAtEndTag()
    case UInt8(ascii: "!"), UInt8(ascii: "?"): return try stepAtDeclaration()
    case ...0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="):
      return passStray(to: position + 1)
    default: return try stepAtStartTag()
    }
  }

  /// Passes over what is no markup, up to `end`.
  private mutating func passStray(to end: Int) -> Step {
    ownFaultCount += 1
    position = end
    return .passed
  }

  private mutating func stepAtStartTag() throws(ArchiveError) -> Step {
    switch tag.scan(window, from: position + 1) {
    case .incomplete:
      return window.count - position > Self.tagByteCountMaximum
        ? passStray(to: position + 1) : .needsMore
    case .malformed(let resume): return passStray(to: resume)
    case .complete(let end):
      position = end
      hasRoot = true
      place = .start(isEmpty: tag.isEmpty)
      if !tag.isEmpty { try open() }
      return .event(.start)
    }
  }

  private mutating func open() throws(ArchiveError) {
    guard nesting.count < Self.depthMaximum else {
      throw .malformed(
        offset: byteOffset, reason: "elements are nested more than \(Self.depthMaximum) deep")
    }
    nesting.push(window, tag.name)
  }

  /// An end that isn't the innermost element's ends that one first and is read again.
  private mutating func stepAtEndTag() -> Step {
    let start = position + 2
    let nameEnd = window.nameEnd(from: start)
    let close = window.first(UInt8(ascii: ">"), from: nameEnd, to: window.count)
    let open = window.first(UInt8(ascii: "<"), from: nameEnd, to: close)
    if open < close { return passStray(to: open) }
    guard close < window.count else {
      return window.count - position > Self.tagByteCountMaximum ? passStray(to: start) : .needsMore
    }
    guard let depth = nesting.depth(of: start..<nameEnd, in: window) else {
      return passStray(to: close + 1)
    }
    if depth == 0 { position = close + 1 } else { ownFaultCount += 1 }
    place = .end
    return .event(.end)
  }
}
