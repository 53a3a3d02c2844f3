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

  private func workout(_ locations: String) -> [UInt8] {
    let span = """
      startDate="2016-11-14 07:25:41 -0700" endDate="2016-11-14 07:30:52 -0700"
      """
    return Array(
      """
      <HealthData><Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="W" \(span)>\
      <WorkoutRoute sourceName="P" \(span)>\(locations)</WorkoutRoute></Workout></HealthData>
      """.utf8)
  }

  @Test("may stand in the document, as in older exports")
  func inline() throws {
    let locations = """
      <Location date="2016-11-14 07:25:44 -0700" latitude="0.0177" longitude="0.0260" \
      altitude="21.2694" horizontalAccuracy="2.4" verticalAccuracy="1.6" course="-1" speed="2.5"/>\
      <Location date="2016-11-14 07:25:45 -0700" latitude="north" longitude="0.0261"/>\
      <Location date="2016-11-14 07:25:46 -0700" latitude="0.0178" longitude="0.0262"/>
      """
    let (reading, _) = try AppleReading.read(workout(locations))
    #expect(reading.report.routes == .init(read: 1, taken: 1))
    let resources = try reading.pending.map { try #require(try $0.written()).document.root }
    #expect(resources.map { $0["resourceType"]?.string } == ["Observation", "DocumentReference"])
    let route = try #require(resources.last)
    let attachment = route["content"]?.elements.first { _ in true }?["attachment"]
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Kiln" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lon="0.0260" lat="0.0177"><ele>21.2694</ele><time>2016-11-14T14:25:44.000Z</time>\
      <extensions><speed>2.5</speed><course>-1</course><hAcc>2.4</hAcc><vAcc>1.6</vAcc></extensions>\
      </trkpt>
      <trkpt lon="0.0262" lat="0.0178"><time>2016-11-14T14:25:46.000Z</time></trkpt>
      </trkseg></trk></gpx>

      """
    #expect(attachment?["data"]?.string == Base64.text(Array(text.utf8)))
    let related = route["context"]?["related"]?.elements.first { _ in true }
    let workout = resources.first?["identifier"]?.elements.first { _ in true }
    #expect(related?["identifier"]?["value"]?.string == workout?["value"]?.string)
    #expect(
      route["identifier"]?.elements.first { _ in true }?["value"]?.string
        == "synthetic-1/2016-11-14T14:25:44.000Z")
  }

  @Test("that stands in the document is left out if it is longer than any, or has no places")
  func tooLong() throws {
    let location = """
      <Location date="2016-11-14 07:25:44 -0700" latitude="0.0177" longitude="0.0260"/>
      """
    let (reading, _) = try AppleReading.read(
      workout(String(repeating: location, count: 60_000)), chunkByteCount: 1 << 20)
    #expect(reading.report.routes == .init(read: 1, taken: 0))
    #expect(reading.report.workouts == .init(read: 1, taken: 1))
    #expect(reading.report.leftOut.mapValues(\.count) == [.tooLarge: 1])
    let (nowhere, _) = try AppleReading.read(workout("<Location/>"))
    #expect(nowhere.report.routes == .init())
    #expect(nowhere.pending.count == 1)
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
