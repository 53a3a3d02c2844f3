/// Reads the text of a parameter's expression into its parts.
struct PathReader {
  private let text: String
  private var rest: Substring

  init(_ text: String) {
    self.text = text
    rest = text[...]
  }

  /// `part | part …`, or the one conjunction that R4 has.
  mutating func parts() throws(PathError) -> [PathExpression.Part] {
    var parts = [try part()]
    while take("|") { parts.append(try part()) }
    skipBlanks()
    guard rest.isEmpty else { throw failure("\"\(rest)\" is left over") }
    return parts
  }

  private mutating func part() throws(PathError) -> PathExpression.Part {
    let steps = try term()
    guard takeWord("and") else { return .steps(steps) }
    let other = try term()
    guard take("!="), takeWord("false"), steps.last == .member("exists()"),
      other == Array(steps.dropLast())
    else {
      throw failure("only \"path.exists() and path != false\" is known of \"and\"")
    }
    return .existsAndIsNotFalse(other)
  }

  /// A path, with `as Type` behind it or not.
  private mutating func term() throws(PathError) -> [PathExpression.Step] {
    var steps = try primary()
    while true {
      if take(".") {
        steps.append(try call(try name()))
      } else if take("[") {
        steps.append(.item(try number()))
        try expect("]")
      } else if takeWord("as") {
        steps.append(.type(try name()))
      } else {
        return steps
      }
    }
  }

  private mutating func primary() throws(PathError) -> [PathExpression.Step] {
    guard take("(") else { return [.member(try name())] }
    let steps = try term()
    try expect(")")
    return steps
  }

  /// The step that `.name` or `.name(argument)` stands for.
  private mutating func call(_ name: String) throws(PathError) -> PathExpression.Step {
    guard take("(") else { return .member(name) }
    let step: PathExpression.Step
    switch name {
    case "as", "ofType": step = .type(try self.name())
    case "where": step = try condition()
    case "exists": step = .member("exists()")
    default: throw failure("the function \(name) is not known")
    }
    try expect(")")
    return step
  }

  private mutating func condition() throws(PathError) -> PathExpression.Step {
    let member = try name()
    if member == "resolve" {
      try expect("(")
      try expect(")")
      guard takeWord("is") else { throw failure("resolve() is followed by \"is\"") }
      return .whereResolves(try name())
    }
    try expect("=")
    return .whereEqual(member: member, literal: try literal())
  }

  // MARK: Tokens

  private mutating func name() throws(PathError) -> String {
    skipBlanks()
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "%" }
    guard !name.isEmpty else { throw failure("a name is missing before \"\(rest)\"") }
    rest.removeFirst(name.count)
    return String(name)
  }

  private mutating func number() throws(PathError) -> Int {
    guard let number = Int(try name()) else { throw failure("a position is missing") }
    return number
  }

  private mutating func literal() throws(PathError) -> String {
    try expect("'")
    let literal = rest.prefix { $0 != "'" }
    rest.removeFirst(literal.count)
    try expect("'")
    return String(literal)
  }

  private mutating func take(_ symbol: String) -> Bool {
    skipBlanks()
    guard rest.hasPrefix(symbol) else { return false }
    rest.removeFirst(symbol.count)
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    skipBlanks()
    guard rest.hasPrefix(word), rest.dropFirst(word.count).first.map({ !$0.isLetter }) ?? true
    else {
      return false
    }
    rest.removeFirst(word.count)
    return true
  }

  private mutating func expect(_ symbol: String) throws(PathError) {
    guard take(symbol) else { throw failure("\"\(symbol)\" is missing before \"\(rest)\"") }
  }

  private mutating func skipBlanks() { rest = rest.drop(while: \.isWhitespace) }

  private func failure(_ reason: String) -> PathError {
    PathError(expression: text, reason: reason)
  }
}
