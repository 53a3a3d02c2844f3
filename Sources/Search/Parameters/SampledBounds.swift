import FHIRModel

/// The least and the greatest value of SampledData, which are all that a quantity search compares
/// with: each point is added to the origin after it was multiplied with the factor.
///
/// - SeeAlso: https://hl7.org/fhir/R4/observation.html#search,
///   https://hl7.org/fhir/R4/datatypes.html#SampledData
struct SampledBounds {
  /// `nil` where a point lies below or above what could be detected.
  private(set) var low: DecimalValue?
  private(set) var high: DecimalValue?

  /// `nil` if there is no point with a number, or one that can't be read.
  init?(_ sampled: JSONValue) {
    guard let data = sampled[.data]?.string, let points = Points(data),
      let least = points.least, let greatest = points.greatest,
      let origin = sampled[.origin]?[.value]?.numberText.flatMap(Self.number)
    else { return nil }
    var factor = DecimalValue("1")
    if let text = sampled[.factor]?.numberText { factor = Self.number(text) }
    guard let factor else { return nil }
    let ends = [least, greatest].compactMap { DecimalValue($0.description) }.map {
      origin.adding($0.multiplied(by: factor))
    }
    low = points.hasBelow ? nil : ends.min()
    high = points.hasAbove ? nil : ends.max()
  }

  /// A number of which sums are exact and short, however it is written.
  private static func number(_ text: String) -> DecimalValue? {
    FixedDecimal(text.utf8).flatMap { DecimalValue($0.description) }
  }

  /// The text of the data: decimals between spaces, `E` for an error, `L` and `U` for what lies below
  /// and above the limits of detection.
  private struct Points {
    var least: FixedDecimal?
    var greatest: FixedDecimal?
    var hasBelow = false
    var hasAbove = false

    init?(_ data: String) {
      for point in data.utf8.split(separator: UInt8(ascii: " ")) {
        if point.elementsEqual("E".utf8) { continue }
        if point.elementsEqual("L".utf8) {
          hasBelow = true
        } else if point.elementsEqual("U".utf8) {
          hasAbove = true
        } else if let number = Self.number(point) {
          least = least.map { min($0, number) } ?? number
          greatest = greatest.map { max($0, number) } ?? number
        } else {
          return nil
        }
      }
    }

    private static func number(_ point: Substring.UTF8View) -> FixedDecimal? {
      let unsigned = point.first == UInt8(ascii: "-") ? point.dropFirst() : point
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard let first = unsigned.first, digits ~= first else { return nil }
      let others = unsigned.filter { !(digits ~= $0) }
      // With an exponent it is read by JSON's grammar.
      let hasExponent = others.contains { $0 | 0x20 == UInt8(ascii: "e") }
      guard hasExponent || others.isEmpty || others == [UInt8(ascii: ".")] else { return nil }
      return FixedDecimal(point)
    }
  }
}
