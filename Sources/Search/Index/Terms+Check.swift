import KeyValue

extension Terms {
  /// What is wrong with the table of terms: numbers given twice or never given. Empty if all is well.
  package func problems(in reader: borrowing Reader) throws -> [String] {
    let next = try Self.nextNumber(in: reader)
    var seen: Set<UInt32> = []
    var problems: [String] = []
    try reader.walk(.terms, KeyRange(from: Key([1]), to: Key([4])), .forward) { key, value in
      let number = value.indices.reduce(UInt32(0)) { $0 << 8 | UInt32(value[$1]) }
      if value.count != 4 || number == 0 || number >= next {
        problems.append("\(Key(key).bytes) has a number that was never given")
      } else if !seen.insert(number).inserted {
        problems.append("\(Key(key).bytes) has number \(number), which another has too")
      }
      return .next
    }
    return try problems + patientProblems(in: reader)
  }

  /// Numbers by which patients are found that are not theirs.
  private func patientProblems(in reader: borrowing Reader) throws -> [String] {
    var listed: [(key: Key, number: UInt32)] = []
    try reader.walk(.terms, KeyRange(from: Key([4]), to: nil), .forward) { key, _ in
      let number = key.indices.dropFirst().reduce(UInt32(0)) { $0 << 8 | UInt32(key[$1]) }
      listed.append((Key(key), number))
      return .next
    }
    return try listed.compactMap { key, number in
      guard key.bytes.count == 5, let id = try patient(of: number, in: reader),
        try lookup(.reference(id), in: reader) == number
      else { return "\(key.bytes) lists a patient whose number is another" }
      return nil
    }
  }
}
