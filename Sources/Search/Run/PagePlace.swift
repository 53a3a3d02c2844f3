import Crypto
import FHIRModel
import KeyValue

/// Where a page ends and the next begins.
struct PagePlace: Hashable {
  /// Resources with this number or a higher one were created after the search began.
  var bound: UInt64
  /// The count of all matches as the search began; `nil` if it was not taken.
  var total: UInt64?
  /// The number of the last match.
  var number: UInt64
  /// What the last match was sorted by; `nil` where it had no value.
  var keys: [[UInt8]?]
}

extension PagePlace {
  private static let version: UInt8 = 1
  private static let sealByteCount = 16

  /// The place as a text for a link, which only this store can make and only for this query.
  func sealed(with key: HMACKey, for seal: Seal) -> String {
    let payload = bytes
    return (payload + seal.bytes(of: payload, with: key)).base64URL
  }

  /// Opens what `sealed` made.
  ///
  /// - Throws: `InteractionError.invalidPage` for anything else.
  init(opening text: String, with key: HMACKey, for seal: Seal) throws(InteractionError) {
    guard let bytes = [UInt8](base64URL: text), bytes.count > Self.sealByteCount else {
      throw .invalidPage
    }
    let payload = Array(bytes.dropLast(Self.sealByteCount))
    let found = Array(bytes.suffix(Self.sealByteCount))
    guard isEqualInConstantTime(found, seal.bytes(of: payload, with: key)),
      let place = PagePlace(bytes: payload)
    else { throw .invalidPage }
    self = place
  }

  /// The search that a place belongs to.
  struct Seal {
    private let search: [UInt8]

    init(_ plan: SearchPlan) {
      self.init([UInt8(ascii: "S"), plan.type.position], used: plan.used)
    }

    init(_ plan: SystemPlan) { self.init([UInt8(ascii: "T")], used: plan.used) }

    private init(_ head: [UInt8], used: [QueryParameter]) {
      // `_count` may change from page to page; everything else decides what comes next.
      let query = used.filter { $0.name != "_count" }.percentEncoded
      search = Key(head).appending(UInt64(query.count)).bytes + query
    }

    fileprivate func bytes(of payload: [UInt8], with key: HMACKey) -> [UInt8] {
      Array(key.code(of: search + payload).prefix(PagePlace.sealByteCount))
    }
  }

  private var bytes: [UInt8] {
    var key = Key([Self.version])
    key.append(bound)
    key.append(total.map { $0 + 1 } ?? 0)
    key.append(number)
    for value in keys {
      key.append(value.map { UInt16($0.count) + 1 } ?? 0)
      key.append(value ?? [])
    }
    return key.bytes
  }

  private init?(bytes: [UInt8]) {
    var rest = bytes[...]
    func take(_ count: Int) -> UInt64? {
      guard rest.count >= count else { return nil }
      defer { rest.removeFirst(count) }
      return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard take(1) == UInt64(Self.version), let bound = take(8), let total = take(8),
      let number = take(8)
    else { return nil }
    self.init(bound: bound, total: total == 0 ? nil : total - 1, number: number, keys: [])
    while let count = take(2) {
      guard count > 0 else {
        keys.append(nil)
        continue
      }
      guard rest.count >= count - 1 else { return nil }
      keys.append(Array(rest.prefix(Int(count) - 1)))
      rest.removeFirst(Int(count) - 1)
    }
  }
}
