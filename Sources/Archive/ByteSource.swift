/// Bytes that are pulled a chunk at a time: of a file, of an entry of an archive, of memory.
package struct ByteSource {
  /// How many bytes there will be, where that is known beforehand: a file's size, or what an
  /// archive says of its entry and may have wrong.
  package let byteCount: Int?
  /// How many bytes were handed out.
  package private(set) var byteCountRead = 0
  /// What was looked at and not yet handed out.
  private var peeked: Chunk?
  private let pull: () throws(ArchiveError) -> Chunk?

  /// Bytes that are handed out together.
  struct Chunk {
    var bytes: [UInt8]
    /// They are known to be whole characters of XML, so that nothing has to be repaired.
    var isText = false
  }

  /// - Parameter pull: gives the next bytes, at least one, and `nil` at the end and ever after.
  package init(byteCount: Int?, pull: @escaping () throws(ArchiveError) -> [UInt8]?) {
    self.init(
      byteCount: byteCount,
      pullChunk: { () throws(ArchiveError) in
        guard let bytes = try pull() else { return nil }
        return Chunk(bytes: bytes)
      })
  }

  init(byteCount: Int?, pullChunk pull: @escaping () throws(ArchiveError) -> Chunk?) {
    self.byteCount = byteCount
    self.pull = pull
  }

  /// The bytes of an array, handed out `chunkByteCount` at a time.
  package init(_ bytes: [UInt8], chunkByteCount: Int = 256 * 1024) {
    var rest = bytes[...]
    self.init(byteCount: bytes.count) { () throws(ArchiveError) in
      guard !rest.isEmpty else { return nil }
      let chunk = Array(rest.prefix(chunkByteCount))
      rest = rest.dropFirst(chunkByteCount)
      return chunk
    }
  }

  /// The next bytes, at least one; `nil` at the end.
  package mutating func next() throws(ArchiveError) -> [UInt8]? { try nextChunk()?.bytes }

  /// The same with what is known of them.
  mutating func nextChunk() throws(ArchiveError) -> Chunk? {
    let chunk: Chunk?
    if let peeked {
      chunk = peeked
      self.peeked = nil
    } else {
      chunk = try pull()
    }
    byteCountRead += chunk?.bytes.count ?? 0
    return chunk
  }

  /// The first bytes of what is still to come, `count` of them or all there are, without taking
  /// them.
  package mutating func peek(_ count: Int) throws(ArchiveError) -> [UInt8] {
    while (peeked?.bytes.count ?? 0) < count, let chunk = try pull() {
      guard let before = peeked else {
        peeked = chunk
        continue
      }
      peeked = Chunk(
        bytes: before.bytes + chunk.bytes, isText: before.isText && chunk.isText)
    }
    return Array((peeked?.bytes ?? []).prefix(count))
  }
}
