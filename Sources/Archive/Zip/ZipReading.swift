import CArchive

/// One pass of libarchive over a zip archive.
@safe final class ZipReading {
  private let handle: OpaquePointer
  private let path: String
  private let byteCount: Int
  private let limits: ArchiveLimits
  private let names = NameLocale()
  private var entryCount = 0
  /// With those that were passed over again after damage.
  private var headerCount = 0
  private var unpackedByteCount = 0
  /// libarchive gives nothing more after what it failed at.
  private(set) var isBroken = false
  /// The entry that is open: a source that outlives its visit must not read the next one's bytes.
  private var current: ArchiveEntry?

  init(path: String, byteCount: Int, limits: ArchiveLimits) throws(ArchiveError) {
    guard let handle = unsafe archive_read_new() else {
      throw .system(call: "archive_read_new", path: path, reason: "out of memory")
    }
    unsafe self.handle = unsafe handle
    self.path = path
    self.byteCount = byteCount
    self.limits = limits
    unsafe archive_read_support_format_zip(handle)
    guard unsafe archive_read_open_filename(handle, path, 256 * 1024) == ARCHIVE_OK else {
      throw .notAnArchive(path: path, reason: reason)
    }
  }

  /// Goes on behind the entry at which another pass broke.
  convenience init(behind other: ZipReading) throws(ArchiveError) {
    try self.init(path: other.path, byteCount: other.byteCount, limits: other.limits)
    headerCount = other.headerCount
    unpackedByteCount = other.unpackedByteCount
    while entryCount < other.entryCount, unsafe try nextHeader() != nil { try countEntry() }
  }

  deinit { unsafe archive_read_free(handle) }

  /// The next file; folders and links are passed over. `nil` at the archive's end.
  func nextEntry() throws(ArchiveError) -> ArchiveEntry? {
    current = nil
    while let header = unsafe try nextHeader() {
      try countEntry()
      // AE_IFREG of archive_entry.h, a cast that Swift doesn't import.
      guard unsafe archive_entry_filetype(header) == 0o100000 else { continue }
      current = unsafe ArchiveEntry(name: name(of: header), byteCount: size(of: header))
      return current
    }
    return nil
  }

  private func countEntry() throws(ArchiveError) {
    entryCount += 1
    headerCount += 1
    guard headerCount <= limits.entryCountMaximum else {
      throw .tooManyEntries(maximum: limits.entryCountMaximum)
    }
  }

  private func nextHeader() throws(ArchiveError) -> OpaquePointer? {
    var header: OpaquePointer?
    let status = names.using { unsafe archive_read_next_header(handle, &header) }
    switch status {
    case ARCHIVE_EOF: return nil
    // A warning is a name that has no right encoding.
    case ARCHIVE_OK, ARCHIVE_WARN: return unsafe header
    default:
      if entryCount > 0 { throw .truncated(entry: nil) }
      throw .notAnArchive(path: path, reason: reason)
    }
  }

  private func name(of header: OpaquePointer) -> String {
    let text = unsafe names.using { unsafe archive_entry_pathname(header) }
    guard let text = unsafe text else { return "entry \(entryCount)" }
    return unsafe String(cString: text)
  }

  private func size(of header: OpaquePointer) -> Int? {
    guard unsafe archive_entry_size_is_set(header) != 0 else { return nil }
    let size = unsafe Int(archive_entry_size(header))
    return size >= 0 ? size : nil
  }

  /// The next bytes of the entry that is open; `nil` at its end.
  func nextBytes(of entry: ArchiveEntry) throws(ArchiveError) -> [UInt8]? {
    precondition(entry == current, "an entry is read only while it is visited")
    // By blocks, since `archive_read_data` loses what it had read when it fails.
    var block: UnsafeRawPointer?
    var count = 0
    var offset: la_int64_t = 0
    repeat {
      let status = unsafe archive_read_data_block(handle, &block, &count, &offset)
      if status == ARCHIVE_EOF { return nil }
      guard status == ARCHIVE_OK else {
        isBroken = status == ARCHIVE_FATAL
        throw failure(reading: entry.name)
      }
    } while count == 0
    try self.count(count, of: entry)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: block, count: count))
  }

  private func count(_ count: Int, of entry: ArchiveEntry) throws(ArchiveError) {
    unpackedByteCount += count
    guard unpackedByteCount <= limits.byteCountMaximum else {
      throw .tooLarge(byteCountMaximum: limits.byteCountMaximum)
    }
    let allowed = max(limits.byteCountAllowance, byteCount * limits.ratioMaximum)
    guard unpackedByteCount <= allowed else {
      throw .tooDense(entry: entry.name, ratioMaximum: limits.ratioMaximum)
    }
  }

  private func failure(reading name: String) -> ArchiveError {
    if unsafe archive_read_has_encrypted_entries(handle) > 0 { return .encrypted(entry: name) }
    // At the end of the file, what is wrong with an entry is that the rest of it is missing.
    let consumed = unsafe Int(archive_filter_bytes(handle, -1))
    if consumed >= byteCount { return .truncated(entry: name) }
    return .corrupt(entry: name, reason: reason)
  }

  private var reason: String {
    guard let text = unsafe archive_error_string(handle) else { return "unknown reason" }
    // Some of its sentences end with a line break.
    return unsafe String(cString: text).split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
