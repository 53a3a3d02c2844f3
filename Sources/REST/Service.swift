import Access
import FHIRModel

/// Answers requests: FHIR's interactions under `/fhir`, a phone's daily values beside it.
///
/// It knows no sockets and keeps no state: each request is answered from the store, through the
/// guard that judges and records it.
package final class Service: RequestHandler {
  private let guardedStore: GuardedStore
  private let surroundings: Surroundings

  package init(guardedStore: GuardedStore, configuration: ServiceConfiguration) {
    self.guardedStore = guardedStore
    surroundings = Surroundings(
      configuration: configuration,
      capabilities: Capabilities {
        CapabilityStatement { guardedStore.offer(of: $0) }
      },
      imports: ImportJobs(guardedStore: guardedStore, configuration))
  }

  package func respond(
    to request: Request, completion: @escaping @Sendable (Response) -> Void
  ) {
    let origins = surroundings.configuration.origins
    switch Reception(request, in: surroundings) {
    case .answered(let response): completion(response.addressed(to: request, origins: origins))
    case .received(let visit):
      answer(visit) { completion($0.addressed(to: request, origins: origins)) }
    }
  }

  /// An export goes into a file, once it is known that whoever sends it has a token: what strangers
  /// send is not received.
  package func bodyPlace(of request: Request) -> BodyPlace {
    guard request.target.starts(with: Place.Shape.appleHealth.rawValue.utf8),
      case .received(let visit) = Reception(request, in: surroundings),
      visit.place.shape == .appleHealth
    else { return .memory }
    guard let token = try? visit.token, (try? guardedStore.authenticate(bearer: token)) != nil
    else { return .unread }
    return .file
  }

  /// Goes on with the imports that an earlier process took over and did not end.
  package func resumeImports() { surroundings.imports.resume() }

  /// Lets imports under way end soon and begins no more; they go on when a process resumes them. The
  /// store is closed only when what was given to `ServiceConfiguration.background` is done.
  package func stopImports() { surroundings.imports.stop() }

  private func answer(_ visit: Visit, completion: @escaping @Sendable (Response) -> Void) {
    var format = Format()
    do {
      let caller = try visit.route.isOpen ? nil : guardedStore.authenticate(bearer: visit.token)
      let call = try Call(
        visit.request, place: visit.place, query: visit.query, in: surroundings, by: caller)
      format = call.format
      switch (try visit.route.plan(call), caller) {
      case (.answer(let response), _): completion(response)
      case (.perform(let work), let caller?): perform(work, of: call, by: caller, completion)
      case (.perform, nil): throw InteractionError.unauthenticated(reason: "a token is needed")
      }
    } catch {
      completion(refusal(of: error, as: format, hadToken: visit.hasToken))
    }
  }

  private func perform(
    _ work: Work, of call: Call, by caller: Caller,
    _ completion: @escaping @Sendable (Response) -> Void
  ) {
    guard !work.interactions.isEmpty else { return judge(work, of: call, by: caller, completion) }
    let request = AccessRequest(
      work.interactions, by: caller, from: call.request.peer, sourceSystem: work.sourceSystem,
      sourceProgram: work.sourceProgram)
    guardedStore.prepare(answerTo: request) { [self] results in
      let response = response(to: call, of: work, results)
      return { completion(response) }
    }
  }

  private func response(to call: Call, of work: Work, _ results: Work.Results) -> Response {
    do {
      return try work.response(to: call, results)
    } catch {
      return refusal(of: error, as: call.format, hadToken: true)
    }
  }

  /// Nothing that was sent can be written; whether the caller might is judged and recorded first.
  private func judge(
    _ work: Work, of call: Call, by caller: Caller,
    _ completion: @escaping @Sendable (Response) -> Void
  ) {
    let answer: @Sendable (Result<Void, any Error>) -> Void = { [self] verdict in
      do {
        try verdict.get()
        completion(try work.response(to: call, []))
      } catch {
        completion(refusal(of: error, as: call.format, hadToken: true))
      }
    }
    let judged: @Sendable (Result<Void, any Error>) -> Void = { [surroundings] verdict in
      guard work.isSlow, let spooling = surroundings.configuration.spooling else {
        return answer(verdict)
      }
      spooling { answer(verdict) }
    }
    if let access = work.importAccess {
      return guardedStore.submit(access) { verdict in
        judged(verdict.mapError { work.isForeign(caller) ? call.unknownImport : $0 })
      }
    }
    guard let (type, patient) = work.untried else { return answer(.failure(MissingResult())) }
    guardedStore.submit(
      UntriedWrite(
        of: type, for: patient, by: caller, from: call.request.peer,
        isBeginning: work.isBeginning), completion: judged)
  }

  private func refusal(of error: any Error, as format: Format, hadToken: Bool) -> Response {
    if !(error is InteractionError || error is Refusal) { surroundings.configuration.report(error) }
    return Response(refusing: error, as: format, hadToken: hadToken)
  }
}
