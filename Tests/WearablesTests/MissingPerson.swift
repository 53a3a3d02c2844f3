import FHIRModel
import Foundation
import Synchronization
import Testing

@testable import Wearables

/// Stands for a store in which a person isn't, which takes its time to say so.
final class MissingPerson: Sendable {
  private let seen = Mutex((performed: 0, kept: 0))

  /// Counts what is performed beside the look whether the person is there.
  func perform(_ batch: ImportBatch) -> [Result<Outcome, any Error>] {
    guard case .read(let id) = batch.interactions.first else {
      seen.withLock { $0.performed += 1 }
      return []
    }
    Thread.sleep(forTimeInterval: 0.1)
    return [.failure(InteractionError.notFound(id))]
  }

  /// Counts what samples are kept.
  var shelf: SampleShelf {
    SampleShelf(keep: { _ in self.noteKept() }, keepRule: { _ in self.noteKept() })
  }

  private func noteKept() { seen.withLock { $0.kept += 1 } }

  /// Expects that an import ends for want of the person, and that nothing was performed or kept.
  func expectNothing(for patient: ResourceID, of run: () throws -> Void) {
    #expect(throws: InteractionError.notFound(patient)) { try run() }
    #expect(seen.withLock { $0.kept } == 0)
    #expect(seen.withLock { $0.performed } == 0)
  }
}
