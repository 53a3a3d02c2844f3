/// All tables of a memory engine. A copy is a snapshot.
struct MemoryTables: Sendable {
  var values: [Int: SortedMap<[UInt8]>] = [:]
  var numbers: [Int: SortedMap<[UInt64]>] = [:]
  /// The bytes of all keys, values and numbers.
  var byteCount = 0

  init(_ tables: [Table]) {
    for table in tables {
      switch table.kind {
      case .values, .numbered: values[table.position] = SortedMap()
      case .postings: numbers[table.position] = SortedMap()
      }
    }
    precondition(values.count + numbers.count == tables.count, "two tables have one position")
  }

  func values(of table: Table) -> SortedMap<[UInt8]> { Self.given(values[table.position], table) }

  func numbers(of table: Table) -> SortedMap<[UInt64]> {
    Self.given(numbers[table.position], table)
  }

  private static func given<Map>(_ map: Map?, _ table: Table) -> Map {
    guard let map else {
      preconditionFailure("\(table.kind) table \(table.name) was not given to the engine")
    }
    return map
  }

  /// Sets the value at `key`, or removes it; whether there was one.
  mutating func setValue(_ value: [UInt8]?, at key: Key, in table: Table) -> Bool {
    _ = values(of: table)
    let replaced = values[table.position]?.update(key) { current in
      let replaced = current?.count
      current = value
      return replaced
    }
    let old = replaced.flatMap { $0 }
    byteCount += size(key, value?.count) - size(key, old)
    return old != nil
  }

  private func size(_ key: Key, _ value: Int?) -> Int { value.map { $0 + key.bytes.count } ?? 0 }

  /// Adds a number, or takes it out; whether that changed the set.
  mutating func setNumber(
    _ number: UInt64, isMember: Bool, at key: Key, in table: Table
  ) -> Bool {
    _ = numbers(of: table)
    let hasChanged = numbers[table.position]?.update(key) { $0.set(number, isMember: isMember) }
    guard hasChanged ?? false else { return false }
    byteCount += isMember ? 8 + key.bytes.count : -8 - key.bytes.count
    return true
  }
}

extension [UInt64]? {
  fileprivate mutating func set(_ number: UInt64, isMember: Bool) -> Bool {
    var rising = self ?? []
    self = nil
    let place = rising.firstPosition(from: number)
    let wasMember = place < rising.count && rising[place] == number
    if isMember, !wasMember { rising.insert(number, at: place) }
    if !isMember, wasMember { rising.remove(at: place) }
    if !rising.isEmpty { self = rising }
    return isMember != wasMember
  }
}

extension [UInt64] {
  /// In rising numbers, the position of the first that is not below `number`.
  func firstPosition(from number: UInt64) -> Int {
    KeyValue.firstPosition(in: count) { self[$0] >= number }
  }
}
