import Archive
import Testing

/// Tags are looked at when their reader has gone on.
@Suite("Kept tags")
struct XMLTagListTests {
  /// A document whose tags have references, attributes without a value and long values.
  private static let document: [UInt8] = {
    var text = "<r>"
    for number in 0..<300 {
      let long = String(repeating: "é\(number)", count: number)
      text += "<a n='\(number)' d=\"&lt;\(number)&gt; &amp; &#233;\" x long='\(long)' n='2'>t</a>"
    }
    return Array((text + "</r>").utf8)
  }()

  /// Each element's attributes as the reader gives them, with the byte behind the tag.
  private func asRead(_ document: [UInt8]) throws -> [[String]] {
    var reader = XMLReader(ByteSource(document))
    var list: [[String]] = []
    while let event = try reader.next() {
      guard case .start = event else { continue }
      list.append(
        ["\(reader.byteOffset)"]
          + (0..<reader.attributeCount).flatMap {
            [string(reader.attributeName(at: $0)), string(reader.attributeValue(at: $0))]
          })
    }
    return list
  }

  private func text(_ tag: XMLTagList.Tag, _ tags: XMLTagList) -> [String] {
    ["\(tag.byteOffset)"]
      + (0..<tags.attributeCount(of: tag)).flatMap {
        [
          string(tags.attributeName(at: $0, of: tag)), string(tags.attributeValue(at: $0, of: tag)),
        ]
      }
  }

  @Test(
    "they are what the reader gave, however often the list is emptied",
    arguments: [1, 7, 64, 1_000, 1 << 20], [1, 3, 1_000])
  func same(chunkByteCount: Int, count: Int) throws {
    let expected = try asRead(Self.document)
    var reader = XMLReader(ByteSource(Self.document, chunkByteCount: chunkByteCount))
    // Two lists by turns, one of which is kept while the other is filled.
    var (tags, before) = (XMLTagList(), XMLTagList())
    var (kept, keptBefore): ([XMLTagList.Tag], [XMLTagList.Tag]) = ([], [])
    var list: [[String]] = []
    while let event = try reader.next() {
      guard case .start = event else { continue }
      if kept.count == count {
        list += keptBefore.map { text($0, before) }
        before.removeAll()
        swap(&tags, &before)
        (kept, keptBefore) = ([], kept)
      }
      kept.append(tags.append(&reader))
    }
    list += keptBefore.map { text($0, before) } + kept.map { text($0, tags) }
    #expect(list == expected)
  }

  @Test("an attribute is found by its name, the first of two; one that isn't there has no value")
  func names() throws {
    var reader = XMLReader(ByteSource(Array("<a x='1' y='&lt;' x='2'/>".utf8)))
    var tags = XMLTagList()
    #expect(try reader.next() == .start)
    let tag = tags.append(&reader)
    #expect(try reader.next() == .end)
    #expect(tags.position(of: "x", in: tag) == 0 && tags.position(of: "z", in: tag) == nil)
    #expect(string(tags.attributeValue(at: tags.position(of: "y", in: tag), of: tag)) == "<")
    #expect(string(tags.attributeValue(at: nil, of: tag)) == "")
    #expect(tags.byteCount > 0)
    tags.removeAll()
    #expect(tags.byteCount == 0)
  }
}
