import Archive

/// Records of a document as they stand there, taken apart and not yet understood.
struct AppleRecordBatch: Sendable {
  /// What a record is made of, in the order of the document.
  enum Part: Sendable {
    case record(XMLTagList.Tag)
    case metadata(XMLTagList.Tag)
    /// A series of single beats, behind that byte.
    case heartbeats(byteOffset: Int)
    /// The record is whole.
    case end
  }

  private(set) var tags = XMLTagList()
  private(set) var parts: [Part] = []

  private static let partCountMaximum = 4_000
  private static let byteCountMaximum = 1 << 20

  var isEmpty: Bool { parts.isEmpty }
  /// It holds as much as is decoded at once, or a little more.
  var isFull: Bool {
    parts.count >= Self.partCountMaximum || tags.byteCount >= Self.byteCountMaximum
  }

  mutating func removeAll() {
    tags.removeAll()
    parts.removeAll(keepingCapacity: true)
  }

  /// Begins with the record whose start the reader stands at.
  mutating func begin(_ xml: inout XMLReader) { parts.append(.record(tags.append(&xml))) }

  /// Reads to the record's end, or as far as there is room.
  ///
  /// - Parameter depth: how many elements are open, the record among them.
  /// - Returns: whether the record goes on: the batch is to be emptied first.
  mutating func readOn(_ xml: inout XMLReader, depth: inout Int) throws(ArchiveError) -> Bool {
    while let event = try xml.next() {
      switch event {
      case .text: continue
      case .end:
        depth -= 1
        guard depth == 0 else { continue }
        parts.append(.end)
        return false
      case .start:
        depth += 1
        if xml.isNamed("MetadataEntry") {
          parts.append(.metadata(tags.append(&xml)))
        } else if xml.isNamed("HeartRateVariabilityMetadataList") {
          parts.append(.heartbeats(byteOffset: xml.byteOffset))
        }
        if isFull { return true }
      }
    }
    // What was cut off in the middle of itself is not whole.
    return false
  }
}
