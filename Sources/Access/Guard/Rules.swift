import FHIRModel
import Store

/// What is decided by who asks and for what, before any data is looked at.
///
/// | | operator | person | app |
/// |---|---|---|---|
/// | read, search | all | own compartment | own compartment, scopes, Consent |
/// | write | all | own compartment, no Device | the same, no Consent, no Device |
/// | AuditEvent | reads all | reads those about them | nothing |
/// | AuditEvent and Provenance are written by the server alone ||||
enum Rules {
  /// - Throws: `InteractionError.forbidden`, `.notAllowed`.
  static func check(_ interaction: Interaction, by principal: Principal) throws(InteractionError) {
    if case .app(_, _, let scopes) = principal { try check(interaction, within: scopes) }
    guard interaction.code.isWrite, let type = interaction.resourceType else { return }
    if type == .auditEvent || type == .provenance {
      throw .notAllowed(reason: "\(type) is written by the server alone")
    }
    switch principal {
    case .operator: return
    case .person where type == .device:
      throw .forbidden(reason: "a Device is registered by an operator")
    case .app where type == .device || type == .consent:
      throw .forbidden(reason: "an app writes no \(type)")
    case .person, .app: return
    }
  }

  private static func check(
    _ interaction: Interaction, within scopes: Scopes
  ) throws(InteractionError) {
    let type = interaction.resourceType
    if scopes.grant(for: interaction) == .nothing {
      throw outsideScopes(interaction.code, of: type)
    }
    if type == .auditEvent { throw .forbidden(reason: "the access log is no app's to read") }
  }

  static func outsideScopes(_ code: InteractionCode, of type: ResourceType?) -> InteractionError {
    .forbidden(
      reason: "the token's scopes don't allow \(code.text) of \(type?.name ?? "all types")")
  }

  /// In the same words whether it is the content that is another's or what stands under its id, so that
  /// an id that holds something is refused as one that holds nothing.
  static let foreignContent = InteractionError.forbidden(
    reason: "what stands there, or would, is not the caller's to write")
}

extension Judgement {
  /// Whether the change may be made.
  ///
  /// - Returns: the Consents that permit it.
  /// - Throws: `InteractionError.forbidden`; `.notFound` for a deletion of what the caller can't
  ///   know of, whether it exists or not.
  func check(_ intent: WriteIntent) throws(InteractionError) -> ConsentSet {
    if case .operator = principal { return ConsentSet() }
    var permitting = ConsentSet()
    if let current = intent.current {
      let (isPermitted, by) = intent.kind == .match ? sees(current) : writes(current)
      guard isPermitted else { throw refusal(of: intent) }
      permitting.formUnion(by)
    } else if intent.kind == .delete {
      throw .notFound(intent.id)
    }
    if let next = intent.next {
      let (isPermitted, by) = writes(next)
      guard isPermitted else {
        throw Rules.foreignContent
      }
      permitting.formUnion(by)
    }
    return permitting
  }

  private func refusal(of intent: WriteIntent) -> InteractionError {
    switch intent.kind {
    case .delete: .notFound(intent.id)
    case .create, .update, .match: Rules.foreignContent
    }
  }
}
