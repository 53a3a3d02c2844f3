import Foundation
import Synchronization

@testable import KilnClient

/// A transport without a network: a server that answers as it is told, and else takes every value
/// that it doesn't have yet, as Kiln does.
final class ScriptedServer: Transport {
  enum Step: Sendable {
    /// No answer, and nothing arrived.
    case lost
    /// The request arrived and was performed, but the answer got lost.
    case answerLost
    case answer(TransportAnswer)
    /// Performed after this ran.
    case meanwhile(@Sendable () async -> Void)
  }

  struct State {
    var script: [Step] = []
    var requests: [Sent] = []
    var values: [String: String] = [:]
    /// Metrics that it doesn't know.
    var refused: Set<String> = []
    var changeCount = 0
  }

  struct Sent: Sendable {
    let json: String
    let headers: [String: String]
    let url: URL
  }

  let state: Mutex<State>

  init(_ script: [Step] = []) { state = Mutex(State(script: script)) }

  var requests: [Sent] { state.withLock { $0.requests } }
  var values: [String: String] { state.withLock { $0.values } }
  func then(_ steps: Step...) { state.withLock { $0.script += steps } }

  func post(
    _ body: Data, to url: URL, headers: [String: String]
  ) async throws -> TransportAnswer {
    let step = state.withLock { state in
      state.requests.append(
        Sent(json: String(decoding: body, as: UTF8.self), headers: headers, url: url))
      return state.script.isEmpty ? nil : state.script.removeFirst()
    }
    switch step {
    case .lost: throw URLError(.networkConnectionLost)
    case .answerLost:
      _ = try perform(body)
      throw URLError(.timedOut)
    case .answer(let answer): return answer
    case .meanwhile(let work):
      await work()
      return try perform(body)
    case nil: return try perform(body)
    }
  }

  private struct Call: Decodable {
    let values: [Value]
    struct Value: Decodable {
      let metric: String
      let day: String
      let value: Number?
      let min: Number?
      let max: Number?
    }

    /// A number, or the two of a blood pressure.
    struct Number: Decodable {
      let text: String

      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Double.self) {
          text = "\(number)"
        } else {
          let parts = try value.decode([String: Double].self)
          text = parts.sorted { $0.key > $1.key }.map { "\($0.key) \($0.value)" }
            .joined(separator: " ")
        }
      }
    }
  }

  private func perform(_ body: Data) throws -> TransportAnswer {
    let call = try JSONDecoder().decode(Call.self, from: body)
    let verdicts = state.withLock { state in
      call.values.map { value in
        let key = "\(value.metric) \(value.day)"
        let number = value.value?.text
        if state.refused.contains(value.metric) {
          return Self.verdict(value, "refused", reason: "There is no metric “\(value.metric)”.")
        }
        let before = state.values[key]
        state.values[key] = number
        guard before != number else { return Self.verdict(value, "unchanged") }
        state.changeCount += 1
        return Self.verdict(
          value, number == nil ? "withdrawn" : before == nil ? "created" : "updated")
      }
    }
    return TransportAnswer(
      status: 200, body: Data("{\"values\":[\(verdicts.joined(separator: ","))]}".utf8))
  }

  private static func verdict(
    _ value: Call.Value, _ result: String, reason: String? = nil
  ) -> String {
    let reason = reason.map { ",\"reason\":\"\($0)\"" } ?? ""
    return
      "{\"metric\":\"\(value.metric)\",\"day\":\"\(value.day)\",\"result\":\"\(result)\"\(reason)}"
  }
}

/// A clock that stands until it is slept on, and remembers each wait.
final class StoppedClock: Sendable {
  private let state: Mutex<(now: Date, waits: [Double])>

  init(_ now: Date) { state = Mutex((now, [])) }

  var waits: [Double] { state.withLock { $0.waits } }
  var now: Date { state.withLock { $0.now } }

  func set(_ now: Date) { state.withLock { $0.now = now } }

  func surroundings(draw: Double = 1) -> Surroundings {
    Surroundings(
      now: { self.now },
      sleep: { seconds in
        try Task.checkCancellation()
        self.state.withLock {
          $0.waits.append(seconds)
          $0.now += seconds
        }
      },
      draw: { draw })
  }
}

/// A client of a scripted server, and what stays when the app is started again.
struct ClientScene {
  let folder: Folder
  let server: ScriptedServer
  let clock: StoppedClock
  var configuration: ClientConfiguration

  init(_ script: ScriptedServer.Step..., now: String = "2026-10-28T12:00:00Z") throws {
    folder = try Folder()
    server = ScriptedServer(script)
    clock = StoppedClock(try moment(now))
    configuration = ClientConfiguration()
    configuration.transport = server
    configuration.surroundings = clock.surroundings()
  }

  /// As a start of the app does.
  func start(patient: String = "Patient/synthetic-1") throws -> DailyValueClient {
    guard let url = URL(string: "https://kiln.example/base") else { throw URLError(.badURL) }
    return try DailyValueClient(
      server: url, patient: patient, origin: .appleHealth, folder: folder.url,
      configuration: configuration
    ) { "secret" }
  }
}
