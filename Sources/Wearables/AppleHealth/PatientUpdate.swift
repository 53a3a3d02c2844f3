import FHIRModel

/// What the export says of the person (`Me`), for a Patient that doesn't say it yet.
struct PatientUpdate {
  private let birthDate: String?
  private let gender: String?

  init(_ me: AppleElement) {
    birthDate = me["HKCharacteristicTypeIdentifierDateOfBirth"].flatMap {
      LocalDay($0) == nil ? nil : $0
    }
    gender =
      switch me["HKCharacteristicTypeIdentifierBiologicalSex"] {
      case "HKBiologicalSexFemale": "female"
      case "HKBiologicalSexMale": "male"
      case "HKBiologicalSexOther": "other"
      default: nil
      }
  }

  /// The update of that version; `nil` if nothing is new.
  func interaction(on person: StoredVersion) throws -> Interaction? {
    var tree = JSONTree(try JSONDocument(parsing: person.bytes).root)
    let before = tree
    if let birthDate, tree["birthDate"] == nil { tree.set("birthDate", to: .text(birthDate)) }
    if let gender, tree["gender"] == nil { tree.set("gender", to: .text(gender)) }
    guard tree != before else { return nil }
    return .update(
      try Resource(parsing: tree.bytes, expecting: person.id.type), if: .ifMatch([person.version]))
  }
}
