import FHIRModel

/// The values that a phone sends in one call: per person, metric and local day one number, with the
/// day's smallest and largest where there is such a thing.
///
/// Two forms are understood: an object with `patient`, `origin`, `timeZone`, `source`, `device` and
/// `values`; or the bare array of values with the rest as parameters of the address. A value that
/// can't be taken is refused by name, and the others go in.
package struct DailyValues: Sendable {
  package let call: DailyCall
  /// In the order of the call.
  package let entries: [Entry]

  /// One value of the call.
  package struct Entry: Sendable {
    /// As sent; `nil` if there was no text.
    package let metric: String?
    package let day: String?
    package let content: Result<Interaction, Refusal>
  }

  /// Why a value was not taken.
  package struct Refusal: Error, Hashable, Sendable {
    package let reason: String
  }

  /// What to perform, in the order of the entries that were not refused.
  package var interactions: [Interaction] { entries.compactMap { try? $0.content.get() } }

  /// - Parameters:
  ///   - body: JSON, of either form.
  ///   - parameters: those of the address.
  ///   - now: the moment against which a day is over (`final`), not yet (`preliminary`) or still to
  ///     come (refused).
  /// - Throws: `.invalid` naming the place, if the body isn't JSON of either form or a field beside
  ///   the values is missing or wrong: then nothing goes in.
  package init(
    parsing body: [UInt8], parameters: [QueryParameter] = [], metrics: MetricTable, now: Instant
  ) throws(InteractionError) {
    let root = try LooseJSON.document(body).root
    var fields = CallFields()
    try fields.add(parameters)
    let values = try Self.values(in: root, others: &fields)
    let call = try DailyCall(fields, now: now)
    var seen: Set<DailyValueKey> = []
    self.call = call
    self.entries = values.elements.map { element in
      Entry(
        metric: element["metric"]?.string, day: element["day"]?.string,
        content: Result { () throws(Refusal) in
          let value = try DailyValue(element, metrics: metrics, call: call)
          guard seen.insert(value.key).inserted else {
            throw Refusal(reason: "\(value.metric.name) on \(value.day.text) stands twice.")
          }
          return try value.interaction(in: call)
        })
    }
  }

  /// Finds the array of values, and takes what stands beside it.
  private static func values(
    in root: JSONValue, others fields: inout CallFields
  ) throws(InteractionError) -> JSONValue {
    if root.kind == .array { return root }
    guard root.kind == .object, let values = root["values"], values.kind == .array else {
      throw .invalid([
        Issue(
          .structure, "Daily values are an array, or an object with an array named values.",
          at: "values")
      ])
    }
    for member in root.members where member.name != "values" {
      try fields.add(member.name, member.value)
    }
    return values
  }
}
