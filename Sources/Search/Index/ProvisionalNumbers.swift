import FHIRModel
import KeyValue

/// Numbers that terms have as long as nothing stored has them: what is prepared beside the thread that
/// writes speaks of them by these, until that gives them theirs.
package struct ProvisionalNumbers: Sendable {
  fileprivate private(set) var terms: [Term] = []
  private var numbers: [Term: UInt32] = [:]

  private static let first: UInt32 = 0xFF00_0000

  /// A store's own numbers have come to the provisional ones, or there are too many of these.
  package struct Exhausted: Error {}

  static func includes(_ number: UInt32) -> Bool { number >= first }

  package init() {}

  /// The number of a term without one.
  fileprivate mutating func number(of term: Term) throws(Exhausted) -> UInt32 {
    if let known = numbers[term] { return known }
    guard terms.count < UInt32.max - Self.first else { throw Exhausted() }
    let number = Self.first + UInt32(terms.count)
    terms.append(term)
    numbers[term] = number
    return number
  }

  /// The numbers that took the place of provisional ones; without any all numbers are terms' own.
  package struct Given: Sendable {
    fileprivate var numbers: [UInt32] = []

    package init() {}

    /// The number in the place of one that may be provisional.
    package subscript(number: UInt32) -> UInt32 {
      guard !numbers.isEmpty, ProvisionalNumbers.includes(number) else { return number }
      return numbers[Int(number - ProvisionalNumbers.first)]
    }
  }
}

extension SearchIndex {
  /// The number of a term, a provisional one if nothing stored has it.
  ///
  /// - Throws: `ProvisionalNumbers.Exhausted`.
  package func number(
    of term: Term, in reader: borrowing Reader, _ provisional: inout ProvisionalNumbers
  ) throws -> UInt32 {
    guard let number = try terms.lookup(term, in: reader) else {
      return try provisional.number(of: term)
    }
    guard !ProvisionalNumbers.includes(number) else { throw ProvisionalNumbers.Exhausted() }
    return number
  }

  /// Gives numbers to the terms that have provisional ones.
  package func give(
    _ provisional: ProvisionalNumbers, in transaction: inout WriteTransaction
  ) throws -> ProvisionalNumbers.Given {
    var given = ProvisionalNumbers.Given()
    for term in provisional.terms { given.numbers.append(try terms.intern(term, in: &transaction)) }
    return given
  }
}
