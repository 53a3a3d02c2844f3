/// The patients in whose compartments a resource lies, by their numbers in `Facets`. Most lie in one:
/// that is held without a list, so that a page of them allocates nothing.
package enum PatientNumbers: Hashable, Sendable {
  case one(UInt32)
  /// None, or more than one.
  case several([UInt32])

  package init(_ numbers: [UInt32]) {
    self = numbers.count == 1 ? .one(numbers[0]) : .several(numbers)
  }

  package var all: [UInt32] {
    switch self {
    case .one(let number): [number]
    case .several(let numbers): numbers
    }
  }

  /// The only one, if there is one.
  package var only: UInt32? {
    if case .one(let number) = self { return number }
    return nil
  }
}
