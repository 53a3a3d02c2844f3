extension Resource {
  /// Whether the content is the same to the letter: every name, string and number as it is
  /// written, in the same order. The id, `meta.versionId`, `meta.lastUpdated` and white space
  /// between values are no content; nor is a `meta` without anything else in it.
  package func hasSameContent(as other: Resource) -> Bool {
    let mine = Content(document)
    return mine.isSame(mine.root, as: Content(other.document), other.root)
  }

  private var root: Int { document.root.position }

  /// Lends each member whose value another content doesn't have, and each that only the other has.
  /// What the store sets is no content.
  package func forEachMember(changedSince old: Resource, _ body: (JSONMember) -> Void) {
    let mine = Content(document)
    let others = Content(old.document)
    for member in document.root.members {
      if !mine.hasSame(member, in: others) { body(member) }
    }
    for member in old.document.root.members {
      if document.root.member(named: member) == nil { body(member) }
    }
  }
}

/// The nodes of a resource that are its content.
private struct Content {
  private let document: JSONDocument
  /// The nodes of the names of what is no content, at most four.
  private var skipped: [Int] = []

  init(_ document: JSONDocument) {
    self.document = document
    if let id = document.root["id"] { skip(id) }
    guard let meta = document.root["meta"] else { return }
    let stamps = [meta["versionId"], meta["lastUpdated"]].compactMap { $0 }
    if meta.kind == .object, stamps.count == meta.members.reduce(0, { count, _ in count + 1 }) {
      skip(meta)
    } else {
      for stamp in stamps { skip(stamp) }
    }
  }

  private mutating func skip(_ value: JSONValue) { skipped.append(value.position - 1) }

  var root: Int { document.root.position }

  /// Whether the other has this member with the same value, or it is no content.
  func hasSame(_ member: JSONMember, in other: Content) -> Bool {
    if skipped.contains(member.namePosition) { return true }
    guard let value = other.document.root.member(named: member) else { return false }
    if isWritten(member.value.rawRange, as: other, value.rawRange) { return true }
    return isSame(member.value.position, as: other, value.position)
  }

  /// Whether the text is the same to the byte, which tells more than `isSame` asks, and sooner.
  private func isWritten(
    _ range: Range<Int>, as other: Content, _ otherRange: Range<Int>
  ) -> Bool {
    let (bytes, others) = (document.bytes, other.document.bytes)
    return bytes.span.extracting(range).equals(others.span.extracting(otherRange))
  }

  func isSame(_ node: Int, as other: Content, _ otherNode: Int) -> Bool {
    let mine = document.tape[node]
    let others = other.document.tape[otherNode]
    guard mine.kind == others.kind else { return false }
    guard mine.kind == .object || mine.kind == .array else {
      return document.bytes[mine.range] == other.document.bytes[others.range]
    }
    // The names of members are nodes of their own, so they are compared like values.
    var child = next(node + 1, in: mine)
    var otherChild = other.next(otherNode + 1, in: others)
    while child < mine.next, otherChild < others.next {
      guard isSame(child, as: other, otherChild) else { return false }
      child = next(following(child), in: mine)
      otherChild = other.next(other.following(otherChild), in: others)
    }
    return child >= mine.next && otherChild >= others.next
  }

  /// What comes after a node in its container: after a name its value.
  private func following(_ node: Int) -> Int {
    document.tape[node].kind == .name ? node + 1 : Int(document.tape[node].next)
  }

  /// The node itself or, where members that are no content begin, the first one behind them.
  private func next(_ node: Int, in parent: JSONNode) -> Int {
    var node = node
    while node < parent.next, skipped.contains(node) { node = Int(document.tape[node + 1].next) }
    return node
  }
}
