import KeyValue

extension Terms {
  /// What is wrong with the table of terms: numbers given twice or never given. Empty if all is well.
  package func problems(in reader: borrowing some Reader & ~Copyable) throws -> [String] {
    let next = try Self.nextNumber(in: reader)
    var seen: Set<UInt32> = []
    var problems: [String] = []
    try reader.walk(.terms, KeyRange(from: Key([1]), to: nil), .forward) { key, value in
      let number = value.indices.reduce(UInt32(0)) { $0 << 8 | UInt32(value[$1]) }
      if value.count != 4 || number == 0 || number >= next {
        problems.append("\(Key(key).bytes) has a number that was never given")
      } else if !seen.insert(number).inserted {
        problems.append("\(Key(key).bytes) has number \(number), which another has too")
      }
      return .next
    }
    return problems
  }
}
