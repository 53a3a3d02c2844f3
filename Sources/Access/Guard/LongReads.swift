import Dispatch
import Synchronization

/// A few threads for the reads that look at much, so that those who ask for little don't wait behind
/// them.
final class LongReads: Sendable {
  private let threads: [DispatchQueue]
  /// How many reads each thread has before it.
  private let waitingCounts: Mutex<[Int]>

  init(threadCount: Int = 2) {
    threads = (0..<threadCount).map { DispatchQueue(label: "kiln.long-reads.\($0)") }
    waitingCounts = Mutex(Array(repeating: 0, count: threadCount))
  }

  /// Runs `work` on the thread that has the least to do, after what it has to do already.
  func run(_ work: @escaping @Sendable () -> Void) {
    let position = waitingCounts.withLock { counts in
      let position = counts.indices.min { counts[$0] < counts[$1] } ?? 0
      counts[position] += 1
      return position
    }
    threads[position].async { [self] in
      work()
      waitingCounts.withLock { $0[position] -= 1 }
    }
  }

  /// Waits until everything that was given so far is done.
  func finish() {
    for thread in threads { thread.sync {} }
  }
}
