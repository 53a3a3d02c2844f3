// Sources: Sources/Archive/XML Sources/Archive/ByteSource.swift Sources/Archive/ArchiveError.swift Tests/Fuzz/Shared

/// Whatever the bytes are, a reader that leaves tags, of which others read them later, gives the
/// elements, the attributes and the faults that one gives which takes each tag apart.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let document = ExportPieces.document(bytes)
  let choice = Int(bytes.last ?? 0) + count
  let apart = Reading(apart: document, chunkByteCount: max(1, document.count))
  for chunkByteCount in [1 + choice % 97, 1 + choice * 37 % 4_096, max(1, document.count)] {
    let later = Reading(
      later: document, chunkByteCount: chunkByteCount, tagCount: 1 + choice % 11,
      resolving: choice % 3)
    precondition(later == apart, "tags that were left have another content")
  }
  return 0
}

struct Reading: Equatable {
  /// The name of an element that begins, its attributes and where its tag ends; for an end its name.
  struct Tag: Equatable {
    var name: [UInt8]
    var depth: Int
    var byteOffset: Int
    var isStart = false
    var attributes: [[UInt8]] = []
  }

  var tags: [Tag] = []
  var isTruncated = false
  var faultCount = 0
  var replacedByteCount = 0
  var isFailed = false

  /// Each tag is taken apart where it stands.
  init(apart document: [UInt8], chunkByteCount: Int) {
    var xml = XMLReader(ByteSource(document, chunkByteCount: chunkByteCount), skippingText: true)
    read(&xml) { reading, xml in
      for position in 0..<xml.attributeCount {
        reading.tags[reading.tags.count - 1].attributes += [
          array(xml.attributeName(at: position)), array(xml.attributeValue(at: position)),
        ]
      }
    }
  }

  /// Records are left, and read when so many tags were met, from one of two lists by turns.
  ///
  /// - Parameter resolving: 0 all at once, 1 the first value last, 2 the second value last.
  init(later document: [UInt8], chunkByteCount: Int, tagCount: Int, resolving: Int) {
    var xml = XMLReader(ByteSource(document, chunkByteCount: chunkByteCount), skippingText: true)
    xml.leaveTags(named: "Record")
    var (list, before) = (LeftTags(), LeftTags())
    var reader = LateReader(exception: resolving == 0 ? nil : resolving - 1)
    read(&xml) { reading, xml in
      if list.tags.count >= tagCount {
        reader.read(&before, into: &reading)
        swap(&list, &before)
      }
      list.tags.append((list.list.append(&xml), reading.tags.count - 1))
    }
    reader.read(&before, into: &self)
    reader.read(&list, into: &self)
    let faults = reader.reader.faults
    if !isFailed {
      faultCount += faults.count
      replacedByteCount += faults.replacedByteCount
    }
  }

  private mutating func read(
    _ xml: inout XMLReader, start: (inout Reading, inout XMLReader) -> Void
  ) {
    do throws(ArchiveError) {
      while let event = try xml.next() {
        tags.append(Tag(name: array(xml.name), depth: xml.depth, byteOffset: xml.byteOffset))
        guard case .start = event else { continue }
        tags[tags.count - 1].isStart = true
        start(&self, &xml)
      }
    } catch {
      // How far the text was looked at before is the chunks' affair.
      isFailed = true
      return
    }
    (isTruncated, faultCount) = (xml.isTruncated, xml.faultCount)
    replacedByteCount = xml.replacedByteCount
  }
}

/// Tags in a list, with their places in a reading.
struct LeftTags {
  var list = XMLTagList()
  var tags: [(XMLTagList.Tag, place: Int)] = []
}

struct LateReader {
  let exception: Int?
  var reader = XMLTagReader()
  /// The names of the attributes of each shape.
  var shapes: [Int: [[UInt8]]] = [:]

  /// Reads all tags of a list, which is empty afterwards.
  mutating func read(_ tags: inout LeftTags, into reading: inout Reading) {
    for (tag, place) in tags.tags {
      let shape = reader.read(tag, of: tags.list)
      let count = reader.attributeCount(of: tag, in: tags.list)
      let names = (0..<count).map { reader.attributeName(at: $0, of: tag, in: tags.list) }
      if let shape {
        precondition(shapes[shape, default: names] == names, "tags of a shape differ in names")
        shapes[shape] = names
      }
      reader.resolve(tag, of: tags.list, except: exception)
      reader.resolve(tag, of: tags.list)
      for position in 0..<count {
        precondition(!reader.isUnresolved(at: position))
        reading.tags[place].attributes += [
          names[position], array(reader.attributeValue(at: position, of: tag, in: tags.list)),
        ]
      }
    }
    tags.list.removeAll()
    tags.tags = []
  }
}

func array(_ bytes: Span<UInt8>) -> [UInt8] {
  var array: [UInt8] = []
  array.append(copying: bytes)
  return array
}
