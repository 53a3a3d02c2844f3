// Sources: Sources/HTTP/Syntax

/// No body stops the decoder, and one that comes byte by byte is read as the whole is.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let whole = outcome(of: bytes, inPiecesOf: max(bytes.count, 1))
  let single = outcome(of: bytes, inPiecesOf: 1)
  precondition(
    whole.used == single.used && whole.refusal == single.refusal && whole.body == single.body,
    "the cuts change it")
  precondition(whole.body.count <= 4096)
  return 0
}

private func outcome(
  of bytes: [UInt8], inPiecesOf size: Int
) -> (body: [UInt8], used: Int?, refusal: Refusal?) {
  var decoder = ChunkDecoder(bodyByteCountMaximum: 4096)
  var body: [UInt8] = []
  var used = 0
  do throws(Refusal) {
    while used < bytes.count, !decoder.isComplete {
      let piece = Array(bytes[used..<min(used + size, bytes.count)])
      used += try decoder.decode(piece.span, into: &body)
    }
    return (body, decoder.isComplete ? used : nil, nil)
  } catch {
    return (body, nil, error)
  }
}
