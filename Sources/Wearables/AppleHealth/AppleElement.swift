/// An element of an export with all that stands in it: for elements that are few.
struct AppleElement: Sendable, Equatable {
  var name: String
  var attributes: [String: String] = [:]
  var children: [AppleElement] = []
  /// The places of a route that stood in it, as points of a GPX.
  var points = ""
  /// More places stood in it, or in a part of it, than are kept.
  var isCut = false

  /// What an element may hold is bounded, so that a broken file can't fill the memory.
  static let costMaximum = 4 << 20

  /// About the bytes that it takes, without its children.
  var cost: Int { attributes.reduce(128) { $0 + $1.key.utf8.count + $1.value.utf8.count + 64 } }

  subscript(_ attribute: String) -> String? { attributes[attribute] }

  func children(named name: String) -> [AppleElement] { children.filter { $0.name == name } }

  /// The value of the metadata entry with that key.
  func metadata(_ key: String) -> String? {
    children.first { $0.name == "MetadataEntry" && $0["key"] == key }?["value"]
  }

  func stamp(_ attribute: String) -> AppleStamp? { self[attribute].flatMap { AppleStamp($0) } }

  /// Why what lasts from its start to its end can't be; `nil` if it can.
  var faultOfDates: AppleHealthReport.Reason? {
    guard let start = stamp("startDate"), let end = stamp("endDate") else { return .badDate }
    return start.milliseconds <= end.milliseconds ? nil : .reversed
  }

  func number(_ attribute: String) -> Double? { self[attribute].flatMap { AppleNumber.parse($0) } }

  var isManual: Bool { ["1", "true", "YES"].contains(metadata("HKWasUserEntered") ?? "") }
}
