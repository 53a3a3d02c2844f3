import Crypto
import FHIRModel
import KeyValue
import Testing

@testable import Access

@Suite("a token")
struct TokenTests {
  let scene: Scene

  init() throws { scene = try Scene() }

  private func create(_ principal: Principal, expires: Instant? = nil) throws -> Token {
    let now = scene.clock.now
    return try scene.engine.write { transaction in
      try scene.store.tokens.create(for: principal, expires: expires, at: now, in: &transaction)
    }
  }

  private func refusal(of bearer: String) throws -> InteractionError? {
    do {
      _ = try scene.store.authenticate(bearer: bearer)
      return nil
    } catch let error as InteractionError {
      return error
    }
  }

  private func list() throws -> [TokenRecord] {
    try scene.engine.read { try scene.store.tokens.list(in: $0) }
  }

  @Test("opens as whom it was made for")
  func authentication() throws {
    let patient = try Scene.id("Patient/1")
    let principals: [Principal] = [
      .operator(name: "tester"), .person(patient),
      .app(
        client: try #require(LogicalID("app")), patient: patient,
        scopes: Scopes("patient/*.rs openid")),
    ]
    for principal in principals {
      let token = try create(principal)
      #expect(token.text.hasPrefix("kiln_"))
      #expect(token.text.utf8.count == 5 + 43)
      for _ in 1...2 {
        #expect(try scene.store.authenticate(bearer: token.text).principal == principal)
      }
    }
    #expect(Set(try list().map(\.principal)) == Set(principals))
  }

  @Test("is stored as its SHA-256 alone")
  func storage() throws {
    let token = try create(.operator(name: "tester"))
    let bytes = Array(token.text.utf8)
    try scene.engine.read { snapshot in
      try snapshot.walk(.tokens, .everything, .forward) { key, value in
        #expect(Key(key).bytes == SHA256(of: bytes).bytes)
        #expect(!String(decoding: Key(value).bytes, as: UTF8.self).contains(token.text.suffix(43)))
        return .next
      }
    }
  }

  @Test("that was revoked opens nothing, at once and for good")
  func revocation() throws {
    let token = try create(.operator(name: "tester"))
    let caller = try scene.store.authenticate(bearer: token.text)
    let id = try #require(caller.token)
    let now = scene.clock.now
    // As another process does it: beside this store's memory.
    let revoked = try scene.engine.write { transaction in
      try TokenRegister().revoke(id, at: now, in: &transaction)
    }
    #expect(revoked?.principal == .operator(name: "tester"))
    #expect(try refusal(of: token.text) == .unauthenticated(reason: "the token was revoked"))
    #expect(
      try scene.refusal(of: .read(try Scene.id("Patient/1")), by: caller)
        == .unauthenticated(reason: "the token was revoked"))
    let patient = try Scene.resource(Sample.patient("1"))
    #expect(
      try scene.refusal(of: .update(patient, if: .none), by: caller)
        == .unauthenticated(reason: "the token was revoked"))
    #expect(try list().map(\.revoked) == [now])
  }

  @Test("opens nothing from the moment at which it expires")
  func expiry() throws {
    let end = Instant(ticks: scene.clock.now.ticks + 60 * Instant.ticksPerSecond)
    let token = try create(.operator(name: "tester"), expires: end)
    scene.clock.advance(seconds: 59)
    #expect(try refusal(of: token.text) == nil)
    scene.clock.advance(seconds: 1)
    #expect(try refusal(of: token.text) == .unauthenticated(reason: "the token has expired"))
  }

  @Test("that is none is refused", arguments: ["", "abc.def.ghi", "kiln_", "kiln_AAAA"])
  func strangers(text: String) throws {
    #expect(
      try refusal(of: text)
        == .unauthenticated(reason: "the token is not of this server's form"))
    let unknown = try Token.random().text
    #expect(try refusal(of: unknown) == .unauthenticated(reason: "the token is unknown"))
  }

  @Test("is only made for a patient")
  func patients() throws {
    let device = try Scene.id("Device/1")
    #expect(throws: InteractionError.self) { try create(.person(device)) }
    #expect(try list() == [])
  }
}
