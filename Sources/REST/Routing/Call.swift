import Access
import FHIRModel

/// One request at a known place, with what its address and headers say.
final class Call: Sendable {
  let request: Request
  let place: Place
  /// The address of FHIR's base as clients see it, without a slash at its end.
  let base: String
  /// The parameters of the address, without those that say how the answer is written.
  let parameters: [QueryParameter]
  /// Those that say how the answer is written, for links.
  let formatParameters: [QueryParameter]
  let format: Format
  /// Which elements of resources are answered.
  let subset: Subset
  let preferences: Preferences
  let surroundings: Surroundings
  /// Who asks; `nil` where that isn't needed.
  let caller: Caller?

  var configuration: ServiceConfiguration { surroundings.configuration }

  /// - Parameter form: what a search by POST has in its body: it adds to the parameters.
  /// - Throws: `Refusal` and `InteractionError` for what can't be read or given.
  init(
    _ request: Request, place: Place, query: ArraySlice<UInt8>, form: ArraySlice<UInt8> = [],
    in surroundings: Surroundings, by caller: Caller? = nil
  ) throws {
    self.caller = caller
    self.request = request
    self.place = place
    self.surroundings = surroundings
    base = surroundings.configuration.publicAddress.base(
      for: request, basePath: surroundings.configuration.basePath)
    var asked = try [QueryParameter](percentEncoded: query)
    if !form.isEmpty { asked += try [QueryParameter](percentEncoded: form) }
    preferences = request.headers["Prefer"].map { Preferences($0) } ?? Preferences()
    subset = try Subset(asked, of: place.type, isLenient: preferences.isLenient)
    formatParameters = asked.filter(Self.isAboutTheAnswer)
    if !formatParameters.isEmpty { asked.removeAll(where: Self.isAboutTheAnswer) }
    parameters = asked
    format = try Format(parameters: formatParameters, headers: request.headers)
  }
}

extension Call {
  private static func isAboutTheAnswer(_ parameter: QueryParameter) -> Bool {
    parameter.name.utf8.first == UInt8(ascii: "_")
      && (Format.parameterNames.contains(parameter.name) || Subset.isNamed(by: parameter))
  }
}

/// What stays the same from call to call.
final class Surroundings: Sendable {
  let configuration: ServiceConfiguration
  let capabilities: Capabilities
  let imports: ImportJobs

  init(
    configuration: ServiceConfiguration, capabilities: Capabilities, imports: ImportJobs
  ) {
    self.configuration = configuration
    self.capabilities = capabilities
    self.imports = imports
  }
}

extension Call {
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
    let resource = try Resource(parsing: request.body, expecting: type)
    guard !Subset.isMarked(resource.document.root) else {
      throw InteractionError.invalid([
        Issue(
          .businessRule,
          "what is tagged as a subset (SUBSETTED) can't stand for the whole resource",
          at: "\(type.name).meta.tag")
      ])
    }
    return resource
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
