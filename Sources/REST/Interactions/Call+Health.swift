import FHIRModel

extension Call {
  /// Says that the server answers, to whoever watches it; it speaks of nobody.
  func health() throws -> Plan {
    .answer(Response(200, json: Array(#"{"status":"ok"}"#.utf8), as: plainFormat))
  }

  /// JSON that is not FHIR.
  var plainFormat: Format {
    var format = format
    format.contentType = "application/json; charset=utf-8"
    return format
  }
}
