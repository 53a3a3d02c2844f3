import FoundationEssentials

@testable import Wearables

/// Files of `fixtures/`, found from where this file was compiled.
enum Fixture {
  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: Self.path(path))))
  }

  static func path(_ path: String, file: String = #filePath) -> String {
    let root = file.split(separator: "/", omittingEmptySubsequences: false)
      .dropLast(3).joined(separator: "/")
    return root + "/" + path
  }

  static func lines(_ path: String) throws -> [String] {
    String(decoding: try bytes(path), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }
}
