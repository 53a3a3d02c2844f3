import FHIRModel

/// One request at a known place, with what its address and headers say.
struct Call: Sendable {
  let request: Request
  let place: Place
  /// The address of FHIR's base as clients see it, without a slash at its end.
  let base: String
  /// The parameters of the address, without those that say how the answer is written.
  let parameters: [QueryParameter]
  /// Those that say how the answer is written, for links.
  private(set) var formatParameters: [QueryParameter]
  private(set) var format: Format
  let preferences: Preferences
  let surroundings: Surroundings

  var configuration: ServiceConfiguration { surroundings.configuration }

  /// - Throws: `Refusal` and `InteractionError` for what can't be read or given.
  init(
    _ request: Request, place: Place, query: ArraySlice<UInt8>, in surroundings: Surroundings
  ) throws {
    self.request = request
    self.place = place
    self.surroundings = surroundings
    let configuration = surroundings.configuration
    base = configuration.publicAddress.base(for: request, basePath: configuration.basePath)
    let all = try [QueryParameter](percentEncoded: query)
    parameters = all.filter { !Format.parameterNames.contains($0.name) }
    formatParameters = all.filter { Format.parameterNames.contains($0.name) }
    format = try Format(parameters: formatParameters, accept: request.headers["Accept"])
    preferences = request.headers["Prefer"].map { Preferences($0) } ?? Preferences()
  }
}

/// What stays the same from call to call.
struct Surroundings: Sendable {
  let configuration: ServiceConfiguration
  let capabilities: CapabilityStatement
}

extension Call {
  /// The same call, answered as these parameters too say.
  func with(formatParameters more: [QueryParameter]) throws -> Call {
    var call = self
    call.formatParameters += more
    call.format = try Format(
      parameters: call.formatParameters, accept: request.headers["Accept"])
    return call
  }

  /// Refuses the parameters of an address that takes none.
  ///
  /// - Throws: `InteractionError.unknownParameter`, unless the client asked to pass over them.
  func refuseParameters() throws {
    guard let first = parameters.first, !preferences.isLenient else { return }
    throw InteractionError.unknownParameter(name: first.name)
  }

  /// The resource in the body.
  ///
  /// - Throws: `Refusal.unsupportedContent`, `InteractionError.invalid`.
  func resource(of type: ResourceType) throws -> Resource {
    try ContentType.check(request.headers, isOneOf: ContentType.jsonTypes)
    return try Resource(parsing: request.body, expecting: type)
  }

  /// The parameters as the criteria of a conditional write. An unknown one is refused whatever the
  /// client's handling: passing over it would write to another resource than the one meant.
  func criteria(of type: ResourceType, for interaction: String) throws -> Query {
    guard !parameters.isEmpty else {
      throw Refusal.unreadable(
        reason: "\(interaction) without an id needs search parameters in the address")
    }
    return Query(type: type, parameters: parameters, handling: .strict)
  }
}
