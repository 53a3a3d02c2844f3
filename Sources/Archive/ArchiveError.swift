/// Why a file could not be read as what it should be. `description` says it to a person.
package enum ArchiveError: Error, Equatable, Sendable {
  /// The system failed: the call, what it was about, its words.
  case system(call: String, path: String, reason: String)
  /// There is no room on the disk to write it.
  case full(path: String)
  /// The file holds no byte at all.
  case empty(path: String)
  /// The file begins like a zip archive but no entry of it can be read.
  case notAnArchive(path: String, reason: String)
  /// The archive ends before `entry` does, or, where `entry` is `nil`, between two of them.
  case truncated(entry: String?)
  /// The entry's bytes are not what the archive says they are.
  case corrupt(entry: String, reason: String)
  /// The entry can't be read without a password.
  case encrypted(entry: String)
  /// More entries than the limit.
  case tooManyEntries(maximum: Int)
  /// The archive unpacks to more bytes than the limit.
  case tooLarge(byteCountMaximum: Int)
  /// The archive unpacks to more than that many times its own size.
  case tooDense(entry: String, ratioMaximum: Int)
  /// A document that isn't UTF-8, by its own word or its first bytes.
  case unsupportedEncoding(String)
  /// Markup that can't be skipped: at which byte of the document, and why.
  case malformed(offset: Int, reason: String)
}

extension ArchiveError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let call, let path, let reason): "\(path): \(call) failed: \(reason)"
    case .full(let path): "\(path): the disk is full"
    case .empty(let path): "\(path) is empty"
    case .notAnArchive(let path, let reason): "\(path) is no readable zip archive: \(reason)"
    case .truncated(.some(let entry)): "the archive ends in the middle of \(entry)"
    case .truncated(.none): "the archive ends before its directory"
    case .corrupt(let entry, let reason): "\(entry) is damaged: \(reason)"
    case .encrypted(let entry): "\(entry) is encrypted"
    case .tooManyEntries(let maximum): "the archive has more than \(maximum) entries"
    case .tooLarge(let maximum): "the archive unpacks to more than \(maximum) bytes"
    case .tooDense(let entry, let maximum):
      "\(entry) makes the archive unpack to more than \(maximum) times its size"
    case .unsupportedEncoding(let name): "the document is \(name), not UTF-8"
    case .malformed(let offset, let reason): "at byte \(offset): \(reason)"
    }
  }
}
