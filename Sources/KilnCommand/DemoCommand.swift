import Access
import FHIRModel
import FoundationEssentials
import Kiln
import Wearables

extension Command {
  static let demo = Command(
    name: "demo",
    summary: "Serves a made-up person's month on loopback, with tokens to try it out.",
    options: [
      .optional("--store", "DIR", "keep it here; by default it is gone with the server"),
      .optional("--listen", "ADDRESS", "127.0.0.1:8080 (the default) or another loopback address"),
    ]
  ) { arguments in
    let address = arguments["--listen"] ?? "127.0.0.1:8080"
    let folder = arguments["--store"] ?? temporaryFolder()
    defer { if arguments["--store"] == nil { try? FileManager.default.removeItem(atPath: folder) } }
    let demo = try Demo(folder: folder)
    let words = ["--store", folder, "--listen", address]
    try serve(try Arguments(words, of: .serve)) { Output.line(demo.introduction(base: $0)) }
    return 0
  }

  private static func temporaryFolder() -> String {
    FileManager.default.temporaryDirectory.path + "/kiln-demo-" + Assembly.newID().text
  }
}

/// A store with one made-up person, an app and what the person consented to.
struct Demo {
  private let operatorToken: String
  private let personToken: String
  private let appToken: String

  /// Fills the store in `folder`. What is there already stays as it is.
  init(folder: String) throws {
    let assembly = try Assembly.open(folder)
    defer { assembly.close() }
    let filler = DemoFiller(assembly: assembly)
    try filler.write(DemoPerson.resources, as: .operator(name: "demo"))
    try filler.writeMonth()
    operatorToken = try filler.token(for: .operator(name: "demo"))
    personToken = try filler.token(for: .person(DemoPerson.reference()))
    appToken = try filler.token(
      for: .app(
        client: DemoPerson.client(), patient: DemoPerson.reference(),
        scopes: Scopes("patient/Observation.rs")))
  }

  /// What is served, who may see it, and three commands that work as printed.
  func introduction(base: String) -> String {
    let observations = "\(base)/fhir/Observation?patient=\(DemoPerson.id)"
    let newest = "_sort=-date&_count=2"
    let audit = "\(base)/fhir/AuditEvent?patient=\(DemoPerson.id)&\(newest)"
    return """
      FHIR                  \(base)/fhir
      daily values          \(base)/wearables/daily-values
      the synthetic person  Patient/\(DemoPerson.id)
      operator's token      \(operatorToken)
      person's token        \(personToken)
      app's token           \(appToken)

      The app reads heart rates, as the person consented:
        \(curl("\(observations)&code=8867-4&\(newest)", token: appToken))
      The app asks for body weights, of which the Consent says nothing, and finds none:
        \(curl("\(observations)&code=29463-7", token: appToken))
      The person reads what was asked for:
        \(curl(audit, token: personToken))

      Ctrl-C ends the server, and its store is gone then.
      """
  }

  private func curl(_ address: String, token: String) -> String {
    "curl -sS '\(address)' -H 'Authorization: Bearer \(token)'"
  }
}
