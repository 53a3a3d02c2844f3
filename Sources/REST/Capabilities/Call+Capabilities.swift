import FHIRModel

/// - SeeAlso: https://hl7.org/fhir/R4/http.html#capabilities
extension Call {
  func capabilities() throws -> Plan {
    let others = parameters.filter { $0.name != "mode" || $0.value != "full" }
    if let other = others.first, !preferences.isLenient {
      throw InteractionError.unknownParameter(name: other.name)
    }
    let bytes = surroundings.capabilities.bytes(at: base)
    let tag = "W/\"\(String(fingerprint(bytes), radix: 16))\""
    let isKnown = request.headers["If-None-Match"].map { $0 == "*" || $0.contains(tag) } ?? false
    var response = isKnown ? Response(status: 304) : Response(status: 200)
    response.headers.append("ETag", tag)
    // It speaks of nobody and may be kept, but not used unasked: an update changes it.
    response.headers.append("Cache-Control", "no-cache")
    response.headers.append("Vary", "Accept")
    response.headers.append("X-Content-Type-Options", "nosniff")
    guard !isKnown else { return .answer(response) }
    response.headers.append("Content-Type", format.contentType)
    response.body = format.isPretty ? indented(bytes) : bytes
    return .answer(response)
  }
}

/// FNV-1a: tells one text from another, and proves nothing.
///
/// - SeeAlso: http://www.isthe.com/chongo/tech/comp/fnv/
private func fingerprint(_ bytes: [UInt8]) -> UInt64 {
  bytes.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
    (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }
}
