import FHIRModel
import Foundation

/// The folder of exports that were acknowledged and wait to be read, and of how imports ended: beside a
/// store, or beside a backup of it.
struct ImportFolder {
  let path: String

  init(ofStore folder: String) { path = folder + "/imports" }
  init(ofBackup file: String) { path = file + ".imports" }

  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  private static let description = ".json"
  private static let export = ".export"

  /// Copies what is in it, while a server may be at it, to a folder that isn't there yet; makes none if
  /// there is nothing.
  ///
  /// An export that goes in meanwhile is left out, so whoever copies the store afterwards has it there.
  ///
  /// - Returns: how many exports wait.
  /// - Throws: what the system says; then nothing is left of the copy.
  func copy(to other: ImportFolder) throws -> Int {
    guard exists else { return 0 }
    let ids = try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(Self.description) && !$0.hasPrefix(".") && isFile($0) }
      .map { String($0.dropLast(Self.description.count)) }.sorted()
    guard !ids.isEmpty else { return 0 }
    let unfinished = other.path + ".unfinished-\(getpid())"
    try FileManager.default.createDirectory(
      atPath: unfinished, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: unfinished) }
    let count = try ids.count { try copy($0, to: unfinished) }
    try Self.synchronize(unfinished)
    try FileManager.default.moveItem(atPath: unfinished, toPath: other.path)
    return count
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Copies one import, its description first: that is the last to be written and the first to be removed.
  ///
  /// - Returns: whether it has an export.
  private func copy(_ id: String, to folder: String) throws -> Bool {
    guard try copyFile(id + Self.description, to: folder) else { return false }
    if try copyFile(id + Self.export, to: folder) { return true }
    let place = URL(fileURLWithPath: folder + "/" + id + Self.description)
    let bytes = [UInt8](try Data(contentsOf: place))
    let description = try? JSONDocument(parsing: bytes).root
    // It went in or was removed while it was copied.
    if description?["status"]?.string == "waiting" { try FileManager.default.removeItem(at: place) }
    return false
  }

  /// - Returns: `false` if there is no such file.
  private func copyFile(_ name: String, to folder: String) throws -> Bool {
    guard isFile(name) else { return false }
    let copy = folder + "/" + name
    do {
      try FileManager.default.copyItem(atPath: path + "/" + name, toPath: copy)
    } catch {
      guard !isFile(name) else { throw error }
      try? FileManager.default.removeItem(atPath: copy)
      return false
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
    try Self.synchronize(copy)
    return true
  }

  /// Whether a name is a file's, and not that of a link or a pipe.
  private func isFile(_ name: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }

  private static func synchronize(_ path: String) throws {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw CommandError("\(path) can't be opened")
    }
    defer { try? handle.close() }
    try handle.synchronize()
  }
}
