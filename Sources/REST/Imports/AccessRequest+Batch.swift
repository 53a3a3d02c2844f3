import Access
import Wearables

extension AccessRequest {
  /// What an import gives to be performed, with what was prepared of it.
  package init(_ batch: ImportBatch, by caller: Caller, from peer: String = "") {
    self.init(batch.interactions, by: caller, from: peer, sourceSystem: batch.sourceSystem)
    prepared = batch.prepared as? PreparedWrites
  }
}
