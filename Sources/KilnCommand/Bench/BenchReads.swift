import FHIRModel
import Foundation
import Kiln

/// The requests that the measurements send, taken from a filled store.
struct BenchReads {
  /// One Observation that is to be written again and again.
  struct Update: Sendable {
    let identifier: String
    let before: String
    let after: String

    var path: String {
      "/fhir/Observation?identifier=urn:kiln:daily-value%7C"
        + identifier.replacing("/", with: "%2F")
    }

    func interaction(value: String) throws -> Interaction {
      let resource = try Resource(parsing: Array((before + value + after).utf8))
      let query = Query(
        type: resource.type,
        parameters: [
          QueryParameter(name: "identifier", value: "urn:kiln:daily-value|" + identifier)
        ])
      return .conditionalUpdate(resource, matching: query, if: .none)
    }
  }

  let reads: [String]
  let searches: [String]
  let updates: [Update]
  let readByteCount: Int

  init(of bench: BenchStore) throws {
    let assembly = try Assembly.open(bench.folder)
    defer { assembly.close() }
    guard let type = ResourceType("Observation") else { throw BenchError("no Observation") }
    var reads: [String] = []
    var updates: [Update] = []
    var byteCount = 0
    for person in stride(from: 0, to: bench.personCount, by: max(1, bench.personCount / 50)) {
      let query = Query(
        type: type,
        parameters: [
          QueryParameter(name: "patient", value: BenchStore.person(person)),
          QueryParameter(name: "code", value: "http://loinc.org|8867-4"),
          QueryParameter(name: "_count", value: "20"),
        ])
      let outcome = try assembly.engine.read { try assembly.store.answer(.search(query), in: $0) }
      guard case .searchset(let page) = outcome else { continue }
      for match in page.matches {
        reads.append("/fhir/\(match.id)")
        byteCount += match.place.count
        if let update = Self.update(match, page.json(of: match)) { updates.append(update) }
      }
    }
    guard !reads.isEmpty, !updates.isEmpty else { throw BenchError("the store holds nothing") }
    self.reads = reads
    self.updates = updates
    readByteCount = byteCount / reads.count
    let (first, last) = (BenchStore.day(bench.dayCount - 30), BenchStore.day(bench.dayCount))
    searches = (0..<min(200, bench.personCount)).map { person in
      "/fhir/Observation?patient=\(BenchStore.person(person))&code=http://loinc.org%7C8867-4"
        + "&date=ge\(first)&date=lt\(last)&_sort=-date&_count=30"
    }
  }

  /// The Observation without what the store sets, cut where its value stands.
  private static func update(_ version: SearchMatch, _ bytes: ArraySlice<UInt8>) -> Update? {
    let json = String(decoding: bytes, as: UTF8.self)
    guard let document = try? JSONDocument(parsing: Array(bytes)),
      let identifier = document.root["identifier"]?.elements.first(where: { _ in true })?["value"]?
        .string,
      let value = json.firstMatch(of: #/"valueQuantity":\{"value":([0-9.]+)/#)
    else { return nil }
    let before = String(json[..<value.1.startIndex])
      .replacing("\"id\":\"\(version.id.id.text)\",", with: "")
      .replacing(#/"versionId":"[0-9]+","lastUpdated":"[^"]+",/#, with: "")
    return Update(
      identifier: identifier, before: before, after: String(json[value.1.endIndex...]))
  }
}
