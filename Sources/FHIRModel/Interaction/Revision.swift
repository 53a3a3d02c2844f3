/// A change that says only a part of a resource: what it says nothing of stays as it stands.
package protocol Revision: Sendable {
  /// The type of what it makes.
  var type: ResourceType { get }
  /// Whether it may leave nothing, so that who asks for it must be allowed to delete as well.
  var mayDelete: Bool { get }

  /// What is to stand, without an id or with the one that stands; `nil` if nothing is.
  ///
  /// - Parameter current: what stands; `nil` if nothing does.
  /// - Throws: `.invalid` where both make no valid resource.
  func revised(_ current: Resource?) throws(InteractionError) -> Resource?
}
