/// A resource whose content has been checked against the specification.
package struct Resource: Sendable {
  package let type: ResourceType
  package let id: LogicalID?
}
