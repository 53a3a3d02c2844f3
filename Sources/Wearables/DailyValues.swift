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
    /// The place of its interaction among all; `nil` if it was refused.
    package let place: Int?
  }

  /// Why a value was not taken.
  package struct Refusal: Error, Hashable, Sendable {
    package let reason: String
  }

  /// What to perform, in the order of the entries that were not refused; once for those that are parts
  /// of one.
  package let interactions: [Interaction]

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
    var gathering = Gathering(call: call, metrics: metrics)
    let read = values.elements.map { gathering.read($0) }
    self.call = call
    self.entries = zip(values.elements, read).map { element, value in
      let content = Result { () throws(Refusal) in try gathering.interaction(for: value.get()) }
      return Entry(
        metric: element["metric"]?.string, day: element["day"]?.string,
        content: content.map(\.interaction), place: try? content.get().place)
    }
    interactions = gathering.interactions
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

/// Reads the values of a call, and puts those together that are parts of one.
private struct Gathering {
  let call: DailyCall
  let metrics: MetricTable
  private(set) var interactions: [Interaction] = []
  private var seen: Set<DailyValueKey> = []
  private var parts: [DailyValueKey: [DailyValue]] = [:]
  private var places: [DailyValueKey: Int] = [:]

  init(call: DailyCall, metrics: MetricTable) {
    self.call = call
    self.metrics = metrics
  }

  mutating func read(_ element: JSONValue) -> Result<DailyValue, DailyValues.Refusal> {
    Result { () throws(DailyValues.Refusal) in
      let value = try DailyValue(element, metrics: metrics, call: call)
      let whole = metrics.whole(of: value.metric)
      let others = [whole?.name].compactMap(\.self) + value.metric.parts
      for name in others where seen.contains(DailyValueKey(metric: name, day: value.day)) {
        throw .init(
          reason: "\(value.metric.name) on \(value.day.text) stands beside \(name).")
      }
      guard seen.insert(value.key).inserted else {
        throw .init(reason: "\(value.metric.name) on \(value.day.text) stands twice.")
      }
      if let whole {
        parts[DailyValueKey(metric: whole.name, day: value.day), default: []].append(value)
      }
      return value
    }
  }

  /// What writes a value, with the others that are parts of the same; once all of them are read.
  mutating func interaction(
    for value: DailyValue
  ) throws(DailyValues.Refusal) -> (interaction: Interaction, place: Int) {
    var value = value
    if let whole = metrics.whole(of: value.metric) {
      let key = DailyValueKey(metric: whole.name, day: value.day)
      if let place = places[key] { return (interactions[place], place) }
      value = DailyValue(of: whole, parts[key] ?? [], metrics: metrics) ?? value
    }
    let interaction = try value.interaction(in: call)
    places[value.key] = interactions.count
    interactions.append(interaction)
    return (interaction, interactions.count - 1)
  }
}
