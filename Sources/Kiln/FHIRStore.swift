import Access
import FHIRModel
import KeyValue
import Store

/// A FHIR R4 store of the app's own, in a folder or in memory.
///
/// Every call is judged as a `StoreCaller` and stands in the access log, as it would over HTTP:
/// opening the store here gives no way around consent. Calls may come from any thread, and block
/// until what they did is durable. A server (`kiln serve`) may have the same folder open.
public final class FHIRStore: Sendable {
  let assembly: Assembly

  /// Opens the store in a folder, and makes it where there is none. What another version of this
  /// library has written gets a new index first, where the search parameters have changed; that
  /// takes a second for some ten thousand resources.
  ///
  /// - Throws: ``StoreFailure/unavailable(reason:)`` if the folder can't be used.
  public init(folder: String) throws {
    assembly = try StoreFailure.translating {
      var options = Assembly.Options()
      options.takesOutdatedIndex = true
      let assembly = try Assembly.open(folder, options)
      if assembly.hasOutdatedIndex { try assembly.reindex() }
      return assembly
    }
  }

  /// Opens an empty store that is gone with the object: for tests and previews.
  public init() throws {
    assembly = try StoreFailure.translating {
      try Assembly(over: MemoryEngine(tables: Assembly.tables))
    }
  }

  deinit { assembly.engine.close() }

  /// Performs interactions in one commit, each with a result of its own.
  func perform(
    _ interactions: [Interaction], as caller: StoreCaller, sourceSystem: String? = nil,
    sourceProgram: SourceProgram? = nil
  ) throws -> [Result<Outcome, any Error>] {
    let request = AccessRequest(
      interactions, by: Caller(try caller.principal), sourceSystem: sourceSystem,
      sourceProgram: sourceProgram)
    return assembly.guarded.perform(request)
  }

  /// Performs one interaction.
  func perform(_ interaction: Interaction, as caller: StoreCaller) throws -> Outcome {
    let results = try perform([interaction], as: caller)
    guard let result = results.first else {
      throw StoreFailure.unavailable(reason: "the store gave no answer")
    }
    return try StoreFailure.translating { try result.get() }
  }
}
