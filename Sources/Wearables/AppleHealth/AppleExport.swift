import Archive
import Foundation

/// An export as a person has it: the zip archive, its document alone, or the unpacked folder.
package struct AppleExport: Sendable {
  package let path: String
  private let files: FileCollection
  private let temporary: TemporaryFile?

  /// Why something is no export.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// - Throws: `ArchiveError` if it can't be opened or is empty.
  package init(path: String) throws(ArchiveError) {
    self.path = path
    files = try FileCollection(path: path)
    temporary = nil
  }

  /// An export that is in memory. Archives are read from files, so it is put into one, which is gone
  /// with the last copy of this value.
  ///
  /// - Throws: `ArchiveError.empty`; what the system says if the file can't be written.
  package init(bytes: [UInt8]) throws {
    let file = try TemporaryFile(bytes)
    path = "the export"
    files = try FileCollection(path: file.url.path)
    temporary = file
  }

  /// Whether there may be files beside the document.
  var hasFiles: Bool { files.kind != .file }

  var isArchive: Bool { files.kind == .zip }

  /// Hands every file to `visit`, by its name inside the export.
  func forEachFile(_ visit: (String, inout ByteSource) throws -> Void) throws {
    try files.forEachFile { entry, source in
      try visit(entry.name, &source)
      return .on
    }
  }

  /// Refuses a folder in which not exactly one document lies: one in which exports lie is none.
  ///
  /// - Throws: `Failure`; `ArchiveError` if the folder can't be read.
  func checkFolder() throws {
    guard files.kind == .folder else { return }
    var documents: [String] = []
    var nested: String?
    try files.forEachFile { entry, source in
      let depth = entry.name.count { $0 == "/" }
      guard depth == 0 || depth < 3 && nested == nil, try Self.isDocument(&source) else {
        return .on
      }
      if depth == 0 { documents.append(entry.name) } else { nested = entry.name }
      return .on
    }
    switch documents.count {
    case 1: return
    case 0:
      let hint = nested.map { "; the folder of \($0) may be meant" } ?? ""
      throw Failure(
        description: "\(path) is no unpacked export of Apple Health: no file directly in it is a "
          + "document that begins with <HealthData>\(hint)")
    default:
      throw Failure(
        description: "\(path) holds more than one document of Apple Health, of which one may be "
          + "meant: \(documents.prefix(5).joined(separator: ", "))")
    }
  }

  /// Why there is no document in what is no folder.
  var words: String {
    files.kind == .zip
      ? "no file in the archive is a document that begins with <HealthData>"
      : "it is no document that begins with <HealthData>"
  }

  /// Whether a file may belong to a document: it lies beside it, or in a folder beside it.
  static func belongs(_ name: String, to document: String) -> Bool {
    let folder = document.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.starts(with: folder) && parts.count - folder.count <= 2
  }

  /// Whether a name would lead out of the folder in which an export is unpacked.
  static func leavesFolder(_ name: String) -> Bool {
    name.hasPrefix("/") || name.hasPrefix("\\")
      || name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains("..")
  }

  /// Whether a file is the document of an export, whatever its name is in the phone's language.
  static func isDocument(_ source: inout ByteSource) throws(ArchiveError) -> Bool {
    let start = String(decoding: try source.peek(4_096), as: UTF8.self)
    let first = start.unicodeScalars.first {
      $0.value > 0x20 && $0 != "\u{feff}" && $0 != "\u{fffd}"
    }
    return first == "<"
      && (start.contains("<HealthData") || start.contains("<!DOCTYPE HealthData"))
  }
}

private final class TemporaryFile: Sendable {
  let url: URL

  init(_ bytes: [UInt8]) throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("kiln-export-\(UUID().uuidString)")
    let isMade = FileManager.default.createFile(
      atPath: url.path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
    guard isMade else {
      throw AppleExport.Failure(description: "no file can be made at \(url.path)")
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
