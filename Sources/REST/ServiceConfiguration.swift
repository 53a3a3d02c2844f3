import Access
import FHIRModel
import Wearables

/// What a service is told about its surroundings.
package struct ServiceConfiguration: Sendable {
  /// Where clients reach FHIR's base.
  package let publicAddress: PublicAddress
  /// The path of FHIR's base on this server, with a slash before and none after it.
  package var basePath: String
  /// Which pages in a browser may read answers.
  package var origins: AllowedOrigins
  package var clock: @Sendable () -> Instant
  /// Runs work that takes long on a thread of its own, one after the other.
  package typealias Background = @Sendable (@escaping @Sendable () -> Void) -> Void
  /// `nil`: exports aren't taken in.
  package var background: Background?
  /// Runs what waits for the disk, on another thread than `background` does.
  package var spooling: Background?
  /// Where exports wait that were taken over, with what became of them; `nil`: exports aren't taken in.
  package var importFolder: String?
  /// Where an import keeps the raw samples of a person; `nil`: none are kept.
  package var shelf: (@Sendable (ResourceID, Caller) -> SampleShelf)?
  /// Where an import's temporary files are made; `TMPDIR` or `/tmp` if `nil`.
  package var temporaryFolder: String?
  /// Makes ids that nobody can guess.
  package var newID: @Sendable () -> String = {
    (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
  }
  /// Told of every failure that a client is not told the details of.
  package var report: @Sendable (any Error) -> Void

  package init(
    publicAddress: PublicAddress, basePath: String = "/fhir", origins: AllowedOrigins = .any,
    clock: @escaping @Sendable () -> Instant,
    report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) {
    self.publicAddress = publicAddress.trimmed
    self.basePath = basePath
    self.origins = origins
    self.clock = clock
    self.report = report
  }
}
