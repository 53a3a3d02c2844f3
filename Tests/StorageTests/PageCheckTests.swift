import FoundationEssentials
import LMDBStorage
import Testing

@Suite("The check of every page")
struct PageCheckTests {
  private static let pageByteCount = 4096

  @Test("refuses trees within trees, which a file could have one of for every page")
  func treesInTrees() throws {
    // A table, whose key's values are a tree that claims to have several values of each key.
    try expectFault(on: 1) { first in
      [
        Self.page(first, nodeFlags: 2, value: Self.tree(flags: 4, root: first + 1)),
        Self.page(first + 1, nodeFlags: 6, value: Self.tree(flags: 4, root: first + 2)),
        Self.page(first + 2, nodeFlags: 6, value: Self.tree(flags: 4, root: first + 3)),
        Self.page(first + 3, nodeFlags: 0, value: []),
      ]
    }
  }

  @Test("refuses a key of another size where numbers are the keys")
  func keysThatAreNoNumbers() throws {
    try expectFault(on: 1) { first in
      [
        Self.page(first, nodeFlags: 2, value: Self.tree(flags: 8, root: first + 1)),
        Self.page(first + 1, nodeFlags: 0, value: [1]),
      ]
    }
  }

  /// Expects the one fault of a file, which has these pages behind those of an empty store and begins
  /// with the first of them.
  ///
  /// - Parameters:
  ///   - position: which of the pages has the fault.
  ///   - pages: gives them, by the number of the first.
  private func expectFault(on position: UInt64, _ pages: (UInt64) -> [[UInt8]]) throws {
    try withFolder { folder in
      try LMDBEngine(at: folder, tables: EngineUnderTest.tables, format: 1).close()
      #expect(try PageCheck.faults(ofStoreIn: folder) == [])
      let path = folder + "/data.mdb"
      var file = [UInt8](try Data(contentsOf: URL(filePath: path)))
      try #require(file.count % Self.pageByteCount == 0)
      let first = UInt64(file.count / Self.pageByteCount)
      file += pages(first).joined()
      // Both heads lead there: behind a page's head, 24 bytes and the record of the free pages' tree.
      for head in [0, Self.pageByteCount] {
        let tables = head + 16 + 24 + 48
        file.replaceSubrange(tables..<tables + 48, with: Self.tree(flags: 0, root: first))
        let last = UInt64(file.count / Self.pageByteCount - 1)
        file.replaceSubrange(tables + 48..<tables + 56, with: Self.bytes(last))
      }
      try Data(file).write(to: URL(filePath: path))
      let faults = try PageCheck.faults(ofStoreIn: folder)
      #expect(faults.map(\.page) == [first + position])
    }
  }

  /// A leaf with one node, whose key is `k`.
  private static func page(_ number: UInt64, nodeFlags: UInt16, value: [UInt8]) -> [UInt8] {
    let place = pageByteCount - 10 - (value.count + 1) / 2 * 2
    var page = bytes(number) + bytes(UInt16(0)) + bytes(UInt16(2)) + bytes(UInt16(18))
    page += bytes(UInt16(place)) + bytes(UInt16(place))
    page += [UInt8](repeating: 0, count: place - page.count)
    page += bytes(UInt16(value.count)) + bytes(UInt16(0)) + bytes(nodeFlags) + bytes(UInt16(1))
    page += [UInt8(ascii: "k")] + value
    return page + [UInt8](repeating: 0, count: pageByteCount - page.count)
  }

  /// The record of a tree that has one leaf with one entry.
  private static func tree(flags: UInt16, root: UInt64) -> [UInt8] {
    let depth: UInt16 = 1
    let counts = bytes(UInt64(0)) + bytes(UInt64(1)) + bytes(UInt64(0)) + bytes(UInt64(1))
    return bytes(UInt32(0)) + bytes(flags) + bytes(depth) + counts + bytes(root)
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
