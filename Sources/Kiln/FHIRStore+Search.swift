import FHIRModel
import Search

extension FHIRStore {
  /// Searches as `GET` does over HTTP.
  ///
  /// - Parameters:
  ///   - query: `Observation?patient=1&code=8867-4&date=ge2026-10-01&_sort=-date`.
  ///   - caller: who searches; what they may not see is not there.
  /// - Throws: ``StoreFailure/wrongUse(reason:)`` naming a parameter that is not understood.
  public func search(_ query: String, as caller: StoreCaller) throws -> SearchResult {
    let parts = query.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let type = ResourceType(parts[0]) else {
      throw StoreFailure.wrongUse(reason: "“\(parts[0])” is no resource type of R4")
    }
    let parsed = try StoreFailure.translating {
      try Query(parsing: parts.count > 1 ? String(parts[1]) : "", type: type)
    }
    guard case .searchset(let page) = try perform(.search(parsed), as: caller) else {
      throw StoreFailure.unavailable(reason: "a search was answered as something else")
    }
    return SearchResult(
      matches: page.matches.map { StoredResource($0, on: page) }, total: page.total,
      next: page.next.map { Self.address(of: type, page.used, place: $0) })
  }

  private static func address(
    of type: ResourceType, _ used: [QueryParameter], place: String
  ) -> String {
    let kept = used.filter { $0.name != SearchPlan.pageParameter }
    let parameters = kept + [QueryParameter(name: SearchPlan.pageParameter, value: place)]
    return type.name + "?" + String(decoding: parameters.percentEncoded, as: UTF8.self)
  }
}
