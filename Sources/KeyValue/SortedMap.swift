/// Keys in order, each with a value.
///
/// The entries stand in short chunks. A copy shares them all, and a change copies only its own.
struct SortedMap<Value: Sendable>: Sendable {
  struct Chunk: Sendable {
    var keys: [Key]
    var values: [Value]
  }

  /// Where an entry stands, or would stand; the last chunk's number plus one is the end.
  struct Place: Equatable {
    var chunk: Int
    var offset: Int
  }

  private static var chunkCountMaximum: Int { 128 }

  /// None of them is empty.
  private var chunks: [Chunk] = []

  var end: Place { Place(chunk: chunks.count, offset: 0) }

  /// The first key that is not before `key`.
  func place(from key: Key) -> Place {
    let chunk = firstPosition(in: chunks.count) {
      chunks[$0].keys[chunks[$0].keys.count - 1] >= key
    }
    guard chunk < chunks.count else { return end }
    let keys = chunks[chunk].keys
    return Place(chunk: chunk, offset: firstPosition(in: keys.count) { keys[$0] >= key })
  }

  func place(after place: Place) -> Place {
    place.offset + 1 < chunks[place.chunk].keys.count
      ? Place(chunk: place.chunk, offset: place.offset + 1)
      : Place(chunk: place.chunk + 1, offset: 0)
  }

  /// `nil` before the first.
  func place(before place: Place) -> Place? {
    if place.offset > 0 { return Place(chunk: place.chunk, offset: place.offset - 1) }
    guard place.chunk > 0 else { return nil }
    return Place(chunk: place.chunk - 1, offset: chunks[place.chunk - 1].keys.count - 1)
  }

  /// The key at a place that is not the end.
  func key(at place: Place) -> Key { chunks[place.chunk].keys[place.offset] }

  func value(at place: Place) -> Value { chunks[place.chunk].values[place.offset] }

  subscript(_ key: Key) -> Value? {
    let place = place(from: key)
    return holds(key, at: place) ? value(at: place) : nil
  }

  private func holds(_ key: Key, at place: Place) -> Bool {
    place.chunk < chunks.count && self.key(at: place) == key
  }

  /// Lends the value at `key` to be changed, set or (with `nil`) removed.
  mutating func update<Result>(_ key: Key, _ body: (inout Value?) -> Result) -> Result {
    let place = place(from: key)
    guard holds(key, at: place) else {
      var value: Value?
      let result = body(&value)
      if let value { insert(value, at: key, place) }
      return result
    }
    // Taken out while it is changed, so that it is not copied.
    var value: Value? = chunks[place.chunk].values.remove(at: place.offset)
    let result = body(&value)
    if let value {
      chunks[place.chunk].values.insert(value, at: place.offset)
    } else {
      chunks[place.chunk].keys.remove(at: place.offset)
      if chunks[place.chunk].keys.isEmpty { chunks.remove(at: place.chunk) }
    }
    return result
  }

  private mutating func insert(_ value: Value, at key: Key, _ place: Place) {
    if chunks.isEmpty { return chunks.append(Chunk(keys: [key], values: [value])) }
    let chunk = min(place.chunk, chunks.count - 1)
    let offset = place.chunk == chunks.count ? chunks[chunk].keys.count : place.offset
    chunks[chunk].keys.insert(key, at: offset)
    chunks[chunk].values.insert(value, at: offset)
    if chunks[chunk].keys.count > Self.chunkCountMaximum { split(chunk) }
  }

  private mutating func split(_ chunk: Int) {
    let middle = chunks[chunk].keys.count / 2
    let upper = Chunk(
      keys: Array(chunks[chunk].keys[middle...]), values: Array(chunks[chunk].values[middle...]))
    chunks[chunk].keys.removeSubrange(middle...)
    chunks[chunk].values.removeSubrange(middle...)
    chunks.insert(upper, at: chunk + 1)
  }
}

/// The first of `count` positions that `isReached`, which all after it are too; `count` if none is.
func firstPosition(in count: Int, where isReached: (Int) -> Bool) -> Int {
  var low = 0
  var high = count
  while low < high {
    let middle = (low + high) / 2
    if isReached(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
