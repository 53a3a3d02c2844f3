import FHIRModel

/// Writes what an export has of the day on which it was made, of which it lacks the rest: it doesn't take
/// the place of a value that the phone sent, or that a later export has of the whole day.
struct UnfinishedDay: Revision {
  let resource: Resource
  /// The program that wrote the export.
  let source: SourceSystem

  var type: ResourceType { resource.type }
  var mayDelete: Bool { false }

  func revised(_ current: Resource?) -> Resource? {
    guard let current else { return resource }
    let root = current.document.root
    let isUnfinished =
      root["status"]?.string == "preliminary" && root["meta"]?["source"]?.string == source.uri
    return isUnfinished ? resource : current
  }
}

extension Interaction {
  /// The same for a day that wasn't over when that program wrote its export.
  func asUnfinished(by source: SourceSystem) -> Interaction {
    guard case .conditionalUpdate(let resource, let query, .none) = self else { return self }
    return .conditionalRevision(
      UnfinishedDay(resource: resource, source: source), matching: query)
  }
}
