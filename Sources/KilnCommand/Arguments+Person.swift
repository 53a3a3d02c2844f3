import FHIRModel
import Wearables

/// What commands are told of a person and of their phone.
extension Arguments {
  /// Whose data it is.
  ///
  /// - Throws: `UsageError` if `--patient` names no Patient.
  func patient() throws -> ResourceID {
    guard let patient = ResourceID(try required("--patient")), patient.type.name == "Patient"
    else { throw misuse("--patient is Patient/ and an id") }
    return patient
  }

  /// Where the person lives; `nil` if nothing says it.
  ///
  /// - Throws: `UsageError` if `--home-zone` names no zone.
  func home() throws -> HomeZone? {
    let zones = list("--home-zone")
    guard !zones.isEmpty else { return nil }
    do throws(HomeZone.Failure) {
      return try HomeZone(parsing: zones)
    } catch {
      throw misuse("--home-zone: \(error.description)")
    }
  }

  /// Which platform it comes from.
  ///
  /// - Throws: `UsageError` if `--origin` names none.
  func origin() throws -> Origin {
    guard let origin = Origin(rawValue: try required("--origin")) else {
      throw misuse("--origin is apple-health or health-connect")
    }
    return origin
  }

  /// The first day that counts; `nil` if every day does.
  ///
  /// - Throws: `UsageError` if `--since` is no day.
  func since() throws -> LocalDay? {
    guard let text = self["--since"] else { return nil }
    guard let day = LocalDay(text) else { throw misuse("--since is a day such as 2024-01-01") }
    return day
  }
}
