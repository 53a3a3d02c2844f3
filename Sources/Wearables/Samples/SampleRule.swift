/// How samples become day values, beside what is so for everyone: where the person lives, which source
/// counts first, and whether what was typed in counts.
package struct SampleRule: Sendable {
  package var home: HomeZone
  package var priority: SourcePriority
  package var withoutManual: Bool
  /// The first day of which all samples are there, if earlier ones were left out.
  package var since: LocalDay?
  /// When the samples were handed out, in seconds since 1970: of the day then more may come. `nil` if
  /// that isn't known.
  package var madeAt: Int?

  package init(
    home: HomeZone, priority: SourcePriority = .byKind(), withoutManual: Bool = false,
    since: LocalDay? = nil, madeAt: Int? = nil
  ) {
    self.home = home
    self.priority = priority
    self.withoutManual = withoutManual
    self.since = since
    self.madeAt = madeAt
  }

  /// What can't be read as a rule.
  package struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
    package let line: String

    package var description: String { "“\(line)” is no line of a rule for samples" }
  }

  /// A line a fact, its cells separated by tabs: what is kept beside the samples.
  package func text(_ metrics: MetricTable) -> String {
    var lines = home.entries.map { ["home", $0] }
    if !priority.named.isEmpty { lines.append(["first"] + priority.named.inOrder) }
    for (metric, names) in priority.namedByMetric.sorted(by: { $0.key < $1.key }) {
      lines.append(["listed", metrics.metrics[Int(metric)].name] + names.inOrder)
    }
    for metric in priority.addingUp.sorted() {
      lines.append(["adds-up", metrics.metrics[Int(metric)].name])
    }
    if withoutManual { lines.append(["without-manual"]) }
    if let since { lines.append(["since", since.text]) }
    if let madeAt { lines.append(["made-at", "\(madeAt)"]) }
    return lines.map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  /// Reads what `text` wrote. What it says of a metric that is no more is left out.
  ///
  /// - Throws: `Unreadable` naming the line; `HomeZone.Failure`.
  package init(parsing text: String, _ metrics: MetricTable) throws {
    var homes: [String] = []
    var first: [String] = []
    var listed: [UInt16: [String]] = [:]
    var addingUp: Set<UInt16> = []
    var withoutManual = false
    var since: LocalDay?
    var madeAt: Int?
    for line in text.split(separator: "\n") {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let metric = cells.dropFirst().first.flatMap { metrics[$0] }.map { UInt16($0.position) }
      switch cells[0] {
      case "home": homes += cells.dropFirst()
      case "first": first += cells.dropFirst()
      case "listed": if let metric { listed[metric] = Array(cells.dropFirst(2)) }
      case "adds-up": if let metric { addingUp.insert(metric) }
      case "without-manual": withoutManual = true
      case "since": since = cells.dropFirst().first.flatMap { LocalDay($0) }
      case "made-at": madeAt = cells.dropFirst().first.flatMap { Int($0) }
      default: throw Unreadable(line: String(line))
      }
    }
    self.init(
      home: try HomeZone(parsing: homes),
      priority: listed.isEmpty && addingUp.isEmpty
        ? .byKind(first: first) : .listed(listed, addingUp: addingUp),
      withoutManual: withoutManual, since: since, madeAt: madeAt)
  }

  /// The rule to keep with samples that are added to those that are there: of an earlier day, all of
  /// the earlier ones are there still, and what was handed out later tells when.
  ///
  /// - Parameters:
  ///   - text: the rule of those that are added.
  ///   - kept: that of those that are there; `nil` if there are none.
  /// - Throws: as reading does.
  package static func text(
    of text: String, addedTo kept: String?, _ metrics: MetricTable
  ) throws -> String {
    guard let kept else { return text }
    var rule = try SampleRule(parsing: text, metrics)
    let before = try SampleRule(parsing: kept, metrics)
    if let since = rule.since { rule.since = before.since.map { min($0, since) } }
    rule.madeAt = [rule.madeAt, before.madeAt].compactMap(\.self).max()
    return rule.text(metrics)
  }
}

extension [String: Int] {
  /// Names by their rank; what separates cells is no part of one.
  fileprivate var inOrder: [String] {
    sorted { $0.value < $1.value }.map { name, _ in
      String(name.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }
  }
}
