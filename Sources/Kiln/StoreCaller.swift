import Access
import FHIRModel

/// For whom the store is asked.
public struct StoreCaller: Hashable, Sendable {
  private enum Role: Hashable {
    case operates(name: String)
    case person(String)
    case app(client: String, patient: String, scope: String)
  }

  private let role: Role

  /// Who runs the store and may do everything; the log names them.
  public static func `operator`(name: String) -> StoreCaller {
    StoreCaller(role: .operates(name: name))
  }

  /// A person, in what is their own.
  ///
  /// - Parameter reference: `Patient/` and the id.
  public static func person(_ reference: String) -> StoreCaller {
    StoreCaller(role: .person(reference))
  }

  /// An app that acts for a person and sees what their Consents permit to `Device/CLIENT`.
  ///
  /// - Parameters:
  ///   - client: the app's id.
  ///   - patient: `Patient/` and the id.
  ///   - scope: SMART scopes: `patient/Observation.rs`.
  public static func app(_ client: String, for patient: String, scope: String) -> StoreCaller {
    StoreCaller(role: .app(client: client, patient: patient, scope: scope))
  }

  /// - Throws: ``StoreFailure/wrongUse(reason:)`` for an id or reference that is none.
  var principal: Principal {
    get throws {
      switch role {
      case .operates(let name): .operator(name: name)
      case .person(let reference): .person(try Self.patient(reference))
      case .app(let client, let patient, let scope):
        .app(
          client: try Self.client(client), patient: try Self.patient(patient),
          scopes: Scopes(scope))
      }
    }
  }

  private static func patient(_ reference: String) throws -> ResourceID {
    guard let id = ResourceID(reference), id.type.name == "Patient" else {
      throw StoreFailure.wrongUse(reason: "“\(reference)” is not Patient/ and an id")
    }
    return id
  }

  private static func client(_ text: String) throws -> LogicalID {
    guard let id = LogicalID(text) else {
      throw StoreFailure.wrongUse(reason: "“\(text)” is no client's id")
    }
    return id
  }
}
