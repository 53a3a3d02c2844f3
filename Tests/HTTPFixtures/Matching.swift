import FHIRModel

extension Names {
  /// What in `value` is not as `expected` has it, each with its place.
  ///
  /// An object must have every member that is expected and may have more; `null` stands for a member
  /// that must be absent. An array must have just the elements that are expected. Numbers are
  /// compared by their digits.
  mutating func faults(
    _ value: JSONValue?, _ expected: JSONValue, at place: String
  ) -> [String] {
    guard let value else { return expected.kind == .null ? [] : ["\(place) is missing"] }
    switch expected.kind {
    case .object: return objectFaults(value, expected, at: place)
    case .array: return arrayFaults(value, expected, at: place)
    case .string:
      guard let text = value.string, let wanted = expected.string else { break }
      return matches(text, wanted) ? [] : ["\(place) is '\(text)', not '\(filled(wanted))'"]
    default: break
    }
    let found = String(decoding: value.rawBytes, as: UTF8.self)
    let wanted = String(decoding: expected.rawBytes, as: UTF8.self)
    return found == wanted ? [] : ["\(place) is \(found), not \(wanted)"]
  }

  private mutating func objectFaults(
    _ value: JSONValue, _ expected: JSONValue, at place: String
  ) -> [String] {
    guard value.kind == .object else { return ["\(place) is no object"] }
    var faults: [String] = []
    for member in expected.members {
      faults += self.faults(
        value[member.name], member.value,
        at: place.isEmpty ? member.name : "\(place).\(member.name)"
      )
    }
    return faults
  }

  private mutating func arrayFaults(
    _ value: JSONValue, _ expected: JSONValue, at place: String
  ) -> [String] {
    guard value.kind == .array else { return ["\(place) is no array"] }
    let found = Array(value.elements)
    let wanted = Array(expected.elements)
    guard found.count == wanted.count else {
      return ["\(place) has \(found.count) elements, not \(wanted.count)"]
    }
    var faults: [String] = []
    for position in found.indices {
      faults += self.faults(found[position], wanted[position], at: "\(place)[\(position)]")
    }
    return faults
  }
}
