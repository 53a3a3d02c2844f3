import FHIRModel
import KeyValue
import Store
import Synchronization

/// The Consents of all patients, read for a client when first needed and kept until they change.
final class ConsentBook: Sendable {
  private static let keptCountMaximum = 4096

  private struct Question: Hashable {
    var patient: ResourceID
    var client: LogicalID
  }

  private struct Kept {
    var decision: ConsentDecision
    /// The commit at which the patient's Consents had last changed.
    var changed: Commit
  }

  private let store: ResourceStore
  private let addresses: OwnAddresses
  private let zone: UTCOffset
  private let kept = Mutex<[Question: Kept]>([:])

  init(store: ResourceStore, addresses: OwnAddresses, zone: UTCOffset) {
    self.store = store
    self.addresses = addresses
    self.zone = zone
  }

  /// What the patient's Consents let the client do, in this view of the store.
  ///
  /// - Parameters:
  ///   - patient: with the number that stands for it in facets.
  ///   - number: gives the numbers of terms.
  ///   - isCommitted: whether the view is of a commit. What a transaction under way shows may yet be
  ///     undone, and its numbers given again, so nothing of it is kept.
  func decision(
    for client: LogicalID, of patient: (id: ResourceID, number: UInt32),
    in reader: borrowing Reader, isCommitted: Bool, _ number: Numbering
  ) throws -> ConsentDecision {
    let question = Question(patient: patient.id, client: client)
    let changed = try lastChange(of: patient.number, in: reader)
    if let known = kept.withLock({ $0[question] }), known.changed == changed {
      return known.decision
    }
    let (decision, isSettled) = try read(question, in: reader, number)
    if isSettled, isCommitted { keep(Kept(decision: decision, changed: changed), for: question) }
    return decision
  }

  /// Notes that Consents of these patients are changed by the transaction.
  func noteChange(of patients: some Sequence<UInt32>, in transaction: inout WriteTransaction) throws
  {
    let commit = Key().appending(transaction.reader.commit.number).bytes
    for patient in patients {
      try transaction.put(commit, at: Key().appending(patient), in: .consentChanges)
    }
  }

  private func lastChange(
    of patient: UInt32, in reader: borrowing Reader
  ) throws -> Commit {
    let number = try reader.withValue(at: Key().appending(patient), in: .consentChanges) { value in
      value.indices.reduce(0) { $0 << 8 | UInt64(value[$1]) }
    }
    return Commit(number ?? 0)
  }

  private func keep(_ decision: Kept, for question: Question) {
    kept.withLock { kept in
      if kept.count >= Self.keptCountMaximum { kept.removeAll() }
      kept[question] = decision
    }
  }

  /// - Returns: the decision, and whether no code was met that may get a number later.
  private func read(
    _ question: Question, in reader: borrowing Reader, _ number: Numbering
  ) throws -> (ConsentDecision, isSettled: Bool) {
    var compiler = ConsentCompiler(
      client: .device(question.client), patient: question.patient, addresses: addresses, zone: zone)
    var parts: [ConsentDecision.Part] = []
    var page: String?
    repeat {
      let found = try consents(of: question.patient, page: page, in: reader)
      for consent in found.matches {
        let document = try Self.document(of: consent, on: found)
        guard let root = try compiler.compile(document.root, number), root.client != .no else {
          continue
        }
        let id = VersionedID(consent.id, consent.version)
        parts.append(ConsentDecision.Part(consent: id, root: root))
      }
      page = found.next
    } while page != nil
    return (ConsentDecision(parts: parts), !compiler.metUnknownTerm)
  }

  private func consents(
    of patient: ResourceID, page: String?, in reader: borrowing Reader
  ) throws -> SearchPage {
    var parameters = [
      QueryParameter(name: "patient", value: patient.description),
      QueryParameter(name: "status", value: "active"),
      QueryParameter(name: "_count", value: "200"),
    ]
    if let page { parameters.append(QueryParameter(name: "_page", value: page)) }
    let query = Query(type: .consent, parameters: parameters)
    guard case .searchset(let found) = try store.answer(.search(query), in: reader) else {
      preconditionFailure("a search is answered by a searchset")
    }
    return found
  }

  private static func document(
    of consent: SearchMatch, on page: SearchPage
  ) throws -> JSONDocument {
    do { return try JSONDocument(parsing: Array(page.json(of: consent))) } catch {
      throw StoreError.unreadable(table: "\(consent.id)", key: [])
    }
  }
}
