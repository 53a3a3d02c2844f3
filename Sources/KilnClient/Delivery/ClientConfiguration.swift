import Foundation

/// What an app may set otherwise.
public struct ClientConfiguration: Sendable {
  /// When to try again.
  public var retry = RetryPolicy()
  /// Values that may wait; ``DailyValueClient/add(_:)`` throws rather than forget one.
  public var pendingCountMaximum = 10_000
  /// Values in one request.
  public var valuesPerRequest = 1_000
  /// Whether a server that is not `https` may be elsewhere than on this machine. The token and the
  /// values then travel readable for everybody on the way.
  public var allowsUnencrypted = false
  /// The network.
  public var transport: any Transport = URLSessionTransport()
  /// Clock and chance, for tests.
  var surroundings = Surroundings()

  /// The settings that suit a phone.
  public init() {}
}

/// Clock and chance.
struct Surroundings: Sendable {
  var now: @Sendable () -> Date = { Date() }
  var sleep: @Sendable (_ seconds: Double) async throws -> Void = {
    try await Task.sleep(for: .seconds($0))
  }
  var draw: @Sendable () -> Double = { Double.random(in: 0...1) }
}
