// Sources: Sources/Archive/XML Sources/Archive/ByteSource.swift Sources/Archive/ArchiveError.swift

/// Whatever the bytes are, a document read in one piece and in small ones gives the same, every end
/// belongs to the last start, everything handed out is UTF-8, and no place lies outside.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let chunkByteCount = 1 + Int(bytes.first ?? 0) % 31
  let whole = Reading(bytes, chunkByteCount: max(1, count))
  let parts = Reading(bytes, chunkByteCount: chunkByteCount)
  precondition(whole == parts, "chunks change what a document is")
  return 0
}

struct Reading: Equatable {
  var events: [[UInt8]] = []
  var isTruncated = false
  var faultCount = 0
  var replacedByteCount = 0
  var failure: ArchiveError?

  init(_ document: [UInt8], chunkByteCount: Int) {
    var reader = XMLReader(ByteSource(document, chunkByteCount: chunkByteCount))
    var open: [[UInt8]] = []
    var offset = 0
    do throws(ArchiveError) {
      while let event = try reader.next() {
        take(event, reader, &open)
        precondition(offset <= reader.byteOffset && reader.byteOffset <= document.count)
        offset = reader.byteOffset
      }
      precondition(reader.isTruncated || open.isEmpty, "an element was left open")
    } catch {
      // How far the text was looked at before is the chunks' affair.
      failure = error
      return
    }
    isTruncated = reader.isTruncated
    faultCount = reader.faultCount
    replacedByteCount = reader.replacedByteCount
  }

  private mutating func take(
    _ event: XMLEvent, _ reader: borrowing XMLReader, _ open: inout [[UInt8]]
  ) {
    switch event {
    case .start:
      open.append(array(reader.name))
      precondition(reader.depth == open.count)
      events.append([1] + array(reader.name))
      for position in 0..<reader.attributeCount {
        events.append([2] + array(reader.attributeName(at: position)))
        events.append([3] + array(reader.attributeValue(at: position)))
      }
    case .end:
      precondition(reader.depth == open.count)
      precondition(open.popLast() == array(reader.name), "an end belongs to another start")
      events.append([4])
    case .text:
      let text = array(reader.text)
      precondition(!text.isEmpty)
      if events.last?.first == 5 {
        events[events.count - 1] += text
      } else {
        events.append([5] + text)
      }
    }
  }

  private func array(_ bytes: Span<UInt8>) -> [UInt8] {
    var array: [UInt8] = []
    array.append(copying: bytes)
    precondition(String(validating: array, as: UTF8.self) != nil, "no UTF-8")
    return array
  }
}
