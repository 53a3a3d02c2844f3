import KeyValue
import LMDBStorage
import Testing

@Suite("Two processes share a store")
struct TwoProcessTests {
  private func open(_ folder: String, _ options: LMDBOptions = LMDBOptions()) throws -> LMDBEngine {
    try LMDBEngine(at: folder, tables: EngineUnderTest.tables, format: 1, options: options)
  }

  @Test("each sees what the other has committed")
  func commits() throws {
    try withFolder { folder in
      let engine = try open(folder)
      defer { engine.close() }
      try engine.write { try $0.put("ours", at: "a") }
      let neighbour = try NeighbourProcess(folder)
      defer { neighbour.leave() }
      #expect(neighbour.say("get a") == "ours")
      let before = try engine.latestCommit
      #expect(neighbour.say("put a theirs") == "done")
      #expect(try engine.latestCommit > before)
      try engine.read { try expect($0.entries(), ["a=theirs"]) }
      try engine.write { try $0.put("again", at: "b") }
      #expect(neighbour.say("get b") == "again")
    }
  }

  @Test("one that is killed while it writes leaves nothing behind and nobody waiting")
  func killedWriter() throws {
    try withFolder { folder in
      let engine = try open(folder)
      defer { engine.close() }
      try engine.write { try $0.put("kept", at: "a") }
      let neighbour = try NeighbourProcess(folder)
      #expect(neighbour.say("hold-write a lost") == "held")
      neighbour.kill()
      try engine.read { try expect($0.entries(), ["a=kept"]) }
      try engine.write { try $0.put("next", at: "b") }
      try engine.read { try expect($0.entries(), ["a=kept", "b=next"]) }
    }
  }

  @Test("places of readers that were killed are given back")
  func killedReaders() throws {
    try withFolder { folder in
      let engine = try open(folder, LMDBOptions(readerCountMaximum: 4))
      defer { engine.close() }
      for _ in 0..<4 {
        let neighbour = try NeighbourProcess(folder)
        #expect(neighbour.say("hold-snapshot") == "held")
        neighbour.kill()
      }
      try engine.read { try expect($0.entries(), []) }
    }
  }

  @Test("more snapshots at once than there are places is an error, and only that")
  func tooManyReaders() throws {
    try withFolder { folder in
      let engine = try open(folder, LMDBOptions(readerCountMaximum: 2))
      defer { engine.close() }
      try engine.read { _ in
        _ = try engine.read { _ in
          #expect(throws: StorageError.tooManyReaders) { try engine.read { _ in } }
        }
      }
      try engine.read { try expect($0.entries(), []) }
    }
  }

  @Test("what one wrote outside the other's map is read and written by both")
  func grownMap() throws {
    try withFolder { folder in
      let engine = try open(
        folder,
        LMDBOptions(
          mapByteCount: 256 << 10, mapByteCountMaximum: 256 << 20, reserveByteCount: 64 << 10))
      defer { engine.close() }
      try engine.read { try expect($0.entries(), []) }
      let neighbour = try NeighbourProcess(folder)
      defer { neighbour.leave() }
      #expect(neighbour.say("fill large 3000000") == "done")
      try engine.read { snapshot in
        let count = try snapshot.value(at: Key("large"), in: EngineUnderTest.values)?.count
        #expect(count == 3_000_000)
      }
      #expect(neighbour.say("fill larger 9000000") == "done")
      try engine.write { try $0.put("ours", at: "a") }
      #expect(neighbour.say("get a") == "ours")
    }
  }

  @Test("a file that can't be enlarged refuses what doesn't fit, and takes the next when it can")
  func fileLimit() throws {
    try withFolder { folder in
      let neighbour = try NeighbourProcess(folder)
      defer { neighbour.leave() }
      #expect(neighbour.say("put a before") == "done")
      #expect(neighbour.say("limit-file 1000000") == "done")
      #expect(neighbour.say("fill b 4000000") == "full")
      #expect(neighbour.say("get a") == "before")
      #expect(neighbour.say("get b") == "nothing")
      #expect(neighbour.say("put c small") == "done")
      #expect(neighbour.say("limit-file none") == "done")
      #expect(neighbour.say("fill b 4000000") == "done")
      #expect(neighbour.say("get c") == "small")
    }
  }
}
