import Foundation
import KeyValue
import LMDBStorage
import Synchronization
import Testing

@Suite("An LMDB store on disk")
struct LMDBEngineTests {
  private func open(
    _ folder: String, format: UInt32 = 1, _ options: LMDBOptions = LMDBOptions()
  ) throws -> LMDBEngine {
    try LMDBEngine(at: folder, tables: EngineUnderTest.tables, format: format, options: options)
  }

  @Test("what was committed is there when it is opened again")
  func reopening() throws {
    try withFolder { folder in
      for round in 0..<3 {
        let engine = try open(folder)
        defer { engine.close() }
        try engine.read { try expect($0.entries().count, round) }
        try engine.write { transaction in
          try transaction.put("-", at: "\(round)")
          try transaction.insert(UInt64(round), at: "k")
        }
        try engine.read { try expect($0.numbers(at: "k"), (0...UInt64(round)).map { $0 }) }
      }
    }
  }

  #if os(Linux)
    @Test("pages that were read take no memory once they are released, and come back")
    func releasedPages() throws {
      try withFolder { folder in
        let engine = try open(folder)
        defer { engine.close() }
        let value = String(repeating: "x", count: 100_000)
        try engine.write { transaction in
          for number in 0..<100 { try transaction.put(value, at: "\(number)") }
        }
        let entries = try engine.read { try $0.entries() }
        let before = try residentKilobytes(of: folder + "/data.mdb")
        #expect(before > 9_000)
        try engine.read { snapshot in
          engine.releasePages(over: .max)
          #expect(try residentKilobytes(of: folder + "/data.mdb") > 9_000)
          engine.releasePages(over: 9_000_000)
          let resident = try residentKilobytes(of: folder + "/data.mdb")
          #expect(resident < 1_000)
          try expect(snapshot.entries(), entries)
        }
        try engine.write { try $0.put("1", at: "1") }
        engine.releasePages(over: 0)
        try engine.read { try #require($0.entries().contains("1=1")) }
      }
    }

    /// What the process holds of a mapped file.
    private func residentKilobytes(of path: String) throws -> Int {
      var isOfFile = false
      var sum = 0
      let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
      let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
      for line in text.split(separator: "\n") {
        if !line.prefix(while: { $0 != " " }).hasSuffix(":") { isOfFile = line.hasSuffix(path) }
        guard isOfFile, line.hasPrefix("Rss:") else { continue }
        sum += line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      }
      return sum
    }
  #endif

  @Test("the store is for its owner alone")
  func permissions() throws {
    try withFolder { folder in
      let engine = try open(folder)
      defer { engine.close() }
      try engine.backup(to: folder + "/copy")
      let modes = try ["", "/data.mdb", "/lock.mdb", "/copy"].map { name in
        try FileManager.default.attributesOfItem(atPath: folder + name)[.posixPermissions] as? Int
      }
      #expect(modes == [0o700, 0o600, 0o600, 0o600])
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(names == ["copy", "data.mdb", "lock.mdb"])
    }
  }

  @Test("a process opens a store once, by whatever path, until it has closed it")
  func openedTwice() throws {
    try withFolder { folder in
      let engine = try open(folder)
      try FileManager.default.createSymbolicLink(
        atPath: folder + "-link", withDestinationPath: folder)
      defer { try? FileManager.default.removeItem(atPath: folder + "-link") }
      for path in [folder, folder + "/", folder + "-link"] {
        #expect(
          throws: StorageError.system(
            call: "open \(path)", code: EBUSY, reason: "this process has the store open already")
        ) { try open(path) }
      }
      try engine.write { try $0.put("1", at: "a") }
      engine.close()
      engine.close()
      let again = try open(folder + "-link")
      defer { again.close() }
      try again.read { try expect($0.entries(), ["a=1"]) }
    }
  }

  @Test("another format, another kind of table and files that are no store are refused and kept")
  func formats() throws {
    try withFolder { folder in
      try open(folder).close()
      #expect(
        throws: StorageError.unknownFormat("the store has format 1, this program writes 2")
      ) { try open(folder, format: 2) }
      let turned = Table(position: 0, name: "values", kind: .postings)
      #expect(throws: StorageError.unknownFormat("table values holds no postings")) {
        try LMDBEngine(at: folder, tables: [turned], format: 1)
      }
      try open(folder).close()
    }
    for content in ["", "no store", String(repeating: "no store", count: 4096)] {
      try withFolder { folder in
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: false)
        try content.write(toFile: folder + "/data.mdb", atomically: false, encoding: .utf8)
        #expect(throws: StorageError.self) { try open(folder) }
        #expect(try String(contentsOfFile: folder + "/data.mdb", encoding: .utf8) == content)
      }
    }
  }

  @Test("errors name the call, the code and the reason")
  func errors() throws {
    #expect(
      throws: StorageError.system(
        call: "mkdir /proc/nowhere/store", code: ENOENT, reason: "No such file or directory")
    ) { try open("/proc/nowhere/store") }
  }

  @Test("the map grows by itself while snapshots come and go")
  func growth() throws {
    try withFolder { folder in
      let engine = try open(
        folder,
        format: 1,
        LMDBOptions(
          mapByteCount: 64 << 10, mapByteCountMaximum: 64 << 20, reserveByteCount: 16 << 10))
      defer { engine.close() }
      let isDone = Atomic(false)
      let failures = Mutex<[String]>([])
      let readers = (0..<3).map { _ in
        let thread = Thread {
          while !isDone.load(ordering: .relaxed) {
            do {
              // One inside another, as a caller with a plan and a source may have them.
              try engine.read { outer in
                let count = try outer.entries().count
                try engine.read { inner in
                  if try inner.entries().count < count { throw StorageError.closed }
                }
              }
            } catch {
              failures.withLock { $0.append("\(error)") }
            }
          }
        }
        thread.start()
        return thread
      }
      for number in 0..<40 {
        let value = [UInt8](repeating: 1, count: 100_000)
        try engine.write { try $0.put(value, at: Key("\(number)"), in: EngineUnderTest.values) }
      }
      isDone.store(true, ordering: .relaxed)
      while readers.contains(where: { !$0.isFinished }) { usleep(1000) }
      #expect(failures.withLock { $0 } == [])
      try engine.read { try expect($0.entries().count, 40) }
    }
  }

  @Test("a backup made while changes go on holds one commit whole")
  func backup() throws {
    try withFolder { folder in
      let engine = try open(folder)
      defer { engine.close() }
      let large = [UInt8](repeating: 7, count: 2 << 20)
      try engine.write { try $0.put(large, at: Key("large"), in: EngineUnderTest.values) }
      for round in 0..<200 {
        engine.submit(
          Change(
            perform: { transaction in
              for number in 0..<20 {
                try transaction.put("\(round)", at: "key \(number)")
                try transaction.insert(UInt64(round * 20 + number), at: "k")
              }
            }, completion: { _ in }))
        if round == 100 { try engine.write { _ in } }
      }
      try engine.backup(to: folder + "/copy")
      #expect(throws: StorageError.self) { try engine.backup(to: folder + "/copy") }
      try engine.write { try $0.put("later", at: "later") }

      try withFolder { restored in
        try FileManager.default.createDirectory(
          atPath: restored, withIntermediateDirectories: false)
        try FileManager.default.copyItem(
          atPath: folder + "/copy", toPath: restored + "/data.mdb")
        let copy = try open(restored)
        defer { copy.close() }
        try copy.read { snapshot in
          try expect(snapshot.value(at: Key("large"), in: EngineUnderTest.values), large)
          let rounds = try (0..<20).map {
            try snapshot.value(at: Key("key \($0)"), in: EngineUnderTest.values)
          }
          #expect(Set(rounds).count == 1)
          let last = Int(String(decoding: rounds[0] ?? [], as: UTF8.self)) ?? -1
          #expect(last >= 100)
          try expect(snapshot.count(at: Key("k"), in: EngineUnderTest.postings), (last + 1) * 20)
          try expect(snapshot.hasValue(at: Key("later"), in: EngineUnderTest.values), false)
        }
      }
    }
  }

  @Test("an engine that its own last completion drops is closed all the same")
  func droppedByCompletion() throws {
    try withFolder { folder in
      let holder = Mutex<LMDBEngine?>(try open(folder))
      let isDropped = Atomic(false)
      let submit = { (change: Change) in holder.withLock { $0 }?.submit(change) }
      submit(
        Change(
          perform: { try $0.put("1", at: "a") },
          completion: { _ in
            holder.withLock { $0 = nil }
            isDropped.store(true, ordering: .releasing)
          }))
      while !isDropped.load(ordering: .acquiring) { usleep(1000) }
      // Its thread is about to end; then the store can be opened again.
      var again: LMDBEngine?
      while again == nil {
        again = try? open(folder)
        usleep(1000)
      }
      try again?.read { try expect($0.entries(), ["a=1"]) }
      again?.close()
    }
  }
}
