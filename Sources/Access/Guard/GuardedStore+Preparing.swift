import FHIRModel
import KeyValue
import Store

/// What was prepared of interactions that are to be performed together.
package struct PreparedWrites: Sendable {
  let contents: PreparedContents
}

extension GuardedStore {
  /// Prepares interactions that are to be performed together, on a thread that has time for it: what they
  /// write as new resources then costs less of the thread that writes, which all others wait for. Nothing
  /// is judged or told by it.
  ///
  /// - Returns: for `AccessRequest.prepared`; `nil` if the store can't be read now, and then they are
  ///   performed all the same.
  package func prepare(_ interactions: [Interaction]) -> PreparedWrites? {
    let contents = interactions.map(\.newContent)
    return try? engine.read { PreparedWrites(contents: try store.prepared(contents, in: $0)) }
  }
}

extension Interaction {
  /// What it writes if nothing of the kind is there.
  fileprivate var newContent: Resource? {
    switch self {
    case .create(let resource, _), .conditionalUpdate(let resource, _, _): resource
    default: nil
    }
  }
}
