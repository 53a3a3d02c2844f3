import FHIRModel
import Store

/// One thread of the load: updates and deletions of Patients of its own, conditional creates and
/// updates that all threads fight for, and groups that stand or fall together.
struct Load {
  private let subject: Subject
  private let writer: Int
  private let run: String
  private var turn = 0

  static let writerCount = 4
  private static let nameCount = 6

  /// The ids of all Patients that writers have for themselves.
  static var names: [String] {
    (0..<writerCount).flatMap { writer in (0..<nameCount).map { name(writer, $0) } }
  }

  private static func name(_ writer: Int, _ position: Int) -> String { "w\(writer)-\(position)" }

  init(_ subject: Subject, writer: Int, run: String) {
    self.subject = subject
    self.writer = writer
    self.run = run
  }

  func runForever() {
    var load = self
    while true {
      load.turn += 1
      do { try load.step() } catch { Loader.say("fault: \(error)") }
    }
  }

  private func step() throws {
    switch Int.random(in: 0..<10) {
    case 0..<4: try update(Self.name(writer, Int.random(in: 0..<Self.nameCount)))
    case 4: try delete(Self.name(writer, Int.random(in: 0..<Self.nameCount)))
    case 5, 6: try contend(isUpdate: false)
    case 7, 8: try contend(isUpdate: true)
    default: try group()
    }
  }

  /// The family name tells the version, so that content can be checked against it.
  private func update(_ name: String) throws {
    let next = (try Check(subject).current(name)?.number ?? 0) + 1
    let resource = try Self.patient(#""id":"\#(name)","name":[{"family":"f\#(next)"}]"#)
    let written = try subject.write([.update(resource, if: .none)])
    if let fact = Self.fact(written.first) { Loader.say(fact.line) }
  }

  private func delete(_ name: String) throws {
    guard let id = ResourceID("Patient/\(name)") else { return }
    let deleted = try subject.write([.delete(id, if: .none)])
    if let fact = Self.fact(deleted.first) { Loader.say(fact.line) }
  }

  private func contend(isUpdate: Bool) throws {
    let value = "\(run)-\(isUpdate ? "u" : "c")\(turn / 3)"
    let resource = try Self.patient(
      #""identifier":[{"system":"urn:k","value":"\#(value)"}],"name":[{"family":"contended"}]"#)
    let query = Query(
      type: resource.type, parameters: [QueryParameter(name: "identifier", value: "urn:k|\(value)")]
    )
    _ = try subject.write([
      isUpdate
        ? .conditionalUpdate(resource, matching: query, if: .none)
        : .create(resource, ifNoneExist: query)
    ])
    Loader.say(Fact.identifier(value).line)
  }

  private func group() throws {
    let tag = "\(run)-\(writer)-\(turn)"
    let resource = try Self.patient(
      #""meta":{"tag":[{"system":"urn:t","code":"\#(tag)"}]},"name":[{"family":"grouped"}]"#)
    _ = try subject.write(
      Array(repeating: .create(resource, ifNoneExist: nil), count: Subject.groupCount))
    Loader.say(Fact.group(tag).line)
  }

  private static func patient(_ members: String) throws -> Resource {
    try Resource(parsing: Array(#"{"resourceType":"Patient",\#(members)}"#.utf8))
  }

  private static func fact(_ outcome: Outcome?) -> Fact? {
    switch outcome {
    case .created(let version), .updated(let version), .deleted(let version?):
      .version(
        name: version.id.id.text, number: version.version.number, isLive: !version.isDeleted)
    default: nil
    }
  }
}
