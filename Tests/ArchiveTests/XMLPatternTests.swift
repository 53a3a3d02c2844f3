import SeededNumbers
import Testing

@testable import Archive

/// Elements that repeat others are known by their look.
@Suite("Elements that others repeat")
struct XMLPatternTests {
  /// A pattern of an element of which the attribute `b` varies.
  private func pattern(_ text: String) -> XMLPattern? {
    XMLPattern(of: Array(text.utf8).span) { _, name, value in
      name.equals("b") ? 0..<value.count : nil
    }
  }

  @Test(
    "are learned only if they are written as programs do it",
    arguments: [
      (#"<e a="1" b="2"/>"#, true), ("\n <e a=\"1\" b=\"2\"/>", true), (#"<e b="" a="1">"#, true),
      (#"<e a="&lt;&gt;&amp;&quot;&apos;" b="2"/>"#, true), (#"<e b="2"><f c="'"/></e>"#, true),
      (#"<e a="1"/>"#, false), (#"<e a='1' b="2"/>"#, false), (#"<e a ="1" b="2"/>"#, false),
      (#"<e a="1"  b="2"/>"#, false), (#"<e a="1"b="2"/>"#, false), (#"<e a= "1" b="2"/>"#, false),
      (#"<e a="1" b="2" />"#, false), (#"<e a="1" b="&lt;"/>"#, false), (#"<e b="2;"/>"#, false),
      (#"<e a="&#7;" b="2"/>"#, false), (#"<e a="&thing;" b="2"/>"#, false), ("<e b=\"2\"", false),
      ("<e a=\"\t\" b=\"2\"/>", false), ("<e\na=\"1\" b=\"2\"/>", false), ("", false),
      (#"<e a="<" b="2"/>"#, false), (#"<e a=">" b="2"/>"#, false), (#"<e a-b="1" b="2"/>"#, false),
      (#"<e b="2"#, false), (#"<e b="#, false), (#"<e b=2/>"#, false),
      (#"</x><e a="1" b="2"/>"#, false), (#"<><e a="1" b="2"/>"#, false),
      (#"x<e a="1" b="2"/>"#, false), (#"<!x b="2"><e a="1"/>"#, false),
      (#"<e><f a="1" b="2"/></e>"#, false), ("<e b=\"1\"/>\n<e b=\"2\"/>", true),
    ])
  func learned(text: String, isLearned: Bool) {
    #expect((pattern(text) != nil) == isLearned)
  }

  /// Where what varies stands in a text that is like the pattern, and how much of it is.
  private func match(_ text: String, _ pattern: XMLPattern) -> String? {
    let bytes =
      Array(text.utf8) + [UInt8](repeating: 0, count: ByteScan.paddingByteCount)
    var places: [Range<Int>] = []
    var run = 0
    return pattern.match(bytes.span, from: 0, knowing: &run, &places).map { count in
      "\(count) "
        + places.map { String(decoding: bytes[$0], as: UTF8.self) }.joined(separator: "|")
    }
  }

  @Test("are met where nothing else is different")
  func met() throws {
    let pattern = try #require(self.pattern("\n<e a=\"1\" b=\"2\"/>"))
    #expect(match("\n<e a=\"1\" b=\"two\"/><", pattern) == "19 two")
    #expect(match("\n<e a=\"1\" b=\"\"/>", pattern) == "16 ")
    #expect(match("\n<e a=\"1\" b=\"'é=\"/>", pattern) == "20 'é=")
    for other in [
      "<e a=\"1\" b=\"2\"/>", "\n<e a=\"2\" b=\"2\"/>", "\n<e a=\"1\" b=\"2\">",
      "\n<e a=\"1\" b=\"2\" c=\"3\"/>", "\n<e a=\"1\" b=\"&lt;\"/>", "\n<e a=\"1\" b=\"<\"/>",
      "\n<e a=\"1\" b=\">\"/>",
      "\n<e a=\"1\" b=\"\t\"/>", "\n<e a=\"1\" b='2'/>", "\n<e a=\"1\" b=\"2\"/",
      "\n<e a=\"1\" b=\"2",
      "\n<e a=\"1\"", "",
    ] {
      #expect(match(other, pattern) == nil, "\(other)")
    }
  }

  @Test("are told apart by the first part that they don't share")
  func shared() throws {
    let (one, other) = (
      try #require(pattern(#"<e a="1" b="2"/>"#)), try #require(pattern(#"<e a="1" b="3"></e>"#))
    )
    let inner = try #require(pattern(#"<e a="1" b="3"><f b="4"/></e>"#))
    #expect(one.commonRunCount(with: other) == 1 && other.commonRunCount(with: other) == 2)
    #expect(one.commonRunCount(with: inner) == 1 && inner.commonRunCount(with: inner) == 3)
    #expect(match(#"<e a="1" b="x"><f b="y"/></e>"#, inner) == "29 x|y")
    var patterns = XMLPatternList()
    for (number, pattern) in [one, other, inner].enumerated() { patterns.keep(pattern, as: number) }
    let text =
      #"<r><e a="1" b="p"/><e a="1" b="q"><f b="s"/></e><e a="1" b="t"></e><e a="1" b="u"/>"#
    var xml = XMLReader(ByteSource(Array((text + #"<e a="2" b="v"/></r>"#).utf8)))
    _ = try xml.next()
    _ = try xml.next()
    _ = try xml.next()
    let isInFront = xml.leaveEnd()
    #expect(isInFront)
    var met: [String] = []
    xml.passAll(like: &patterns) { element in
      met.append("\(element.number) \(string(element[0]))")
      if element.number == 2 { met.append(string(element[1])) }
      return true
    }
    #expect(patterns.last == 2, "the others were met since")
    #expect(met == ["2 q", "s", "1 t", "0 u"])
  }

  /// What stands in the place of `b` in elements that repeat another.
  private static let values = ["1", "", "20", "é€", "a&lt;b", "&unknown;", "&#65;", "x>y", "it's"]
  private static let elements = [
    "<e a=\"1\" b=\"%\"/>", "\n <e a=\"1\" b=\"%\"/>", "\n <e a=\"&amp;\" b=\"%\"/>",
    "\n <e b=\"%\" a=\"1\"><f c=\"1\"/>\n</e>", "\n <e b=\"%\" a=\"1\"><f c=\"2\"/>\n</e>",
    "\n <e b=\"%\" a=\"1\">text &amp; more</e>", "\n <e a='1' b=\"%\"/>", "\n <e a=\"1\" b=\"%\">",
    "\n <e b=\"%\"", "</e>", "<!-- b=\"%\" -->", "\n <e a=\"1\" b=\"%\"\u{1}/>",
  ]

  /// Every element of a document with its attributes, read with patterns or without; and what was
  /// wrong.
  private func list(
    _ document: String, by size: Int, learning: Bool
  ) throws -> (list: [String], repeatedCount: Int) {
    var xml = XMLReader(
      ByteSource(Array(document.utf8), chunkByteCount: size), skippingText: true)
    var patterns = XMLPatternList()
    var known: [[String]] = []
    var (list, repeatedCount) = ([String](), 0)
    while true {
      if learning, xml.leaveEnd() {
        xml.passAll(like: &patterns) { element in
          list += known[element.number].map { $0 == "b=" ? $0 + string(element[0]) : $0 }
          repeatedCount += 1
          return repeatedCount % 3 > 0
        }
      }
      let (mark, first, faultCount) = (xml.mark, list.count, xml.faultCount)
      guard let event = try xml.next() else { break }
      guard case .start = event else { continue }
      var depth = 1
      append(xml, to: &list)
      // Of the outermost element only what is in it is read as a whole.
      if xml.isNamed("r") { continue }
      while depth > 0, let event = try xml.next() {
        depth += event == .start ? 1 : -1
        if event == .start { append(xml, to: &list) }
      }
      guard learning, xml.faultCount == faultCount, depth == 0, let text = xml.text(since: mark),
        let pattern = XMLPattern(
          of: text, varying: { $1.equals("b") ? 0..<$2.count : nil })
      else { continue }
      let number = patterns.count < 3 ? patterns.count : patterns.last ?? 0
      if number == known.count { known.append([]) }
      known[number] = list[first...].map { $0.hasPrefix("b=") ? "b=" : $0 }
      patterns.keep(pattern, as: number)
    }
    return (
      list + ["\(xml.faultCount) \(xml.replacedByteCount) \(xml.isTruncated)"], repeatedCount
    )
  }

  private func append(_ xml: borrowing XMLReader, to list: inout [String]) {
    list.append(string(xml.name))
    for place in 0..<xml.attributeCount {
      list.append(
        string(xml.attributeName(at: place)) + "=" + string(xml.attributeValue(at: place)))
    }
  }

  private func string(_ bytes: Span<UInt8>) -> String {
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }

  @Test("say what they say to a reader that takes each apart", arguments: 0..<300 as Range<UInt64>)
  func same(seed: UInt64) throws {
    var draw = SplitMix64(seed: seed)
    let common = Self.elements.shuffled(using: &draw).prefix(3)
    var text = "<r>"
    for _ in 0..<Int.random(in: 1...40, using: &draw) {
      let element =
        Int.random(in: 0..<8, using: &draw) > 0
        ? common.randomElement(using: &draw) : Self.elements.randomElement(using: &draw)
      let value = Self.values.randomElement(using: &draw) ?? ""
      text += (element ?? "").replacing("%", with: value)
    }
    let document = text + "</r>"
    let size = Int.random(in: 1...200, using: &draw)
    let (repeated, plain) = (
      try list(document, by: size, learning: true), try list(document, by: size, learning: false)
    )
    #expect(repeated.list == plain.list, "\(document) by \(size)")
  }

  @Test("are passed over and not taken apart")
  func passed() throws {
    let document = "<r>" + String(repeating: "\n <e a=\"1\" b=\"2\"/>", count: 100) + "</r>"
    #expect(try list(document, by: 300, learning: true).repeatedCount > 60)
  }
}
