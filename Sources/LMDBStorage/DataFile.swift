import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// LMDB's data file, read page by page.
///
/// It begins with two heads, of which a commit writes the one that its number says: behind a page's own
/// head a magic number (4), a version (4), an address (8), the map's size (8), the records of the tree of
/// free pages and of that of tables, the last page (8) and the commit (8). The first record's width is
/// the size of a page.
///
/// - SeeAlso: `mdb.c` of LMDB 0.9, `MDB_meta`.
final class DataFile {
  static let headCount: UInt64 = 2

  /// What a commit left at the beginning of the file.
  struct Head {
    let commit: UInt64
    let lastPage: UInt64
    let freePages: TreeRecord
    let tables: TreeRecord
  }

  private let path: String
  private let descriptor: Int32
  let pageByteCount: Int
  /// How many whole pages the file has.
  let pageCount: UInt64

  /// - Throws: `StorageError.system` if it can't be read, `PageCheck.Fault` if it begins with no page.
  init(_ path: String) throws {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError.system("open \(path)") }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw StorageError.system("stat \(path)") }
    let beginning = try Self.read(Head.end, at: 0, descriptor, path)
    guard beginning.count == Head.end else {
      throw PageCheck.Fault(page: 0, reason: "the file has \(beginning.count) bytes")
    }
    pageByteCount = Head.tree(0, in: beginning).width
    guard 512...32768 ~= pageByteCount, pageByteCount.nonzeroBitCount == 1 else {
      throw PageCheck.Fault(page: 0, reason: "\(pageByteCount) is no size of a page")
    }
    pageCount = UInt64(Int(status.st_size) / pageByteCount)
  }

  deinit { close(descriptor) }

  /// The bytes of a page within the file.
  ///
  /// - Throws: as `init`, if the file has become shorter.
  func page(_ number: UInt64) throws -> [UInt8] {
    let bytes = try Self.read(pageByteCount, at: Int(number) * pageByteCount, descriptor, path)
    guard bytes.count == pageByteCount else {
      throw PageCheck.Fault(page: number, reason: "the file ends within it")
    }
    return bytes
  }

  /// Both heads. LMDB takes the later one.
  ///
  /// - Throws: `PageCheck.Fault` for one that LMDB can't be shown.
  func heads() throws -> [Head] {
    guard pageCount >= Self.headCount else {
      throw PageCheck.Fault(page: pageCount, reason: "it is not in the file")
    }
    return try (0..<Self.headCount).map { number in
      let bytes = try page(number)
      let head = Head(bytes)
      if let reason = head.fault(on: number, bytes, in: self) {
        throw PageCheck.Fault(page: number, reason: reason)
      }
      return head
    }
  }

  private static func read(
    _ count: Int, at offset: Int, _ descriptor: Int32, _ path: String
  ) throws -> [UInt8] {
    var failure: StorageError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled,
          off_t(offset + filled))
        if got < 0 {
          if errno == EINTR { continue }
          failure = StorageError.system("read \(path)")
        }
        guard got > 0 else { return }
        filled += got
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

extension DataFile.Head {
  private static let start = DataPage.headByteCount
  /// Where a head ends.
  static let end = start + 24 + 2 * TreeRecord.byteCount + 16
  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let version: UInt32 = 1

  static func tree(_ position: Int, in bytes: [UInt8]) -> TreeRecord {
    let start = start + 24 + position * TreeRecord.byteCount
    return TreeRecord(bytes[start..<start + TreeRecord.byteCount])
  }

  fileprivate init(_ bytes: [UInt8]) {
    commit = DataPage(bytes: bytes[...]).integer(at: Self.end - 8)
    lastPage = DataPage(bytes: bytes[...]).integer(at: Self.end - 16)
    freePages = Self.tree(0, in: bytes)
    tables = Self.tree(1, in: bytes)
  }

  fileprivate func fault(on number: UInt64, _ bytes: [UInt8], in file: DataFile) -> String? {
    let page = DataPage(bytes: bytes[...])
    let start = Self.start
    guard page.flags == .meta, page.integer(at: start) == Self.magic,
      page.integer(at: start + 4) == Self.version
    else { return "it is no head of LMDB's file" }
    guard freePages.width == file.pageByteCount, commit < 1 << 48,
      commit == 0 || commit % DataFile.headCount == number
    else { return "it is not the head of a commit" }
    // A map at a fixed address (MDB_FIXEDMAP) is none of ours.
    guard freePages.flags.rawValue & 1 == 0 else { return "it wants its map at an address" }
    let mapByteCount: UInt64 = page.integer(at: start + 16)
    let pages = mapByteCount / UInt64(file.pageByteCount)
    guard lastPage > 0, lastPage < pages, mapByteCount < 1 << 47 else {
      return "its last page \(lastPage) lies beyond the map of \(mapByteCount) bytes"
    }
    for tree in [freePages, tables] where tree.root != TreeRecord.noRoot {
      guard tree.root >= DataFile.headCount, tree.root <= lastPage else {
        return "it leads to page \(tree.root) of \(lastPage)"
      }
    }
    return nil
  }
}
