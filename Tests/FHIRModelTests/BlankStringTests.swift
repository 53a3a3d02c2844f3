import FHIRModel
import Testing

@Suite("A string says something")
struct BlankStringTests {
  @Test("white space alone is refused at its place", arguments: [" ", "\\t", "\\n \\r\\n"])
  func blank(text: String) {
    let json = #"{"resourceType":"Patient","name":[{"family":"\#(text)"}]}"#
    do {
      _ = try Resource(parsing: Array(json.utf8))
      Testing.Issue.record("\(json) was taken")
    } catch InteractionError.invalid(let issues) {
      #expect(issues.map(\.expression) == ["Patient.name[0].family"])
    } catch {
      Testing.Issue.record("\(error)")
    }
  }

  @Test("white space at the ends stays as it was sent")
  func surrounded() throws {
    let json = #"{"resourceType":"Patient","name":[{"family":" Synthetic "}]}"#
    let patient = try Resource(parsing: Array(json.utf8))
    #expect(patient.document.bytes == Array(json.utf8))
  }
}
