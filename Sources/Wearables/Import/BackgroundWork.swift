import Archive

/// Work of an import on a thread of its own, one piece at a time, while what follows is made ready.
struct BackgroundWork<Output: Sendable> {
  /// What the last piece gave, until it is taken.
  private let output: BackgroundState<Output?>

  /// - Parameter label: what a debugger calls the thread.
  init(_ label: String) { output = BackgroundState(nil, label: label) }

  /// Begins with a piece.
  ///
  /// - Precondition: the one before is finished.
  func begin(_ work: @escaping @Sendable () throws -> Output) {
    output.begin { $0 = try work() }
  }

  /// Waits for the piece under way.
  ///
  /// - Returns: what it gave; `nil` if there is none.
  /// - Throws: what it threw.
  func finish() throws -> Output? {
    try output.finish()
    return output.withState { $0.take() }
  }
}
