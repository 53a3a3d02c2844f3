// Sources: Sources/FHIRModel

/// Whatever the bytes are, checking them ends with a resource or with issues; a resource can be
/// stamped, is valid then too, and has the content that it had.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let resource: Resource
  do throws(InteractionError) {
    resource = try Resource(parsing: bytes)
  } catch {
    guard case .invalid(let issues) = error, !issues.isEmpty else {
      preconditionFailure("refused without an issue")
    }
    return 0
  }
  let stamped = resource.stamped(
    id: LogicalID("n1")!, version: VersionID(7), lastUpdated: Instant(ticks: 0))
  do throws(InteractionError) {
    let again = try Resource(parsing: stamped)
    precondition(again.id == LogicalID("n1"), "the stamp is not found")
    precondition(again.document.root["meta"]?["versionId"]?.string == "7", "nor is the version")
    precondition(again.hasSameContent(as: resource), "a stamp changed the content")
    precondition(resource.hasSameContent(as: again), "or the other way round")
  } catch {
    preconditionFailure("a stamped resource is refused: \(error)")
  }
  return 0
}
