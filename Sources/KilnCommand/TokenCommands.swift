import Access
import FHIRModel
import Foundation
import KeyValue
import Kiln

extension Command {
  static let tokenCreate = Command(
    name: "token create",
    summary: "Makes a token and prints it: this is the only time it is shown.",
    options: [
      .store,
      .flag("--operator", "for whoever runs the store: everything"),
      .optional("--person", "Patient/ID", "for a person: their own record"),
      .optional("--app", "CLIENT", "for a third-party app: the resource Device/CLIENT"),
      .optional("--patient", "Patient/ID", "whose data the app asks for"),
      .optional("--scope", "SCOPES", "the app's SMART scopes: \"patient/Observation.rs\""),
    ]
  ) { arguments in
    let principal = try principal(arguments)
    let folder = try arguments.required("--store")
    let isNew = !FileManager.default.fileExists(atPath: folder + "/data.mdb")
    let assembly = try Assembly.open(folder)
    defer { assembly.close() }
    if isNew { Output.notice("\(folder) held no store; it holds a new one now") }
    if case .app(_, _, let scopes) = principal, !scopes.ignored.isEmpty {
      Output.notice("these scopes open nothing here: " + scopes.ignored.joined(separator: " "))
    }
    let token = try assembly.engine.write { transaction in
      try TokenRegister().create(for: principal, at: Assembly.clock(), in: &transaction)
    }
    Output.line(token.text)
    return 0
  }

  private static func principal(_ arguments: Arguments) throws -> Principal {
    let kinds = ["--operator", "--person", "--app"].filter { arguments.has($0) }
    guard kinds.count == 1 else {
      throw UsageError("token create: give one of --operator, --person, --app")
    }
    if arguments.has("--operator") { return .operator(name: "operator") }
    if let person = arguments["--person"] { return .person(try patient(person)) }
    guard let client = arguments["--app"].flatMap({ LogicalID($0) }) else {
      throw UsageError("token create: --app takes a client's id: letters, digits, '-' and '.'")
    }
    guard let whose = arguments["--patient"], let scope = arguments["--scope"] else {
      throw UsageError("token create: --app needs --patient and --scope")
    }
    return .app(client: client, patient: try patient(whose), scopes: Scopes(scope))
  }

  static func patient(_ text: String) throws -> ResourceID {
    guard let id = ResourceID(text), id.type.name == "Patient" else {
      throw UsageError("'\(text)' is not of the form Patient/ID")
    }
    return id
  }

  static let tokenList = Command(
    name: "token list", summary: "Lists the tokens: what each is for, never the token itself.",
    options: [.store, .json]
  ) { arguments in
    let assembly = try Assembly.open(try arguments.existingStore())
    defer { assembly.close() }
    let records = try assembly.engine.read { try TokenRegister().list(in: $0) }
    for record in records {
      let state = record.revoked == nil ? "valid" : "revoked"
      guard arguments.has("--json") else {
        Output.line(
          "\(record.id.text)  \(record.created)  \(state)  \(description(of: record.principal))")
        continue
      }
      Output.json { writer in
        writer.member("id", record.id.text)
        writer.member("created", "\(record.created)")
        if let revoked = record.revoked { writer.member("revoked", "\(revoked)") }
        writer.member("for", description(of: record.principal))
      }
    }
    return 0
  }

  private static func description(of principal: Principal) -> String {
    switch principal {
    case .operator(let name): "operator \(name)"
    case .person(let patient): "person \(patient)"
    case .app(let client, let patient, let scopes):
      "app \(client.text) for \(patient): \(scopes.text)"
    }
  }

  static let tokenRevoke = Command(
    name: "token revoke", summary: "Ends a token for good.", operands: ["ID"], options: [.store]
  ) { arguments in
    guard let id = TokenID(arguments.operands[0]) else {
      throw UsageError("token revoke: ID is the 16 digits that 'kiln token list' prints")
    }
    let assembly = try Assembly.open(try arguments.existingStore())
    defer { assembly.close() }
    let revoked = try assembly.engine.write { transaction in
      try TokenRegister().revoke(id, at: Assembly.clock(), in: &transaction)
    }
    guard revoked != nil else { throw CommandError("there is no token \(id.text)") }
    return 0
  }
}
