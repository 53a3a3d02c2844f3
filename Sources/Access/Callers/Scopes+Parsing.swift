import FHIRModel

extension Scopes {
  /// Reads scopes that are separated by blanks. What opens nothing here is kept in `ignored` and
  /// opens nothing.
  package init(_ text: String) {
    var scopes: [Scope] = []
    var ignored: [String] = []
    let parts = text.split(separator: " ")
    for part in parts {
      if let scope = Scope(part) { scopes.append(scope) } else { ignored.append(String(part)) }
    }
    self.text = parts.joined(separator: " ")
    self.scopes = scopes
    self.ignored = ignored
  }
}

extension Scope {
  /// Reads `patient/Type.cruds` with an optional limit, or version 1's `patient/Type.read`; `nil`
  /// for anything that grants nothing.
  init?(_ text: some StringProtocol) {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves[0].hasPrefix("patient/") else { return nil }
    let parts = halves[0].dropFirst("patient/".count)
      .split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let rights = Rights(parts[1]) else { return nil }
    if parts[0] == "*" {
      type = nil
    } else {
      guard let type = ResourceType(parts[0]) else { return nil }
      self.type = type
    }
    self.rights = rights
    if halves.count == 2 {
      guard let limit = ScopeLimit(halves[1]) else { return nil }
      self.limit = limit
    } else {
      limit = nil
    }
  }
}

extension Scope.Rights {
  /// The rights of version 2 in their order, each at most once, or one of version 1's words.
  init?(_ text: some StringProtocol) {
    switch text {
    case "read": self = [.read, .search]
    case "write": self = [.create, .update, .delete]
    case "*": self = [.create, .read, .update, .delete, .search]
    default: self.init(letters: text)
    }
  }

  private init?(letters text: some StringProtocol) {
    let order: [(Character, Scope.Rights)] = [
      ("c", .create), ("r", .read), ("u", .update), ("d", .delete), ("s", .search),
    ]
    var rest = text[...]
    self = []
    for (letter, right) in order where rest.first == letter {
      rest.removeFirst()
      insert(right)
    }
    guard rest.isEmpty, !isEmpty else { return nil }
  }
}

extension ScopeLimit {
  /// Reads `category=…` with `,` for or and `&` for and; `nil` for anything else, modifiers
  /// included.
  init?(_ text: some StringProtocol) {
    guard let parameters = try? [QueryParameter](percentEncoded: Array(text.utf8)[...]),
      !parameters.isEmpty
    else { return nil }
    categories = []
    for parameter in parameters {
      guard parameter.name == "category" else { return nil }
      let alternatives = parameter.value.split(separator: ",", omittingEmptySubsequences: false)
      let patterns = alternatives.compactMap { TokenPattern($0) }
      guard patterns.count == alternatives.count else { return nil }
      categories.append(patterns)
    }
  }
}
