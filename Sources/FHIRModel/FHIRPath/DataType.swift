/// A data type that a search parameter may reach.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#table
package enum DataType: Hashable, Sendable {
  // primitives
  case boolean, code, date, dateTime, decimal, id, instant, integer, markdown, string
  case uri, url, canonical, oid, uuid, positiveInt, unsignedInt
  // structures
  case address, age, attachment, codeableConcept, coding, contactPoint, count, distance, duration
  case humanName, identifier, money, period, quantity, range, reference, sampledData, timing
  /// A whole resource inside another (`Bundle.entry.resource`).
  case resource
  /// A structure without a meaning of its own in search.
  case other(String)

  /// The type by R4's name: `CodeableConcept`, `dateTime`.
  package init(_ name: String) { self = Self.named[name] ?? .other(name) }

  private static let named: [String: DataType] = [
    "boolean": .boolean, "code": .code, "date": .date, "dateTime": .dateTime, "decimal": .decimal,
    "id": .id, "instant": .instant, "integer": .integer, "markdown": .markdown,
    "string": .string, "uri": .uri, "url": .url, "canonical": .canonical, "oid": .oid,
    "uuid": .uuid, "positiveInt": .positiveInt, "unsignedInt": .unsignedInt, "Address": .address,
    "Age": .age, "Attachment": .attachment, "CodeableConcept": .codeableConcept,
    "Coding": .coding, "ContactPoint": .contactPoint, "Count": .count, "Distance": .distance,
    "Duration": .duration, "HumanName": .humanName, "Identifier": .identifier, "Money": .money,
    "Period": .period, "Quantity": .quantity, "SimpleQuantity": .quantity, "Range": .range,
    "Reference": .reference, "SampledData": .sampledData, "Timing": .timing,
    "Resource": .resource,
  ]
}
