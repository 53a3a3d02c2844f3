import FHIRModel

/// The members that values are read from, hashed once.
extension MemberName {
  static let boundsPeriod: MemberName = "boundsPeriod"
  static let code: MemberName = "code"
  static let coding: MemberName = "coding"
  static let comparator: MemberName = "comparator"
  static let currency: MemberName = "currency"
  static let display: MemberName = "display"
  static let end: MemberName = "end"
  static let event: MemberName = "event"
  static let family: MemberName = "family"
  static let high: MemberName = "high"
  static let id: MemberName = "id"
  static let identifier: MemberName = "identifier"
  static let low: MemberName = "low"
  static let reference: MemberName = "reference"
  static let `repeat`: MemberName = "repeat"
  static let resourceType: MemberName = "resourceType"
  static let start: MemberName = "start"
  static let system: MemberName = "system"
  static let text: MemberName = "text"
  static let type: MemberName = "type"
  static let unit: MemberName = "unit"
  static let value: MemberName = "value"
}
