import FHIRModel

/// Kept samples as a person reads them.
package struct SampleListing {
  private let origin: Origin
  private let metrics: MetricTable
  private var zones: ZoneList

  /// - Parameter home: the zone of those whose export told none.
  package init(_ origin: Origin, home: HomeZone, metrics: MetricTable = .shared) {
    self.origin = origin
    self.metrics = metrics
    zones = ZoneList(home: home)
  }

  /// Lends each sample of a chunk as a JSON object: metric, type, start and end in the sample's zone,
  /// value, unit, source and whether it was typed in.
  package mutating func write(_ chunk: SampleChunk, _ each: ([UInt8]) throws -> Void) rethrows {
    for row in chunk.rows {
      var json = JSONWriter(reservingByteCount: 256)
      json.object { write(row, of: chunk, to: &$0) }
      try each(json.bytes)
    }
  }

  private mutating func write(
    _ row: SampleChunk.Row, of chunk: SampleChunk, to json: inout JSONWriter
  ) {
    let metric = metrics[chunk.metric]
    let zone = zones.position(written: chunk.zones[row.zone]) ?? 0
    json.member("metric", chunk.metric)
    let type = metric?.sourceTypes[origin]?.identifier
    if let type { json.member("type", type) }
    json.member("start", text(row.start, in: zone))
    json.member("end", text(row.end, in: zone))
    if let value = DecimalText(row.value) {
      json.name("value")
      json.raw(value.text.utf8)
    }
    // The value of a HealthKit category is one of its numbers: asleepCore is 4.
    if let unit = metric?.unit, type?.hasPrefix("HKCategoryType") != true {
      json.member("unit", unit.ucum)
    }
    json.member("source", chunk.sources[row.source].name)
    if let identifier = chunk.sources[row.source].identifier {
      json.member("identifier", identifier)
    }
    if row.isManual { json.member("manual", true) }
  }

  private func text(_ instant: Int64, in position: UInt16) -> String {
    let second = Int(instant.flooredQuotient(by: 1_000))
    let rest = Int(instant - Int64(second) * 1_000)
    let zone = zones.zone(position, at: instant)
    let local = second + zone.offset(at: second)
    guard let day = LocalDay(number: local.flooredQuotient(by: 86_400)) else { return "" }
    let text = zone.dateTime(second, on: day)
    guard rest != 0 else { return text }
    let digits = String(repeating: "0", count: 3 - "\(rest)".count) + "\(rest)"
    return "\(text.prefix(19)).\(digits)\(text.dropFirst(19))"
  }
}
