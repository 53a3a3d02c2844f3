/// Sorts any number of records of one size in bounded memory: what doesn't fit is sorted in parts
/// that wait in a temporary file without a name.
///
/// Records are ordered by their bytes from the first on, as unsigned numbers; equal ones stay all.
package final class SpillSorter {
  package let recordByteCount: Int
  package private(set) var recordCount = 0
  private let folder: String
  private let memoryByteCountMaximum: Int
  private let capacity: Int
  private var buffer: RecordBuffer
  private var file: SpillFile?
  private var runs: [SpillRun] = []

  /// - Parameters:
  ///   - recordByteCount: the size of every record, in bytes, at least 1.
  ///   - memoryByteCountMaximum: what the sorter may hold in memory, in bytes.
  ///   - folder: where the temporary file is made; `TMPDIR` or `/tmp` if `nil`. It isn't made before
  ///     it is needed.
  package init(
    recordByteCount: Int, memoryByteCountMaximum: Int = 64 << 20, folder: String? = nil
  ) {
    precondition(recordByteCount > 0, "a record has at least one byte")
    self.recordByteCount = recordByteCount
    self.memoryByteCountMaximum = memoryByteCountMaximum
    self.folder = folder ?? SpillFile.defaultFolder
    capacity = max(1024, memoryByteCountMaximum / RecordBuffer.byteCount(ofRecord: recordByteCount))
    buffer = RecordBuffer(recordByteCount: recordByteCount)
  }

  /// Takes in one or more records of `recordByteCount` bytes, one behind the other.
  ///
  /// - Throws: `ArchiveError.system` if the temporary file can't be written.
  package func append(_ records: Span<UInt8>) throws(ArchiveError) {
    let count = records.count / recordByteCount
    precondition(records.count == count * recordByteCount, "every record has the same size")
    var done = 0
    while done < count {
      if buffer.count == capacity { try spill() }
      let part = min(count - done, capacity - buffer.count)
      buffer.append(records, first: done, count: part)
      done += part
    }
    recordCount += count
  }

  private func spill() throws(ArchiveError) {
    let file = try openFile()
    buffer.sort()
    runs.append(SpillRun(start: file.byteCount, recordCount: buffer.count))
    let blockRecordCount = max(1, (256 << 10) / recordByteCount)
    var block = [UInt8](repeating: 0, count: blockRecordCount * recordByteCount)
    var start = 0
    while start < buffer.count {
      let end = min(buffer.count, start + blockRecordCount)
      for position in start..<end {
        buffer.copyRecord(at: position, to: &block, from: (position - start) * recordByteCount)
      }
      try file.append(block, count: (end - start) * recordByteCount)
      start = end
    }
    buffer.removeAll()
  }

  private func openFile() throws(ArchiveError) -> SpillFile {
    if let file { return file }
    let file = try SpillFile(folder: folder)
    self.file = file
    return file
  }

  /// All records in ascending order; the sorter is empty afterwards.
  ///
  /// - Throws: `ArchiveError.system` if the temporary file can't be written or read.
  package func finish() throws(ArchiveError) -> SortedRecords {
    if !runs.isEmpty { try spill() }
    buffer.sort()
    var rest = RecordBuffer(recordByteCount: recordByteCount)
    swap(&rest, &buffer)
    let merge = try file.map { file throws(ArchiveError) in
      try SpillMerge(
        of: runs, in: file, recordByteCount: recordByteCount,
        memoryByteCountMaximum: memoryByteCountMaximum)
    }
    (file, runs, recordCount) = (nil, [], 0)
    return SortedRecords(buffer: rest, merge: merge)
  }
}
