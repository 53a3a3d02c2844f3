import FHIRModel
import Testing

@testable import REST

@Suite("An answer")
struct AnsweringTests {
  @Test(
    "indented has a line for each value and the values as they were",
    arguments: [
      ("{}", "{}\n"),
      ("[]", "[]\n"),
      (
        #"{"a":1.50,"b":[true,null]}"#,
        "{\n  \"a\": 1.50,\n  \"b\": [\n    true,\n    null\n  ]\n}\n"
      ),
      (#"{"a":"x:{,\"]\\"}"#, "{\n  \"a\": \"x:{,\\\"]\\\\\"\n}\n"),
      ("{ \"a\" :\n{ } }", "{\n  \"a\": {}\n}\n"),
    ])
  func indentation(_ json: String, _ expected: String) {
    #expect(String(decoding: indented(Array(json.utf8)), as: UTF8.self) == expected)
  }

  @Test("links to the configured address, or to the Host of a loopback client")
  func addresses() {
    func base(_ address: PublicAddress, host: String?, isSecure: Bool = false) -> String {
      var headers = Headers()
      if let host { headers.append("Host", host) }
      let request = Request(method: "GET", target: [], headers: headers, isSecure: isSecure)
      return address.trimmed.base(for: request, basePath: "/fhir")
    }
    let fixed = PublicAddress.fixed("https://store.example.org/fhir/")
    #expect(base(fixed, host: "evil.example") == "https://store.example.org/fhir")
    let loopback = PublicAddress.loopback(otherwise: "http://127.0.0.1:8080/fhir")
    let expected = [
      ("localhost:9", "http://localhost:9/fhir"),
      ("127.0.0.1:9", "http://127.0.0.1:9/fhir"),
      ("127.1.2.3", "http://127.1.2.3/fhir"),
      ("[::1]:9", "http://[::1]:9/fhir"),
      ("evil.example", "http://127.0.0.1:8080/fhir"),
      ("127.0.0.1.evil.example", "http://127.0.0.1:8080/fhir"),
      ("localhost:9/x", "http://127.0.0.1:8080/fhir"),
      ("127.+0.0.1", "http://127.0.0.1:8080/fhir"),
      ("localhost@evil.example", "http://127.0.0.1:8080/fhir"),
      ("", "http://127.0.0.1:8080/fhir"),
    ]
    for (host, expected) in expected { #expect(base(loopback, host: host) == expected, "\(host)") }
    #expect(base(loopback, host: nil) == "http://127.0.0.1:8080/fhir")
    #expect(base(loopback, host: "localhost", isSecure: true) == "https://localhost/fhir")
  }

  @Test("to a page in a browser lets only the listed origins read it")
  func origins() {
    func allowed(_ origins: AllowedOrigins, _ origin: String) -> String? {
      var headers = Headers()
      origins.append(to: &headers, origin: origin)
      return headers["Access-Control-Allow-Origin"]
    }
    #expect(allowed(.any, "https://a.example") == "*")
    #expect(allowed(.these(["https://a.example"]), "https://a.example") == "https://a.example")
    #expect(allowed(.these(["https://a.example"]), "https://a.example.evil") == nil)
    #expect(allowed(.these([]), "null") == nil)
  }
}
