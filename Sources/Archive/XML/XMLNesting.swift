/// The names of the elements that are open.
struct XMLNesting {
  private(set) var bytes: [UInt8] = []
  private var starts: [Int] = []

  var count: Int { starts.count }
  var isEmpty: Bool { starts.isEmpty }

  /// Where in `bytes` the innermost name stands.
  var innermost: Range<Int> { (starts.last ?? 0)..<bytes.count }

  mutating func push(_ window: borrowing TextWindow, _ name: Range<Int>) {
    starts.append(bytes.count)
    bytes.append(copying: window.bytes.span.extracting(name))
  }

  mutating func pop() {
    guard let start = starts.popLast() else { return }
    bytes.removeLast(bytes.count - start)
  }

  /// How many elements are open inside of the innermost one of that name; `nil` if there is none.
  func depth(of name: Range<Int>, in window: borrowing TextWindow) -> Int? {
    let name = window.bytes.span.extracting(name)
    var end = bytes.count
    for (depth, start) in starts.reversed().enumerated() {
      if bytes.span.extracting(start..<end).equals(name) { return depth }
      end = start
    }
    return nil
  }
}
