/// What an HTTP server hands its requests to.
package protocol RequestHandler: Sendable {
  /// Where the body of a request goes, told from its head. It neither blocks nor throws.
  func bodyPlace(of request: Request) -> BodyPlace

  /// Answers `request` by calling `completion` exactly once, on any thread, perhaps before this call
  /// returns. It neither blocks nor throws: whatever goes wrong becomes a response.
  func respond(to request: Request, completion: @escaping @Sendable (Response) -> Void)
}

extension RequestHandler {
  package func bodyPlace(of request: Request) -> BodyPlace { .memory }
}
