import FHIRModel
import Testing

@Suite("an instant")
struct InstantTests {
  @Test("is written in UTC with milliseconds, rounded down")
  func text() throws {
    #expect(try Instant("2026-11-30T05:21:15.1239999Z").description == "2026-11-30T05:21:15.123Z")
    #expect(try Instant("2026-10-25T00:30:00+02:00").description == "2026-10-24T22:30:00.000Z")
    #expect(Instant(ticks: -1).description == "1969-12-31T23:59:59.999Z")
    #expect(Instant(ticks: -1).inMilliseconds.ticks == -10_000)
  }

  // The three forms of one moment are RFC 9110's own example; 784111777 is Python's value for it.
  @Test(
    "is read from each of HTTP's three forms",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func httpDate(text: String) throws {
    let now = try Instant("2026-11-30T00:00:00Z")
    let read = try #require(Instant(httpDate: text, now: now))
    #expect(read == Instant(ticks: 7_841_117_770_000_000))
  }

  @Test("is written as HTTP's fixed form")
  func writtenHTTPDate() throws {
    #expect(Instant(ticks: 784_111_777 * 10_000_000).httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(try Instant("2026-11-30T05:21:15.9Z").httpDate == "Mon, 30 Nov 2026 05:21:15 GMT")
  }

  @Test("takes a two-digit year for the past when it would lie more than 50 years ahead")
  func shortYear() throws {
    let now = try Instant("2026-11-30T00:00:00Z")
    let past = Instant(httpDate: "Friday, 01-Jan-77 00:00:00 GMT", now: now)
    #expect(past?.description == "1977-01-01T00:00:00.000Z")
    let future = Instant(httpDate: "Tuesday, 01-Jan-76 00:00:00 GMT", now: now)
    #expect(future?.description == "2076-01-01T00:00:00.000Z")
  }

  @Test(
    "is not read from anything else",
    arguments: [
      "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
      "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
      "Xyz, 06 Nov 1994 08:49:37 GMT", "2026-11-30T05:21:15Z", "Sun Nov 6 08:49:37 1994",
    ])
  func refused(text: String) {
    #expect(Instant(httpDate: text, now: Instant(ticks: 0)) == nil)
  }
}
