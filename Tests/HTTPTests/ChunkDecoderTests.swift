import Testing

@testable import HTTP

@Suite("a chunked body")
struct ChunkDecoderTests {
  private func decode(
    _ text: String, inPiecesOf size: Int = .max, maximum: Int = 1000
  ) throws(Refusal) -> (body: String, used: Int, isComplete: Bool) {
    var decoder = ChunkDecoder(bodyByteCountMaximum: maximum)
    var body: [UInt8] = []
    var used = 0
    let bytes = Array(text.utf8)
    while used < bytes.count, !decoder.isComplete {
      let piece = Array(bytes[used..<(used + min(size, bytes.count - used))])
      used += try decoder.decode(piece.span, into: &body)
    }
    return (String(decoding: body, as: UTF8.self), used, decoder.isComplete)
  }

  @Test("chunks become the body, wherever they are cut", arguments: [1, 2, 3, 5, 100])
  func pieces(size: Int) throws {
    let text = "5\r\nhello\r\n00A;x=\"y\"\r\n, chunked \r\n0\r\nTrailer: dropped\r\nB:\r\n\r\n"
    let (body, used, isComplete) = try decode(text + "GET /", inPiecesOf: size)
    #expect(body == "hello, chunked ")
    #expect(used == text.utf8.count)
    #expect(isComplete)
  }

  @Test("a body that isn't there yet is waited for")
  func incomplete() throws {
    for text in ["", "5", "5\r", "5\r\nhel", "5\r\nhello\r\n", "0\r\n", "0\r\nA: b\r\n"] {
      #expect(try !decode(text).isComplete)
    }
  }

  @Test(
    "what is refused",
    arguments: [
      "\r\n", "g\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "1 \r\n", "1\n", "1\r\r",
      "1 ;a\r\n",
      "1\r\nab", "1\r\na\n", "1\r\na\r\r", "1;a\u{0}\r\n", "1;a\n", "0\r\n\n", "0\r\n A: b\r\n",
      "0\r\nA\r\n", "0\r\nA : b\r\n", "0\r\n: b\r\n", "0\r\nA: b\n", "0\r\nA: \u{1}\r\n",
      "0\r\n\r\r",
    ])
  func malformed(text: String) {
    #expect(throws: Refusal.malformedChunk) { try decode(text) }
  }

  @Test("the limit holds over all chunks and before their bytes have come")
  func limit() throws {
    #expect(try decode("3e8\r\n").isComplete == false)
    for text in [
      "3e9\r\n", "ffffffffffffffff\r\n", "10000000000000000\r\n", "5\r\nhello\r\n3e4\r\n",
    ] {
      #expect(throws: Refusal.bodyTooLarge(byteCountMaximum: 1000)) { try decode(text) }
    }
  }

  @Test("what costs reading and gives no body is bounded")
  func overhead() throws {
    for text in [
      "1;" + String(repeating: "a", count: 9000), String(repeating: "0", count: 9000),
      "0\r\n" + String(repeating: "A: b\r\n", count: 2000),
      String(repeating: "1;aaaaaaaaaaaaaaaaaaaa\r\na\r\n", count: 500),
    ] {
      #expect(throws: Refusal.malformedChunk) { try decode(text) }
    }
    let ones = String(repeating: "1\r\na\r\n", count: 900)
    #expect(try decode(ones).body.count == 900)
  }
}
