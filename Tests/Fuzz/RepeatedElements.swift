// Sources: Sources/Archive/XML Sources/Archive/ByteSource.swift Sources/Archive/ArchiveError.swift Tests/Fuzz/Shared

/// Whatever the bytes are, a reader that knows elements which repeat others by their look gives the
/// elements, the attributes and the faults that one gives which takes each apart.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let document = ExportPieces.document(bytes)
  let choice = Int(bytes.last ?? 0) + count
  let apart = Reading(document, chunkByteCount: max(1, document.count), patternCount: 0)
  for chunkByteCount in [1 + choice % 97, 1 + choice * 37 % 4_096, max(1, document.count)] {
    let repeated = Reading(
      document, chunkByteCount: chunkByteCount, patternCount: 1 + choice % 4)
    precondition(repeated == apart, "elements that repeat others have another content")
  }
  return 0
}

struct Reading: Equatable {
  /// An element that begins, with its attributes and, if it is a record, where its tag ends; or one
  /// that ends.
  struct Tag: Equatable {
    var name: [UInt8]
    var isStart: Bool
    var byteOffset = 0
    var attributes: [[UInt8]] = []
  }

  var tags: [Tag] = []
  var isTruncated = false
  var faultCount = 0
  var replacedByteCount = 0
  var isFailed = false

  /// - Parameter patternCount: of so many records those that repeat them are known by their look.
  init(_ document: [UInt8], chunkByteCount: Int, patternCount: Int) {
    var xml = XMLReader(ByteSource(document, chunkByteCount: chunkByteCount), skippingText: true)
    var known = KnownRecords(countMaximum: patternCount)
    do throws(ArchiveError) {
      while true {
        if patternCount > 0 { known.passAll(&xml, into: &self) }
        let (mark, first, faultCount) = (xml.mark, tags.count, xml.faultCount)
        guard let event = try xml.next() else { break }
        take(event, xml)
        guard case .start = event, xml.isNamed("Record"), try readToEnd(&xml) else { continue }
        guard patternCount > 0, xml.faultCount == faultCount, let text = xml.text(since: mark)
        else { continue }
        known.learn(text, tags[first...])
      }
    } catch {
      // How far the text was looked at before is the chunks' affair.
      isFailed = true
      tags = []
      return
    }
    (isTruncated, faultCount) = (xml.isTruncated, xml.faultCount)
    replacedByteCount = xml.replacedByteCount
  }

  private mutating func take(_ event: XMLEvent, _ xml: borrowing XMLReader) {
    guard case .start = event else {
      return tags.append(Tag(name: array(xml.name), isStart: false))
    }
    var tag = Tag(name: array(xml.name), isStart: true)
    if xml.isNamed("Record") { tag.byteOffset = xml.byteOffset }
    for position in 0..<xml.attributeCount {
      tag.attributes += [
        array(xml.attributeName(at: position)), array(xml.attributeValue(at: position)),
      ]
    }
    tags.append(tag)
  }

  /// Reads what is in the element that began.
  ///
  /// - Returns: whether it has another record in it, or does not end: then `false`.
  private mutating func readToEnd(_ xml: inout XMLReader) throws(ArchiveError) -> Bool {
    let depth = xml.depth
    var isOne = true
    while let event = try xml.next() {
      take(event, xml)
      if case .start = event {
        if xml.isNamed("Record") { isOne = false }
      } else if xml.depth <= depth {
        return isOne
      }
    }
    return false
  }
}

/// Records that others may repeat but for some values.
struct KnownRecords {
  let countMaximum: Int
  private var patterns = XMLPatternList()
  /// By the patterns' numbers: what was read, and the places of the attributes' values that vary.
  private var records: [(tags: [Reading.Tag], places: [Int])] = []

  init(countMaximum: Int) { self.countMaximum = countMaximum }

  mutating func passAll(_ xml: inout XMLReader, into reading: inout Reading) {
    guard xml.leaveEnd() else { return }
    xml.passAll(like: &patterns) { element in
      var (tags, places) = records[element.number]
      tags[0].byteOffset = element.byteOffset
      for (part, place) in places.enumerated() { tags[0].attributes[place] = array(element[part]) }
      reading.tags += tags
      return reading.tags.count % 5 > 0
    }
  }

  mutating func learn(_ text: Span<UInt8>, _ tags: ArraySlice<Reading.Tag>) {
    guard let first = tags.first else { return }
    var (position, places) = (0, [Int]())
    let pattern = XMLPattern(of: text) { tag, name, value in
      if tag > 0 { return nil }
      defer { position += 2 }
      guard name.equals("value") || name.equals("startDate") || name.equals("device"),
        position + 1 < first.attributes.count
      else { return nil }
      places.append(position + 1)
      return 0..<value.count
    }
    guard let pattern else { return }
    let number = patterns.count < countMaximum ? patterns.count : patterns.last ?? 0
    if number == records.count { records.append(([], [])) }
    records[number] = (Array(tags), places)
    patterns.keep(pattern, as: number)
  }
}

func array(_ bytes: Span<UInt8>) -> [UInt8] {
  var array: [UInt8] = []
  array.append(copying: bytes)
  return array
}
