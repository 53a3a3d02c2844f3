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
      guard let value = request.headers["Authorization"] else {
        throw .unauthenticated(reason: "there is no Authorization header with a Bearer token")
      }
      let words = value.split(separator: " ")
      guard words.count == 2, words[0].lowercased() == "bearer" else {
        throw .unauthenticated(reason: "Authorization is not of the form 'Bearer TOKEN'")
      }
      return String(words[1])
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
  /// The answer as it goes out to `request`: with what every answer says.
  func addressed(to request: Request, origins: AllowedOrigins) -> Response {
    var response = self
    response.headers.append("X-Content-Type-Options", "nosniff")
    if let origin = request.headers["Origin"] {
      origins.append(to: &response.headers, origin: origin)
    }
    return response
  }
}
