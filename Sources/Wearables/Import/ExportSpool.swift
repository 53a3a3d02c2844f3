import Archive

/// Exports that were taken over and are yet to be read, each beside a description of what is to become
/// of it: both are on the disk before anyone is told that they are.
package final class ExportSpool: Sendable {
  private let folder: DurableFolder
  private static let export = ".export"
  private static let description = ".json"
  /// A description has the report of the import, which has a few lines a type.
  private static let descriptionByteCountMaximum = 64 << 20

  /// Why an export can't be taken over.
  package enum Failure: Error, Sendable, CustomStringConvertible {
    case full
    /// In the words of the system.
    case other(String)

    package var description: String {
      switch self {
      case .full: "there is no room left"
      case .other(let words): words
      }
    }
  }

  /// Opens the spool in a folder, which is made where it is missing.
  ///
  /// - Throws: `Failure.other`; also if another process has it open.
  package init(in path: String) throws(Failure) {
    folder = try Self.told { () throws(ArchiveError) in try DurableFolder(path) }
  }

  /// Where the export is read.
  package func path(of id: String) -> String { folder.path(of: id + Self.export) }

  /// Whether the export is still there to be read.
  package func hasExport(_ id: String) -> Bool { folder.isFile(id + Self.export) }

  /// The names of what somebody put there that is no file: it is neither read nor removed.
  package func strangers() throws(Failure) -> [String] {
    try Self.told { () throws(ArchiveError) in try folder.strangers() }
  }

  /// Takes over an export that is in a file which nobody changes any more.
  ///
  /// - Throws: `Failure`; then nothing is left of it.
  package func take(fileAt path: String, as id: String) throws(Failure) {
    try Self.told { () throws(ArchiveError) in
      try folder.take(fileAt: path, as: id + Self.export)
    }
  }

  /// The same of one in memory.
  package func take(_ bytes: [UInt8], as id: String) throws(Failure) {
    try Self.told { () throws(ArchiveError) in try folder.write(bytes, as: id + Self.export) }
  }

  /// Writes the description in place of the one before.
  ///
  /// - Throws: `Failure`; then that is still there.
  package func describe(_ id: String, as bytes: [UInt8]) throws(Failure) {
    try Self.told { () throws(ArchiveError) in
      try folder.write(bytes, as: id + Self.description)
    }
  }

  /// Removes an export that has been read; its description stays.
  package func removeExport(_ id: String) throws(Failure) {
    try Self.told { () throws(ArchiveError) in try folder.remove(id + Self.export) }
  }

  /// Removes an export and its description.
  package func remove(_ id: String) throws(Failure) {
    try Self.told { () throws(ArchiveError) in
      // Without a description an export is none that anyone was told of.
      try folder.remove(id + Self.description)
      try folder.remove(id + Self.export)
    }
  }

  /// The descriptions by their ids; one that can't be read is empty, and keeps no other from being
  /// read. An export without one was never acknowledged, and is removed.
  package func descriptions() throws(Failure) -> [(id: String, bytes: [UInt8], hasExport: Bool)] {
    try Self.told { () throws(ArchiveError) in
      let names = Set(try folder.names())
      var found: [(id: String, bytes: [UInt8], hasExport: Bool)] = []
      for name in names.sorted() {
        if name.hasSuffix(Self.description) {
          let id = String(name.dropLast(Self.description.count))
          let bytes = (try? folder.bytes(of: name, atMost: Self.descriptionByteCountMaximum)) ?? []
          found.append((id, bytes, names.contains(id + Self.export)))
        } else if name.hasSuffix(Self.export),
          !names.contains(name.dropLast(Self.export.count) + Self.description)
        {
          // What can't be removed stays where nobody asks for it.
          try? folder.remove(name)
        }
      }
      return found
    }
  }

  private static func told<Value>(
    _ body: () throws(ArchiveError) -> Value
  ) throws(Failure) -> Value {
    do throws(ArchiveError) {
      return try body()
    } catch {
      if case .full = error { throw .full }
      throw .other("\(error)")
    }
  }
}
