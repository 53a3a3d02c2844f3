import FHIRModel

extension SearchPlan {
  /// What the plan does, in words: how candidates are found, in which order they come, what is
  /// looked at in each, how they are counted.
  package var explanation: [String] {
    var lines: [String] = []
    if let series {
      lines.append(contentsOf: series.explanation)
    } else {
      lines.append(contentsOf: drivers)
    }
    for criterion in series?.rest ?? [] { lines.append("each is checked for \(criterion.text)") }
    lines.append(ordering)
    lines.append(counting)
    return lines
  }

  /// The explanation as a JSON object.
  package var explanationJSON: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", type.name)
      writer.member("index", series == nil ? "search-postings" : "search-series")
      writer.name("steps")
      writer.array { writer in
        for line in explanation { writer.string(line) }
      }
    }
    return writer.bytes
  }

  private var drivers: [String] {
    let listing = criteria.filter { !$0.isNegated }
    guard !listing.isEmpty else {
      return ["all resources of type \(type.name) are walked"]
        + criteria.map { "each is checked for \($0.text)" }
    }
    return ["the shortest list of numbers among these drives the search, the others filter:"]
      + criteria.map { "  \($0.text) \($0.explanation)" }
  }

  private var ordering: String {
    if let series {
      return "the walk gives them by date, \(series.isDescending ? "last" : "first") start first"
    }
    guard !order.isEmpty else { return "they come in the order in which they were created" }
    let keys = order.map { "\($0.parameter.name)\($0.isDescending ? " descending" : "")" }
    return "all matches are read and sorted by \(keys.joined(separator: ", "))"
  }

  private var counting: String {
    switch total {
    case .none: "the walk stops behind a page of \(pageCount); nothing is counted"
    case .ifCheap:
      "a page of \(pageCount); matches are counted up to \(PageCollector.cheapCountMaximum) entries"
    case .always: "a page of \(pageCount); all matches are counted"
    }
  }
}

extension Criterion {
  fileprivate var explanation: String {
    let units = parameter.parts.map { "\($0.unit.type.name) unit \($0.unit.number)" }
    let place = "(\(parameter.kind.rawValue), \(units.joined(separator: " and ")))"
    return isNegated ? "\(place), negated" : place
  }
}

extension SeriesPlan {
  fileprivate var explanation: [String] {
    let subject =
      order == .bySubject
      ? "subject \(subjects.map(\.description).joined(separator: " or "))" : "all subjects"
    let code =
      codes.map { "code \($0.map(\.description).joined(separator: " or "))" } ?? "all codes"
    return ["the main index of \(layout.type.name) is walked: \(subject), \(code)"]
      + DateInterval.Length.allCases.map { length in
        let starts = starts(of: length)
        return
          "  \(length.words): starts from \(Self.text(starts.lower)) to \(Self.text(starts.upper))"
      }
      + (dates.isEmpty ? ["  what has no date, behind all others"] : [])
      + ["no content is read for subject, code and date: their entries tell"]
  }

  private static func text(_ ticks: Int64) -> String {
    // The years that FHIR can write.
    let known: Range<Int64> = -621_355_968_000_000_000..<2_534_023_008_000_000_000
    return known.contains(ticks) ? Instant(ticks: ticks).description : "an open end"
  }
}

extension DateInterval.Length {
  fileprivate var words: String {
    switch self {
    case .day: "spans up to 25 hours"
    case .month: "spans up to 32 days"
    case .long: "longer and open spans"
    }
  }
}

extension TokenMatch: CustomStringConvertible {
  var description: String {
    switch system {
    case .any: code ?? ""
    case .none: "|\(code ?? "")"
    case .named(let name): "\(name)|\(code ?? "")"
    }
  }
}
