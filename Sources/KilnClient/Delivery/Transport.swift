import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends a request and gives the answer: the one place that knows the network.
public protocol Transport: Sendable {
  /// Posts `body`.
  ///
  /// - Throws: anything, where no answer came; the request may have arrived nevertheless.
  func post(_ body: Data, to url: URL, headers: [String: String]) async throws -> TransportAnswer
}

/// What a server answered.
public struct TransportAnswer: Hashable, Sendable {
  /// HTTP's status code.
  public let status: Int
  /// The header `Retry-After`, as sent.
  public let retryAfter: String?
  /// The content.
  public let body: Data

  /// An answer, for a transport of one's own.
  public init(status: Int, retryAfter: String? = nil, body: Data = Data()) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
  }
}

/// Foundation's URL loading: no cache, no cookies, and no redirect, which would carry a person's
/// values and the token to a place that nobody named.
public struct URLSessionTransport: Transport {
  private let session: URLSession

  /// - Parameter timeoutSeconds: how long the server may say nothing.
  public init(timeoutSeconds: Double = 60) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeoutSeconds
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpShouldSetCookies = false
    session = URLSession(configuration: configuration, delegate: NoRedirect(), delegateQueue: nil)
  }

  public func post(
    _ body: Data, to url: URL, headers: [String: String]
  ) async throws -> TransportAnswer {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = body
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (content, response) = try await session.data(for: request)
    guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return TransportAnswer(
      status: answer.statusCode, retryAfter: answer.value(forHTTPHeaderField: "Retry-After"),
      body: content)
  }
}

private final class NoRedirect: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
