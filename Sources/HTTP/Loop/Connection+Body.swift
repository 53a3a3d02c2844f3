extension Connection {
  /// How much of the body has come.
  var bodyByteCount: Int { upload?.byteCount ?? request.body.count }

  /// Takes the next bytes of the body.
  ///
  /// - Throws: `Refusal.tooManyBodies`, `.noRoomForUpload`.
  func takeBody(_ bytes: Span<UInt8>, in ledger: Ledger) throws(Refusal) {
    guard let upload else {
      try reserveRoom(for: bytes.count, in: ledger)
      request.body.append(copying: bytes)
      return
    }
    try upload.append(bytes)
  }

  /// Takes bytes of a chunked body.
  ///
  /// - Returns: how many of them belong to it.
  func takeChunks(_ bytes: Span<UInt8>, in ledger: Ledger) throws(Refusal) -> Int {
    guard let upload else {
      try reserveRoom(for: bytes.count, in: ledger)
      return try chunks.decode(bytes, into: &request.body)
    }
    var content: [UInt8] = []
    content.reserveCapacity(bytes.count)
    let used = try chunks.decode(bytes, into: &content)
    try upload.append(content.span)
    return used
  }
}
