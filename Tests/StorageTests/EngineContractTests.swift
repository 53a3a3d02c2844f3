import KeyValue
import Synchronization
import Testing

private struct Abandoned: Error {}

@Suite("Every engine keeps the contract")
struct EngineContractTests {
  @Test("a committed value is read, an unknown key is absent", arguments: EngineUnderTest.allCases)
  func values(engine: EngineUnderTest) throws {
    try engine.with { engine in
      try engine.write { try $0.put("one", at: "a") }
      try engine.write { try $0.put("", at: "empty") }
      try engine.read { snapshot in
        try expect(snapshot.value(at: Key("a"), in: EngineUnderTest.values), Array("one".utf8))
        try expect(snapshot.value(at: Key("empty"), in: EngineUnderTest.values), [])
        try expect(snapshot.value(at: Key("b"), in: EngineUnderTest.values), nil)
      }
    }
  }

  @Test("a snapshot shows one commit, whatever comes after it", arguments: EngineUnderTest.allCases)
  func snapshots(engine: EngineUnderTest) throws {
    try engine.with { engine in
      try engine.write { try $0.put("before", at: "a") }
      try engine.read { snapshot in
        let commit = snapshot.commit
        try engine.write { transaction in
          #expect(transaction.reader.commit > commit)
          try transaction.put("after", at: "a")
        }
        try expect(snapshot.entries(), ["a=before"])
        try engine.read { later in
          try expect(later.entries(), ["a=after"])
          #expect(later.commit > commit)
        }
      }
    }
  }

  @Test(
    "keys are walked in byte order, both ways, within a range", arguments: EngineUnderTest.allCases)
  func walks(engine: EngineUnderTest) throws {
    try engine.with { engine in
      try engine.write { transaction in
        for key in ["b", "a", "ab", "c", "\u{ff}"] { try transaction.put("-", at: key) }
      }
      try engine.read { snapshot in
        try expect(snapshot.entries(), ["a=-", "ab=-", "b=-", "c=-", "\u{ff}=-"])
        try expect(
          snapshot.entries(.everything, .backward), ["\u{ff}=-", "c=-", "b=-", "ab=-", "a=-"])
        let middle = KeyRange(from: Key("ab"), to: Key("c"))
        try expect(snapshot.entries(middle), ["ab=-", "b=-"])
        try expect(snapshot.entries(middle, .backward), ["b=-", "ab=-"])
        try expect(snapshot.entries(KeyRange(prefix: Key("a")), .backward), ["ab=-", "a=-"])
        try expect(snapshot.entries(KeyRange(from: Key("d"), to: Key("e"))), [])
        try expect(snapshot.entries(KeyRange(from: Key("A"), to: Key("B")), .backward), [])
        try expect(snapshot.entries(stoppingAfter: 2), ["a=-", "ab=-"])
      }
    }
  }

  @Test("a walk skips to a key", arguments: EngineUnderTest.allCases)
  func seeks(engine: EngineUnderTest) throws {
    try engine.with { engine in
      try engine.write { transaction in
        for key in ["a", "b", "c", "d", "e"] {
          try transaction.put("-", at: key)
          for number in [UInt64(1), 2] { try transaction.insert(number, at: key) }
        }
      }
      try engine.read { snapshot in
        var seen: [String] = []
        try snapshot.walk(EngineUnderTest.values, .everything, .forward) { key, _ in
          seen.append(text(key))
          return text(key) == "a" ? .seek(Key("bb")) : text(key) == "d" ? .seek(Key("x")) : .next
        }
        #expect(seen == ["a", "c", "d"])
        seen = []
        try snapshot.walk(EngineUnderTest.values, .everything, .backward) { key, _ in
          seen.append(text(key))
          return text(key) == "e" ? .seek(Key("cc")) : text(key) == "b" ? .seek(Key("A")) : .next
        }
        #expect(seen == ["e", "c", "b"])
        seen = []
        try snapshot.walkPostings(EngineUnderTest.postings, .everything, .backward) { key, number in
          seen.append("\(text(key))\(number)")
          return text(key) == "e" ? .seek(Key("b")) : .next
        }
        #expect(seen == ["e2", "b2", "b1", "a2", "a1"])
      }
    }
  }

  @Test("numbers are a rising set under their key", arguments: EngineUnderTest.allCases)
  func postings(engine: EngineUnderTest) throws {
    try engine.with { engine in
      try engine.write { transaction in
        for number in [300, 2, 1, UInt64.max, 2] { try transaction.insert(number, at: "k") }
        try transaction.insert(7, at: "l")
      }
      try engine.read { snapshot in
        try expect(snapshot.numbers(at: "k"), [1, 2, 300, .max])
        try expect(snapshot.numbers(at: "k", from: 3), [300, .max])
        try expect(snapshot.numbers(at: "l"), [7])
        try expect(snapshot.numbers(at: "l", from: 8), [])
        try expect(snapshot.numbers(at: "m"), [])
        try expect(snapshot.count(at: Key("k"), in: EngineUnderTest.postings), 4)
        try expect(snapshot.count(at: Key("m"), in: EngineUnderTest.postings), 0)
        try expect(snapshot.contains(300, at: Key("k"), in: EngineUnderTest.postings), true)
        try expect(snapshot.contains(3, at: Key("k"), in: EngineUnderTest.postings), false)
        try expect(snapshot.postings(KeyRange(prefix: Key("l"))), ["l7"])
        try expect(
          snapshot.postings(.everything, .backward).prefix(2),
          [
            "l7", "k18446744073709551615",
          ])
      }
      try engine.write { transaction in
        try expect(transaction.remove(2, at: Key("k"), in: EngineUnderTest.postings), true)
        try expect(transaction.remove(2, at: Key("k"), in: EngineUnderTest.postings), false)
        try expect(transaction.remove(7, at: Key("l"), in: EngineUnderTest.postings), true)
      }
      try engine.read { snapshot in
        try expect(snapshot.postings(), ["k1", "k300", "k18446744073709551615"])
      }
    }
  }

  @Test("many numbers come page by page, from any of them", arguments: EngineUnderTest.allCases)
  func manyNumbers(engine: EngineUnderTest) throws {
    try engine.with { engine in
      try engine.write { transaction in
        for number in UInt64(0)..<5_000 { try transaction.insert(number * 3, at: "k") }
      }
      try engine.read { snapshot in
        try expect(snapshot.numbers(at: "k"), (0..<5_000).map { $0 * 3 })
        try expect(snapshot.numbers(at: "k", from: 7_000), (2_334..<5_000).map { $0 * 3 })
        var pages = 0
        try snapshot.numbers(at: Key("k"), in: EngineUnderTest.postings, from: 0) { _ in
          pages += 1
          return false
        }
        #expect(pages == 1)
      }
    }
  }

  @Test("what a nested change wrote is gone when it throws", arguments: EngineUnderTest.allCases)
  func nested(engine: EngineUnderTest) throws {
    try engine.with { engine in
      // An engine may run the change again: the last run counts.
      var thrown: [any Error] = []
      try engine.write { transaction in
        thrown = []
        try transaction.put("outer", at: "a")
        do {
          try transaction.nested { inner in
            try inner.put("inner", at: "a")
            try inner.insert(1, at: "k")
            try expect(inner.reader.entries(), ["a=inner"])
            throw Abandoned()
          }
        } catch { thrown.append(error) }
        try transaction.nested { inner in
          try inner.put("kept", at: "b")
          do {
            try inner.nested { innermost in
              try innermost.put("lost", at: "c")
              throw Abandoned()
            }
          } catch { thrown.append(error) }
        }
      }
      #expect(thrown.count == 2 && thrown.allSatisfy { $0 is Abandoned })
      try engine.read { snapshot in
        try expect(snapshot.entries(), ["a=outer", "b=kept"])
        try expect(snapshot.postings(), [])
      }
    }
  }

  @Test(
    "a refused change leaves only what its recovery writes", arguments: EngineUnderTest.allCases)
  func recovery(engine: EngineUnderTest) throws {
    try engine.with { engine in
      let results = Mutex<[Bool]>([])
      engine.submit(
        Change(
          perform: { transaction in
            try transaction.put("lost", at: "a")
            throw Abandoned()
          },
          recover: { error, transaction in
            #expect(error is Abandoned)
            try transaction.put("refused", at: "log")
          },
          completion: { result in
            results.withLock { $0.append((try? result.get()) != nil) }
          }))
      #expect(throws: Abandoned.self) { try engine.write { _ in throw Abandoned() } }
      #expect(results.withLock { $0 } == [true])
      try engine.read { try expect($0.entries(), ["log=refused"]) }
    }
  }

  @Test("keys are 1 to 511 bytes long, values may be large", arguments: EngineUnderTest.allCases)
  func limits(engine: EngineUnderTest) throws {
    try engine.with { engine in
      for count in [0, 512] {
        #expect(throws: StorageError.keyByteCount(count)) {
          try engine.write { transaction in
            try transaction.put(
              [1], at: Key([UInt8](repeating: 1, count: count)), in: EngineUnderTest.values)
          }
        }
      }
      let key = Key([UInt8](repeating: 1, count: 511))
      let value = [UInt8](repeating: 7, count: 2 << 20)
      try engine.write { try $0.put(value, at: key, in: EngineUnderTest.values) }
      try engine.read { try expect($0.value(at: key, in: EngineUnderTest.values), value) }
    }
  }

  @Test("appended keys need not be the last", arguments: EngineUnderTest.allCases)
  func appended(engine: EngineUnderTest) throws {
    try engine.with { engine in
      try engine.write { transaction in
        for key in ["a", "c", "b", "c"] {
          try transaction.append(Array(key.utf8), at: Key(key), in: EngineUnderTest.values)
        }
      }
      try engine.read { try expect($0.entries(), ["a=a", "b=b", "c=c"]) }
    }
  }

  @Test("changes run in the order in which they came", arguments: EngineUnderTest.allCases)
  func order(engine: EngineUnderTest) throws {
    try engine.with { engine in
      for number in 0..<100 {
        engine.submit(
          Change(perform: { try $0.put("\(number)", at: "last") }, completion: { _ in }))
      }
      try engine.write { transaction in try expect(transaction.reader.entries(), ["last=99"]) }
    }
  }

  @Test("a closed engine refuses", arguments: EngineUnderTest.allCases)
  func closed(engine: EngineUnderTest) throws {
    try engine.with { engine in
      engine.close()
      #expect(throws: StorageError.closed) { try engine.read { _ in } }
      #expect(throws: StorageError.closed) { try engine.write { _ in } }
    }
  }
}
