import Archive

/// Records of a document as they stand there, taken apart and not yet understood.
struct AppleRecordBatch: Sendable {
  /// What a record is made of, in the order of the document.
  enum Part: Sendable {
    case record(XMLTagList.Tag)
    case metadata(XMLTagList.Tag)
    /// A series of single beats, behind that byte.
    case heartbeats(byteOffset: Int)
    /// One of them; only where they are kept.
    case heartbeat(XMLTagList.Tag)
    /// The record is whole.
    case end
    /// The record that ended is one that others may repeat: they are known by the slot.
    case pattern(slot: Int)
    /// A record that repeats that one.
    case repeated(AppleRecordPatterns.Repeated)
  }

  /// Whether single beats are parts.
  let keepsHeartbeats: Bool
  private(set) var tags = XMLTagList()
  private(set) var parts: [Part] = []

  private static let partCountMaximum = 16_000
  private static let byteCountMaximum = 1 << 20

  init(keepsHeartbeats: Bool) { self.keepsHeartbeats = keepsHeartbeats }

  var isEmpty: Bool { parts.isEmpty }
  /// It holds as much as is decoded at once, or a little more.
  var isFull: Bool {
    parts.count >= Self.partCountMaximum || tags.byteCount >= Self.byteCountMaximum
  }

  mutating func removeAll() {
    tags.removeAll()
    parts.removeAll(keepingCapacity: true)
  }

  /// Takes the next records as long as they repeat others, until it is full.
  mutating func takeRepeated(
    _ xml: inout XMLReader, of patterns: inout AppleRecordPatterns
  ) {
    patterns.passAll(&xml) { record in
      parts.append(.repeated(record))
      return !isFull
    }
  }

  /// Has the record that is whole since `first` learned, if it is of a form that others may repeat.
  mutating func learn(
    _ text: Span<UInt8>, partsFrom first: Int, by patterns: inout AppleRecordPatterns
  ) {
    guard isOneRecord(parts[first...]), let slot = patterns.learn(text) else { return }
    parts.append(.pattern(slot: slot))
  }

  private func isOneRecord(_ parts: ArraySlice<Part>) -> Bool {
    guard case .record? = parts.first, case .end? = parts.last else { return false }
    return parts.dropFirst().dropLast().allSatisfy {
      if case .metadata = $0 { true } else { false }
    }
  }

  /// Begins with the record whose start the reader stands at.
  mutating func begin(_ xml: inout XMLReader) { parts.append(.record(tags.append(&xml))) }

  /// Why reading on has stopped.
  enum Stop {
    /// The record is over, or was cut off.
    case over
    /// The record goes on: the batch is to be emptied first.
    case full
    /// The record's end is missing: the reader stands at the start of what is in no record.
    case interrupted
  }

  /// Reads to the record's end, or as far as there is room. Where its end is missing, another record
  /// is the next.
  ///
  /// - Parameter depth: how many elements are open, the record among them.
  mutating func readOn(_ xml: inout XMLReader, depth: inout Int) throws(ArchiveError) -> Stop {
    while let event = try xml.next() {
      switch event {
      case .text: continue
      case .end:
        depth -= 1
        guard depth == 0 else { continue }
        parts.append(.end)
        return .over
      case .start:
        depth += 1
        if xml.isNamed("MetadataEntry") {
          parts.append(.metadata(tags.append(&xml)))
        } else if xml.isNamed("HeartRateVariabilityMetadataList") {
          parts.append(.heartbeats(byteOffset: xml.byteOffset))
        } else if keepsHeartbeats, xml.isNamed("InstantaneousBeatsPerMinute") {
          parts.append(.heartbeat(tags.append(&xml)))
        } else if xml.isNamed("Record") {
          parts.append(.end)
          begin(&xml)
          depth = 1
        } else if xml.isAtPartOfExport {
          parts.append(.end)
          return .interrupted
        }
        if isFull { return .full }
      }
    }
    // What was cut off in the middle of itself is not whole.
    return .over
  }
}

extension XMLReader {
  /// Whether it stands at an element that is in no other than the export itself, beside records.
  var isAtPartOfExport: Bool {
    isNamed("Workout") || isNamed("Correlation") || isNamed("ActivitySummary")
      || isNamed("ClinicalRecord") || isNamed("Audiogram") || isNamed("VisionPrescription")
  }
}
