extension Validator {
  mutating func checkPrimitive(_ value: Int, as type: PrimitiveType, in valueSet: UInt16?) {
    guard JSONValue(document: document, position: value).kind == type.jsonKind else {
      return fail(
        .structure, "\(phrase(value)) is no \(type.rawValue) as JSON writes it", at: value)
    }
    switch fault(of: value, as: type, in: valueSet) {
    case nil: return
    case .format: fail(.value, "\(excerpt(value)) is no valid \(type.rawValue)", at: value)
    case .code(let valueSet):
      fail(.codeInvalid, "\(excerpt(value)) is not one of the codes of \(valueSet)", at: value)
    }
  }

  private enum Fault {
    case format
    case code(valueSet: String)
  }

  @inline(__always)
  private func fault(of value: Int, as type: PrimitiveType, in valueSet: UInt16?) -> Fault? {
    let node = tape[value]
    if node.hasEscape {
      let decoded = JSONString.decoded(bytes.span, node)
      return fault(of: decoded.span, as: type, in: valueSet)
    }
    return fault(of: bytes.span.extracting(node.range), as: type, in: valueSet)
  }

  @inline(__always)
  private func fault(
    of text: Span<UInt8>, as type: PrimitiveType, in valueSet: UInt16?
  ) -> Fault? {
    guard type.allows(text) else { return .format }
    guard let valueSet, !structures.codes.contains(text, inSet: valueSet) else { return nil }
    return .code(valueSet: structures.codes.names[Int(valueSet)])
  }

  private func excerpt(_ value: Int) -> String {
    JSONValue(document: document, position: value).excerpt
  }
}
