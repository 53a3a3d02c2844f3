/// Sorts entries by their prefix, a byte at a time from its lowest.
enum RadixSort {
  /// - Parameter byteCount: how many of the prefix's lowest bytes are used.
  static func sort(_ entries: inout [RecordBuffer.Entry], byteCount: Int) {
    let counts = histograms(of: entries, byteCount: byteCount)
    var other = entries
    for byte in 0..<byteCount {
      var place = 0
      var places = [Int](repeating: 0, count: 256)
      for value in 0..<256 {
        places[value] = place
        place += counts[byte * 256 + value]
      }
      scatter(entries, into: &other, byte: byte, places: &places)
      swap(&entries, &other)
    }
  }

  private static func histograms(
    of entries: [RecordBuffer.Entry], byteCount: Int
  ) -> [Int] {
    var counts = [Int](repeating: 0, count: byteCount * 256)
    for entry in entries {
      for byte in 0..<byteCount {
        counts[byte &* 256 &+ Int(truncatingIfNeeded: entry.prefix >> UInt64(8 &* byte) & 0xff)] &+=
          1
      }
    }
    return counts
  }

  private static func scatter(
    _ entries: [RecordBuffer.Entry], into other: inout [RecordBuffer.Entry], byte: Int,
    places: inout [Int]
  ) {
    let shift = UInt64(8 * byte)
    for entry in entries {
      let value = Int(truncatingIfNeeded: entry.prefix >> shift & 0xff)
      other[places[value]] = entry
      places[value] &+= 1
    }
  }
}
