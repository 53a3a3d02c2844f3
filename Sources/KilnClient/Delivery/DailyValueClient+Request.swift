import Foundation

/// What to do after a request that was not answered as hoped.
enum Setback: Error {
  /// Try the same again, not before so many seconds.
  case again(DeliveryFailure, afterSeconds: Double?)
  /// Try again with fewer values.
  case smaller(DeliveryFailure)
  /// Leave what has this context, go on with the rest.
  case otherContext(DeliveryFailure)
  /// Nothing else would do better.
  case end(DeliveryFailure)
}

extension DailyValueClient {
  /// Posts values that share a context.
  func answer(to values: [DailyValue]) async -> Result<UploadAnswer, Setback> {
    guard let context = values.first?.context else { return .failure(.end(.cancelled)) }
    let upload = Upload(patient: patient, origin: origin, context: context, values: values)
    let body: Data
    do {
      body = try upload.json()
    } catch {
      return .failure(.otherContext(.refused(status: 0, reason: "\(error)")))
    }
    let bearer: String
    do {
      bearer = try await token()
    } catch {
      return .failure(.end(Task.isCancelled ? .cancelled : .noToken(reason: "\(error)")))
    }
    do {
      let answer = try await configuration.transport.post(
        body, to: address,
        headers: [
          "Authorization": "Bearer " + bearer, "Content-Type": "application/json",
          "Accept": "application/json",
        ])
      return judge(answer, of: values)
    } catch {
      if Task.isCancelled { return .failure(.end(.cancelled)) }
      return .failure(.again(.unreachable(reason: "\(error)"), afterSeconds: nil))
    }
  }

  /// Each status decided once. What asks for patience (408, 425, 429, and what the server may get
  /// over) is tried again, every other 4xx is not.
  private func judge(
    _ answer: TransportAnswer, of values: [DailyValue]
  ) -> Result<UploadAnswer, Setback> {
    let status = answer.status
    let reason = OutcomeText.reason(in: answer.body)
    switch status {
    case 200:
      guard let verdicts = UploadAnswer(answer.body, to: values) else {
        return .failure(.again(.notUnderstood(status: status), afterSeconds: nil))
      }
      return .success(verdicts)
    case 401, 403: return .failure(.end(.notAuthorised(status: status, reason: reason)))
    case 413: return .failure(.smaller(.refused(status: status, reason: reason)))
    case 408, 425, 429, 500, 502...504, 507:
      let asked = RetryAfter.seconds(
        answer.retryAfter, now: configuration.surroundings.now())
      return .failure(.again(.unavailable(status: status, until: nil), afterSeconds: asked))
    case 400..<500: return .failure(.otherContext(.refused(status: status, reason: reason)))
    default: return .failure(.end(.notUnderstood(status: status)))
    }
  }
}
