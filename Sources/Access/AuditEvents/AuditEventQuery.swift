import FHIRModel

/// A search in the access log, read from the parameters that AuditEvent has in R4.
///
/// - SeeAlso: https://hl7.org/fhir/R4/auditevent.html#search
struct AuditEventQuery {
  /// One parameter: any of its values will do.
  enum Filter {
    case id([UInt64])
    case patient([ResourceID])
    case agent([ResourceID])
    case entity([ResourceID])
    case action([String])
    case outcome([String])
    case subtype([String])
    case date([DateCondition])
    /// Something that entries don't have: tags, profiles, labels, a source.
    case absent
  }

  enum Order: String {
    case newestFirst = "-date"
    case oldestFirst = "date"
  }

  private(set) var filters: [Filter] = []
  private(set) var order = Order.newestFirst
  private(set) var count = Self.countDefault
  private(set) var wantsTotal = false
  private(set) var wantsOnlyTotal = false
  private(set) var page: String?
  private(set) var used: [QueryParameter] = []
  private(set) var warnings: [Issue] = []

  static let countDefault = 50
  static let countMaximum = 1000

  /// - Throws: `InteractionError.unknownParameter`, unless unknown ones are to be left out;
  ///   `.unsupportedModifier`, `.invalidParameter`.
  init(_ query: Query, addresses: OwnAddresses) throws(InteractionError) {
    for parameter in query.parameters where !parameter.value.isEmpty {
      if parameter.isRepeated(after: used) || parameter.name == "_sort" && hasOrder {
        try refuseRepeat(of: parameter, query.handling)
      } else if try take(parameter, addresses: addresses) {
        used.append(parameter)
      } else if query.handling == .lenient {
        warnings.append(
          Issue(.warning, .notSupported, "the parameter is not known", at: parameter.name))
      } else {
        throw .unknownParameter(name: parameter.name)
      }
    }
  }

  private var hasOrder: Bool { used.contains { $0.name == "_sort" } }

  private mutating func refuseRepeat(
    of parameter: QueryParameter, _ handling: Query.Handling
  ) throws(InteractionError) {
    let reason = "it is given twice"
    guard handling == .lenient else {
      throw .invalidParameter(name: parameter.name, reason: reason)
    }
    warnings.append(
      Issue(
        .warning, .notSupported, "\(parameter.name) was left out: \(reason)", at: parameter.name))
  }

  private mutating func take(
    _ parameter: QueryParameter, addresses: OwnAddresses
  ) throws(InteractionError) -> Bool {
    let parts = parameter.name.split(separator: ":", maxSplits: 1)
    let name = parts.first.map(String.init) ?? ""
    let field = try Field(name, parameter, addresses: addresses)
    guard let field else { return false }
    if parts.count > 1 {
      throw .unsupportedModifier(parameter: name, modifier: String(parts[1]))
    }
    switch field {
    case .filter(let filter): filters.append(filter)
    case .order(let order): self.order = order
    case .count(let count): self.count = count
    case .total(let isWanted): wantsTotal = isWanted
    case .summary(let isCount): wantsOnlyTotal = isCount
    case .page(let page): self.page = page
    }
    if count == 0 { wantsOnlyTotal = true }
    return true
  }

  /// The one patient that is asked for, so that only their entries need be walked.
  var patient: ResourceID? {
    for case .patient(let patients) in filters where patients.count == 1 { return patients[0] }
    return nil
  }
}

extension AuditEventQuery {
  /// The names of the parameters that filter.
  static let filterNames: Set<String> = [
    "_id", "_lastUpdated", "_profile", "_security", "_source", "_tag",
    "patient", "agent", "entity", "action", "outcome", "subtype", "date",
  ]

  private enum Field {
    case filter(Filter)
    case order(Order)
    case count(Int)
    case total(Bool)
    case summary(Bool)
    case page(String)

    init?(
      _ name: String, _ parameter: QueryParameter, addresses: OwnAddresses
    ) throws(InteractionError) {
      let value = Value(parameter, addresses: addresses)
      switch name {
      case "_id": self = .filter(.id(value.sequences))
      case "patient": self = .filter(.patient(try value.references(of: [.patient])))
      case "agent": self = .filter(.agent(try value.references(of: ResourceType.all)))
      case "entity": self = .filter(.entity(try value.references(of: ResourceType.all)))
      case "action": self = .filter(.action(try value.codes(of: AuditCode.actionSystem)))
      case "outcome": self = .filter(.outcome(try value.codes(of: AuditCode.outcomeSystem)))
      case "subtype":
        self = .filter(.subtype(try value.codes(of: AuditCode.interactionSystem, isImplied: false)))
      // An entry is never changed after it was recorded.
      case "date", "_lastUpdated": self = .filter(.date(try value.dates))
      case "_profile", "_security", "_source", "_tag": self = .filter(.absent)
      case "_sort": self = .order(try value.order)
      case "_count": self = .count(try value.count)
      case "_total": self = .total(try value.total)
      case "_summary": self = .summary(try value.summary)
      case "_page": self = .page(parameter.value)
      default: return nil
      }
    }
  }

  /// The value of a parameter, as its kind has it.
  private struct Value {
    let parameter: QueryParameter
    let addresses: OwnAddresses

    init(_ parameter: QueryParameter, addresses: OwnAddresses) {
      self.parameter = parameter
      self.addresses = addresses
    }

    var alternatives: [Substring] { parameter.value.split(separator: ",") }

    var sequences: [UInt64] {
      alternatives.compactMap { LogicalID($0).flatMap(LogEntry.sequence) }
    }

    /// The codes of one system; those of another are in no entry.
    ///
    /// - Parameter isImplied: whether the element is a mere code, whose system isn't written.
    func codes(
      of system: String, isImplied: Bool = true
    ) throws(InteractionError) -> [String] {
      var codes: [String] = []
      for alternative in alternatives {
        let parts = alternative.split(separator: "|", omittingEmptySubsequences: false)
        guard let code = parts.last, !code.isEmpty, parts.count <= 2 else {
          throw invalid("'\(alternative)' is not of the form code or system|code")
        }
        let isRight = parts.count == 1 || parts[0].isEmpty && isImplied || parts[0] == system
        if isRight { codes.append(String(code)) }
      }
      return codes
    }

    /// A bare id means the resources of that id of all these types, a version its resource.
    func references(of types: [ResourceType]) throws(InteractionError) -> [ResourceID] {
      var references: [ResourceID] = []
      for alternative in alternatives {
        if let id = LogicalID(alternative) {
          references += types.map { ResourceID($0, id) }
        } else if let id = ResourceID(
          addresses.relative(ReferenceText.logicalPart(of: String(alternative))))
        {
          references.append(id)
        } else {
          throw invalid("'\(alternative)' is neither an id nor of the form Type/id")
        }
      }
      return references
    }

    var dates: [DateCondition] {
      get throws(InteractionError) {
        var conditions: [DateCondition] = []
        for alternative in alternatives {
          guard let condition = DateCondition(alternative) else {
            throw invalid(
              "'\(alternative)' is not a date with one of eq, ne, gt, lt, ge, le, sa, eb")
          }
          conditions.append(condition)
        }
        return conditions
      }
    }

    var order: Order {
      get throws(InteractionError) {
        guard let order = Order(rawValue: parameter.value) else {
          throw invalid("the access log is sorted by date or -date")
        }
        return order
      }
    }

    var count: Int {
      get throws(InteractionError) {
        guard parameter.value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else {
          throw invalid("'\(parameter.value)' is not a count")
        }
        // However large, it is a wish.
        return min(Int(parameter.value) ?? .max, AuditEventQuery.countMaximum)
      }
    }

    var total: Bool {
      get throws(InteractionError) {
        switch parameter.value {
        case "none": return false
        case "estimate", "accurate": return true
        default: throw invalid("it takes none, estimate or accurate")
        }
      }
    }

    var summary: Bool {
      get throws(InteractionError) {
        switch parameter.value {
        case "count": return true
        case "false": return false
        default: throw invalid("only count and false are offered for the access log")
        }
      }
    }

    private func invalid(_ reason: String) -> InteractionError {
      .invalidParameter(name: parameter.name, reason: reason)
    }
  }
}

/// A condition on the moment of an entry.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#prefix
struct DateCondition {
  private enum Prefix: String {
    case eq, ne, gt, lt, ge, le, sa, eb
  }

  private let prefix: Prefix
  private let interval: Range<Instant>

  /// `nil` if the text is no date with a prefix that is offered.
  init?(_ text: some StringProtocol) {
    let prefix = Prefix(rawValue: String(text.prefix(2)))
    let date = prefix == nil ? text[...] : text.dropFirst(2)
    guard let date = try? FHIRDateTime(date, as: .search) else { return nil }
    self.prefix = prefix ?? .eq
    interval = date.interval()
  }

  func holds(for moment: Instant) -> Bool {
    switch prefix {
    case .eq: interval.contains(moment)
    case .ne: !interval.contains(moment)
    case .gt, .sa: moment >= interval.upperBound
    case .lt, .eb: moment < interval.lowerBound
    case .ge: moment >= interval.lowerBound
    case .le: moment < interval.upperBound
    }
  }

  /// The moments among which those that hold lie.
  var bounds: Range<Instant> {
    switch prefix {
    case .eq: interval
    case .ne: .distantPast ..< .distantFuture
    case .gt, .sa: interval.upperBound ..< .distantFuture
    case .lt, .eb: .distantPast..<interval.lowerBound
    case .ge: interval.lowerBound ..< .distantFuture
    case .le: .distantPast..<interval.upperBound
    }
  }
}
