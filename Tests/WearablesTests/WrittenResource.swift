import FHIRModel

extension Interaction {
  /// What it writes where nothing stands yet; `nil` for what writes nothing.
  func written() throws -> Resource? {
    switch self {
    case .conditionalUpdate(let resource, _, _): resource
    case .conditionalRevision(let revision, _): try revision.revised(nil)
    default: nil
    }
  }

  /// The text of what it writes where nothing stands yet.
  var resourceText: String? {
    (try? written()).flatMap { $0 }.map { String(decoding: $0.document.bytes, as: UTF8.self) }
  }
}
