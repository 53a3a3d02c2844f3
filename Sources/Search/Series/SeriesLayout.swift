import FHIRModel
import KeyValue

/// The main index: the resources of one subject and code, and of one code, in the order of their
/// dates.
///
/// Every type has it that R4 gives a `patient` or `subject`, a `code` and a `date` parameter whose
/// value is one. A key is the subject (left out in the index over all subjects), code, system, the
/// kind of span and the interval. What has no date stands behind everything else.
final class SeriesLayout: Sendable {
  let type: ResourceType
  let subject: Unit
  let code: Unit
  let date: Unit

  init?(of type: ResourceType, _ parameters: [String: Parameter]) {
    guard let subject = parameters["subject"] ?? parameters["patient"],
      let code = parameters["code"], let date = parameters["date"],
      let subjectUnit = subject.parts.first?.unit, subject.parts.count == 1,
      let codeUnit = code.parts.first?.unit, code.parts.count == 1,
      let dateUnit = date.parts.first?.unit, date.parts.count == 1,
      subject.kind == .reference, codeUnit.dataTypes == [.codeableConcept], date.kind == .date,
      case .elements(let paths) = dateUnit.source, !paths.contains(where: \.repeats)
    else { return nil }
    self.type = type
    self.subject = subjectUnit
    self.code = codeUnit
    self.date = dateUnit
  }

  /// Which of the two orders a key belongs to.
  enum Order: UInt8, Sendable {
    case bySubject = 1
    case byCode = 2

    /// The bytes before the code: type, order, and for a subject its type and number.
    var headByteCount: Int { self == .bySubject ? 7 : 2 }
    /// The bytes before the kind of span.
    var prefixByteCount: Int { headByteCount + 8 }
  }

  /// The kind of span of what has no date.
  static let undated: UInt8 = 3

  func head(_ order: Order) -> Key { Key([type.position, order.rawValue]) }
}

extension SeriesLayout {
  /// What a resource writes: one key a coding in each order.
  func entries(of root: JSONValue, configuration: SearchConfiguration) -> [Entry] {
    let tail = tail(of: root, configuration: configuration)
    return heads(of: root, configuration: configuration).map { head in
      var entry = head
      entry.tail = tail
      return entry
    }
  }

  /// The same without the bytes of the date, which end each key.
  func heads(of root: JSONValue, configuration: SearchConfiguration) -> [Entry] {
    var codings: [[Term?]] = []
    code.forEachValue(in: root) { concept in
      for coding in concept.value[.coding].map({ Array($0.elements) }) ?? [] {
        let code = coding[.code]?.string.map(Term.code)
        codings.append([code, coding[.system]?.string.map(Term.system)])
      }
    }
    if codings.isEmpty { codings = [[nil, nil]] }
    let subject = subject(of: root, configuration: configuration)
    return codings.flatMap { coding in
      [head(.byCode, [], coding)]
        + (subject.map { [head(.bySubject, [$0.type.position], [.reference($0)] + coding)] } ?? [])
    }
  }

  private func head(_ order: Order, _ bytes: [UInt8], _ terms: [Term?]) -> Entry {
    Entry(table: .series, head: head(order).bytes + bytes, terms: terms)
  }

  /// The kind of span and the interval.
  func tail(of root: JSONValue, configuration: SearchConfiguration) -> [UInt8] {
    var tail = [Self.undated]
    date.forEachValue(in: root) { value in
      guard let interval = DateInterval(value, assuming: configuration.zoneOffset) else { return }
      tail = [interval.span.rawValue] + interval.keyBytes
    }
    return tail
  }

  private func subject(of root: JSONValue, configuration: SearchConfiguration) -> ResourceID? {
    var subject: ResourceID?
    self.subject.forEachValue(in: root) { value in
      guard let text = value.value[.reference]?.string else { return }
      subject = ResourceID(literal: text, addresses: configuration.addresses)
    }
    return subject
  }
}
