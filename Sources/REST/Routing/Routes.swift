import FHIRModel

/// Everything that is served. The CapabilityStatement is made of this table too.
///
/// - SeeAlso: https://hl7.org/fhir/R4/http.html
enum Routes {
  static let all: [Route] = [
    Route("GET", .health, isOpen: true, .system { try $0.health() }),
    Route("POST", .dailyValues, .system { try $0.dailyValues() }),
    Route("GET", .summary, .system { try $0.summary() }),
    Route("POST", .appleHealth, .system { try $0.importAppleHealth() }),
    Route("GET", .import, .system { try $0.importStatus() }),
    Route("DELETE", .import, .system { try $0.cancelImport() }),

    Route("GET", .metadata, isOpen: true, .system { try $0.capabilities() }),
    Route("GET", .system, code: "search-system", .system { try $0.search() }),
    Route("GET", .systemSearch, .system { try $0.search() }),
    Route("POST", .systemSearch, .system { try $0.searchByForm() }),
    Route("GET", .systemHistory, code: "history-system", .system { try $0.history() }),

    Route("GET", .type, code: "search-type", .type { try $0.search($1) }),
    Route("GET", .typeSearch, .type { try $0.search($1) }),
    Route("POST", .typeSearch, .type { try $0.searchByForm($1) }),
    Route("GET", .typeHistory, code: "history-type", .type { try $0.history($1) }),
    Route("POST", .type, code: "create", .type { try $0.create($1) }),
    Route("PUT", .type, .type { try $0.conditionalUpdate($1) }),
    Route("DELETE", .type, .type { try $0.conditionalDelete($1) }),

    Route("GET", .instance, code: "read", .instance { try $0.read($1) }),
    Route("PUT", .instance, code: "update", .instance { try $0.update($1) }),
    Route("DELETE", .instance, code: "delete", .instance { try $0.delete($1) }),
    Route(
      "GET", .instanceHistory, code: "history-instance", .instance { try $0.history(of: $1) }),
    Route("GET", .version, code: "vread", .version { try $0.vread($1, $2) }),
  ]

  private static let byShape = Dictionary(grouping: all, by: \.shape)

  /// Those of RFC 9110 and RFC 5789.
  private static let knownMethods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
  ]

  /// - Throws: `Refusal.methodNotAllowed` if the place is served, but not so; `.unknownMethod`.
  static func route(_ method: String, at place: Place) throws -> Route {
    // HEAD is GET whose body stays behind.
    let wanted = method == "HEAD" ? "GET" : method
    if let route = byShape[place.shape]?.first(where: { $0.method == wanted }) { return route }
    guard knownMethods.contains(method) else { throw Refusal.unknownMethod(method) }
    throw Refusal.methodNotAllowed(method, allowed: methods(at: place.shape))
  }

  /// The methods that a place of this shape takes, as `Allow` lists them.
  static func methods(at shape: Place.Shape) -> [String] {
    let methods = (byShape[shape] ?? []).map(\.method)
    return methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] } + ["OPTIONS"]
  }
}
