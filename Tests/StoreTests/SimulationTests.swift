import FHIRModel
import KeyValue
import SeededNumbers
import Store
import Synchronization
import Testing

@Suite("any course of interactions")
struct SimulationTests {
  @Test(
    "leaves what a plain dictionary would hold", arguments: Bench.EngineKind.allCases,
    [1, UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)])
  func simulate(kind: Bench.EngineKind, seed: UInt64) throws {
    print("simulation on \(kind.rawValue), seed \(seed)")
    var simulation = try Simulation(kind, seed: seed)
    for step in 0..<400 {
      try simulation.step()
      if step % 100 == 99 { try simulation.compare() }
    }
    try simulation.compare()
  }
}

struct Simulation {
  private var numbers: SplitMix64
  private var model = SimulationModel()
  private var fixture: Fixture
  private let seed: UInt64

  /// Does to the model what a write should do to the store, given the id that the store made last.
  private typealias Effect = (_ model: inout SimulationModel, _ made: String) -> Answer
  private typealias Answer = SimulationModel.Answer

  private struct GivenUp: Error {}

  init(_ kind: Bench.EngineKind, seed: UInt64) throws {
    numbers = SplitMix64(seed: seed)
    fixture = try Fixture(kind)
    self.seed = seed
  }

  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: choices.indices, using: &numbers)]
  }

  private mutating func content() -> SimulationModel.Content {
    SimulationModel.Content(family: pick(["A", "B", "C"]), identifier: pick(["i", "j", "k", "l"]))
  }

  private mutating func name() -> String {
    let made = fixture.bench.idCount
    return pick((0..<6).map { "n\($0)" } + (made > 0 ? ["made-1", "made-\(made)"] : []))
  }

  private mutating func precondition(_ name: String) -> Precondition {
    let current = model.currentVersion(name) ?? 1
    return pick([
      .none, .none, .none, .ifExists, .ifNoneExists, .ifMatch([VersionID(current)]),
      .ifMatch([VersionID(current + 1)]), .ifMatch([VersionID(current), VersionID(77)]),
    ])
  }

  mutating func step() throws {
    fixture.bench.advanceClock(milliseconds: pick([0, 0, 1, 50, -20]))
    if pick(Array(0..<40)) == 0 {
      try fixture.bench.reopen()
      fixture = Fixture(fixture.bench)
    }
    let (write, effect) = try choose()
    let fate = pick(["kept", "kept", "kept", "kept", "refused", "given up"])
    let answer = try perform(write, fate: fate)
    guard fate == "kept" else {
      // What the interaction itself refuses, or has nothing to do for, comes before that.
      let answers: [Answer?] = [nil, .conflict, .multiple, .mismatch, .nothingDeleted]
      #expect(answers.contains(answer), "seed \(seed)")
      return
    }
    let expected = effect(&model, "made-\(fixture.bench.idCount)")
    #expect(answer == expected, "\(write) seed \(seed)")
  }

  private func perform(_ write: Interaction, fate: String) throws -> Answer? {
    let store = fixture.store
    do {
      return Answer(
        try fixture.bench.engine.write { transaction in
          let outcome = try store.perform(write, in: &transaction) { _ in
            if fate == "refused" { throw InteractionError.forbidden(reason: "refused") }
          }
          if fate == "given up" { throw GivenUp() }
          return outcome
        })
    } catch is GivenUp {
      return nil
    } catch let error as InteractionError {
      return Answer(error)
    }
  }

  /// A write and what it should do.
  private mutating func choose() throws -> (Interaction, Effect) {
    let content = content()
    let name = name()
    let precondition = precondition(name)
    let wanted = pick(["i", "j", "k", "l", "m"])
    let query = try Query.reading("Patient?identifier=urn:k|\(wanted)")
    func patient(_ name: String?) throws -> Resource {
      try .patient(name, family: content.family, identifier: content.identifier)
    }
    switch pick(Array(0..<8)) {
    case 0:
      return (
        .create(try patient(nil), ifNoneExist: nil),
        { model, made in
          model.create(made, content, ifNoneExist: nil)
        }
      )
    case 1:
      return (
        .create(try patient(nil), ifNoneExist: query),
        { model, made in
          model.create(made, content, ifNoneExist: wanted)
        }
      )
    case 2, 3:
      return (
        .update(try patient(name), if: precondition),
        { model, _ in
          model.update(name, content, if: precondition)
        }
      )
    case 4, 5:
      let own = pick([nil, nil, name])
      let write = Interaction.conditionalUpdate(
        try patient(own), matching: query, if: precondition)
      return (
        write,
        { model, made in
          model.conditionalUpdate(own, made: made, content, matching: wanted, if: precondition)
        }
      )
    case 6:
      return (
        .delete(try id("Patient/\(name)"), if: precondition),
        { model, _ in
          model.delete(name, if: precondition)
        }
      )
    default:
      return (
        .conditionalDelete(matching: query),
        { model, _ in
          model.conditionalDelete(matching: wanted)
        }
      )
    }
  }

  /// Compares everything that can be read with the model, and the indexes with the resources.
  func compare() throws {
    #expect(try fixture.integrity().differences == [], "seed \(seed)")
    for (name, versions) in model.versions {
      let patient = try id("Patient/\(name)")
      let entries = try fixture.history(.instance(patient), HistoryQuery(count: 1000)).entries
      #expect(entries.reversed().map(SimulationModel.Version.init) == versions, "seed \(seed)")
      #expect(
        entries.map(\.version.version.number) == (1...UInt32(versions.count)).reversed(),
        "seed \(seed)")
      let moments = entries.map(\.version.lastUpdated)
      #expect(zip(moments, moments.dropFirst()).allSatisfy { $0 > $1 }, "seed \(seed)")
      let content = (try? fixture.answer(.read(patient)).version).flatMap(
        SimulationModel.Content.init)
      #expect(content == model.current(name), "seed \(seed)")
    }
    for identifier in ["i", "j", "k", "l"] {
      let found = try fixture.found("Patient?identifier=urn:k|\(identifier)&_count=1000")
      #expect(found.sorted() == model.matches(identifier).map { "Patient/\($0)" }, "seed \(seed)")
    }
    let count = model.versions.values.reduce(0) { $0 + $1.count }
    #expect(
      try fixture.history(.system, HistoryQuery(count: 1000)).entries.count == min(count, 1000),
      "seed \(seed)")
  }
}

extension SimulationModel.Answer {
  init?(_ outcome: Outcome) {
    switch outcome {
    case .created(let version): self = .created(version.id.id.text)
    case .updated(let version): self = .updated(version.id.id.text)
    case .unchanged(let version): self = .unchanged(version.id.id.text)
    case .deleted(nil): self = .nothingDeleted
    case .deleted: self = .deleted
    case .found, .searchset, .history: return nil
    }
  }

  init?(_ error: InteractionError) {
    switch error {
    case .versionConflict: self = .conflict
    case .multipleMatches: self = .multiple
    case .idMismatch: self = .mismatch
    default: return nil
    }
  }
}

extension SimulationModel.Version {
  init(_ entry: HistoryEntry) {
    self.init(change: entry.change, content: SimulationModel.Content(entry.version))
  }
}

extension SimulationModel.Content {
  init?(_ version: StoredVersion) {
    guard let document = try? JSONDocument(parsing: version.bytes),
      let family = document.root["name"]?.elements.map({ $0 }).first?["family"]?.string,
      let identifier = document.root["identifier"]?.elements.map({ $0 }).first?["value"]?.string
    else { return nil }
    self.init(family: family, identifier: identifier)
  }
}
