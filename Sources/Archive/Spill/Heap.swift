extension [Int] {
  /// Brings what stands at `start` down to its place in a heap whose first is before all others.
  @inline(__always)
  mutating func siftDown(from start: Int = 0, _ isBefore: (Int, Int) -> Bool) {
    var parent = start
    while true {
      var child = 2 * parent + 1
      guard child < count else { return }
      if child + 1 < count, isBefore(self[child + 1], self[child]) { child += 1 }
      guard isBefore(self[child], self[parent]) else { return }
      swapAt(parent, child)
      parent = child
    }
  }
}
