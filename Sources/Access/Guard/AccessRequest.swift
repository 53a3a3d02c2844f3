import FHIRModel

/// What a caller asks in one go.
package struct AccessRequest: Sendable {
  /// Usually one. Several are performed in their order in one commit, each with a result of its own:
  /// one that is refused leaves the others alone.
  package var interactions: [Interaction]
  package var caller: Caller
  /// The address of the network peer; empty inside the process.
  package var peer: String
  /// Where written data comes from: an absolute URI.
  package var sourceSystem: String?
  /// The device that measured or sent it.
  package var device: ResourceID?

  package init(
    _ interactions: [Interaction], by caller: Caller, from peer: String = "",
    sourceSystem: String? = nil, device: ResourceID? = nil
  ) {
    self.interactions = interactions
    self.caller = caller
    self.peer = peer
    self.sourceSystem = sourceSystem
    self.device = device
  }

  var writes: Bool { interactions.contains { $0.code.isWrite } }
}
