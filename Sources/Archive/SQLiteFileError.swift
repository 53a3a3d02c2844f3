/// Why a database can't be read.
package enum SQLiteFileError: Error, Hashable, Sendable {
  /// There is no such file, or it may not be read.
  case unopened(path: String, reason: String)
  /// The file is no SQLite database, or an encrypted one.
  case notADatabase
  /// None of the files of a zip archive is a database.
  case noDatabase(archive: String)
  /// The file is broken or was cut off.
  case damaged(reason: String)
  /// SQLite refuses the query.
  case failed(reason: String)
}

extension SQLiteFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unopened(let path, let reason): "\(path) can't be opened: \(reason)"
    case .notADatabase: "the file is no SQLite database, or it is encrypted"
    case .noDatabase(let archive): "none of the files in \(archive) is an SQLite database"
    case .damaged(let reason): "the database is damaged: \(reason)"
    case .failed(let reason): "the database can't be queried: \(reason)"
    }
  }
}
