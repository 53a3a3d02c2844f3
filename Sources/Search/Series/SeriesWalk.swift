import FHIRModel
import KeyValue

/// All ranges of the main index that a plan needs, as one sequence in the order of dates. Each
/// resource comes once, though several of its codes may be asked for.
struct SeriesWalk {
  private var streams: [SeriesStream]
  private let isDescending: Bool
  private var lastNumber: UInt64?

  init(_ plan: SeriesPlan, prefixes: [Key], after place: SeriesItem?, chunk: Int) {
    isDescending = plan.isDescending
    streams = prefixes.map { SeriesStream(plan, prefix: $0, after: place, chunk: chunk) }
  }

  mutating func next(in reader: borrowing Reader) throws -> SeriesItem? {
    while let item = try nextOfStreams(in: reader) {
      // A resource has one date, so that what came twice comes twice in a row.
      if item.number == lastNumber { continue }
      lastNumber = item.number
      return item
    }
    return nil
  }

  private mutating func nextOfStreams(in reader: borrowing Reader) throws -> SeriesItem? {
    if streams.count == 1 {
      let item = try streams[0].next(in: reader)
      if item != nil { streams[0].take() }
      return item
    }
    var best: (item: SeriesItem, position: Int)?
    for position in streams.indices {
      guard let item = try streams[position].next(in: reader) else { continue }
      if let best, !item.precedes(best.item, isDescending: isDescending) { continue }
      best = (item, position)
    }
    if let best { streams[best.position].take() }
    return best?.item
  }
}
