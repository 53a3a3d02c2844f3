import FHIRModel

extension SummaryCall {
  /// The answer:
  ///
  ///     {"patient":"Patient/1","metric":"steps","title":"Steps","unit":"steps","ucum":"{steps}",
  ///      "bucket":"week","from":"2026-10-01","to":"2026-10-31","buckets":[
  ///      {"start":"2026-09-28","end":"2026-10-04","count":4,"mean":8342.25,"min":7900,"max":9012,
  ///       "sum":33369}]}
  ///
  /// A bucket of whose days none has a value is left out. `lowest` and `highest`, the least and
  /// greatest value within the days, stand where a day tells them.
  package func answer(_ rows: [Digest.Row]) -> [UInt8] {
    var json = JSONWriter(reservingByteCount: 256 + 128 * rows.count)
    json.object { json in
      json.member("patient", "\(patient)")
      json.member("metric", metric.name)
      json.member("title", metric.title)
      if let unit = metric.unit { json.member("unit", unit.text) }
      json.member("ucum", metric.ucum)
      json.member("bucket", bucket.rawValue)
      json.member("from", "\(days.lowerBound)")
      json.member("to", "\(days.upperBound)")
      json.member("buckets", array: { for row in rows { $0.object { Self.write(row, to: &$0) } } })
    }
    return json.bytes
  }

  private static func write(_ row: Digest.Row, to json: inout JSONWriter) {
    json.member("start", "\(row.days.lowerBound)")
    json.member("end", "\(row.days.upperBound)")
    json.member("count", row.count)
    let numbers = [
      ("mean", row.mean), ("min", row.minimum), ("max", row.maximum), ("sum", row.sum),
      ("lowest", row.lowest), ("highest", row.highest),
    ]
    for case (let name, let number?) in numbers {
      json.name(name)
      json.raw(number.text)
    }
  }
}
