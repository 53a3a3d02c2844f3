import Dispatch
import FHIRModel
import Foundation
import Kiln
import LMDBStorage
import Store

extension Command {
  static let check = Command(
    name: "check",
    summary:
      "Looks at every page, rebuilds every index and compares: the store is whole, or it says what isn't.",
    options: [.store, .json]
  ) { arguments in
    let folder = try arguments.existingStore()
    let faults = try PageCheck.faults(ofStoreIn: folder)
    guard faults.isEmpty else { return report(faults, of: folder, arguments) }
    let assembly = try Assembly.open(folder, .forMaintenance)
    defer { assembly.close() }
    if assembly.hasOutdatedIndex { Output.notice("\(OutdatedIndex())") }
    let integrity = try Integrity(
      of: assembly.store, in: assembly.engine,
      run: { work in
        let count = ProcessInfo.processInfo.activeProcessorCount
        DispatchQueue.concurrentPerform(iterations: count) { _ in work() }
      })
    if arguments.has("--json") {
      Output.json { writer in
        writer.member("clean", integrity.isClean)
        writer.member("resources", Int(integrity.resourceCount))
        writer.member("versions", Int(integrity.versionCount))
        writer.member("indexEntries", Int(integrity.indexEntryCount))
        writer.member("differences", Int(integrity.differenceCount))
      }
    } else {
      Output.line(
        "\(integrity.resourceCount) resources, \(integrity.versionCount) versions, "
          + "\(integrity.indexEntryCount) index entries, \(integrity.differenceCount) differences")
    }
    for line in integrity.listing { Output.notice(line) }
    return integrity.isClean ? 0 : 1
  }

  /// Nothing more can be looked at: LMDB trusts its pages.
  private static func report(
    _ faults: [PageCheck.Fault], of folder: String, _ arguments: Arguments
  ) -> Int32 {
    if arguments.has("--json") {
      Output.json { writer in
        writer.member("clean", false)
        writer.member(
          "damagedPages", array: { list in for fault in faults { list.string("\(fault)") } })
      }
    } else {
      Output.line("\(faults.count) damaged pages")
    }
    for fault in faults { Output.notice("\(folder)/data.mdb: \(fault)") }
    return 1
  }

  static let backup = Command(
    name: "backup",
    summary:
      "Copies the store to a new file while it is in use, and uploads that wait to FILE.imports.",
    operands: ["FILE"], options: [.store]
  ) { arguments in
    let folder = try arguments.existingStore()
    let assembly = try Assembly.open(folder, .forMaintenance)
    defer { assembly.close() }
    let file = arguments.operands[0]
    let imports = ImportFolder(ofBackup: file)
    for path in [file, imports.path] where FileManager.default.fileExists(atPath: path) {
      throw CommandError("\(path) exists already, and a backup never replaces a file")
    }
    let parent = URL(fileURLWithPath: file).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: parent) else {
      throw CommandError("\(file) can't be written: its folder doesn't exist")
    }
    // What goes in after it was copied is in the store's copy.
    let waitingCount = try ImportFolder(ofStore: folder).copy(to: imports)
    do {
      try assembly.disk?.backup(to: file)
    } catch {
      imports.remove()
      throw error
    }
    if waitingCount > 0 {
      Output.notice("\(imports.path) has the uploads that wait to be read: \(waitingCount)")
    }
    return 0
  }

  static let restore = Command(
    name: "restore", summary: "Makes a store of a backup, in a folder that holds none yet.",
    operands: ["FILE"], options: [.store]
  ) { arguments in
    let folder = try arguments.required("--store")
    let data = folder + "/data.mdb"
    guard !FileManager.default.fileExists(atPath: data) else {
      throw CommandError("\(folder) holds a store already, and a restore never replaces one")
    }
    let (imports, file) = (ImportFolder(ofStore: folder), arguments.operands[0])
    guard !imports.exists else {
      throw CommandError("\(imports.path) is there already, and a restore never replaces anything")
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    guard attributes[.type] as? FileAttributeType != .typeDirectory else {
      throw CommandError("\(file) is a folder, not a backup")
    }
    let isNew = !FileManager.default.fileExists(atPath: folder)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // A restore that fails leaves no folder that wasn't there.
    defer {
      if isNew, (try? FileManager.default.contentsOfDirectory(atPath: folder)) == [] {
        try? FileManager.default.removeItem(atPath: folder)
      }
    }
    // Under its own name only once it is whole and was seen to open.
    let unfinished = folder + "/restore-unfinished"
    try? FileManager.default.removeItem(atPath: unfinished)
    try FileManager.default.createDirectory(
      atPath: unfinished, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: unfinished) }
    try FileManager.default.copyItem(
      atPath: file, toPath: unfinished + "/data.mdb")
    do {
      try Assembly.open(unfinished, .forMaintenance).engine.close()
    } catch {
      throw CommandError("\(file) can't be opened as a store: \(Output.reason(of: error))")
    }
    let handle = try FileHandle(
      forWritingTo: URL(fileURLWithPath: unfinished + "/data.mdb"))
    try handle.synchronize()
    try handle.close()
    _ = try ImportFolder(ofBackup: file).copy(to: imports)
    try FileManager.default.moveItem(atPath: unfinished + "/data.mdb", toPath: data)
    return 0
  }

  static let reindex = Command(
    name: "reindex", summary: "Builds every index anew from the resources.", options: [.store]
  ) { arguments in
    let assembly = try Assembly.open(try arguments.existingStore(), .forMaintenance)
    defer { assembly.close() }
    try assembly.reindex()
    return 0
  }
}

extension Assembly.Options {
  /// For commands that look at a store or mend it, whatever made its index.
  fileprivate static var forMaintenance: Assembly.Options {
    var options = Assembly.Options()
    options.takesOutdatedIndex = true
    return options
  }
}

extension Arguments {
  /// The folder of `--store`, which must hold a store.
  func existingStore() throws -> String {
    let folder = try required("--store")
    guard FileManager.default.fileExists(atPath: folder + "/data.mdb") else {
      throw CommandError("\(folder) holds no store")
    }
    return folder
  }
}
