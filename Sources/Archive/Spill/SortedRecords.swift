/// The records of a sorter in ascending order, once.
///
///     while try records.advance() { use(records.record) }
package struct SortedRecords: ~Copyable {
  /// Everything, if nothing had to wait in a file.
  private let buffer: RecordBuffer
  private var merge: SpillMerge?
  private var position = -1
  private var current: [UInt8]

  init(buffer: consuming RecordBuffer, merge: SpillMerge?) {
    current = [UInt8](repeating: 0, count: buffer.recordByteCount)
    self.buffer = buffer
    self.merge = merge
  }

  /// Goes to the next record; `false` if there is none.
  ///
  /// - Throws: `ArchiveError.system` if the temporary file can't be read.
  package mutating func advance() throws(ArchiveError) -> Bool {
    if merge != nil { return try merge?.next(into: &current) ?? false }
    guard position + 1 < buffer.count else { return false }
    position += 1
    buffer.copyRecord(at: position, to: &current, from: 0)
    return true
  }

  /// The record that `advance()` went to.
  package var record: Span<UInt8> {
    @_lifetime(borrow self)
    get { current.span }
  }
}
