import FHIRModel

/// The entry after which a page of a history begins: histories run to older ones.
struct HistoryPlace: Hashable {
  var moment: Instant
  var number: UInt64

  /// Before the newest entry.
  static let top = HistoryPlace(moment: .distantFuture, number: .max)

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(moment: moment)
    bytes.append(fixed: number)
    return bytes
  }

  init(moment: Instant, number: UInt64) {
    self.moment = moment
    self.number = number
  }

  /// `nil` if the bytes are none that a place writes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    var reader = ByteReader()
    guard let moment = try? reader.moment(in: bytes.span),
      let number = try? reader.fixed(UInt64.self, in: bytes.span)
    else { return nil }
    self.init(moment: moment, number: number)
  }
}

extension HistoryScope {
  /// What a page's seal binds it to, with the query's own conditions.
  func sealContext(of query: HistoryQuery) -> [UInt8] {
    var bytes: [UInt8] = Array("history".utf8)
    switch self {
    case .instance(let id): bytes.append(counted: id.description)
    case .type(let type): bytes.append(counted: type.name)
    case .system: bytes.append(counted: "")
    }
    for moment in [query.since, query.at?.lowerBound, query.at?.upperBound] {
      bytes.append(moment: moment ?? .distantPast)
    }
    return bytes
  }
}
