import FoundationEssentials

/// Files of `fixtures/archive`, found from where this file was compiled.
enum Fixture {
  static func path(_ name: String, file: String = #filePath) -> String {
    file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/") + "/fixtures/archive/" + name
  }

  /// The lines of a table, by its columns.
  static func rows(_ name: String) throws -> [[String]] {
    try String(contentsOfFile: path(name), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
  }

  /// The checksum that zip archives carry, bit by bit.
  ///
  /// - SeeAlso: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.4.7
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xffff_ffff) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { part, _ in
        part & 1 == 1 ? part >> 1 ^ 0xedb8_8320 : part >> 1
      }
    }
  }
}
