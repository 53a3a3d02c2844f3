import FHIRModel
import Testing

@testable import Access

/// - SeeAlso: https://hl7.org/fhir/smart-app-launch/STU2/scopes-and-launch-context.html
@Suite("a SMART scope")
struct ScopesTests {
  typealias Rights = Scope.Rights

  static let all: Rights = [.create, .read, .update, .delete, .search]

  @Test(
    "of version 2 or 1 means its rights",
    arguments: [
      ("cruds", all), ("rs", [.read, .search]), ("r", .read), ("s", .search),
      (
        "cud",
        [
          .create, .update, .delete,
        ]
      ), ("read", [.read, .search]), ("write", [.create, .update, .delete]), ("*", all),
    ] as [(String, Rights)])
  func rights(text: String, rights: Rights) throws {
    let scopes = Scopes("patient/Observation.\(text) patient/*.\(text)")
    #expect(scopes.ignored == [])
    #expect(scopes.scopes.map(\.rights) == [rights, rights])
    #expect(scopes.scopes.map(\.type?.name) == ["Observation", nil])
  }

  @Test(
    "that is not of this form opens nothing",
    arguments: [
      "patient/Observation.sr", "patient/Observation.rr", "patient/Observation.", "patient/.r",
      "patient/Observation", "patient/Observation.x", "patient/observation.r",
      "patient/Spaceship.r",
      "user/Observation.rs", "system/*.rs", "openid", "launch/patient", "patient/Observation.r.s",
      "Patient/Observation.r", "patient/Observation.rs?", "patient/Observation.rs?code=1",
      "patient/Observation.rs?category:not=x", "patient/Observation.rs?category=",
      "patient/Observation.rs?category=a&code=b", "patient/Observation.rs?category=a|b|c",
      "patient/Observation.rs?category=%zz", "patient/Observation.rs?category=|",
    ])
  func ignored(text: String) {
    let scopes = Scopes(text)
    #expect(scopes.scopes == [])
    #expect(scopes.ignored == [text])
  }

  private func code(_ interaction: Interaction, _ scopes: String) -> Scopes.Grant {
    Scopes(scopes).grant(for: interaction)
  }

  @Test("r is not s: reads by id need r, what lists needs s")
  func readAndSearch() throws {
    let id = try Scene.id("Observation/1")
    let read: [Interaction] = [
      .read(id), .vread(id, .first), .history(.instance(id), HistoryQuery()),
    ]
    let list: [Interaction] = [
      try Scene.search("Observation?code=1"), .history(.type(id.type), HistoryQuery()),
    ]
    for interaction in read {
      #expect(code(interaction, "patient/Observation.r") == .everything)
      #expect(code(interaction, "patient/Observation.s") == .nothing)
    }
    for interaction in list {
      #expect(code(interaction, "patient/Observation.s") == .everything)
      #expect(code(interaction, "patient/Observation.r") == .nothing)
    }
    for interaction in read + list {
      #expect(code(interaction, "patient/*.rs") == .everything)
      #expect(code(interaction, "patient/Patient.rs") == .nothing)
      #expect(code(interaction, "patient/Observation.cud") == .nothing)
      #expect(code(interaction, "") == .nothing)
    }
  }

  @Test("for one type opens no interaction over all types")
  func allTypes() throws {
    let search = Interaction.search(Query(type: nil, parameters: []))
    let history = Interaction.history(.system, HistoryQuery())
    for interaction in [search, history] {
      #expect(code(interaction, "patient/Observation.cruds") == .nothing)
      #expect(code(interaction, "patient/*.s") == .everything)
      #expect(code(interaction, "patient/*.r") == .nothing)
    }
  }

  @Test("to write is one for each kind of write")
  func writes() throws {
    let resource = try Scene.resource(Sample.observation("1", of: "a"))
    let query = Query(type: resource.type, parameters: [])
    let id = try Scene.id("Observation/1")
    let table: [(Interaction, String)] = [
      (.create(resource, ifNoneExist: nil), "c"), (.create(resource, ifNoneExist: query), "cr"),
      (.update(resource, if: .none), "u"),
      (.conditionalUpdate(resource, matching: query, if: .none), "u"),
      (.conditionalRevision(Rewriting(of: resource), matching: query), "u"),
      (.conditionalRevision(Rewriting(of: resource, mayDelete: true), matching: query), "ud"),
      (.delete(id, if: .none), "d"), (.conditionalDelete(matching: query), "d"),
    ]
    for (interaction, needed) in table {
      #expect(code(interaction, "patient/Observation.\(needed)") == .everything)
      for right in needed {
        let others = "cruds".filter { $0 != right }
        #expect(code(interaction, "patient/Observation.\(others)") == .nothing)
      }
    }
  }

  @Test("with a limit limits, unless another opens the same without one")
  func limits() throws {
    let id = try Scene.id("Observation/1")
    let limited = "patient/Observation.rs?category=http%3A%2F%2Fa.example%7Cx,y"
    guard case .limited(let limits) = code(.read(id), limited) else {
      throw TestFailure("not limited")
    }
    #expect(
      limits == [
        ScopeLimit(categories: [
          [
            TokenPattern(system: .named("http://a.example"), code: "x"),
            TokenPattern(system: .any, code: "y"),
          ]
        ])
      ])
    #expect(code(.read(id), limited + " patient/*.r") == .everything)
    #expect(code(.read(id), limited + " patient/Patient.r") == .limited(limits))
  }
}
