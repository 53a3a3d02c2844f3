import Archive
import FHIRModel
import Testing

@testable import Wearables

@Suite("A workout's route")
struct RouteDocumentTests {
  private func gpx(exported: String, name: String, longitudes: [String]) -> [UInt8] {
    let points = longitudes.map {
      "<trkpt lon=\"\($0)\" lat=\"47.5\"><time>2026-10-24T07:00:00Z</time></trkpt>"
    }
    return Array(
      """
      <?xml version="1.0"?><gpx><metadata><time>\(exported)</time></metadata><trk>
      <name>Route \(name)</name><trkseg>\(points.joined())</trkseg></trk></gpx>
      """.utf8)
  }

  /// What a file of an export is to be.
  private func made(
    _ file: String, _ bytes: [UInt8], _ reading: inout AppleHealthReading
  ) throws -> (revision: any Revision, resource: Resource) {
    var source = ByteSource(bytes)
    let made = try reading.readFile("workout-routes/\(file)", &source)
    guard case .conditionalRevision(let revision, _) = made?.interaction,
      let resource = try revision.revised(nil)
    else { throw ClinicalRecord.Refusal(reason: "no revision") }
    return (revision, resource)
  }

  private func identifier(_ resource: Resource) -> String? {
    resource.document.root["identifier"]?.elements.first { _ in true }?["value"]?.string
  }

  private func reading() throws -> AppleHealthReading {
    AppleHealthReading(try AppleReading.options(), sorter: MemorySampleSorter())
  }

  @Test("is the same in a later export, made anywhere, and is written anew with other points")
  func later() throws {
    var first = try reading()
    let longitudes = ["19.01", "19.02"]
    let old = try made(
      "route_2026-10-24_9.00am.gpx",
      gpx(exported: "2026-11-02T09:00:00Z", name: "2026-10-24 9:00am", longitudes: longitudes),
      &first)
    #expect(identifier(old.resource) == "synthetic-1/2026-10-24T07:00:00.000Z")
    var second = try reading()
    let new = try made(
      "route_2026-10-24_4.00pm.gpx",
      gpx(exported: "2026-11-05T09:00:00Z", name: "2026-10-24 4:00pm", longitudes: longitudes),
      &second)
    #expect(identifier(new.resource) == identifier(old.resource))
    #expect(new.resource.document.bytes != old.resource.document.bytes)
    #expect(
      try new.revision.revised(old.resource)?.document.bytes == old.resource.document.bytes)
    var third = try reading()
    let other = try made(
      "route_2026-10-24_9.00am.gpx",
      gpx(exported: "2026-11-05T09:00:00Z", name: "", longitudes: longitudes + ["19.03"]), &third)
    #expect(
      try other.revision.revised(old.resource)?.document.bytes == other.resource.document.bytes)
  }

  @Test("is told from another that began at the same moment, and by its name if it has no times")
  func alike() throws {
    var reading = try reading()
    let bytes = gpx(exported: "2026-11-02T09:00:00Z", name: "", longitudes: ["19.01"])
    let names = try ["1.gpx", "2.gpx"].map {
      identifier(try made($0, bytes, &reading).resource)
    }
    let moment = "synthetic-1/2026-10-24T07:00:00.000Z"
    #expect(names == [moment, moment + "%2F2"])
    let bare = try made("3 ö.gpx", Array("<gpx></gpx>".utf8), &reading)
    #expect(identifier(bare.resource) == "synthetic-1/3%20%C3%B6.gpx")
  }

  @Test("is written anew once its workout is known, and keeps it")
  func workout() throws {
    let bytes = gpx(exported: "2026-11-02T09:00:00Z", name: "", longitudes: ["19.01"])
    var (alone, together) = (try reading(), try reading())
    together.routeIndex["1.gpx"] = "workout"
    let without = try made("1.gpx", bytes, &alone)
    let with = try made("1.gpx", bytes, &together)
    #expect(
      try with.revision.revised(without.resource)?.document.bytes == with.resource.document.bytes)
    #expect(
      try without.revision.revised(with.resource)?.document.bytes == with.resource.document.bytes)
  }
}
