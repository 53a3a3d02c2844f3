import FHIRModel

/// A revision that writes the same whatever stands, or deletes it.
struct Rewriting: Revision {
  let resource: Resource
  let mayDelete: Bool

  init(of resource: Resource, mayDelete: Bool = false) {
    self.resource = resource
    self.mayDelete = mayDelete
  }

  var type: ResourceType { resource.type }

  func revised(_ current: Resource?) -> Resource? { mayDelete ? nil : resource }
}
