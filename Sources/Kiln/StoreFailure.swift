import FHIRModel
import KeyValue

/// Why the store did not do what it was asked.
public enum StoreFailure: Error, Hashable, Sendable {
  /// The content is no valid resource, or no call with daily values.
  case invalid([Problem])
  /// Nothing is there, or nothing that the caller may see.
  case notFound(reason: String)
  /// It was deleted.
  case gone(reason: String)
  /// It is not the version that was expected; `current` is the one that stands.
  case conflict(current: Int?)
  /// More than one resource matches where one was meant.
  case multipleMatches
  /// What was asked can't be understood: a reference, a parameter, a modifier.
  case wrongUse(reason: String)
  /// Outside what the caller may do.
  case forbidden(reason: String)
  /// It doesn't fit on the disk; everything else still works.
  case full
  /// The store can't be used now.
  case unavailable(reason: String)

  /// What is wrong, and where.
  public struct Problem: Hashable, Sendable {
    public let reason: String
    /// A path such as `Observation.component[1].code`.
    public let place: String?
  }

  /// Turns what the rooms throw into what an app can handle.
  static func translating<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let failure as StoreFailure {
      throw failure
    } catch let error as InteractionError {
      throw StoreFailure(error)
    } catch StorageError.full {
      throw StoreFailure.full
    } catch {
      throw StoreFailure.unavailable(reason: "\(error)")
    }
  }

  package init(_ error: InteractionError) {
    switch error {
    case .invalid(let issues):
      self = .invalid(issues.map { Problem(reason: $0.diagnostics, place: $0.expression) })
    case .unknownResourceType(let name):
      self = .wrongUse(reason: "\(name) is no resource type of R4")
    case .notFound(let id): self = .notFound(reason: "\(id) is not known")
    case .unknownVersion(let id, let version):
      self = .notFound(reason: "\(id) has no version \(version.number)")
    case .gone(let id, let version):
      self = .gone(reason: "\(id) was deleted by version \(version.number)")
    case .versionConflict(_, let current): self = .conflict(current: current.map { Int($0.number) })
    case .multipleMatches: self = .multipleMatches
    case .idMismatch(let expected, let found):
      self = .wrongUse(reason: "the id is \(found?.text ?? "missing"), not \(expected.text)")
    case .unknownParameter(let name): self = .wrongUse(reason: "there is no parameter \(name)")
    case .unsupportedModifier(let parameter, let modifier):
      self = .wrongUse(reason: "\(parameter) has no modifier \(modifier)")
    case .invalidParameter(let name, let reason): self = .wrongUse(reason: "\(name): \(reason)")
    case .invalidPage: self = .wrongUse(reason: "this page is none of this search")
    case .notAllowed(let reason), .unauthenticated(let reason), .forbidden(let reason):
      self = .forbidden(reason: reason)
    case .storageFull: self = .full
    case .unavailable(let reason): self = .unavailable(reason: reason)
    }
  }
}

extension StoreFailure.Problem {
  /// The place and what is wrong there; many reasons name the place themselves.
  fileprivate var sentence: String {
    let reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    guard let place, !reason.hasPrefix(place + " "), !reason.hasPrefix(place + ":") else {
      return reason
    }
    return "\(place): \(reason)"
  }
}

extension StoreFailure: CustomStringConvertible {
  /// The failure in one line, for a person to read.
  public var description: String {
    switch self {
    case .invalid(let problems): problems.map(\.sentence).joined(separator: "; ")
    case .notFound(let reason), .gone(let reason), .wrongUse(let reason), .forbidden(let reason),
      .unavailable(let reason):
      reason
    case .conflict(let current?): "version \(current) stands"
    case .conflict(nil): "there is no current version"
    case .multipleMatches: "more than one resource matches"
    case .full: "it doesn't fit on the disk"
    }
  }
}
