extension Specification {
  /// The paths in JSON for which an expression's steps stand, from values of `type` on: one for
  /// each data type that it reaches. None where an element doesn't exist.
  package func paths(_ steps: [PathExpression.Step], from type: TypeID) -> [ValuePath] {
    var branches = [Branch(steps: [], type: type, valueSet: nil, repeats: false)]
    for step in steps { branches = branches.flatMap { continued($0, by: step) } }
    return branches.map {
      ValuePath(
        steps: $0.steps, type: DataType(name(of: $0.type)), valueSet: $0.valueSet,
        repeats: $0.repeats)
    }
  }

  /// The systems of the codes to which a path of type `code` leads, which the codes don't say
  /// themselves; `nil` where R4 doesn't list them.
  package func codeSystems(of path: ValuePath) -> [String]? {
    path.valueSet.map { types.valueSets[Int($0)].systems }
  }

  /// A way through the elements that an expression has gone so far.
  private struct Branch {
    var steps: [ValuePath.Step]
    var type: TypeID
    var valueSet: UInt16?
    var repeats: Bool

    func with(_ step: ValuePath.Step) -> Branch {
      Branch(steps: steps + [step], type: type, valueSet: valueSet, repeats: repeats)
    }
  }

  private func continued(_ branch: Branch, by step: PathExpression.Step) -> [Branch] {
    switch step {
    case .member(let name):
      guard let element = element(name, of: branch.type) else { return [] }
      return element.properties.map { property in
        Branch(
          steps: branch.steps + [.member(MemberName(property.jsonName))], type: property.type,
          valueSet: property.valueSet, repeats: branch.repeats || element.isRepeating)
      }
    case .type(let name): return isNamed(name, branch.type) ? [branch] : []
    case .whereEqual(let member, let literal):
      return [branch.with(.whereEqual(member: MemberName(member), literal: literal))]
    case .whereResolves(let type): return [branch.with(.whereResolves(type))]
    case .item(let position): return [branch.with(.item(position))]
    }
  }

  /// One definition writes `DateTime` for `dateTime`.
  private func isNamed(_ name: String, _ type: TypeID) -> Bool {
    self.name(of: type).lowercased() == name.lowercased()
  }
}
