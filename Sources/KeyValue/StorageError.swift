/// Why an engine could not do what it was asked.
package enum StorageError: Error, Equatable, Sendable {
  /// The change doesn't fit into the map or onto the disk; everything committed stays readable.
  case full
  /// A key of this many bytes; 1…511 are allowed.
  case keyByteCount(Int)
  /// More readers at once than the environment has places for.
  case tooManyReaders
  /// Another process wrote the store with a format that this program doesn't know.
  case unknownFormat(String)
  /// The engine was closed while the call waited.
  case closed
  /// The C library or the system failed: the call that failed, its code, its words.
  case system(call: String, code: Int32, reason: String)
}
