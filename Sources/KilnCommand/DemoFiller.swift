import Access
import FHIRModel
import KeyValue
import Kiln
import Wearables

/// Writes the demo's resources through the same door as everybody.
struct DemoFiller {
  let assembly: Assembly

  func write(_ resources: [String], as principal: Principal) throws {
    let updates = try resources.map { text in
      Interaction.update(try Resource(parsing: Array(text.utf8)), if: .none)
    }
    try perform(AccessRequest(updates, by: Caller(principal)))
  }

  /// The person's phone sends the last month.
  func writeMonth() throws {
    let now = Assembly.clock()
    let values = try DailyValues(
      parsing: DemoPerson.month(upTo: now), metrics: .shared, now: now)
    for entry in values.entries { _ = try entry.content.get() }
    try perform(
      AccessRequest(
        values.interactions, by: Caller(.person(try DemoPerson.reference())),
        sourceSystem: values.call.source.uri))
  }

  func token(for principal: Principal) throws -> String {
    try assembly.engine.write { transaction in
      try assembly.guarded.tokens.create(
        for: principal, at: Assembly.clock(), in: &transaction
      ).text
    }
  }

  private func perform(_ request: AccessRequest) throws {
    for result in assembly.guarded.perform(request) { _ = try result.get() }
  }
}
