import Foundation

/// A file of the client's folder: one record a line, each with a checksum, written whole and put in
/// the old one's place at once, so that a killed app leaves the old or the new one. Several clients may
/// read it; who changes it holds the folder's lock from reading to writing.
///
///     kiln-client 1 outbox 2
///     9d1c2f3a5b6e7081 {"…":…}
///     0b7a…            {"…":…}
struct RecordFile<Record: Codable & SendableMetatype> {
  let url: URL
  /// What the records are; a file of other records is not read as these.
  let kind: String

  init(_ name: String, kind: String, in folder: URL) {
    url = folder.appendingPathComponent(name)
    self.kind = kind
  }

  private static var format: String { "kiln-client 1" }

  /// What the file holds; nothing if there is none.
  func bytes() throws -> Data {
    do {
      return try Data(contentsOf: url)
    } catch CocoaError.fileReadNoSuchFile {
      return Data()
    }
  }

  /// Reads the records; none if there is no such file. A damaged file is renamed and what can be
  /// read of it is written again.
  ///
  /// - Throws: ``ClientError/writtenByAnotherVersion(_:)``, or what reading and writing throw.
  func read() throws -> (records: [Record], damage: DamagedFile?) { try records(in: try bytes()) }

  /// The records in what the file held when it was read.
  func records(in bytes: Data) throws -> (records: [Record], damage: DamagedFile?) {
    guard !bytes.isEmpty || FileManager.default.fileExists(atPath: url.path) else {
      return ([], nil)
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    let head = lines.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    // A head that was cut off says nothing of its version.
    let isHeadWhole = bytes.contains(UInt8(ascii: "\n"))
    if isHeadWhole, head.hasPrefix("kiln-client "), !head.hasPrefix(Self.format + " ") {
      throw ClientError.writtenByAnotherVersion(url)
    }
    let records = lines.dropFirst().map(Self.record)
    let readable = records.compactMap(\.self)
    guard head != header(count: records.count) || readable.count < records.count else {
      return (readable, nil)
    }
    let aside = try setAside()
    try write(readable)
    return (
      readable,
      DamagedFile(
        name: url.lastPathComponent, movedTo: aside, readableCount: readable.count,
        writtenCount: writtenCount(in: head))
    )
  }

  /// Puts `records` in the place of what the file held; durable when it returns.
  ///
  /// - Returns: what the file holds now.
  @discardableResult
  func write(_ records: [Record]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes = Data((header(count: records.count) + "\n").utf8)
    for record in records {
      let json = try encoder.encode(record)
      bytes += Data((Checksum.text(of: json) + " ").utf8) + json + Data("\n".utf8)
    }
    // Foundation writes a neighbour, flushes it and renames it.
    try bytes.write(to: url, options: .atomic)
    return bytes
  }

  private func header(count: Int) -> String { "\(Self.format) \(kind) \(count)" }

  /// How many records the writer meant; `nil` if even that is lost.
  private func writtenCount(in head: String) -> Int? {
    let prefix = "\(Self.format) \(kind) "
    return head.hasPrefix(prefix) ? Int(head.dropFirst(prefix.count)) : nil
  }

  private static func record(in line: Data) -> Record? {
    guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
    let json = line[(space + 1)...]
    guard String(decoding: line[..<space], as: UTF8.self) == Checksum.text(of: json) else {
      return nil
    }
    return try? JSONDecoder().decode(Record.self, from: json)
  }

  private func setAside() throws -> URL {
    var number = 1
    while true {
      let aside = url.appendingPathExtension("damaged-\(number)")
      if !FileManager.default.fileExists(atPath: aside.path) {
        try FileManager.default.moveItem(at: url, to: aside)
        return aside
      }
      number += 1
    }
  }
}

/// A file that held something else than was written into it.
public struct DamagedFile: Hashable, Sendable {
  /// Its name in the client's folder.
  public let name: String
  /// Where it is kept now, as it was found.
  public let movedTo: URL
  /// The records that could be read; they are in use.
  public let readableCount: Int
  /// The records that it once held; `nil` if that is lost too.
  public let writtenCount: Int?
}

/// FNV-1a, 64 bits: finds what a disk or a crash did, not what a person forged.
enum Checksum {
  static func value(of bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }

  static func text(of bytes: some Sequence<UInt8>) -> String {
    let digits = String(value(of: bytes), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
