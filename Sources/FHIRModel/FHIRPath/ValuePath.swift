/// A path through a resource's JSON that leads to values of one data type: what is left of an
/// expression once the specification has said which names its steps have in JSON.
package struct ValuePath: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    /// The member of this name; every element of it if it is an array.
    case member(MemberName)
    case whereEqual(member: MemberName, literal: String)
    case whereResolves(String)
    case item(Int)
  }

  package let steps: [Step]
  package let type: DataType
  /// The value set that a code here must be of, by its position in the table of codes.
  let valueSet: UInt16?
  /// Whether a resource may have several values here.
  package let repeats: Bool
}

/// A value that a path led to.
package struct PathValue: Sendable {
  package let value: JSONValue
  package let type: DataType

  package init(_ value: JSONValue, _ type: DataType) {
    self.value = value
    self.type = type
  }
}

extension ValuePath {
  /// Lends each value that the path leads to from `root`, in document order. `null` in arrays of
  /// primitives is no value.
  package func forEachValue(in root: JSONValue, _ body: (PathValue) throws -> Void) rethrows {
    try follow(steps[...], from: root, body)
  }

  /// The name of the member of a resource with which the path begins.
  package var firstName: MemberName? {
    if case .member(let name) = steps.first { name } else { nil }
  }

  /// As `forEachValue(in:)`, from the member with which the path begins.
  package func forEachValue(
    inFirst member: JSONValue, _ body: (PathValue) throws -> Void
  ) rethrows {
    try follow(member: member, steps.dropFirst(), body)
  }

  private func follow(
    _ steps: ArraySlice<Step>, from value: JSONValue, _ body: (PathValue) throws -> Void
  ) rethrows {
    guard let step = steps.first else { return try body(PathValue(value, type)) }
    let rest = steps.dropFirst()
    switch step {
    case .member(let name):
      guard let member = value[name] else { return }
      try follow(member: member, rest, body)
    case .whereEqual(let name, let literal):
      if value[name]?.string == literal { try follow(rest, from: value, body) }
    case .whereResolves(let type):
      if ReferenceText.type(named: value) == type { try follow(rest, from: value, body) }
    case .item(let position):
      if position == 0 { try follow(rest, from: value, body) }
    }
  }

  private func follow(
    member: JSONValue, _ rest: ArraySlice<Step>, _ body: (PathValue) throws -> Void
  ) rethrows {
    // `[0]` picks from the array itself.
    if case .item(let position)? = rest.first {
      return try followItem(at: position, of: member, rest.dropFirst(), body)
    }
    try forEachItem(of: member) { try follow(rest, from: $0, body) }
  }

  private func followItem(
    at position: Int, of member: JSONValue, _ rest: ArraySlice<Step>,
    _ body: (PathValue) throws -> Void
  ) rethrows {
    var passed = 0
    try forEachItem(of: member) { item in
      if passed == position { try follow(rest, from: item, body) }
      passed += 1
    }
  }

  private func forEachItem(of value: JSONValue, _ body: (JSONValue) throws -> Void) rethrows {
    switch value.kind {
    case .array: for element in value.elements where element.kind != .null { try body(element) }
    case .null: break
    default: try body(value)
    }
  }
}
