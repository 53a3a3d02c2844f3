import FHIRModel
import KeyValue
import Store
import Testing

@Suite("Raw samples beside the resources")
struct SampleTableTests {
  private func filled() throws -> (Fixture, SampleTable) {
    let fixture = try Fixture(.memory)
    for name in ["p1", "p2"] {
      try fixture.perform(.update(.patient(name, family: "F", identifier: "i"), if: .none))
    }
    return (fixture, SampleTable(of: fixture.bench.store()))
  }

  private func owner(_ patient: String, _ origin: String = "a") throws -> SampleTable.Owner {
    SampleTable.Owner(patient: try id("Patient/" + patient), origin: origin)
  }

  private func pieces(
    of owner: SampleTable.Owner, _ table: SampleTable, _ fixture: Fixture
  ) throws -> [String] {
    try fixture.bench.engine.read { snapshot in
      var pieces: [String] = []
      try table.walk(of: owner, in: snapshot) { pieces.append("\($0) \($1) \($2)") }
      return pieces
    }
  }

  @Test("are lent by metric and day, each owner's alone")
  func order() throws {
    let (fixture, table) = try filled()
    let places: [SampleTable.Place] = [
      .samples(metric: "b", day: 1), .samples(metric: "a", day: 300),
      .samples(metric: "a", day: -2), .rule, .samples(metric: "ab", day: 0),
    ]
    for (value, name) in [("p1", "a"), ("p1", "ab"), ("p2", "a")].enumerated() {
      let owner = try owner(name.0, name.1)
      try fixture.bench.engine.write { transaction in
        for place in places {
          let isNew = try table.update(place, of: owner, in: &transaction) { kept in
            #expect(kept == nil)
            return [UInt8(value), 0, 255]
          }
          #expect(isNew)
        }
      }
    }
    #expect(
      try pieces(of: owner("p1", "ab"), table, fixture) == [
        "a -2 [1, 0, 255]", "a 300 [1, 0, 255]", "ab 0 [1, 0, 255]", "b 1 [1, 0, 255]",
      ])
    let removed = try fixture.bench.engine.write {
      try table.remove(of: try owner("p1"), in: &$0)
    }
    #expect(removed == 5)
    #expect(try pieces(of: owner("p1"), table, fixture) == [])
    #expect(try pieces(of: owner("p1", "ab"), table, fixture).count == 4)
    #expect(try pieces(of: owner("p2"), table, fixture).count == 4)
  }

  @Test("change only when they differ")
  func unchanged() throws {
    let (fixture, table) = try filled()
    let owner = try owner("p1")
    let changes = try fixture.bench.engine.write { transaction in
      try [[1], [1], nil, [1, 2]].map { (next: [UInt8]?) in
        try table.update(.rule, of: owner, in: &transaction) { _ in next }
      }
    }
    #expect(changes == [true, false, false, true])
    #expect(try fixture.bench.engine.read { try table.rule(of: owner, in: $0) } == [1, 2])
  }

  @Test("of nobody are refused")
  func nobody() throws {
    let (fixture, table) = try filled()
    let owner = try owner("p3")
    #expect(throws: InteractionError.self) {
      try fixture.bench.engine.write {
        try table.update(.rule, of: owner, in: &$0) { _ in [] }
      }
    }
  }

  @Test("that were damaged are found by the check, and not lent")
  func damage() throws {
    let (fixture, table) = try filled()
    let owner = try owner("p1")
    let samples = try #require(ResourceStore.tables.first { $0.name == "store-samples" })
    try fixture.bench.engine.write { transaction in
      _ = try table.update(.samples(metric: "a", day: 7), of: owner, in: &transaction) { _ in
        [1, 2, 3]
      }
    }
    #expect(try fixture.integrity().isClean)
    try fixture.bench.engine.write { transaction in
      var found: (Key, [UInt8])?
      try transaction.reader.walk(samples, .everything, .forward) { key, value in
        found = (Key(key), value.indices.map { value[$0] })
        return .stop
      }
      guard let (key, value) = found else { return }
      var damaged = value
      damaged[5] ^= 1
      try transaction.put(damaged, at: key, in: samples)
    }
    #expect(try fixture.integrity().differences.map(\.kind) == [.wrongChecksum])
    #expect(throws: StoreError.self) { try pieces(of: owner, table, fixture) }
  }
}
