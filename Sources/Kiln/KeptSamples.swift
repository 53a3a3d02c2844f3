import Access
import FHIRModel
import REST
import Store
import Wearables

/// The raw samples that a store keeps of a person and an origin.
package struct KeptSamples {
  private let assembly: Assembly
  private let patient: ResourceID
  private let origin: Origin
  private let caller: Caller

  package init(of patient: ResourceID, _ origin: Origin, in assembly: Assembly, by caller: Caller) {
    self.assembly = assembly
    self.patient = patient
    self.origin = origin
    self.caller = caller
  }

  private var request: SampleRequest {
    SampleRequest(
      on: SampleTable.Owner(patient: patient, origin: origin.rawValue), by: caller)
  }

  /// Where an import puts its samples.
  package var shelf: SampleShelf {
    SampleShelf(
      keep: { chunks in
        _ = try assembly.guarded.keep(chunks.map { SamplePiece($0) }, request)
      },
      keepRule: { text in
        let piece = SamplePiece(.rule) { kept in
          let kept = kept.map { String(decoding: $0, as: UTF8.self) }
          return Array(try SampleRule.text(of: text, addedTo: kept, .shared).utf8)
        }
        _ = try assembly.guarded.keep([piece], request)
      })
  }

  /// Makes the day values anew.
  ///
  /// - Parameters:
  ///   - sourcesFirst: the names of sources that `change` has count first, if it does.
  ///   - change: changes the rule that is kept with the samples; the changed one is kept.
  /// - Returns: `nil` if no samples are kept.
  /// - Throws: `InteractionError`, `SampleChunk.Unreadable`, `SampleRule.Unreadable`, `StorageError`.
  package func recount(
    sourcesFirst: [String] = [], _ change: (inout SampleRule) throws -> Void
  ) throws -> SampleRecount.Report? {
    var recount: SampleRecount?
    var ruleText = ""
    try assembly.guarded.samples(request) { bytes in
      guard let bytes else { return }
      var rule = try SampleRule(parsing: String(decoding: bytes, as: UTF8.self), .shared)
      try change(&rule)
      ruleText = rule.text(.shared)
      recount = SampleRecount(
        for: patient, origin, by: rule, sourcesFirst: sourcesFirst, now: Assembly.clock(),
        perform: perform)
    } _: { metric, day, piece in
      try recount?.add(SampleChunk(metric: metric, day: day, bytes: piece.span))
    }
    let report = try recount?.finish(exists: exists)
    if report != nil { try shelf.keepRule(ruleText) }
    return report
  }

  /// Lends the samples as they came, by metrics and days, each as a JSON object.
  ///
  /// - Throws: as `recount`, and what `body` throws.
  package func forEachLine(_ body: ([UInt8]) throws -> Void) throws {
    var listing: SampleListing?
    try assembly.guarded.samples(request) { bytes in
      guard let bytes else { return }
      let rule = try SampleRule(parsing: String(decoding: bytes, as: UTF8.self), .shared)
      listing = SampleListing(origin, home: rule.home)
    } _: { metric, day, piece in
      try listing?.write(SampleChunk(metric: metric, day: day, bytes: piece.span), body)
    }
  }

  /// Removes them, and says how many pieces there were.
  package func remove() throws -> Int { try assembly.guarded.removeSamples(request) }

  private func perform(_ batch: ImportBatch) -> [Result<Outcome, any Error>] {
    assembly.guarded.takeIn(AccessRequest(batch, by: caller))
  }

  /// Looked up as a conditional delete does, of which the log need not speak if it would find nothing.
  private func exists(_ query: Query) throws -> Bool {
    try assembly.engine.read { snapshot in
      guard
        case .searchset(let page) = try assembly.store.answer(
          .search(query), in: snapshot, isVisible: { _ in true })
      else { return false }
      return !page.matches.isEmpty
    }
  }
}

extension SamplePiece {
  /// Adds a chunk to the one that is there.
  fileprivate init(_ chunk: SampleChunk) {
    self.init(.samples(metric: chunk.metric, day: chunk.day)) { piece in
      guard let piece else { return chunk.bytes }
      let kept = try SampleChunk(metric: chunk.metric, day: chunk.day, bytes: piece.span)
      return kept.merged(with: chunk).bytes
    }
  }
}
