import Archive
import FHIRModel

/// Reads an export's document on two threads: one takes it apart, the other decodes the records
/// before, of which the first only finds the ends, and adds them to the days.
///
/// Records are decoded in their order, a batch at a time, and when anything else comes those before it
/// are decoded first: what is made of a document doesn't depend on which thread is faster.
struct AppleDocumentReader {
  private struct Decoder {
    var reading: AppleHealthReading
    var batch: AppleRecordBatch

    mutating func run() throws {
      try reading.decode(batch)
      batch.removeAll()
    }
  }

  private let decoder: BackgroundState<Decoder>
  /// What is being read while the decoder's is decoded.
  private var batch: AppleRecordBatch
  private var patterns = AppleRecordPatterns()

  private static let recordsBetweenSteps = 2_000

  init(_ reading: AppleHealthReading) {
    batch = AppleRecordBatch(keepsHeartbeats: reading.options.keepsHeartbeats)
    decoder = BackgroundState(
      Decoder(reading: reading, batch: batch), label: "kiln.import.decoding")
  }

  /// Reads the document to its end, or as far as it is whole.
  ///
  /// - Parameter step: called now and then, and whenever much is pending, while nothing is decoded.
  /// - Throws: `ArchiveError`; what the sorter and `step` throw.
  mutating func read(
    _ xml: inout XMLReader, step: (inout AppleHealthReading, ImportProgress) throws -> Void
  ) throws {
    var reason: String?
    do {
      try readElements(&xml, step: step)
    } catch ArchiveError.malformed(_, let words) {
      reason = words
    }
    try settle()
    decoder.withState { $0.reading.note(endOf: xml, stoppedBy: reason) }
  }

  @inline(never)
  private mutating func readElements(
    _ xml: inout XMLReader, step: (inout AppleHealthReading, ImportProgress) throws -> Void
  ) throws {
    var due = Self.recordsBetweenSteps
    func handOver(
      _ reader: inout AppleDocumentReader, _ xml: borrowing XMLReader
    ) throws {
      try reader.decoder.finish()
      let (byteCount, total) = xml.progress
      due = try reader.decoder.withState {
        let records = $0.reading.report.recordsRead
        let progress = ImportProgress(
          records: records, byteCount: byteCount, byteCountTotal: total, resources: 0)
        try step(&$0.reading, progress)
        return records + Self.recordsBetweenSteps
      }
      if !reader.batch.isEmpty { reader.begin() }
    }
    while true {
      batch.takeRepeated(&xml, of: &patterns)
      if batch.isFull {
        try handOver(&self, xml)
        continue
      }
      let mark = xml.mark
      guard let event = try xml.next() else { break }
      guard case .start = event else { continue }
      if try xml.isNamed("Record") && !readRecord(&xml, since: mark) {
        if batch.isFull { try handOver(&self, xml) }
      } else {
        try settle()
        let isDue = try decoder.withState {
          try $0.reading.readElement(&xml)
          return $0.reading.report.recordsRead >= due || $0.reading.isMuchPending
        }
        if isDue { try handOver(&self, xml) }
      }
    }
  }

  /// Waits for what is under way.
  ///
  /// - Returns: what was read.
  func finish() -> AppleHealthReading {
    try? decoder.finish()
    return decoder.withState { $0.reading }
  }

  /// Reads a record, and learns it if it is of a form that others may repeat.
  ///
  /// - Parameter mark: where what stood before it ended.
  /// - Returns: whether the reader stands at the start of something else by now.
  private mutating func readRecord(
    _ xml: inout XMLReader, since mark: XMLReader.Mark
  ) throws -> Bool {
    let (first, faultCount) = (batch.parts.count, xml.faultCount)
    var isInOneBatch = true
    batch.begin(&xml)
    var depth = 1
    while true {
      switch try batch.readOn(&xml, depth: &depth) {
      case .over:
        if isInOneBatch, xml.faultCount == faultCount, let text = xml.text(since: mark) {
          batch.learn(text, partsFrom: first, by: &patterns)
        }
        return false
      case .interrupted: return true
      case .full:
        isInOneBatch = false
        try decoder.finish()
        begin()
      }
    }
  }

  /// Has the batch decoded while the next is read.
  private mutating func begin() {
    decoder.withState { swap(&batch, &$0.batch) }
    decoder.begin { try $0.run() }
  }

  /// Decodes all that was read.
  private mutating func settle() throws {
    try decoder.finish()
    guard !batch.isEmpty else { return }
    try decoder.withState {
      swap(&batch, &$0.batch)
      try $0.run()
    }
  }
}
