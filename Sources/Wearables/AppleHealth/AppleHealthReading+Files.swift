import Archive
import FHIRModel

/// The files of an export beside its document.
extension AppleHealthReading {
  /// What a file is, told from its name's ending and the folder that it lies in.
  enum FileKind {
    case electrocardiogram, route, clinicalRecord

    init?(_ name: String) {
      let parts = name.split(separator: "/").map { $0.lowercased() }
      guard let file = parts.last, !parts.contains("__macosx"), !file.hasPrefix(".") else {
        return nil
      }
      switch file.split(separator: ".").last {
      case "csv": self = .electrocardiogram
      case "gpx": self = .route
      case "json": self = .clinicalRecord
      default: return nil
      }
    }
  }

  /// No file beside the document is larger in an export that a phone makes.
  static let fileByteCountMaximum = 32 << 20

  /// Reads one file of an export; others than those are passed over.
  ///
  /// - Returns: what it makes to perform, with the system it comes from; `nil` if nothing.
  /// - Throws: `ArchiveError` if it can't be read at all.
  mutating func readFile(
    _ name: String, _ source: inout ByteSource
  ) throws -> (interaction: Interaction, sourceSystem: String)? {
    guard let kind = FileKind(name) else { return nil }
    note(kind)
    guard let bytes = try source.bytes(upTo: Self.fileByteCountMaximum) else {
      report.leaveOut(.tooLarge, at: nil, name)
      return nil
    }
    do throws(ClinicalRecord.Refusal) {
      switch kind {
      case .electrocardiogram: return try electrocardiogram(bytes, name)
      case .route: return try route(bytes, name)
      case .clinicalRecord: return try clinicalRecord(bytes, name)
      }
    } catch {
      report.leaveOut(
        kind == .electrocardiogram ? .unreadable : .invalid, at: nil, "\(name): \(error.reason)")
      return nil
    }
  }

  private mutating func note(_ kind: FileKind) {
    switch kind {
    case .electrocardiogram: report.electrocardiograms.read += 1
    case .route: report.routes.read += 1
    case .clinicalRecord: report.clinicalRecords.read += 1
    }
  }

  private var ownSystem: String { SourceSystem.appleHealth.uri }

  private mutating func electrocardiogram(
    _ bytes: [UInt8], _ name: String
  ) throws(ClinicalRecord.Refusal) -> (interaction: Interaction, sourceSystem: String)? {
    let recording: Electrocardiogram
    do throws(Electrocardiogram.Failure) {
      recording = try Electrocardiogram(parsing: bytes)
    } catch {
      throw ClinicalRecord.Refusal(reason: error.reason)
    }
    guard let metric = table["ecg"] else { return nil }
    let zone = zone(named: nil, recording.recorded)
    let period = recording.period { offset(at: $0, in: zone) }
    if isBefore(period.startText) {
      report.leaveOut(.before, at: nil, name)
      return nil
    }
    var event = draft(
      of: metric, identity: recording.identity, in: period,
      measuredBy: recording.device ?? "")
    recording.write(to: &event)
    do throws(DailyValues.Refusal) {
      let interaction = try event.interaction()
      report.electrocardiograms.taken += 1
      return (interaction, ownSystem)
    } catch {
      throw ClinicalRecord.Refusal(reason: error.reason)
    }
  }

  private mutating func route(
    _ bytes: [UInt8], _ name: String
  ) throws(ClinicalRecord.Refusal) -> (interaction: Interaction, sourceSystem: String)? {
    let file = Self.fileName(name)
    let began = RouteDocument.began(in: bytes).flatMap { AppleStamp($0) }
    if let began, isBefore(period(from: began, to: began, in: 0).startText) {
      report.leaveOut(.before, at: nil, name)
      return nil
    }
    let document = RouteDocument(
      file: file, key: routeKey(file, began), bytes: bytes, workout: routeIndex[file],
      patient: options.patient)
    let interaction = try document.interaction()
    report.routes.taken += 1
    return (interaction, ownSystem)
  }

  /// Takes a route whose places stand in the document, as in exports before there were files of them.
  mutating func takeRoute(_ element: AppleElement, of workout: String, at byteOffset: Int) {
    guard !element.points.isEmpty else { return }
    report.routes.read += 1
    let bytes = InlineRoute.document(element.points)
    guard let began = RouteDocument.began(in: bytes).flatMap({ AppleStamp($0) }) else {
      return report.leaveOut(.badDate, at: byteOffset, element.name)
    }
    let key = routeKey("", began)
    let document = RouteDocument(
      file: "route_\(key).gpx", key: key, bytes: bytes, workout: workout, patient: options.patient)
    do throws(ClinicalRecord.Refusal) {
      pending.append(try document.interaction())
      pendingByteCount += bytes.count
      report.routes.taken += 1
    } catch {
      report.leaveOut(.invalid, at: byteOffset, "\(element.name): \(error.reason)")
    }
  }

  /// When it began, and which of those it is that began then; of one without a time its name.
  private mutating func routeKey(_ file: String, _ began: AppleStamp?) -> String {
    guard let began else { return file }
    routesBegun[began.milliseconds, default: 0] += 1
    let moment = Instant(milliseconds: began.milliseconds).description
    let count = routesBegun[began.milliseconds] ?? 1
    return count == 1 ? moment : "\(moment)/\(count)"
  }

  private mutating func clinicalRecord(
    _ bytes: [UInt8], _ name: String
  ) throws(ClinicalRecord.Refusal) -> (interaction: Interaction, sourceSystem: String)? {
    let file = Self.fileName(name)
    var provider = clinicalIndex[file] ?? ClinicalRecord.Provider()
    provider.file = file
    let record = try ClinicalRecord(parsing: bytes, from: provider, for: options.patient)
    if isBefore(record.lastDate) {
      report.leaveOut(.before, at: nil, name)
      return nil
    }
    report.clinicalRecords.taken += 1
    if record.isConverted { report.clinicalRecordsConverted += 1 }
    return (record.interaction, record.sourceSystem)
  }
}

extension ByteSource {
  /// All bytes; `nil` if there are more than so many.
  mutating func bytes(upTo maximum: Int) throws(ArchiveError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let chunk = try next() {
      guard bytes.count + chunk.count <= maximum else { return nil }
      bytes += chunk
    }
    return bytes
  }
}
