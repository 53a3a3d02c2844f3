/// Sorting records that come nearly in order, as those of exports do: for each of their types and
/// sources by time. Such records make a few piles, which are merged (patience sorting).
extension RecordBuffer {
  /// Places of records in ascending order.
  typealias Pile = [UInt32]

  private static var pileCountMaximum: Int { 256 }

  /// The records laid on piles, each on that of which the last is the greatest that isn't above it;
  /// `nil` if there would be too many.
  func piles() -> [Pile]? {
    // Rising by their last records.
    var piles: [Pile] = [[0]]
    var lasts = [0]
    var current = 0
    for position in 1..<count {
      if !fits(position, on: current, lasts) {
        current = pile(for: position, lasts)
        if current < 0 {
          guard piles.count < Self.pileCountMaximum else { return nil }
          current = 0
          piles.insert([], at: 0)
          lasts.insert(position, at: 0)
        }
      }
      piles[current].append(UInt32(position))
      lasts[current] = position
    }
    return piles
  }

  @inline(__always)
  private func fits(_ position: Int, on pile: Int, _ lasts: [Int]) -> Bool {
    !isLess(position, lasts[pile])
      && (pile + 1 == lasts.count || isLess(position, lasts[pile + 1]))
  }

  /// The last pile on which a record fits; -1 if it is below all of them.
  private func pile(for position: Int, _ lasts: [Int]) -> Int {
    var low = 0
    var high = lasts.count
    while low < high {
      let middle = (low + high) / 2
      if isLess(position, lasts[middle]) { high = middle } else { low = middle + 1 }
    }
    return low - 1
  }

  /// One ascending order of all piles.
  func merged(_ piles: [Pile]) -> [UInt32] {
    var order: [UInt32] = []
    order.reserveCapacity(count)
    var next = [Int](repeating: 0, count: piles.count)
    // Piles as a heap, that with the smallest head first.
    var heap = piles.indices.sorted { isLess(Int(piles[$0][0]), Int(piles[$1][0])) }
    func head(_ pile: Int) -> Int { Int(piles[pile][next[pile]]) }
    func isBefore(_ one: Int, _ other: Int) -> Bool { isLess(head(one), head(other)) }
    while let first = heap.first {
      let limit = heap.count > 2 && isBefore(heap[2], heap[1]) ? 2 : 1
      // Mostly the same pile goes on.
      repeat {
        order.append(piles[first][next[first]])
        next[first] += 1
      } while next[first] < piles[first].count
        && (heap.count == 1 || !isBefore(heap[limit], first))
      if next[first] == piles[first].count {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
      }
      heap.siftDown(isBefore)
    }
    return order
  }
}
