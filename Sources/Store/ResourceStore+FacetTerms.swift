import FHIRModel
import KeyValue
import Search

/// A text that stands in facets as a number.
package typealias FacetTerm = Term

extension ResourceStore {
  /// The number of a term; `nil` if nothing stored has it.
  package func number(
    of term: FacetTerm, in reader: borrowing Reader
  ) throws -> UInt32? { try index.terms.lookup(term, in: reader) }

  /// The number of a term, given now if it had none.
  package func giveNumber(
    to term: FacetTerm, in transaction: inout WriteTransaction
  ) throws -> UInt32 { try index.terms.intern(term, in: &transaction) }

  /// The patient that a number in `Facets.patients` stands for.
  package func patient(
    of number: UInt32, in reader: borrowing Reader
  ) throws -> ResourceID? { try index.terms.patient(of: number, in: reader) }
}
