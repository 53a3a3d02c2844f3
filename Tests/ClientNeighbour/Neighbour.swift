import Foundation
import KilnClient

/// An app that puts one value after the other into its outbox and says so, until it is killed.
///
///     ClientNeighbour FOLDER METRIC
@main
struct Neighbour {
  static func main() async throws {
    guard let server = URL(string: "https://kiln.example"),
      let first = LocalDay("2020-01-01"), CommandLine.arguments.count == 3
    else { return }
    let client = try DailyValueClient(
      server: server, patient: "Patient/synthetic-1", origin: .appleHealth,
      folder: URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
    ) { "" }
    for number in 0..<9_000 {
      let day = first.advanced(by: number)
      try await client.add([
        DailyValue(CommandLine.arguments[2], on: day, in: "UTC", value: Double(number))
      ])
      try FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
    }
  }
}
