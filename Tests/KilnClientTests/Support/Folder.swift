import Foundation

@testable import KilnClient

/// A folder of a test's own, gone with it.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "kiln-client-" + UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The one file of that name, wherever in the folder.
  func file(_ name: String) throws -> URL {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: url.path)
    guard let path = paths.first(where: { $0.split(separator: "/").last == name[...] }) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return url.appendingPathComponent(path)
  }
}

extension LocalDay: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    guard let day = LocalDay(text) else { preconditionFailure("\(text) is no day") }
    self = day
  }
}

func steps(_ day: LocalDay, _ value: Double, in zone: String = "Europe/Budapest") -> DailyValue {
  DailyValue("steps", on: day, in: zone, value: value)
}

func moment(_ text: String) throws -> Date {
  try Date(text, strategy: .iso8601)
}
