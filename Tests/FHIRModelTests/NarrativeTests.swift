import FHIRModel
import Testing

/// https://hl7.org/fhir/R4/narrative.html#xhtml
@Suite("A narrative is one well-formed div of harmless XHTML")
struct NarrativeTests {
  private func issues(_ xhtml: String) -> [String] {
    var writer = JSONWriter()
    writer.string(xhtml)
    let div = String(decoding: writer.bytes, as: UTF8.self)
    return ResourceTests.issues(
      #"{"resourceType":"Patient","text":{"status":"generated","div":\#(div)}}"#)
  }

  @Test(
    "taken",
    arguments: [
      "<div xmlns=\"http://www.w3.org/1999/xhtml\">x</div>",
      "<div xmlns='http://www.w3.org/1999/xhtml' xml:lang=\"hu\" lang=\"hu\">é 😀</div>",
      " <div>\n<p class = \"a\" >a<br/>b<br />c</p ><!-- <script> --><hr></hr></div>\n",
      "<div><table border=\"1\"><tr><td style=\"color: red\">&lt;&#160;&#xA0;&nbsp;</td></tr></table></div>",
      "<div><div><a href=\"#x\" name=\"y\">z</a><img src=\"#i\" alt=\"'\"/></div></div>",
    ])
  func taken(xhtml: String) {
    #expect(issues(xhtml) == [])
  }

  @Test(
    "refused",
    arguments: [
      "x", "<p>x</p>", "<divx>x</divx>", "<div>x", "<div>x</p>", "<div>x</div>y",
      "<div><p>x</div></p>",
      "<div>x</div><div>y</div>", "<div><script>x</script></div>", "<div><SCRIPT>x</SCRIPT></div>",
      "<div><img src=\"x\" onerror=\"y\"/></div>", "<div onclick='x'>x</div>", "<div><form/></div>",
      "<div><iframe src=\"x\"/></div>", "<div><object/></div>", "<div><link href=\"x\"/></div>",
      "<div class=x>x</div>", "<div class>x</div>", "<div class=\"<b>\">x</div>",
      "<div class=\"a>x</div>",
      "<div>a & b</div>", "<div>&;</div>", "<div>&lt</div>", "<div>a < b</div>",
      "<div><![CDATA[x]]></div>",
      "<div><?x?></div>", "<!DOCTYPE div><div>x</div>", "<div><!-- x</div>", "<div/ >", "<", "<div",
      "<div>x</div", "<div><a href=\"x\"title=\"y\">z</a></div>", "<svg><div>x</div></svg>",
    ])
  func refused(xhtml: String) {
    #expect(issues(xhtml) == ["value Patient.text.div"])
  }
}
