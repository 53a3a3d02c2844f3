/// A resource's content: JSON to the letter, known to be a resource of its type.
package struct Resource: Sendable {
  package let type: ResourceType
  /// The `id` in the content; `nil` if it has none.
  package let id: LogicalID?
  package let document: JSONDocument

  /// Reads and checks what a client sent.
  ///
  /// - Parameter expected: the type that the content must have.
  /// - Throws: `InteractionError.invalid` with issues that name the places.
  package init(
    parsing bytes: [UInt8], expecting expected: ResourceType? = nil
  ) throws(InteractionError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: bytes)
    } catch {
      let place = error.place(in: bytes)
      let path = error.path(in: bytes)
      throw .invalid([
        Issue(
          .structure, "line \(place.line), column \(place.column): \(error)",
          at: path.isEmpty ? nil : path)
      ])
    }
    try self.init(checking: document, expecting: expected)
  }

  /// Checks a document against the specification.
  ///
  /// - Throws: `InteractionError.invalid` with issues that name the places.
  package init(
    checking document: JSONDocument, expecting expected: ResourceType? = nil
  ) throws(InteractionError) {
    let type = try Self.type(of: document.root)
    if let expected, type != expected {
      throw .invalid([
        Issue(
          .invalid, "the content is a \(type), a \(expected) is expected", at: "resourceType")
      ])
    }
    var validator = Validator(document)
    validator.check(as: type)
    guard validator.issues.isEmpty else { throw .invalid(validator.issues) }
    self.init(type: type, document: document)
  }

  /// Takes a document that was checked before: what the store itself holds.
  ///
  /// - Throws: `InteractionError.invalid` if it has no known `resourceType`.
  package init(trusted document: JSONDocument) throws(InteractionError) {
    self.init(type: try Self.type(of: document.root), document: document)
  }

  private init(type: ResourceType, document: JSONDocument) {
    self.type = type
    self.document = document
    id = document.root["id"]?.string.flatMap { LogicalID($0) }
  }

  private static func type(of root: JSONValue) throws(InteractionError) -> ResourceType {
    guard root.kind == .object else {
      throw .invalid([Issue(.structure, "a resource is a JSON object")])
    }
    guard let name = root["resourceType"]?.string else {
      throw .invalid([Issue(.required, "resourceType is missing", at: "resourceType")])
    }
    guard let type = ResourceType(name) else {
      throw .invalid([
        Issue(.value, "\(name) is not a resource type of R4", at: "resourceType")
      ])
    }
    return type
  }
}
