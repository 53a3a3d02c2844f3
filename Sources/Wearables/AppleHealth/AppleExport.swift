import Archive

/// An export as a person has it: the zip archive, its document alone, or the unpacked folder.
package struct AppleExport {
  package let path: String
  private let files: FileCollection

  /// Why something is no export.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// - Throws: `ArchiveError` if it can't be opened or is empty.
  package init(path: String) throws(ArchiveError) {
    self.path = path
    files = try FileCollection(path: path)
  }

  /// Whether there may be files beside the document.
  var hasFiles: Bool { files.kind != .file }

  /// Hands every file to `visit`, by its name inside the export.
  func forEachFile(_ visit: (String, inout ByteSource) throws -> Void) throws {
    try files.forEachFile { entry, source in
      try visit(entry.name, &source)
      return .on
    }
  }

  /// Whether a name would lead out of the folder in which an export is unpacked.
  static func leavesFolder(_ name: String) -> Bool {
    name.hasPrefix("/") || name.hasPrefix("\\")
      || name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains("..")
  }

  /// Whether a file is the document of an export, whatever its name is in the phone's language.
  static func isDocument(_ source: inout ByteSource) throws(ArchiveError) -> Bool {
    let start = String(decoding: try source.peek(4_096), as: UTF8.self)
    return start.contains("<HealthData") || start.contains("<!DOCTYPE HealthData")
  }
}
