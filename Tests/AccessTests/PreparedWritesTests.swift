import FHIRModel
import SeededNumbers
import Store
import Testing

@testable import Access

@Suite("interactions that were prepared")
struct PreparedWritesTests {
  private static let codes = [
    #"{"code":"%"}"#, #"{"system":"urn:s%","code":"c"}"#, #"{"system":"urn:alone%"}"#, "",
  ]

  /// An Observation with one of few identifiers and something that others don't say.
  private func content(_ draw: inout SplitMix64) throws -> (Resource, Query) {
    func one(_ count: Int) -> Int { Int.random(in: 0..<count, using: &draw) }
    let identifier = one(12)
    let coding = Self.codes[one(Self.codes.count)].replacing("%", with: "\(one(40))")
    let text =
      #"{"resourceType":"Observation","status":"final","identifier":[{"system":"urn:i","#
      + #""value":"\#(identifier)"}],"code":{"coding":[\#(coding)],"text":"synthetic"},"#
      + #""subject":{"reference":"Patient/\#(one(5))"},"valueQuantity":{"value":\#(one(9)),"#
      + #""system":"urn:u\#(one(3))"}}"#
    let query = Query(
      type: ResourceType("Observation"),
      parameters: [QueryParameter(name: "identifier", value: "urn:i|\(identifier)")])
    return (try Scene.resource(text.replacing(#""coding":[],"#, with: "")), query)
  }

  private func interactions(_ draw: inout SplitMix64) throws -> [Interaction] {
    try (0..<Int.random(in: 1...12, using: &draw)).map { _ in
      let (resource, query) = try content(&draw)
      switch Int.random(in: 0..<8, using: &draw) {
      // Of a kind that is there twice, what asks for one is refused.
      case 0: return .create(resource, ifNoneExist: nil)
      case 1: return .create(resource, ifNoneExist: query)
      case 2, 3: return .conditionalDelete(matching: query)
      default: return .conditionalUpdate(resource, matching: query, if: .none)
      }
    }
  }

  @Test(
    "are indexed as others, whatever else is written before they are performed",
    arguments: 0..<20 as Range<UInt64>)
  func index(seed: UInt64) throws {
    var draw = SplitMix64(seed: seed)
    let scene = try Scene()
    var refusalCount = 0
    for _ in 0..<12 {
      let interactions = try interactions(&draw)
      var request = AccessRequest(interactions, by: Scene.operator)
      request.prepared = scene.store.prepare(interactions)
      #expect(request.prepared != nil)
      for other in try self.interactions(&draw) { _ = try? scene.perform(other) }
      let results = scene.store.perform(request)
      refusalCount += results.count { (try? $0.get()) == nil }
    }
    let integrity = try scene.engine.read { try Integrity(of: scene.store.store, in: $0) }
    #expect(integrity.differences == [])
    #expect(integrity.resourceCount > 0)
    #expect(refusalCount > 0)
  }
}
