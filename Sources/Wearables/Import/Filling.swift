import FHIRModel

/// Writes something only where nothing stands: of an export that was cut off, a day may have a part of
/// its samples alone, which must not take the place of what all of them made.
struct Filling: Revision {
  private let resource: Resource

  init(_ resource: Resource) { self.resource = resource }

  var type: ResourceType { resource.type }
  var mayDelete: Bool { false }

  func revised(_ current: Resource?) -> Resource? { current ?? resource }
}

extension Interaction {
  /// The same, but it leaves alone what stands.
  var asFilling: Interaction {
    switch self {
    case .conditionalUpdate(let resource, let query, .none):
      return .conditionalRevision(Filling(resource), matching: query)
    case .conditionalRevision(let day as UnfinishedDay, let query):
      return .conditionalRevision(Filling(day.resource), matching: query)
    default: return self
    }
  }
}
