import Archive
import Foundation

/// An export as a person has it: the zip archive, its document alone, or the unpacked folder.
package struct AppleExport {
  private enum Form {
    case archive(ZipArchive)
    case document(String)
    case folder(URL)
  }

  package let path: String
  private let form: Form

  /// Why something is no export.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// - Throws: `ArchiveError` if it can't be opened or is empty; `Failure` if it isn't there.
  package init(path: String) throws {
    self.path = path
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Failure(description: "\(path): there is no such file or folder")
    }
    if isFolder.boolValue {
      form = .folder(URL(fileURLWithPath: path, isDirectory: true))
      return
    }
    var source = try ByteSource(path: path)
    let start = try source.peek(4)
    guard !start.isEmpty else { throw ArchiveError.empty(path: path) }
    form = start.starts(with: "PK".utf8) ? .archive(try ZipArchive(path: path)) : .document(path)
  }

  /// Whether there may be files beside the document.
  var hasFiles: Bool { if case .document = form { false } else { true } }

  /// Hands every file to `visit`, by its name inside the export.
  func forEachFile(_ visit: (String, inout ByteSource) throws -> Void) throws {
    switch form {
    case .archive(let archive):
      try archive.forEachEntry { entry, source in
        try visit(entry.name, &source)
        return .on
      }
    case .document(let path):
      var source = try ByteSource(path: path)
      try visit(AppleHealthReading.fileName(path), &source)
    case .folder(let url):
      for name in Self.files(in: url) {
        var source = try ByteSource(path: url.appendingPathComponent(name).path)
        try visit(name, &source)
      }
    }
  }

  /// The plain files of a folder; links are not followed, so that nothing outside is read.
  private static func files(in folder: URL) -> [String] {
    let keys: Set<URLResourceKey> = [.isRegularFileKey, .isSymbolicLinkKey]
    let prefix = folder.standardizedFileURL.path + "/"
    guard
      let walk = FileManager.default.enumerator(
        at: folder.standardizedFileURL, includingPropertiesForKeys: Array(keys))
    else { return [] }
    var names: [String] = []
    for case let file as URL in walk {
      let values = try? file.resourceValues(forKeys: keys)
      guard values?.isRegularFile == true, values?.isSymbolicLink != true,
        file.path.hasPrefix(prefix)
      else { continue }
      names.append(String(file.path.dropFirst(prefix.count)))
    }
    return names.sorted()
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
