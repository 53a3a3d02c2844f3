import Crypto
import FHIRModel
import KeyValue
import Testing

@testable import Access

@Suite("the access log")
struct AccessLogTests {
  /// A store with a few entries: writes, reads, refusals.
  private func filled() throws -> Scene {
    let scene = try Scene()
    try scene.put(
      Sample.patient("a"), Sample.patient("b"), Sample.observation("x", of: "a"),
      Sample.observation("y", of: "b"), Sample.consent("c", of: "a", Sample.permit("app")))
    let app = try Scene.app("app", for: "a", "patient/Observation.rs")
    _ = try scene.canRead("Observation/x", app)
    _ = try scene.canRead("Observation/y", app)
    _ = try scene.found("Observation?code=8867-4", by: app)
    _ = try scene.refusal(of: .read(try Scene.id("Patient/a")), by: app)
    return scene
  }

  private func verify(_ scene: Scene, upTo head: SHA256? = nil) throws -> LogVerification {
    try scene.engine.read { try scene.store.log.verify(upTo: head, in: $0) }
  }

  private func head(_ scene: Scene) throws -> LogHead {
    try scene.engine.read { try scene.store.log.head(in: $0) }
  }

  private func bytes(_ scene: Scene, _ sequence: UInt64) throws -> [UInt8] {
    try scene.engine.read {
      try #require(try $0.value(at: Key().appending(sequence), in: .log))
    }
  }

  @Test("holds each access in its order, chained by SHA-256")
  func chain() throws {
    let scene = try filled()
    let head = try head(scene)
    #expect(head.sequence == 9)
    #expect(try verify(scene) == .intact(head))
    #expect(try verify(scene, upTo: head.hash) == .intact(head))
    #expect(head.hash == SHA256(of: try bytes(scene, 9)))
    #expect(try Array(bytes(scene, 9)[9..<41]) == SHA256(of: try bytes(scene, 8)).bytes)
    #expect(try Array(bytes(scene, 1)[9..<41]) == [UInt8](repeating: 0, count: 32))
  }

  @Test("that is empty is intact")
  func empty() throws {
    let scene = try Scene()
    #expect(try verify(scene) == .intact(.empty))
    #expect(try verify(scene, upTo: LogHead.empty.hash) == .intact(.empty))
  }

  @Test("gives away a changed byte, wherever it is")
  func alteration() throws {
    for sequence: UInt64 in 1...9 {
      let scene = try filled()
      let head = try head(scene)
      let old = try bytes(scene, sequence)
      for position in stride(from: 0, to: old.count, by: 7) {
        var new = old
        new[position] ^= 0x20
        try scene.engine.write { try $0.put(new, at: Key().appending(sequence), in: .log) }
        let found = try verify(scene, upTo: head.hash)
        // In the last entry only the head kept outside can tell.
        #expect(found != .intact(head), "entry \(sequence), byte \(position)")
        if sequence < 9, case .broken(let place, _) = found {
          #expect(place == sequence || place == sequence + 1)
        }
      }
    }
  }

  @Test("gives away an entry that is gone, moved or added")
  func reordering() throws {
    let key = { (sequence: UInt64) in Key().appending(sequence) }
    var scene = try filled()
    try scene.engine.write { _ = try $0.removeValue(at: key(4), in: .log) }
    #expect(try verify(scene) == .broken(sequence: 4, .missing))

    scene = try filled()
    let (third, fourth) = (try bytes(scene, 3), try bytes(scene, 4))
    try scene.engine.write {
      try $0.put(fourth, at: key(3), in: .log)
      try $0.put(third, at: key(4), in: .log)
    }
    #expect(try verify(scene) == .broken(sequence: 3, .misplaced))

    scene = try filled()
    try scene.engine.write { try $0.put(third, at: key(10), in: .log) }
    #expect(try verify(scene) == .broken(sequence: 10, .misplaced))

    scene = try filled()
    try scene.engine.write { try $0.put([1, 2, 3], at: key(5), in: .log) }
    #expect(try verify(scene) == .broken(sequence: 5, .unreadable))
  }

  @Test("gives away a cut tail only to one who kept the head")
  func truncation() throws {
    let scene = try filled()
    let kept = try head(scene)
    let patient = Key(try Scene.id("Patient/a"))
    try scene.engine.write { transaction in
      for sequence: UInt64 in 8...9 {
        _ = try transaction.removeValue(at: Key().appending(sequence), in: .log)
        _ = try transaction.remove(sequence, at: patient, in: .logByPatient)
      }
    }
    let cut = try head(scene)
    #expect(cut.sequence == 7)
    #expect(try verify(scene) == .intact(cut))
    #expect(try verify(scene, upTo: kept.hash) == .headNotFound(cut))
    #expect(try verify(scene, upTo: cut.hash) == .intact(cut))
    #expect(try verify(scene, upTo: LogHead.empty.hash) == .headNotFound(cut))
  }

  @Test("gives away an entry that was written anew with all after it")
  func rewriting() throws {
    let scene = try filled()
    let kept = try head(scene)
    try scene.engine.write { transaction in
      var previous = SHA256.zero
      for sequence: UInt64 in 1...9 {
        let old = try #require(
          try transaction.reader.value(at: Key().appending(sequence), in: .log))
        var record = Array(old[49...])
        if sequence == 5 { record[record.count - 1] ^= 1 }
        let new = LogEntry.bytes(
          sequence: sequence, previous: previous,
          recorded: try LogEntry.opening(of: old.span).recorded, record: record)
        try transaction.put(new, at: Key().appending(sequence), in: .log)
        previous = SHA256(of: new)
      }
    }
    let new = try head(scene)
    #expect(try verify(scene) == .intact(new))
    #expect(try verify(scene, upTo: kept.hash) == .headNotFound(new))
  }

  @Test("gives away an entry that was hidden from a person or shown to another")
  func listings() throws {
    var scene = try filled()
    let (a, b) = (Key(try Scene.id("Patient/a")), Key(try Scene.id("Patient/b")))
    try scene.engine.write { _ = try $0.remove(6, at: a, in: .logByPatient) }
    #expect(try verify(scene) == .broken(sequence: 6, .unlisted))
    scene = try filled()
    try scene.engine.write { _ = try $0.insert(6, at: b, in: .logByPatient) }
    #expect(try verify(scene) == .broken(sequence: 6, .unlisted))
  }

  @Test("keeps an entry to the letter")
  func roundTrip() throws {
    var record = LogRecord(
      occurred: try Instant("2026-11-30T08:00:00.123Z"),
      agent: LogAgent(kind: .app(try Scene.id("Device/app")), token: TokenID("0123456789abcdef")),
      interaction: .searchType, type: ResourceType("Observation"),
      target: try Scene.id("Observation/5b0c7d8e-3a5d-4f0e-9d7b-0123456789ab"))
    record.patients = [try Scene.id("Patient/a"), try Scene.id("Patient/b")]
    record.consents = [VersionedID(try Scene.id("Consent/c"), VersionID(300))]
    record.outcome = .seriousFailure
    record.parameters = [
      QueryParameter(name: "code:not", value: "ü|x"), QueryParameter(name: "a", value: ""),
    ]
    record.reason = "because"
    record.shown = [
      LogShown(
        VersionedID(try Scene.id("Observation/5B0C7D8E-3A5D-4F0E-9D7B-0123456789AB"), .first)),
      LogShown(
        VersionedID(try Scene.id("Observation/\(String(repeating: "x", count: 64))"), .first),
        owner: 1),
    ]
    record.peer = "2001:db8::1"
    for agent in [
      record.agent, LogAgent(kind: .operator(name: "me"), token: nil),
      LogAgent(kind: .person(try Scene.id("Patient/a")), token: nil),
    ] {
      record.agent = agent
      let entry = LogEntry(
        sequence: 7, previous: SHA256(of: [1]), recorded: try Instant("2026-11-30T08:00:01Z"),
        record: record)
      let bytes = LogEntry.bytes(
        sequence: 7, previous: entry.previous, recorded: entry.recorded, record: record.bytes)
      #expect(try LogEntry(bytes.span) == entry)
      for length in 0..<bytes.count {
        let cut = Array(bytes[..<length])
        #expect(throws: (any Error).self) { try LogEntry(cut.span) }
      }
    }
  }
}
