import KeyValue
import Synchronization
import Testing

@Suite("An engine that is full")
struct FullEngineTests {
  /// What changes came to, by their names.
  private final class Results: Sendable {
    private let results = Mutex<[String: String]>([:])

    func change(
      _ name: String, mayUseReserve: Bool = false,
      _ perform: @escaping @Sendable (inout WriteTransaction) throws -> Void
    ) -> Change {
      Change(
        mayUseReserve: mayUseReserve, perform: perform,
        completion: { result in
          self.results.withLock { $0[name] = result.isSuccess ? "kept" : "\(result.failure)" }
        })
    }

    var all: [String: String] { results.withLock { $0 } }
  }

  private func fill(_ engine: any Engine) throws {
    var count = 0
    #expect(throws: StorageError.full) {
      while true {
        try engine.write { transaction in
          try transaction.put(
            [UInt8](repeating: 1, count: 20_000), at: Key([1]).appending(UInt32(count)),
            in: EngineUnderTest.values)
        }
        count += 1
      }
    }
    #expect(count > 50)
    try engine.read { snapshot in
      try expect(snapshot.keyCount(), count)
    }
  }

  @Test(
    "only what doesn't fit is refused, and the next goes in", arguments: EngineUnderTest.allCases)
  func neighbours(engine: EngineUnderTest) throws {
    try engine.withSmall { engine in
      let results = Results()
      engine.submit(results.change("before") { try $0.put("1", at: "before") })
      engine.submit(
        results.change("large") { transaction in
          try transaction.put("gone", at: "large")
          try transaction.put(
            [UInt8](repeating: 1, count: 9 << 20), at: Key("larger"), in: EngineUnderTest.values)
        })
      engine.submit(results.change("after") { try $0.put("2", at: "after") })
      try engine.write { try $0.put("3", at: "next") }
      #expect(results.all == ["before": "kept", "large": "full", "after": "kept"])
      try engine.read { try expect($0.entries(), ["after=2", "before=1", "next=3"]) }
    }
  }

  @Test(
    "everything stays readable, and room that is made is used again",
    arguments: EngineUnderTest.allCases)
  func room(engine: EngineUnderTest) throws {
    try engine.withSmall { engine in
      try fill(engine)
      for number in UInt32(0)..<10 {
        try engine.write {
          _ = try $0.removeValue(at: Key([1]).appending(number), in: EngineUnderTest.values)
        }
      }
      for number in UInt32(0)..<5 {
        try engine.write {
          try $0.put(
            [UInt8](repeating: 2, count: 20_000), at: Key([1]).appending(number),
            in: EngineUnderTest.values)
        }
      }
    }
  }

  @Test("the reserve takes what may use it, and nothing else", arguments: EngineUnderTest.allCases)
  func reserve(engine: EngineUnderTest) throws {
    try engine.withSmall { engine in
      try fill(engine)
      let results = Results()
      for number in 0..<20 {
        let value = [UInt8](repeating: 3, count: 15_000)
        engine.submit(
          results.change("log \(number)", mayUseReserve: true) {
            try $0.put(value, at: Key("log \(number)"), in: EngineUnderTest.values)
          })
        engine.submit(
          results.change("ordinary \(number)") {
            try $0.put(value + value, at: Key("ordinary \(number)"), in: EngineUnderTest.values)
          })
      }
      #expect(throws: StorageError.full) { try fillOnce(engine) }
      for number in 0..<20 {
        #expect(results.all["log \(number)"] == "kept")
        #expect(results.all["ordinary \(number)"] == "full")
      }
    }
  }

  private func fillOnce(_ engine: any Engine) throws {
    try engine.write {
      try $0.put([UInt8](repeating: 1, count: 40_000), at: Key("more"), in: EngineUnderTest.values)
    }
  }

  @Test("a reserve that is spent refuses too", arguments: EngineUnderTest.allCases)
  func spentReserve(engine: EngineUnderTest) throws {
    try engine.withSmall { engine in
      let results = Results()
      for number in 0..<8 {
        engine.submit(
          results.change("\(number)", mayUseReserve: true) {
            try $0.put(
              [UInt8](repeating: 3, count: 1 << 20), at: Key("log \(number)"),
              in: EngineUnderTest.values)
          })
      }
      try engine.write { _ in }
      #expect(Set(results.all.values) == ["kept", "full"])
      #expect(results.all.values.filter { $0 == "kept" }.count == 3)
    }
  }

  @Test(
    "the refusal of what doesn't fit is written into the reserve",
    arguments: EngineUnderTest.allCases
  )
  func recovery(engine: EngineUnderTest) throws {
    try engine.withSmall { engine in
      try fill(engine)
      let result = Mutex<String?>(nil)
      engine.submit(
        Change(
          perform: {
            try $0.put(
              [UInt8](repeating: 1, count: 40_000), at: Key("more"), in: EngineUnderTest.values)
          },
          recover: { error, transaction in
            let reason = "\(error)"
            try transaction.put(reason, at: "log")
          },
          completion: { outcome in result.withLock { $0 = outcome.isSuccess ? "kept" : "failed" } })
      )
      #expect(throws: StorageError.full) { try fillOnce(engine) }
      #expect(result.withLock { $0 } == "kept")
      try engine.read { snapshot in
        try expect(snapshot.value(at: Key("log"), in: EngineUnderTest.values), Array("full".utf8))
        try expect(snapshot.hasValue(at: Key("more"), in: EngineUnderTest.values), false)
      }
    }
  }

  @Test("a change that looks away from it is refused whole", arguments: EngineUnderTest.allCases)
  func swallowed(engine: EngineUnderTest) throws {
    try engine.withSmall { engine in
      #expect(throws: StorageError.full) {
        try engine.write { transaction in
          try transaction.put("1", at: "a")
          try? transaction.nested { inner in
            try inner.put(
              [UInt8](repeating: 1, count: 9 << 20), at: Key("larger"), in: EngineUnderTest.values)
          }
        }
      }
      try engine.read { try expect($0.entries(), []) }
    }
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
  fileprivate var failure: String { if case .failure(let error) = self { "\(error)" } else { "" } }
}

extension Reader {
  fileprivate func keyCount() throws -> Int {
    var count = 0
    try walk(EngineUnderTest.values, .everything, .forward) { _, _ in
      count += 1
      return .next
    }
    return count
  }
}
