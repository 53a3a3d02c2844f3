import Foundation

/// The content of a request with daily values.
struct Upload: Encodable {
  let patient: String
  let origin: ValueOrigin
  let context: DailyValue.Context
  let values: [DailyValue]

  private enum Key: String, CodingKey {
    case patient, origin, timeZone, source, device, values
    case metric, day, value, min, max
  }

  func encode(to encoder: any Encoder) throws {
    var call = encoder.container(keyedBy: Key.self)
    try call.encode(patient, forKey: .patient)
    try call.encode(origin, forKey: .origin)
    try call.encode(context.timeZone, forKey: .timeZone)
    try call.encodeIfPresent(context.source, forKey: .source)
    try call.encodeIfPresent(context.device, forKey: .device)
    var list = call.nestedUnkeyedContainer(forKey: .values)
    for value in values {
      var element = list.nestedContainer(keyedBy: Key.self)
      try element.encode(value.metric, forKey: .metric)
      try element.encode(value.day, forKey: .day)
      try Self.encode(value.numbers, to: &element)
    }
  }

  private static func encode(
    _ numbers: DailyValue.Numbers?, to element: inout KeyedEncodingContainer<Key>
  ) throws {
    guard let numbers, let lower = numbers.diastolic else {
      // A withdrawn day has the value null; one without the member would be refused.
      try element.encode(numbers?.value, forKey: .value)
      try element.encodeIfPresent(numbers?.minimum, forKey: .min)
      try element.encodeIfPresent(numbers?.maximum, forKey: .max)
      return
    }
    try element.encode(Pressure(systolic: numbers.value, diastolic: lower.value), forKey: .value)
    if let minimum = numbers.minimum, let least = lower.minimum {
      try element.encode(Pressure(systolic: minimum, diastolic: least), forKey: .min)
    }
    if let maximum = numbers.maximum, let greatest = lower.maximum {
      try element.encode(Pressure(systolic: maximum, diastolic: greatest), forKey: .max)
    }
  }

  /// The two numbers of a blood pressure, as one value.
  private struct Pressure: Encodable {
    let systolic: Double
    let diastolic: Double
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}

/// What the server says of each value of a request.
struct UploadAnswer: Decodable {
  let values: [Verdict]

  struct Verdict: Decodable {
    let metric: String?
    let day: String?
    let result: Result
    let reason: String?
  }

  enum Result: String, Decodable {
    case created, updated, unchanged, withdrawn, refused
  }

  /// `nil` unless it answers exactly these values in their order: what a proxy or a café's sign-in
  /// page says with status 200 is no answer.
  init?(_ body: Data, to sent: [DailyValue]) {
    guard let answer = try? JSONDecoder().decode(UploadAnswer.self, from: body),
      answer.values.count == sent.count,
      zip(answer.values, sent).allSatisfy({ $0.metric == $1.metric && $0.day == "\($1.day)" })
    else { return nil }
    self = answer
  }
}

/// The reasons in an OperationOutcome, for a person to read.
enum OutcomeText {
  private struct Outcome: Decodable {
    let issue: [Issue]
    struct Issue: Decodable {
      let diagnostics: String?
      let details: Details?
      struct Details: Decodable { let text: String? }
    }
  }

  static func reason(in body: Data) -> String? {
    let issues = (try? JSONDecoder().decode(Outcome.self, from: body))?.issue ?? []
    let texts = issues.compactMap { $0.details?.text ?? $0.diagnostics }
    return texts.isEmpty ? nil : texts.joined(separator: " ")
  }
}
