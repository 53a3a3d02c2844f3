/// What may count at the same time as others of its kind, of which only the best does.
protocol Rival {
  /// In milliseconds since 1970.
  var end: Int64 { get }

  /// An order of all of them, apart from those that are the same.
  func isBetter(than other: Self) -> Bool
}

/// Those that are open at one moment, as a heap with the best first. Some may have ended already.
struct BestFirst<Element: Rival> {
  private var heap: [Element] = []

  /// As many are never open at one time in a person's data; what goes beyond would fill the memory.
  static var countMaximum: Int { 65_536 }

  var best: Element? { heap.first }

  /// The best one, for a change that makes it neither better nor worse.
  ///
  /// - Precondition: there is one.
  var first: Element {
    get { heap[0] }
    _modify { yield &heap[0] }
  }

  /// Adds one that begins no earlier than those before it. What a better one covers to its end is left
  /// out, now or as soon as it would be the best.
  ///
  /// - Returns: `false` if too many are open.
  mutating func insert(_ new: Element) -> Bool {
    while let best = heap.first {
      if best.isBetter(than: new) {
        if best.end >= new.end { return true }
        break
      }
      guard best.end <= new.end else { break }
      removeBest()
    }
    guard heap.count < Self.countMaximum else { return false }
    heap.append(new)
    var place = heap.count - 1
    while place > 0, heap[place].isBetter(than: heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
    return true
  }

  /// - Precondition: there is one.
  mutating func removeBest() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, heap[child + 1].isBetter(than: heap[child]) { child += 1 }
      guard heap[child].isBetter(than: heap[place]) else { return }
      heap.swapAt(place, child)
      place = child
    }
  }
}
