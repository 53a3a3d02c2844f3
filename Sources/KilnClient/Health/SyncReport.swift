/// What a synchronisation read and sent.
public struct SyncReport: Sendable {
  /// Values that were new, and days that were withdrawn.
  public internal(set) var addedCount = 0
  /// What became of the outbox.
  public internal(set) var delivery = DeliveryReport()
  /// Metrics that could not be read, and why; they are read the next time.
  public internal(set) var readingFailures: [String: HealthReadingError] = [:]
  /// Why not all could be kept on this device, such as an outbox that is full while the server is
  /// away; `nil` if it could. What was not kept is read the next time.
  public internal(set) var storageFailure: String?
}
