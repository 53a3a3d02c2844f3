import FoundationEssentials
import KeyValue
import LMDBStorage
import Testing

/// Each engine, made anew for a test.
enum EngineUnderTest: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, lmdb

  var testDescription: String { rawValue }

  static let values = Table(position: 0, name: "values", kind: .values)
  static let postings = Table(position: 3, name: "postings", kind: .postings)
  static let numbered = Table(position: 5, name: "numbered", kind: .numbered)
  static let tables = [values, postings, numbered]

  func with<Result>(_ body: (any Engine) throws -> Result) throws -> Result {
    switch self {
    case .memory: return try body(MemoryEngine(tables: Self.tables))
    case .lmdb:
      return try withFolder { folder in
        let engine = try LMDBEngine(at: folder, tables: Self.tables, format: 1)
        defer { engine.close() }
        return try body(engine)
      }
    }
  }
}

extension EngineUnderTest {
  /// As `with`, where some three megabytes fit, and half a megabyte more into the reserve.
  func withSmall<Result>(_ body: (any Engine) throws -> Result) throws -> Result {
    let (maximum, reserve) = (4 << 20, 512 << 10)
    switch self {
    case .memory:
      return try body(
        MemoryEngine(
          tables: Self.tables, byteCountMaximum: maximum - reserve, reserveByteCount: reserve))
    case .lmdb:
      return try withFolder { folder in
        let engine = try LMDBEngine(
          at: folder, tables: Self.tables, format: 1,
          options: LMDBOptions(
            mapByteCount: 1 << 20, mapByteCountMaximum: maximum, reserveByteCount: reserve))
        defer { engine.close() }
        return try body(engine)
      }
    }
  }
}

/// Lends the path of a folder that is gone afterwards; the folder itself isn't made.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.path + "/kiln-test-\(UUID().uuidString)"
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try body(folder)
}

extension Key {
  init(_ text: String) { self.init(Array(text.utf8)) }
}

extension Reader {
  /// The keys of a walk, with their values, as text.
  func entries(
    _ range: KeyRange = .everything, _ direction: Direction = .forward,
    stoppingAfter count: Int = .max
  ) throws -> [String] {
    var found: [String] = []
    try walk(EngineUnderTest.values, range, direction) { key, value in
      found.append(text(key) + "=" + text(value))
      return found.count < count ? .next : .stop
    }
    return found
  }

  func numbers(at key: String, from first: UInt64 = 0) throws -> [UInt64] {
    var found: [UInt64] = []
    try numbers(at: Key(key), in: EngineUnderTest.postings, from: first) { page in
      for position in page.indices { found.append(page[position]) }
      return true
    }
    return found
  }

  func postings(
    _ range: KeyRange = .everything, _ direction: Direction = .forward
  ) throws -> [String] {
    var found: [String] = []
    try walkPostings(EngineUnderTest.postings, range, direction) { key, number in
      found.append("\(text(key))\(number)")
      return .next
    }
    return found
  }
}

func text(_ span: Span<UInt8>) -> String { String(decoding: Key(span).bytes, as: UTF8.self) }

extension WriteTransaction {
  mutating func put(_ value: String, at key: String) throws {
    try put(Array(value.utf8), at: Key(key), in: EngineUnderTest.values)
  }

  mutating func insert(_ number: UInt64, at key: String) throws {
    try insert(number, at: Key(key), in: EngineUnderTest.postings)
  }
}

/// `#expect` for what a lent transaction says: the macro can't hold one.
func expect<Value: Equatable>(
  _ found: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(found == expected, sourceLocation: sourceLocation)
}
