import FHIRModel
import KeyValue
import Store

extension GuardedStore {
  package typealias Completion = @Sendable ([Result<Outcome, any Error>]) -> Void
  /// Makes an answer of results, and gives what lets it go.
  package typealias Preparation =
    @Sendable ([Result<Outcome, any Error>]) -> @Sendable () -> Void

  /// Answers reads from one snapshot, and holds the answer until its entries are durable.
  ///
  /// - Parameter mayMove: whether reads that look at much are done on a thread of their own, so that
  ///   this one goes on.
  func read(_ request: AccessRequest, mayMove: Bool, _ prepare: @escaping Preparation) {
    guard mayMove else { return release(answers(to: request), prepare) }
    let allowance = ReadAllowance(keyCount: configuration.keyCountAtOnce)
    let answers = answers(to: request, within: allowance)
    // What was found within the allowance is a part, whatever became of it; nothing has left yet.
    guard allowance.isSpent else { return release(answers, prepare) }
    longReads.run { [self] in release(self.answers(to: request), prepare) }
  }

  private func answers(
    to request: AccessRequest, within allowance: ReadAllowance? = nil
  ) -> [Answer] {
    let now = configuration.clock()
    do {
      return try engine.read { snapshot in
        guard let allowance else { return try answers(to: request, at: now, in: snapshot) }
        return try snapshot.limited(to: allowance) { try answers(to: request, at: now, in: $0) }
      }
    } catch {
      let error = error.asAnswered
      return request.interactions.map { interaction in
        let recording = Recording(interaction, of: request, at: now, under: configuration.addresses)
        let record = error.isStranger ? nil : recording.failed(with: error) { _ in nil }
        return Answer(result: .failure(error), record: record)
      }
    }
  }

  private func answers(
    to request: AccessRequest, at now: Instant, in snapshot: borrowing Reader
  ) throws -> [Answer] {
    try tokens.recheck(request.caller, at: now, in: snapshot)
    return request.interactions.map {
      answer($0, of: request, at: now, in: snapshot, isCommitted: true) { term in
        try store.number(of: term, in: snapshot)
      }
    }
  }

  /// Prepares the answer on this thread, so that the one that writes has only to let it go.
  func release(_ answers: [Answer], _ prepare: @escaping Preparation) {
    let count = answers.count
    let leave = prepare(answers.map(\.result))
    buffer.append(answers.compactMap(\.draft)) { durable in
      switch durable {
      case .success: leave()
      case .failure:
        prepare(Array(repeating: .failure(InteractionError.unlogged), count: count))()
      }
    }
  }

  func release(_ answers: [Answer], _ completion: @escaping Completion) {
    release(answers) { results in { completion(results) } }
  }

  /// A result and what the log says of it; `nil` for callers of whom the log says nothing.
  struct Answer {
    var result: Result<Outcome, any Error>
    var draft: LogDraft?

    init(result: Result<Outcome, any Error>, record: LogRecord?) {
      self.result = result
      draft = record.map(LogDraft.init)
    }
  }

  /// Judges and answers one read.
  func answer(
    _ interaction: Interaction, of request: AccessRequest, at now: Instant,
    in reader: borrowing Reader, isCommitted: Bool, _ number: Numbering
  ) -> Answer {
    var recording = Recording(interaction, of: request, at: now, under: configuration.addresses)
    do {
      try Rules.check(interaction, by: request.caller.principal)
      try noteOthers(askedFor: interaction, by: request.caller, in: reader, &recording)
      let judgement = try judgement(
        of: request.caller, for: interaction, at: now, in: reader, isCommitted: isCommitted, number)
      let outcome = try outcome(of: interaction, judgement, in: reader, &recording)
      let record = try recording.finished(with: outcome, under: judgement.consents) {
        try patient($0, in: reader, isCommitted: isCommitted)
      }
      return Answer(result: .success(outcome), record: record)
    } catch {
      let record = try? recording.failed(with: error) {
        try patient($0, in: reader, isCommitted: isCommitted)
      }
      return Answer(
        result: .failure(error), record: record ?? recording.failed(with: error) { _ in nil })
    }
  }

  private func outcome(
    of interaction: Interaction, _ judgement: Judgement,
    in reader: borrowing Reader, _ recording: inout Recording
  ) throws -> Outcome {
    if interaction.resourceType == .auditEvent {
      return try audits.answer(interaction, for: judgement.principal.patient, in: reader)
    }
    if case .search(let query) = interaction, query.types.contains(.auditEvent) {
      throw InteractionError.invalidParameter(
        name: Query.typeParameter, reason: "the access log (AuditEvent) is searched alone")
    }
    if case .operator = judgement.principal {
      return try operatorsOutcome(of: interaction, in: reader, &recording)
    }
    let namesOne = interaction.target != nil
    let code = interaction.code
    let isOfCurrent = code == .read || code == .searchType || code == .searchSystem
    return try visibleOutcome(of: interaction, in: reader) { facets in
      if namesOne { recording.note(facets.patients) }
      let (isVisible, consents) = try sees(facets, judgement, in: reader)
      guard isVisible else { return false }
      if !isOfCurrent, try hides(facets.id, from: judgement, in: reader) { return false }
      recording.note(consents)
      return true
    }
  }

  /// Whether an app may not see what stands of a resource today: then it sees no older version
  /// either, which a label or a code that came later didn't hide yet.
  private func hides(
    _ id: ResourceID, from judgement: Judgement, in reader: borrowing Reader
  ) throws -> Bool {
    guard case .app = judgement.principal, let current = try store.facets(of: id, in: reader)
    else { return false }
    return try !sees(current, judgement, in: reader).isVisible
  }

  private func visibleOutcome(
    of interaction: Interaction, in reader: borrowing Reader,
    _ isVisible: (Facets) throws -> Bool
  ) throws -> Outcome {
    try withoutActuallyEscaping(isVisible) { isVisible in
      try store.answer(interaction, in: reader, isVisible: isVisible)
    }
  }

  /// Notes the patients whom a person or an app asks about by name beside their own: these find the
  /// attempt in their log, whether or not there was anything to be hidden.
  func noteOthers(
    askedFor interaction: Interaction, by caller: Caller, in reader: borrowing Reader,
    _ recording: inout Recording
  ) throws {
    guard let own = caller.principal.patient else { return }
    for patient in interaction.patientsAskedFor(under: configuration.addresses) where patient != own
    {
      if let number = try numberOfKnown(patient, in: reader) { recording.note([number]) }
    }
  }

  /// The number in facets of a patient who has a resource; `nil` for any other.
  private func numberOfKnown(
    _ patient: ResourceID, in reader: borrowing Reader
  ) throws -> UInt32? {
    guard try store.number(of: patient, in: reader) != nil else { return nil }
    return try store.number(of: .reference(patient), in: reader)
  }

  /// An operator sees everything; the log notes whose it was.
  private func operatorsOutcome(
    of interaction: Interaction, in reader: borrowing Reader,
    _ recording: inout Recording
  ) throws -> Outcome {
    var shown: [ResourceStore.Shown] = []
    let outcome =
      switch interaction.code {
      case .read, .searchType, .searchSystem:
        try store.answer(
          interaction, in: reader, whenShown: { shown = $0 })
      default:
        try store.answer(
          interaction, in: reader,
          isVisible: { facets in
            shown.append(
              ResourceStore.Shown(
                id: facets.id, patients: PatientNumbers(facets.patients)))
            return true
          })
      }
    recording.noteShown(shown)
    return outcome
  }

  /// Whether the caller may see a version; a Provenance, if all that it tells of: the versions as they
  /// were, whosever the resource is today, and for an app what stands of it today as well.
  private func sees(
    _ facets: Facets, _ judgement: Judgement, in reader: borrowing Reader
  ) throws -> (isVisible: Bool, by: ConsentSet) {
    guard facets.id.type == .provenance else { return judgement.sees(facets) }
    var about = facets
    for target in try targets(of: facets.id, in: reader) {
      guard let (id, version) = target,
        let told = try store.facets(of: id, version, in: reader), judgement.sees(told).isVisible,
        try !hides(id, from: judgement, in: reader)
      else { return (false, ConsentSet()) }
      about.patients = told.patients
    }
    return judgement.sees(about)
  }

  /// The versions that a Provenance tells of; `nil` for what names none.
  private func targets(
    of provenance: ResourceID, in reader: borrowing Reader
  ) throws -> [(ResourceID, VersionID)?] {
    guard let number = try store.number(of: provenance, in: reader),
      let document = try store.document(of: number, in: reader)
    else { return [] }
    return document.root["target"]?.elements.map { target in
      let parts = target["reference"]?.string?.split(separator: "/") ?? []
      guard parts.count == 4, let id = ResourceID("\(parts[0])/\(parts[1])"),
        let version = VersionID(parts[3])
      else { return nil }
      return (id, version)
    } ?? []
  }

  /// What the caller may see and write in this view.
  func judgement(
    of caller: Caller, for interaction: Interaction, at now: Instant,
    in reader: borrowing Reader, isCommitted: Bool, _ number: Numbering
  ) throws -> Judgement {
    let principal = caller.principal
    let compartment = try principal.patient.flatMap { try number(.reference($0)) }
    guard case .app(let client, let patient, let scopes) = principal else {
      return Judgement(
        principal: principal, compartment: compartment, consents: nil, limits: nil, now: now)
    }
    let consents = try compartment.map {
      try self.consents.decision(
        for: client, of: (patient, $0), in: reader, isCommitted: isCommitted, number)
    }
    var limits: [NumberedLimit]?
    if case .limited(let granted) = scopes.grant(for: interaction) {
      limits = try granted.map { try NumberedLimit($0, number) }
    }
    return Judgement(
      principal: principal, compartment: compartment, consents: consents, limits: limits, now: now)
  }
}

extension InteractionError {
  /// An access that the log can't hold isn't answered.
  static let unlogged = InteractionError.unavailable(
    reason: "the access log can't be written, so nothing is answered")

  var isUnauthenticated: Bool {
    if case .unauthenticated = self { true } else { false }
  }
}

extension AuditEventSearch {
  /// What `answer` answers.
  static let codes: Set<InteractionCode> = [.read, .vread, .historyInstance, .searchType]

  /// Answers a read, search or history of the log.
  ///
  /// - Throws: what `read` and `search` throw; `InteractionError.notAllowed` for a history over all.
  func answer(
    _ interaction: Interaction, for person: ResourceID?,
    in reader: borrowing Reader
  ) throws -> Outcome {
    switch interaction {
    case .read(let id): return .found(try read(id, for: person, in: reader))
    case .vread(let id, let version):
      let found = try read(id, for: person, in: reader)
      guard version == found.version else { throw InteractionError.unknownVersion(id, version) }
      return .found(found)
    case .history(.instance(let id), _):
      let entry = HistoryEntry(version: try read(id, for: person, in: reader), change: .create)
      return .history(HistoryPage(entries: [entry], total: 1, next: nil))
    case .search(let query): return .searchset(try search(query, for: person, in: reader))
    case .history, .create, .update, .conditionalUpdate, .conditionalRevision, .delete,
      .conditionalDelete:
      throw InteractionError.notAllowed(reason: "the access log is read and searched")
    }
  }
}
