import Dispatch
import Synchronization
import Testing

@testable import Wearables

@Suite("Pieces of work on a line of their own")
struct BackgroundLineTests {
  private struct Broken: Error {}

  @Test("are done in the order in which they were given, and each gives its output once")
  func order() throws {
    let line = BackgroundLine<Int>("test", waitingCount: 2)
    var taken: [Int] = []
    for number in 0..<500 {
      line.add { number }
      taken += try line.take()
    }
    taken += try line.finish()
    #expect(taken == Array(0..<500))
    #expect(try line.take() == [])
  }

  @Test("wait in no greater number than may")
  func room() throws {
    let line = BackgroundLine<Void>("test", waitingCount: 1)
    let gate = DispatchSemaphore(value: 0)
    let given = Mutex(0)
    let giver = DispatchQueue(label: "giver")
    let isGiven = DispatchSemaphore(value: 0)
    giver.async {
      for _ in 0..<5 {
        line.add { gate.wait() }
        given.withLock { $0 += 1 }
        isGiven.signal()
      }
    }
    // One under way and one that waits; the third is given when the first is done.
    isGiven.wait()
    isGiven.wait()
    #expect(isGiven.wait(timeout: .now() + 0.05) == .timedOut)
    gate.signal()
    isGiven.wait()
    #expect(given.withLock { $0 } == 3)
    for _ in 0..<4 { gate.signal() }
    giver.sync {}
    #expect(try line.finish().count == 5)
  }

  @Test("are dropped behind one that throws, which is told as often as it is asked")
  func failure() throws {
    let line = BackgroundLine<Int>("test", waitingCount: 8)
    let done = Mutex<[Int]>([])
    for number in 0..<6 {
      line.add {
        if number == 2 { throw Broken() }
        done.withLock { $0.append(number) }
        return number
      }
    }
    #expect(throws: Broken.self) { try line.finish() }
    #expect(throws: Broken.self) { try line.take() }
    line.add { 7 }
    #expect(throws: Broken.self) { try line.finish() }
    #expect(done.withLock { $0 } == [0, 1])
  }

  @Test("are dropped when the line is cancelled, but for the one under way")
  func cancelled() throws {
    let line = BackgroundLine<Int>("test", waitingCount: 8)
    let (gate, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = Mutex<[Int]>([])
    for number in 0..<4 {
      line.add {
        begun.signal()
        gate.wait()
        done.withLock { $0.append(number) }
        return number
      }
    }
    begun.wait()
    let canceller = DispatchQueue(label: "canceller")
    canceller.async { line.cancel() }
    while !line.isCancelled {}
    for _ in 0..<4 { gate.signal() }
    canceller.sync {}
    #expect(done.withLock { $0 } == [0])
  }
}
