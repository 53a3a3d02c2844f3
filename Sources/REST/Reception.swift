import FHIRModel

/// What can be said to a request before anyone is asked who sent it.
enum Reception: Sendable {
  /// The answer stands already: nothing is there, or it is a browser's question what may be asked.
  case answered(Response)
  /// A route is to be taken.
  case received(Visit)

  init(_ request: Request, in surroundings: Surroundings) {
    do {
      let target = Target(request.target)
      let place = try Place(path: target.path, base: surroundings.configuration.basePath)
      guard request.method != "OPTIONS" else {
        self = .answered(Response(optionsAt: place.shape, asked: request))
        return
      }
      let route = try Routes.route(request.method, at: place)
      self = .received(Visit(request: request, query: target.query, place: place, route: route))
    } catch {
      self = .answered(Response(refusing: error))
    }
  }
}

/// A request with the route that it takes.
struct Visit: Sendable {
  let request: Request
  let query: ArraySlice<UInt8>
  let place: Place
  let route: Route

  /// The token in `Authorization: Bearer …`.
  ///
  /// - Throws: `InteractionError.unauthenticated` if there is none.
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc6750#section-2.1
  var token: String {
    get throws(InteractionError) {
      guard let value = request.headers.firstValue("Authorization") else {
        throw .unauthenticated(reason: "there is no Authorization header with a Bearer token")
      }
      let token = value.dropFirst(7)
      guard value.prefix(7).elementsEqual("bearer ".utf8, by: { $0.lowercased == $1 }),
        !token.isEmpty,
        token.allSatisfy({ 0x21...0x7E ~= $0 })
      else {
        throw .unauthenticated(reason: "Authorization is not of the form 'Bearer TOKEN'")
      }
      return String(decoding: token, as: UTF8.self)
    }
  }

  /// Whether there is a token, good or not.
  var hasToken: Bool { (try? token) != nil }
}

extension Response {
  /// The answer to OPTIONS: which methods a place takes, for a browser's preflight too.
  ///
  /// - SeeAlso: https://fetch.spec.whatwg.org/#cors-preflight-request
  fileprivate init(optionsAt shape: Place.Shape, asked request: Request) {
    self.init(status: 204)
    let methods = Routes.methods(at: shape).joined(separator: ", ")
    headers.append("Allow", methods)
    if request.headers.has("Access-Control-Request-Method") {
      AllowedOrigins.appendPreflight(to: &headers, methods: methods)
    }
  }
}

extension Response {
  /// The answer as it goes out to `request`: a page in a browser is told what it may read.
  func addressed(to request: Request, origins: AllowedOrigins) -> Response {
    guard let origin = request.headers["Origin"] else { return self }
    var response = self
    origins.append(to: &response.headers, origin: origin)
    return response
  }
}
