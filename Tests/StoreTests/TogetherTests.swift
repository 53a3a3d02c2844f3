import FHIRModel
import SeededNumbers
import Store
import Testing

@Suite("resources that are written in one transaction")
struct TogetherTests {
  /// Each says something otherwise than the one before, leaves something out or says it twice.
  static let contents: [String] = [
    observation(#""code":{"coding":[{"system":"http://loinc.org","code":"a"}]}"#),
    observation(
      #""code":{"coding":[{"system":"http://loinc.org","code":"a"}]}"#, day: "2026-01-02"),
    observation(
      #""code":{"coding":[{"code":"a"},{"code":"a"},{"system":"urn:other","code":"b"}]}"#,
      day: "2026-01-02"),
    observation(#""code":{"text":"none"}"#, subject: "Patient/b"),
    observation(#""code":{"text":"none"}"#, subject: nil, day: nil),
    observation(
      #""code":{"coding":[{"code":"a"}]},"component":[{"code":{"coding":[{"code":"p"}]}}]"#),
    observation(
      #""code":{"coding":[{"code":"a"}]},"component":[{"code":{"coding":[{"code":"q"}]}}]"#),
    #"{"resourceType":"Patient","name":[{"family":"Example"}],"gender":"female"}"#,
    #"{"resourceType":"Patient","name":[{"family":"Example"}],"gender":"female"}"#,
    observation(
      #""meta":{"security":[{"system":"urn:s","code":"R"}]},"code":{"coding":[{"code":"a"}]}"#),
    observation(
      #""meta":{"security":[{"system":"urn:s","code":"N"}]},"code":{"coding":[{"code":"a"}]}"#),
    #"{"resourceType":"Patient","deceasedBoolean":true,"generalPractitioner":[{"display":"x"}]}"#,
    observation(#""code":{"coding":[{"code":"a"}]},"performer":[{"reference":"Patient/b"}]"#),
    observation(#""code":{"coding":[{"code":"a"}]}"#, subject: "Group/g"),
    observation(#""code":{"text":"none"},"valueQuantity":{"value":1,"system":"urn:units"}"#),
    observation(#""code":{"coding":[{"system":"urn:alone"}]}"#),
    // The same to a reader, and another code.
    observation(#""code":{"coding":[{"code":"\u00e9"}]}"#),
    observation(#""code":{"coding":[{"code":"e\u0301"}]}"#),
  ]

  private static func observation(
    _ members: String, subject: String? = "Patient/a", day: String? = "2026-01-01"
  ) -> String {
    let subject = subject.map { #","subject":{"reference":"\#($0)"}"# } ?? ""
    let day = day.map { #","effectiveDateTime":"\#($0)""# } ?? ""
    return #"{"resourceType":"Observation","status":"final",\#(members)\#(subject)\#(day)}"#
  }

  @Test(
    "are indexed as if each were written alone, whichever was written before",
    arguments: [1, UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)])
  func index(seed: UInt64) throws {
    print("resources together, seed \(seed)")
    var numbers = SplitMix64(seed: seed)
    let order = (0..<200).compactMap { _ in Self.contents.randomElement(using: &numbers) }
    let fixture = try Fixture(.lmdb)
    let store = fixture.store
    for part in stride(from: 0, to: order.count, by: 40) {
      let resources = try order[part..<part + 40].map { try Resource.reading($0) }
      try fixture.bench.engine.write { transaction in
        let memory = WriteMemory()
        for resource in resources {
          _ = try store.perform(
            .create(resource, ifNoneExist: nil), in: &transaction, memory: memory
          ) { _ in }
        }
      }
    }
    #expect(try fixture.integrity().differences == [])
    #expect(try fixture.integrity().resourceCount == 200)
  }

  @Test(
    "are indexed as if each were written alone, what was prepared of them before",
    arguments: [2, UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)])
  func prepared(seed: UInt64) throws {
    print("resources prepared, seed \(seed)")
    var numbers = SplitMix64(seed: seed)
    let order = (0..<200).compactMap { _ in Self.contents.randomElement(using: &numbers) }
    let fixture = try Fixture(.lmdb)
    let store = fixture.store
    func prepare(_ part: Int) throws -> (resources: [Resource], PreparedContents) {
      let resources = try order[part..<part + 40].map { try Resource.reading($0) }
      return try fixture.bench.engine.read { reader in
        (resources, try store.prepared(resources.map { $0 }, in: reader))
      }
    }
    // The next are prepared before the terms of these have numbers.
    var next = try prepare(0)
    for part in stride(from: 0, to: order.count, by: 40) {
      let (resources, prepared) = next
      if part + 40 < order.count { next = try prepare(part + 40) }
      try fixture.bench.engine.write { transaction in
        let ready = try store.ready(prepared, in: &transaction)
        let memory = WriteMemory()
        for (position, resource) in resources.enumerated() {
          // What was prepared of another content is not taken for this one's.
          memory.prepared = ready[position % 7 == 3 ? position + 1 : position]
          _ = try store.perform(
            .create(resource, ifNoneExist: nil), in: &transaction, memory: memory
          ) { _ in }
        }
      }
    }
    #expect(try fixture.integrity().differences == [])
    #expect(try fixture.integrity().resourceCount == 200)
  }

  @Test("are told apart by codes of which one only reads as the other")
  func spellings() throws {
    let fixture = try Fixture(.lmdb)
    let codes = ["\u{e9}", "e\u{301}"]
    for position in codes.indices {
      let code = codes[position]
      let content = Self.observation(#""id":"x","code":{"coding":[{"code":"\#(code)"}]}"#)
      try fixture.perform(.update(try Resource.reading(content), if: .none))
      let found = try codes.indices.filter {
        try !fixture.found("Observation?code=\(codes[$0])").isEmpty
      }
      #expect(found == [position])
      #expect(try fixture.integrity().differences == [])
    }
  }

  @Test("are indexed with terms that were given anew after those of another were undone")
  func undone() throws {
    struct GivenUp: Error {}
    let fixture = try Fixture(.lmdb)
    let store = fixture.store
    func content(_ code: String) throws -> Resource {
      try Resource.reading(Self.observation(#""code":{"coding":[{"code":"\#(code)"}]}"#))
    }
    let (first, second, third) = (try content("x"), try content("y"), try content("z"))
    try fixture.bench.engine.write { transaction in
      let memory = WriteMemory()
      _ = try store.perform(
        .create(first, ifNoneExist: nil), in: &transaction, memory: memory
      ) { _ in }
      do {
        try transaction.nested { inner in
          _ = try store.perform(
            .create(second, ifNoneExist: nil), in: &inner, memory: memory
          ) { _ in }
          throw GivenUp()
        }
      } catch is GivenUp {
        memory.forget()
      }
      for resource in [third, second] {
        _ = try store.perform(
          .create(resource, ifNoneExist: nil), in: &transaction, memory: memory
        ) { _ in }
      }
    }
    #expect(try fixture.integrity().differences == [])
    #expect(try fixture.found("Observation?code=y").count == 1)
  }
}
