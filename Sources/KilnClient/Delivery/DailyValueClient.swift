import Foundation

/// Brings a person's daily values to a Kiln server, whatever becomes of the network, the server or
/// the app in between.
///
/// ``add(_:)`` puts values into an outbox on disk, ``deliver()`` sends what is in it. A value leaves
/// the outbox when the server has said what became of it, so it may be sent more than once; that
/// changes nothing. Of a metric and day only the newest value is kept.
///
/// Each person, origin and server has an outbox of its own in the folder. Several clients may use one
/// folder at the same time, also those of an app and its extension: each sees what the other added when
/// it adds or delivers, and what both deliver at once changes nothing the second time.
public actor DailyValueClient {
  /// Gives the token of the person, as it is needed: refresh it there.
  public typealias TokenSource = @Sendable () async throws -> String

  /// What was found damaged when the client was opened, and kept aside.
  public private(set) var damagedFiles: [DamagedFile] = []

  nonisolated let patient: String
  nonisolated let origin: ValueOrigin
  nonisolated let folder: URL
  nonisolated let configuration: ClientConfiguration
  nonisolated let address: URL
  nonisolated let token: TokenSource

  var outbox: Outbox
  private nonisolated let lock: FolderLock
  var delivery: Task<DeliveryReport, Never>?
  /// When the server wants to be left alone, by the phone's clock.
  var silence: DateInterval?

  /// Opens the outbox; values that an earlier run of the app left in it are still there.
  ///
  /// - Parameters:
  ///   - server: `https://kiln.example`, without the path of the daily values.
  ///   - patient: `Patient/` and the person's id.
  ///   - origin: the platform that the values come from.
  ///   - folder: where the outbox is; made if needed. Choose one that is backed up nowhere.
  ///   - configuration: how much waits, how often it is tried, and how long.
  ///   - token: the person's token, asked for before each request.
  /// - Throws: ``ClientError``, or what the file system says.
  public init(
    server: URL, patient: String, origin: ValueOrigin, folder: URL,
    configuration: ClientConfiguration = ClientConfiguration(), token: @escaping TokenSource
  ) throws {
    guard configuration.allowsUnencrypted || server.isEncryptedOrHere else {
      throw ClientError.unencrypted(server)
    }
    let account = [server.absoluteString, patient, origin.rawValue].joined(separator: "\u{1f}")
    self.patient = patient
    self.origin = origin
    self.folder = folder.appendingPathComponent(
      "kiln-" + Checksum.text(of: account.utf8), isDirectory: true)
    self.configuration = configuration
    self.token = token
    address = server.appendingPathComponent("wearables/daily-values")
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    lock = FolderLock(in: self.folder)
    try lock.removeRemains()
    outbox = try Outbox(in: self.folder, countMaximum: configuration.pendingCountMaximum)
    if let damage = outbox.damage { damagedFiles.append(damage) }
  }

  /// Puts values into the outbox; they are on disk when it returns. A value of the same metric and
  /// day that waits there is replaced.
  ///
  /// - Returns: the values that no server could take: what is not a number, or a name that no metric
  ///   or no time zone has.
  /// - Throws: ``ClientError/outboxFull(limit:)``, or what the file system says; then none went in.
  @discardableResult
  public func add(_ values: [DailyValue]) throws -> [Refusal] {
    let refusals = values.compactMap { value in
      value.obstacle.map { Refusal(value: value, reason: $0) }
    }
    let fit = values.filter { $0.obstacle == nil }
    if !fit.isEmpty { try outbox.add(fit) }
    return refusals
  }

  /// The values that wait, in the order in which they were added.
  public var pending: [DailyValue] {
    outbox.entries.values.sorted { $0.sequence < $1.sequence }.map(\.value)
  }

  /// Takes waiting values out of the outbox unsent, for an app that knows they are wrong.
  ///
  /// - Returns: what was taken out.
  @discardableResult
  public func discard(where isUnwanted: @Sendable (DailyValue) -> Bool) throws -> [DailyValue] {
    let entries = outbox.entries.values.filter { isUnwanted($0.value) }
    try outbox.remove(entries)
    return entries.map(\.value)
  }

  /// The newest day of a metric that the server has, if none before it waits; `nil` if there is none.
  public func lastSynchronisedDay(of metric: String) throws -> LocalDay? {
    try outbox.refresh()
    guard let newest = try sentValues(of: metric).newestDay else { return nil }
    guard let waiting = outbox.oldestDay(of: metric), waiting <= newest else { return newest }
    let before = try sentValues(of: metric).entries.values.filter {
      !$0.isRefused && $0.day < waiting
    }
    return before.map(\.day).max()
  }

  /// Sends what is in the outbox, trying again where that may help, until nothing is left or it is
  /// time to give up; the report says which. While a delivery runs, a second call waits for it.
  public func deliver() async -> DeliveryReport {
    let running = delivery ?? Task { await self.run() }
    delivery = running
    return await withTaskCancellationHandler {
      await running.value
    } onCancel: {
      running.cancel()
    }
  }

  // MARK: What was sent

  /// Read each time: another client may have sent more, and ten years of every metric are more than a
  /// phone grants an app in the background.
  func sentValues(of metric: String) throws -> SentValues {
    try lock.whileHeld { try readSentValues(of: metric) }
  }

  private func readSentValues(of metric: String) throws -> SentValues {
    let read = try SentValues(of: metric, in: folder)
    if let damage = read.damage { damagedFiles.append(damage) }
    return read
  }

  /// What the server has of a metric, or will have once what waits has arrived.
  func knownValues(of metric: String) throws -> [LocalDay: SentValues.Entry] {
    outbox.entries.values.lazy.filter { $0.value.metric == metric }
      .reduce(into: try sentValues(of: metric).entries) { known, waiting in
        // It is sent later than now, so what is over now is over then.
        known[waiting.value.day] = SentValues.Entry(
          day: waiting.value.day, fingerprint: waiting.value.fingerprint, isFinal: true,
          isWithdrawn: waiting.value.numbers == nil)
      }
  }

  func note(damaged files: [DamagedFile]) {
    damagedFiles += files.filter { !damagedFiles.contains($0) }
  }

  func note(_ entries: [SentValues.Entry], of metric: String) throws {
    try lock.whileHeld {
      var values = try readSentValues(of: metric)
      try values.note(entries)
    }
  }
}

extension DailyValue {
  /// Why no server could take it; `nil` if one might.
  var obstacle: String? {
    if let numbers, !numbers.areFinite { return "A value must be a number." }
    let isName =
      1...100 ~= metric.utf8.count
      && metric.utf8.allSatisfy { 0x61...0x7a ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x5f }
    guard isName else { return "“\(metric)” is the name of no metric." }
    guard TimeZone(identifier: context.timeZone) != nil else {
      return "“\(context.timeZone)” is the name of no time zone."
    }
    let identifier = context.source?.bundleIdentifier ?? "none"
    guard !identifier.isEmpty, identifier.unicodeScalars.allSatisfy(\.isPlain) else {
      return "“\(identifier)” is no bundle identifier: letters, digits, “.”, “-” and “_”."
    }
    return nil
  }
}

extension URL {
  fileprivate var isEncryptedOrHere: Bool {
    let hosts: Set<String?> = ["127.0.0.1", "::1", "localhost"]
    return scheme == "https" || (scheme == "http" && hosts.contains(host))
  }
}
