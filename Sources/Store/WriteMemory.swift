import FHIRModel
import Search

/// The resources that were last written in one transaction, one of each type: what the next of its type
/// has in common with it is neither evaluated nor looked up again.
///
/// To be forgotten when something of the transaction is undone.
package final class WriteMemory {
  private struct Written {
    var resource: Resource
    var facets: Facets
    /// `nil` while the next of its type is written.
    var entries: WrittenEntries?
  }

  private var written: [ResourceType: Written] = [:]
  /// What was prepared of the content that is written next, if it was.
  package var prepared: ReadyContent?

  package init() {}

  /// Takes nothing for known any more.
  package func forget() { written = [:] }

  /// The facets of the resource that is remembered, and what this one says otherwise; `nil` if none
  /// of its type is.
  func likeness(of resource: Resource) -> (facets: Facets, change: ContentChange)? {
    guard let last = written[resource.type], last.entries != nil else { return nil }
    return (last.facets, ContentChange(from: last.resource, to: resource))
  }

  func takeEntries(of type: ResourceType) -> WrittenEntries? {
    defer { written[type]?.entries = nil }
    return written[type]?.entries
  }

  func keep(_ resource: Resource, _ facets: Facets, _ entries: WrittenEntries?) {
    written[resource.type] = Written(resource: resource, facets: facets, entries: entries)
  }
}
