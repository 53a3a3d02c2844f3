import FHIRModel
import KeyValue
import Store
import Testing

@Suite("a resource and its versions")
struct VersionTests {
  @Test(
    "is created under an id of the store's, whatever its own", arguments: Bench.EngineKind.allCases)
  func create(kind: Bench.EngineKind) throws {
    let fixture = try Fixture(kind)
    let made = try fixture.perform(
      .create(.patient("mine", family: "Kovács"), ifNoneExist: nil))
    #expect(made.kind == "created")
    let version = try made.version
    #expect(version.id == (try id("Patient/made-1")))
    #expect(version.version == .first)
    #expect(
      version.text == """
        {"resourceType":"Patient","meta":{"versionId":"1","lastUpdated":"2026-11-30T00:53:20.000Z"},\
        "id":"made-1","name":[{"family":"Kovács"}]}
        """)
    #expect(try fixture.answer(.read(version.id)).version == version)
    #expect(throws: InteractionError.notFound(try id("Patient/mine"))) {
      try fixture.answer(.read(try id("Patient/mine")))
    }
  }

  @Test(
    "is updated, deleted and revived under an id of the client's, each a version",
    arguments: Bench.EngineKind.allCases)
  func life(kind: Bench.EngineKind) throws {
    let fixture = try Fixture(kind)
    let patient = try id("Patient/a")
    #expect(try fixture.perform(.update(.patient("a", family: "One"), if: .none)).kind == "created")
    #expect(try fixture.perform(.update(.patient("a", family: "Two"), if: .none)).kind == "updated")
    #expect(try fixture.perform(.delete(patient, if: .none)).kind == "deleted")
    #expect(throws: InteractionError.gone(patient, VersionID(3))) {
      try fixture.answer(.read(patient))
    }
    #expect(try fixture.perform(.delete(patient, if: .none)).kind == "nothing deleted")
    #expect(try fixture.found("Patient?family=Two") == [])
    #expect(
      try fixture.perform(.update(.patient("a", family: "Two"), if: .none)).kind == "created")
    #expect(try fixture.answer(.read(patient)).version.version == VersionID(4))
    #expect(try fixture.found("Patient?family=Two") == ["Patient/a"])
    #expect(try fixture.answer(.vread(patient, VersionID(1))).version.text.contains("One"))
    #expect(throws: InteractionError.gone(patient, VersionID(3))) {
      try fixture.answer(.vread(patient, VersionID(3)))
    }
    #expect(throws: InteractionError.unknownVersion(patient, VersionID(5))) {
      try fixture.answer(.vread(patient, VersionID(5)))
    }
    let changes = try fixture.history(.instance(patient)).entries.map(\.change)
    #expect(changes == [.update, .delete, .update, .update])
    #expect(try fixture.integrity().differences == [])
  }

  @Test("makes no version of the content it already has")
  func unchanged() throws {
    let fixture = try Fixture(.memory)
    try fixture.perform(.update(.patient("a", family: "One"), if: .none))
    fixture.bench.advanceClock(milliseconds: 5000)
    let again = try fixture.perform(.update(.patient("a", family: "One"), if: .none))
    #expect(again.kind == "unchanged")
    #expect(try again.version.version == .first)
    #expect(try fixture.history(.instance(try id("Patient/a"))).entries.count == 1)
  }

  @Test("keeps decimals, order and spelling to the letter")
  func letter() throws {
    let fixture = try Fixture(.lmdb)
    let json = #"""
      {"id":"a","valueQuantity":{"value":1.50E+2,"unit":"\u00e9"},"status":"final","resourceType":"Observation","code":{"text":"x"}}
      """#
    try fixture.perform(.update(.reading(json), if: .none))
    let text = try fixture.answer(.read(try id("Observation/a"))).version.text
    #expect(text.contains(#""valueQuantity":{"value":1.50E+2,"unit":"\u00e9"},"status":"final""#))
  }

  @Test("has moments that rise even if the clock goes back")
  func clock() throws {
    let fixture = try Fixture(.memory)
    let start = try Instant("2026-11-30T10:00:00Z")
    fixture.bench.set(clock: start)
    try fixture.perform(.update(.patient("a", family: "One"), if: .none))
    fixture.bench.set(clock: try Instant("2026-11-30T09:00:00Z"))
    let second = try fixture.perform(.update(.patient("a", family: "Two"), if: .none)).version
    #expect(second.lastUpdated.description == "2026-11-30T10:00:00.001Z")
    let deleted = try fixture.perform(.delete(second.id, if: .none)).version
    #expect(deleted.lastUpdated.description == "2026-11-30T10:00:00.002Z")
  }

  @Test("is not written when the caller may not", arguments: Bench.EngineKind.allCases)
  func refused(kind: Bench.EngineKind) throws {
    let fixture = try Fixture(kind)
    try fixture.perform(.update(.patient("a", family: "One"), if: .none))
    for write: Interaction in [
      .update(try .patient("a", family: "New"), if: .none),
      .update(try .patient("b", family: "New"), if: .none),
      .create(try .patient(family: "New"), ifNoneExist: nil),
      .delete(try id("Patient/a"), if: .ifMatch([VersionID(9)])),
    ] {
      #expect(throws: InteractionError.forbidden(reason: "no")) {
        try fixture.perform(write) { _ in throw InteractionError.forbidden(reason: "no") }
      }
    }
    #expect(try fixture.history(.system).entries.count == 1)
    #expect(try fixture.found("Patient?family=New") == [])
    #expect(try fixture.integrity().differences == [])
  }

  @Test("tells the caller's judge what is there and what would be")
  func intent() throws {
    let fixture = try Fixture(.memory)
    try fixture.perform(.update(.observation("o", of: "p1"), if: .none))
    try fixture.perform(.update(.observation("o", of: "p2"), if: .none)) { intent in
      #expect(intent.kind == .update)
      #expect(intent.current?.patients != intent.next?.patients)
      #expect(intent.current?.codes == intent.next?.codes)
      #expect(intent.resource?.type.name == "Observation")
    }
    try fixture.perform(.delete(try id("Observation/o"), if: .none)) { intent in
      #expect(intent.kind == .delete && intent.next == nil && intent.current?.patients.count == 1)
    }
    try fixture.perform(.delete(try id("Observation/none"), if: .none)) { intent in
      #expect(intent.kind == .delete && intent.current == nil)
    }
  }
}

@Suite("a precondition")
struct PreconditionTests {
  @Test(
    "lets a change through only where it holds",
    arguments: [
      (Precondition.ifMatch([VersionID(2)]), true, false),
      (.ifMatch([VersionID(1)]), false, false),
      (.ifMatch([VersionID(1), VersionID(2)]), true, false),
      (.ifMatch([]), false, false),
      (.ifExists, true, false),
      (.ifNoneExists, false, true),
      (.none, true, true),
    ])
  func check(precondition: Precondition, overVersion2: Bool, overNothing: Bool) throws {
    for isDelete in [false, true] {
      let fixture = try Fixture(.memory)
      try fixture.perform(.update(.patient("a", family: "One"), if: .none))
      try fixture.perform(.update(.patient("a", family: "Two"), if: .none))
      for (name, holds, current) in [
        ("a", overVersion2, VersionID(2)), ("b", overNothing, nil),
      ] {
        let target = try id("Patient/\(name)")
        let write: Interaction =
          isDelete
          ? .delete(target, if: precondition)
          : .update(try .patient(name, family: "Three"), if: precondition)
        if holds {
          try fixture.perform(write)
        } else {
          #expect(throws: InteractionError.versionConflict(target, current: current)) {
            try fixture.perform(write)
          }
        }
      }
    }
  }

  @Test("of a version fails on what was deleted")
  func deleted() throws {
    let fixture = try Fixture(.memory)
    let patient = try id("Patient/a")
    try fixture.perform(.update(.patient("a", family: "One"), if: .none))
    try fixture.perform(.delete(patient, if: .none))
    for precondition in [Precondition.ifMatch([VersionID(2)]), .ifExists] {
      #expect(throws: InteractionError.versionConflict(patient, current: nil)) {
        try fixture.perform(.update(.patient("a", family: "Two"), if: precondition))
      }
    }
    #expect(
      try fixture.perform(.update(.patient("a", family: "Two"), if: .ifNoneExists)).kind
        == "created")
  }
}
