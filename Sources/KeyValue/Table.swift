/// An ordered set of keys in an engine.
///
/// Every table of a store is declared once, in the room that owns it, with a `position` of its own
/// (0…63) by which an engine finds its handle.
package struct Table: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// One value a key.
    case values
    /// One value a 64-bit number. The key is the number's eight bytes, the highest first
    /// (`Key.append`); an engine may hold it as an integer, which is found faster.
    case numbered
    /// A set of 64-bit numbers a key, in rising order.
    case postings
  }

  package let position: Int
  package let name: String
  package let kind: Kind

  package init(position: Int, name: String, kind: Kind) {
    self.position = position
    self.name = name
    self.kind = kind
  }
}
