import FHIRModel

/// The links of a page of a search or a history.
struct Links: Sendable {
  /// The address without its parameters.
  var address: String
  /// The parameters that were really used.
  var parameters: [QueryParameter]
  /// The sealed place where the next page begins, and the name of the parameter that carries it.
  var next: (name: String, place: String)?

  /// Writes the member `link`.
  func write(to writer: inout JSONWriter) {
    writer.member(
      "link",
      array: { writer in
        Self.write("self", url(parameters), to: &writer)
        guard let next else { return }
        let others = parameters.filter { $0.name != next.name }
        let place = QueryParameter(name: next.name, value: next.place)
        Self.write("next", url(others + [place]), to: &writer)
      })
  }

  private func url(_ parameters: [QueryParameter]) -> [UInt8] {
    var url = Array(address.utf8)
    if !parameters.isEmpty {
      url.append(UInt8(ascii: "?"))
      url += parameters.percentEncoded
    }
    return url
  }

  private static func write(_ relation: String, _ url: [UInt8], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("relation", relation)
      writer.name("url")
      writer.string(url.span)
    }
  }
}
