/// A unit for reading and for computing, with what other units are in it.
package struct Unit: Sendable {
  /// For a reader: `beats/minute`.
  package let text: String
  /// The code in UCUM: `/min`.
  package let ucum: String
  /// By the other unit's name, as the origins write it.
  let conversions: [String: UnitConversion]
}

/// How a value in one unit becomes a value in another: `(value - zero) × times / over`.
struct UnitConversion: Hashable, Sendable {
  var times = 1.0
  var over = 1.0
  var zero = 0.0

  func callAsFunction(_ value: Double) -> Double {
    if times == over, zero == 0 { return value }
    return ((value - zero) * times / over).roundedToDigitsOfADouble
  }
}

extension Double {
  /// The nearest number of 15 significant digits, as many as any double keeps: 0.57 × 100 is
  /// 56.99999999999999 in binary, and 57.
  fileprivate var roundedToDigitsOfADouble: Double {
    guard magnitude >= 1e-7, magnitude < 1e15 else { return self }
    var scale = 1.0
    // Powers of ten up to 10^22 are exact, and so the one division is rounded once.
    while (magnitude * scale) < 1e14 { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
