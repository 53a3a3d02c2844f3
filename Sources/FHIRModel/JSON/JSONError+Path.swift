extension JSONError {
  /// The last value that was begun before the fault, as `component[1].code`; empty at the top. Reads
  /// the text once more, up to the fault.
  package func path(in bytes: [UInt8], limits: JSONLimits = .standard) -> String {
    var scanner = JSONScanner(limits: limits, expectedByteCount: 0)
    try? scanner.scan(bytes.span)
    return scanner.tape.openPath(in: bytes)
  }
}

extension [JSONNode] {
  /// The path to the last value that was begun, as far as its containers were not ended.
  fileprivate func openPath(in bytes: [UInt8]) -> String {
    var path = ""
    var parent = 0
    while parent < count, self[parent].next == 0, let last = lastChild(of: parent) {
      if let name = last.name {
        let text = String(decoding: JSONString.decoded(bytes.span, self[name]), as: UTF8.self)
        path += (path.isEmpty ? "" : ".") + text
      } else {
        path += "[\(last.position)]"
      }
      parent = last.value
    }
    return path
  }

  /// The last child that was begun; of a member perhaps only its name.
  private func lastChild(of parent: Int) -> (name: Int?, value: Int, position: Int)? {
    let isObject = self[parent].kind == .object
    var last: (name: Int?, value: Int, position: Int)?
    var node = parent + 1
    while node < count {
      let value = isObject ? node + 1 : node
      last = (isObject ? node : nil, value, (last?.position ?? -1) + 1)
      guard value < count, self[value].next != 0 else { break }
      node = Int(self[value].next)
    }
    return last
  }
}
