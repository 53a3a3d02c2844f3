import FHIRModel
import Testing

@testable import Wearables

/// What `fixtures/wearables/every_type.py` expects of one type.
private struct ExpectedType {
  let origin: Origin
  let type: String
  let metric: String
  let when: String
  let sent: String
  let category: String
  let profile: String
  let codes: [String]
  let unit: String
  let ucum: String
  let components: [String]
  let value: String

  init?(_ line: String) {
    var cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    cells += Array(repeating: "", count: max(0, 13 - cells.count))
    guard cells.count == 13, let origin = Origin(rawValue: cells[0]) else { return nil }
    self.origin = origin
    (type, metric, when, sent) = (cells[1], cells[2], cells[3], cells[4])
    (category, profile) = (cells[5], cells[6])
    codes = cells[7].split(separator: ";").map(String.init)
    (unit, ucum) = (cells[8], cells[9])
    components = cells[10].split(separator: ";").map(String.init)
    value = cells[11]
  }

  static func all() throws -> [ExpectedType] {
    try Fixture.lines("fixtures/wearables/every-type.tsv").map { try #require(ExpectedType($0)) }
  }
}

@Suite("Every type of HealthKit and Health Connect")
struct EveryTypeTests {
  @Test("is in the table as the mapping has it")
  func rows() throws {
    let expected = try ExpectedType.all()
    #expect(expected.count == 298)
    for row in expected {
      let type = try #require(MetricTable.shared.type(row.type, of: row.origin), "\(row.type)")
      let metric = MetricTable.shared[row.origin, row.type]
      #expect(type.origin == row.origin)
      #expect(metric?.name ?? "" == row.metric, "\(row.type)")
      #expect(metric?.hasDayValue ?? false == (row.when == "day"), "\(row.type)")
      #expect(metric?.ucum ?? "" == row.ucum, "\(row.type)")
      #expect(metric?.unit?.text ?? "" == row.unit, "\(row.type)")
      #expect(metric?.category.code ?? "" == row.category, "\(row.type)")
    }
  }

  @Test("makes the Observation of a day that the mapping describes")
  func days() throws {
    // 2026-11-15T10:00:00Z.
    let now = Instant(second: 1_794_736_800)
    for row in try ExpectedType.all() where row.when == "day" {
      let body = """
        {"patient":"Patient/ana","origin":"\(row.origin.rawValue)","timeZone":"UTC","values":[
          {"metric":"\(row.metric)","day":"2026-10-25",\(row.sent.dropFirst())]}
        """
      let values = try DailyValues(parsing: Array(body.utf8), metrics: .shared, now: now)
      guard let resource = try values.entries[0].content.get().written() else {
        #expect(Bool(false), "\(row.type) is not written")
        continue
      }
      check(resource, row)
    }
  }

  @Test("makes the Observation of an event that the mapping describes")
  func events() throws {
    let patient = try #require(ResourceID("Patient/ana"))
    let source = try #require(SourceSystem(bundleIdentifier: "com.example.export"))
    for row in try ExpectedType.all() where row.when == "event" || row.when == "once" {
      let metric = try #require(MetricTable.shared[row.origin, row.type])
      var draft = ObservationDraft(
        of: metric, for: patient, from: row.origin, source: source,
        identifier: .event(metric, of: patient, from: row.origin, key: "1"))
      draft.effective = .dateTime("2026-10-25T08:00:00+01:00")
      draft.value = metric.sourceTypes[row.origin]?.value(row.value).map { .coded($0) }
      if !row.components.isEmpty { draft.parts = try parts(of: metric) }
      guard case .conditionalUpdate(let resource, _, _) = try draft.interaction() else {
        #expect(Bool(false), "\(row.type) is not written")
        continue
      }
      check(resource, row)
      #expect(resource.document.root["effectiveDateTime"]?.string == "2026-10-25T08:00:00+01:00")
    }
  }

  private func parts(of metric: Metric) throws -> [ObservationDraft.Part] {
    let number = try #require(DecimalText(json: "5"))
    return MetricTable.shared.parts(of: metric).map {
      .init($0, Numbers(value: number, minimum: number, maximum: number))
    }
  }

  private func check(_ resource: Resource, _ row: ExpectedType) {
    let root = resource.document.root
    let categories = codes(root["category"]?.elements.first { _ in true })
    #expect(categories.map { $0.code } == [row.category], "\(row.type)")
    #expect(
      root["meta"]?["profile"]?.elements.map(\.string) ?? []
        == (row.profile.isEmpty ? [] : [row.profile]), "\(row.type)")
    #expect(codes(root["code"]).map { $0.shown(from: row.origin) } == row.codes, "\(row.type)")
    let components = root["component"].map { Array($0.elements) } ?? []
    #expect(
      components.map { codes($0["code"]).map { $0.shown(from: row.origin) } }
        == row.components.map { [$0] }, "\(row.type)")
    let quantities = ([root] + components).compactMap { $0["valueQuantity"] }
    for quantity in quantities where !row.ucum.isEmpty {
      #expect(quantity["code"]?.string == row.ucum, "\(row.type)")
      #expect(quantity["unit"]?.string == row.unit, "\(row.type)")
      #expect(quantity["system"]?.string == "http://unitsofmeasure.org", "\(row.type)")
    }
    // The number of one pressure stands in the panel of both.
    let isPart = MetricTable.shared[row.metric].flatMap { MetricTable.shared.whole(of: $0) } != nil
    #expect((root["valueQuantity"] != nil) == (!row.ucum.isEmpty && !isPart), "\(row.type)")
    guard !row.value.isEmpty else { return }
    #expect(codes(root["valueCodeableConcept"]).map { $0.code } == [row.value], "\(row.type)")
  }

  private func codes(_ concept: JSONValue?) -> [SeenCode] {
    concept?["coding"]?.elements.map {
      SeenCode(
        system: $0["system"]?.string ?? "", code: $0["code"]?.string ?? "",
        display: $0["display"]?.string)
    } ?? []
  }
}

private struct SeenCode {
  let system: String
  let code: String
  let display: String?

  func shown(from origin: Origin) -> String {
    switch system {
    case "http://loinc.org": "\(code)=\(display ?? "")"
    case origin.typeSystem: code
    default: "\(system)|\(code)"
    }
  }
}
