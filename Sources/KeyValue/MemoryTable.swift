/// A table in memory: sorted keys, each with a value or with sorted numbers. A copy is a snapshot.
struct MemoryTable: Sendable {
  private(set) var keys: [Key] = []
  private(set) var values: [[UInt8]] = []
  private(set) var numbers: [[UInt64]] = []
  let kind: Table.Kind

  init(kind: Table.Kind) { self.kind = kind }

  /// The position of the first key that is not before `key`.
  func position(of key: Key) -> Int {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func found(_ key: Key) -> Int? {
    let position = position(of: key)
    return position < keys.count && keys[position] == key ? position : nil
  }

  mutating func put(_ value: [UInt8], at key: Key) {
    let position = position(of: key)
    if position < keys.count, keys[position] == key {
      values[position] = value
    } else {
      keys.insert(key, at: position)
      values.insert(value, at: position)
    }
  }

  mutating func removeValue(at key: Key) -> Bool {
    guard let position = found(key) else { return false }
    keys.remove(at: position)
    values.remove(at: position)
    return true
  }

  mutating func insert(_ number: UInt64, at key: Key) -> Bool {
    let position = position(of: key)
    guard position < keys.count, keys[position] == key else {
      keys.insert(key, at: position)
      numbers.insert([number], at: position)
      return true
    }
    let place = numbers[position].firstPosition(from: number)
    if place < numbers[position].count, numbers[position][place] == number { return false }
    numbers[position].insert(number, at: place)
    return true
  }

  mutating func remove(_ number: UInt64, at key: Key) -> Bool {
    guard let position = found(key) else { return false }
    let place = numbers[position].firstPosition(from: number)
    guard place < numbers[position].count, numbers[position][place] == number else { return false }
    numbers[position].remove(at: place)
    if numbers[position].isEmpty {
      keys.remove(at: position)
      numbers.remove(at: position)
    }
    return true
  }
}

extension [UInt64] {
  /// In rising numbers, the position of the first that is not below `number`.
  func firstPosition(from number: UInt64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
