/// An expression of a search parameter: the few shapes of FHIRPath that R4's parameters use, read
/// into steps.
///
/// - SeeAlso: https://hl7.org/fhir/R4/searchparameter-registry.html
package struct PathExpression: Hashable, Sendable {
  /// The parts of the union, in their order: each is evaluated alone and the results are joined.
  package let parts: [Part]

  /// A part of a union.
  package enum Part: Hashable, Sendable {
    /// The values that the steps lead to.
    case steps([Step])
    /// `path.exists() and path != false`: one boolean, whatever the path holds.
    case existsAndIsNotFalse([Step])
  }

  /// A step from some values to the next.
  package enum Step: Hashable, Sendable {
    /// `.name`, of every value.
    case member(String)
    /// `as`, `.as()` and `.ofType()`: the values of this type. On several values `as` keeps those of
    /// the type, where FHIRPath itself would refuse; every FHIR server reads parameters so.
    case type(String)
    /// `.where(member = 'literal')`
    case whereEqual(member: String, literal: String)
    /// `.where(resolve() is Type)`: the references that name this type. Nothing is fetched.
    case whereResolves(String)
    /// `[position]`
    case item(Int)
  }

  /// Reads an expression of a parameter of `type`; a leading type name is dropped from each part.
  package init(_ text: String, of type: String) throws(PathError) {
    var reader = PathReader(text)
    parts = try reader.parts().map { part throws(PathError) in
      try part.droppingRoot(named: type, in: text)
    }
  }
}

/// The expression has a shape that no search parameter of R4 has.
package struct PathError: Error, Hashable, Sendable {
  package var expression: String
  package var reason: String
}

extension PathExpression.Part {
  /// Any capitalised first name is that of a type: the resource's own or one of its ancestors.
  fileprivate func droppingRoot(named type: String, in text: String) throws(PathError) -> Self {
    switch self {
    case .steps(let steps): .steps(try Self.dropRoot(of: steps, named: type, in: text))
    case .existsAndIsNotFalse(let steps):
      .existsAndIsNotFalse(try Self.dropRoot(of: steps, named: type, in: text))
    }
  }

  private static func dropRoot(
    of steps: [PathExpression.Step], named type: String, in text: String
  ) throws(PathError) -> [PathExpression.Step] {
    guard case .member(let root) = steps.first, root.first?.isUppercase == true else {
      return steps
    }
    guard [type, "Resource", "DomainResource"].contains(root) else {
      throw PathError(expression: text, reason: "\(root) is not the type that is searched")
    }
    return Array(steps.dropFirst())
  }
}
