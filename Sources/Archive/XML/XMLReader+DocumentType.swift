extension XMLReader {
  /// Passes over the document type, whose declarations real exports have broken: it ends with the
  /// `>` behind its `]`, or, whatever is missing, where the first element begins.
  mutating func passDocumentType() -> Step {
    var scan = DocumentTypeScan()
    position += 9
    while true {
      switch scan.advance(window, from: position) {
      case .ended(let end):
        position = end
        return .passed
      case .goesOn(let from):
        position = from
        if window.isComplete {
          endsInMarkup = true
          position = window.count
          return .passed
        }
        window.fill(droppingBefore: position)
        position = 0
      }
    }
  }
}
