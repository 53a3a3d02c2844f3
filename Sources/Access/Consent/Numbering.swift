import Store

/// Gives the number by which facets know a term; `nil` if nothing stored has it.
///
/// Where something is read, numbers are looked up. Where something is written they are given, so
/// that what is about to be stored is known already.
typealias Numbering = (FacetTerm) throws -> UInt32?

/// The number of a coding, as facets have it: that of the code above that of its system, which is 0
/// where there is none.
func numberOfCoding(_ code: String, of system: String?, _ number: Numbering) throws -> UInt64? {
  guard let code = try number(.code(code)) else { return nil }
  guard let system else { return UInt64(code) << 32 }
  guard let system = try number(.system(system)) else { return nil }
  return UInt64(code) << 32 | UInt64(system)
}
