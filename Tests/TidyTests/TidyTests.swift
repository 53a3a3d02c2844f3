import Testing

@Suite("Tidy")
struct TidyTests {
  @Test("the test runner runs")
  func runs() { #expect(Bool(true)) }
}
