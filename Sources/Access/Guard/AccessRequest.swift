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
  /// The program of that system which handed it over.
  package var sourceProgram: SourceProgram?
  /// The device that measured or sent it.
  package var device: ResourceID?
  /// What `GuardedStore.prepare` gave for these interactions, if it was asked.
  package var prepared: PreparedWrites?

  package init(
    _ interactions: [Interaction], by caller: Caller, from peer: String = "",
    sourceSystem: String? = nil, sourceProgram: SourceProgram? = nil, device: ResourceID? = nil
  ) {
    self.interactions = interactions
    self.caller = caller
    self.peer = peer
    self.sourceSystem = sourceSystem
    self.sourceProgram = sourceProgram
    self.device = device
  }

  var writes: Bool { interactions.contains { $0.code.isWrite } }
}

/// A program as it calls itself. It is kept in the Provenance and not in what was written, where a new
/// version of the program would make new versions of the same content.
package struct SourceProgram: Hashable, Sendable {
  /// What it is called by the person who uses it.
  package let name: String?
  package let version: String?

  /// `nil` if nothing is known of it.
  package init?(name: String?, version: String?) {
    guard name != nil || version != nil else { return nil }
    self.name = name
    self.version = version
  }
}
