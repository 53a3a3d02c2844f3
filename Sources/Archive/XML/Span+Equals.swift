extension Span<UInt8> {
  package func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for position in indices where self[position] != other[position] { return false }
    return true
  }

  /// Whether these are the bytes of `text`.
  package func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for position in indices where unsafe self[position] != text.utf8Start[position] {
      return false
    }
    return true
  }
}
