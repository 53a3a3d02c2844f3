// Sources: Sources/FHIRModel

/// No query string stops the reader, and what it reads can be written and read again as the same.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let parameters = try? [QueryParameter](percentEncoded: bytes[...]) else { return 0 }
  let written = parameters.percentEncoded
  precondition(written.allSatisfy { 0x21...0x7e ~= $0 }, "a link can't hold this")
  let again = try? [QueryParameter](percentEncoded: written[...])
  precondition(again == parameters, "what was written is read as something else")
  return 0
}
