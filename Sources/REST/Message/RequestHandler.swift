/// What an HTTP server hands its requests to.
package protocol RequestHandler: Sendable {
  /// Answers `request` by calling `completion` exactly once, on any thread, perhaps before this call
  /// returns. It neither blocks nor throws: whatever goes wrong becomes a response.
  func respond(to request: Request, completion: @escaping @Sendable (Response) -> Void)
}
