/// The name of a member, ready to be found in documents: for names that are asked for again and
/// again.
package struct MemberName: Hashable, Sendable {
  let bytes: [UInt8]
  package let hash: UInt16

  package init(_ name: some StringProtocol) {
    let utf8 = Array(name.utf8)
    hash = nameHash(utf8.span)
    bytes = utf8
  }
}

extension MemberName: ExpressibleByStringLiteral {
  package init(stringLiteral name: String) { self.init(name) }
}

extension JSONValue {
  /// The member of this object with that name; `nil` if there is none or this is no object.
  package subscript(_ name: MemberName) -> JSONValue? {
    kind == .object ? member(name.bytes.span, hash: name.hash) : nil
  }
}

extension JSONMember {
  /// Whether this is its name.
  package func hasName(_ name: MemberName) -> Bool {
    hash == name.hash && nameBytes.span.equals(name.bytes.span)
  }
}
