import Crypto
import FHIRModel
import Store

/// A caller as work that outlives the process keeps them. Their token is looked at again before anything
/// is done for them, and no one who reads this can show it.
extension Caller {
  /// As hexadecimal digits.
  package var kept: String {
    var bytes = digest?.bytes ?? []
    bytes.insert(UInt8(bytes.count), at: 0)
    bytes.append(principal)
    return bytes.hex
  }

  /// Reads what `kept` gave; `nil` for anything else.
  package init?(kept: String) {
    guard let bytes = [UInt8](hex: kept), let count = bytes.first.map(Int.init),
      bytes.count > count
    else { return nil }
    let digest = count == 0 ? nil : SHA256(digest: Array(bytes[1...count]))
    guard count == 0 || digest != nil else { return nil }
    var reader = ByteReader()
    guard let principal = try? reader.principal(in: Array(bytes[(count + 1)...]).span) else {
      return nil
    }
    self.init(principal, token: digest, seen: nil)
  }

  /// Who it is, whatever was granted to each of their tokens.
  package enum Identity: Hashable, Sendable {
    case `operator`(name: String)
    case person(ResourceID)
    case app(client: LogicalID, patient: ResourceID)
  }

  package var identity: Identity {
    switch principal {
    case .operator(let name): .operator(name: name)
    case .person(let person): .person(person)
    case .app(let client, let patient, _): .app(client: client, patient: patient)
    }
  }
}
