import Access
import Dispatch
import FHIRModel
import Foundation
import Kiln
import LMDBStorage
import Synchronization
import Wearables

/// A store of synthetic persons, filled day by day as phones fill it.
struct BenchStore {
  let folder: String
  let personCount: Int
  let metricCount: Int
  let dayCount: Int

  /// The metrics that are sent, heart rate first, each with a value that its rule allows.
  static let metrics = [
    ("heart_rate", 61), ("steps", 8123), ("resting_heart_rate", 52), ("active_energy", 412),
    ("respiratory_rate", 14), ("flights_climbed", 9), ("oxygen_saturation", 97),
    ("body_mass", 71), ("distance_walking_running", 5210), ("heart_rate_variability_sdnn", 48),
  ]

  var observationCount: Int { personCount * metricCount * dayCount }

  static func person(_ number: Int) -> String { "synthetic-\(number)" }

  static func day(_ number: Int) -> String {
    String(
      "\(Instant(ticks: (20_454 + Int64(number)) * 86_400 * Instant.ticksPerSecond))".prefix(10))
  }

  /// Fills the store and returns the bytes of all JSON in it, and the seconds it took.
  func fill() throws -> (jsonByteCount: Int, seconds: Double) {
    let assembly = try Assembly.open(folder)
    defer { assembly.close() }
    let byteCount = Atomic(0)
    let gate = DispatchSemaphore(value: 256)
    let calls = DispatchGroup()
    let caller = Caller(.operator(name: "kiln bench"))
    let start = ContinuousClock.now
    func submit(_ interactions: [Interaction], from source: String?) {
      gate.wait()
      calls.enter()
      assembly.guarded.submit(AccessRequest(interactions, by: caller, sourceSystem: source)) {
        for case .success(.created(let version)) in $0 {
          byteCount.add(version.bytes.count, ordering: .relaxed)
        }
        gate.signal()
        calls.leave()
      }
    }
    for person in 0..<personCount { submit([try patient(person)], from: nil) }
    calls.wait()
    for day in 0..<dayCount {
      for person in 0..<personCount {
        let values = try DailyValues(
          parsing: call(person, day), metrics: .shared, now: Assembly.clock())
        submit(values.interactions, from: values.call.source.uri)
      }
    }
    calls.wait()
    let seconds = (ContinuousClock.now - start).inSeconds
    return (byteCount.load(ordering: .relaxed) + (try provenanceByteCount(assembly)), seconds)
  }

  private func patient(_ person: Int) throws -> Interaction {
    let json = #"{"resourceType":"Patient","id":"\#(Self.person(person))"}"#
    return .update(try Resource(parsing: Array(json.utf8)), if: .none)
  }

  private func call(_ person: Int, _ day: Int) -> [UInt8] {
    let values = Self.metrics.prefix(metricCount).map { name, value in
      #"{"metric":"\#(name)","day":"\#(Self.day(day))","value":\#(value).\#(day % 10)}"#
    }
    return Array(
      (#"{"patient":"Patient/\#(Self.person(person))","origin":"apple-health","#
        + #""timeZone":"Europe/Budapest","source":{"name":"Synthetic watch","#
        + #""bundleIdentifier":"org.example.synthetic","version":"1"},"values":["#
        + values.joined(separator: ",") + "]}").utf8)
  }

  /// The Provenances are as many as the calls and alike: some are measured.
  private func provenanceByteCount(_ assembly: Assembly) throws -> Int {
    guard let type = ResourceType("Provenance") else { return 0 }
    let query = Query(
      type: type,
      parameters: [
        QueryParameter(name: "_count", value: "200"),
        QueryParameter(name: "_sort", value: "-_lastUpdated"),
      ])
    let outcome = try assembly.engine.read { try assembly.store.answer(.search(query), in: $0) }
    guard case .searchset(let page) = outcome, !page.matches.isEmpty else { return 0 }
    let mean = page.matches.reduce(0) { $0 + $1.place.count } / page.matches.count
    return mean * personCount * dayCount
  }

  /// The bytes of the store's file.
  func fileByteCount() throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/data.mdb")
    return (attributes[.size] as? Int) ?? 0
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
