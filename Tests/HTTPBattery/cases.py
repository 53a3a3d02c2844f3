"""Requests as bytes, each with the status that RFC 9112 and 9110 ask of a strict server.

A case is (name, bytes, statuses): the statuses of all answers on the connection, in order. A refusal
is the last of them, since the connection must close after it.
"""


def request(line="GET /health HTTP/1.1", *fields, host="Host: x", body=b"", close=True):
    lines = [line] + ([host] if host else []) + list(fields) + (["Connection: close"] if close else [])
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def post(*fields, body=b"", close=True):
    return request("POST /health HTTP/1.1", *fields, body=body, close=close)


def chunked(body, *fields, close=True):
    return post("Transfer-Encoding: chunked", *fields, body=body, close=close)


def repeat(name, texts, make, status):
    return [(f"{name} {text[:60]!r}", make(text), [status]) for text in texts]


GET = request(close=False)
LAST = request()

FRAMING = [
    ("no Host", request(host=None), [400]),
    ("no Host in HTTP/1.0", request("GET /health HTTP/1.0", host=None), [200]),
    ("two Hosts", request("GET /health HTTP/1.1", "Host: y"), [400]),
    ("two equal Hosts", request("GET /health HTTP/1.1", "Host: x"), [400]),
    ("an empty Host", request(host="Host:"), [400]),
    ("Content-Length and Transfer-Encoding", chunked(b"0\r\n\r\n", "Content-Length: 5"), [400]),
    ("Transfer-Encoding and Content-Length", post("Content-Length: 5", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"), [400]),
    ("two different Content-Lengths", post("Content-Length: 5", "Content-Length: 6", body=b"hello!"), [400]),
    ("two equal Content-Lengths", post("Content-Length: 5", "Content-Length: 5", body=b"hello"), [400]),
    ("a list of Content-Lengths", post("Content-Length: 5, 5", body=b"hello"), [400]),
    ("Content-Length beyond 64 bits", post("Content-Length: 18446744073709551621", body=b"hello"), [400]),
    ("Content-Length of leading zeros", post("Content-Length: 005", body=b"hello"), [200]),
    ("Content-Length above the limit", post("Content-Length: 99999999999"), [413]),
    ("Content-Length of 0", post("Content-Length: 0"), [200]),
    ("Content-Length in capitals", post("CONTENT-LENGTH: 5", body=b"hello"), [200]),
    ("Content-Length with a space before the colon", post("Content-Length : 5", body=b"hello"), [400]),
    ("Content-Length with a tab before the colon", post("Content-Length\t: 5", body=b"hello"), [400]),
    ("Content-Length after a vertical tab", post("\x0bContent-Length: 5", body=b"hello"), [400]),
    ("a body with GET", request("GET /health HTTP/1.1", "Content-Length: 5", body=b"hello"), [200]),
    ("Transfer-Encoding in capitals", post("TRANSFER-ENCODING: CHUNKED", body=b"0\r\n\r\n"), [200]),
    ("Transfer-Encoding identity, then chunked", post("Transfer-Encoding: identity", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"), [501]),
    ("Transfer-Encoding chunked, then identity", post("Transfer-Encoding: chunked", "Transfer-Encoding: identity", body=b"0\r\n\r\n"), [400]),
    ("Transfer-Encoding twice", post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"), [400]),
    ("Transfer-Encoding in HTTP/1.0", request("POST /health HTTP/1.0", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"), [400]),
    ("Transfer-Encoding after a vertical tab", post("Transfer-Encoding: \x0bchunked", body=b"0\r\n\r\n"), [400]),
    ("Transfer-Encoding with a space before the colon", post("Transfer-Encoding : chunked", body=b"0\r\n\r\n"), [400]),
    ("a smuggled request behind Content-Length 0", post("Content-Length: 0", body=GET), [200]),
    ("HTTP/1.0 without keep-alive and a second request", request("GET /health HTTP/1.0", close=False) + GET, [200]),
] + repeat("Content-Length", ["+5", "-5", "0x5", "5.", "5 5", "five", "", "5;", "\xb5"],
           lambda text: post("Content-Length: " + text, body=b"hello"), 400) \
  + repeat("Transfer-Encoding", ["xchunked", "identity", "gzip, chunked", "chunked, chunked", "chunked;q=1",
                                 "chunked ,", "\"chunked\"", "cow", ""],
           lambda text: post("Transfer-Encoding: " + text, body=b"0\r\n\r\n"), 501)

LINES = [
    ("an empty line before the request", b"\r\n" + LAST, [200]),
    ("bare LF line ends", LAST.replace(b"\r\n", b"\n"), [400]),
    ("a bare LF after the request line", LAST.replace(b"\r\n", b"\n", 1), [400]),
    ("a bare LF at the end", LAST[:-2] + b"\n", [400]),
    ("a bare CR at the end", LAST[:-2] + b"\rx", [400]),
    ("CR CR LF", LAST.replace(b"\r\n", b"\r\r\n", 1), [400]),
    ("a folded line", request("GET /health HTTP/1.1", "A: b", " c"), [400]),
    ("a folded line with a tab", request("GET /health HTTP/1.1", "A: b", "\tc"), [400]),
    ("a space before the first field", request(host=" Host: x"), [400]),
    ("a bare CR in a value", request("GET /health HTTP/1.1", "A: b\rc"), [400]),
    ("a NUL in a value", request("GET /health HTTP/1.1", "A: b\0c"), [400]),
    ("a NUL in a name", request("GET /health HTTP/1.1", "A\0: b"), [400]),
    ("a control character in a value", request("GET /health HTTP/1.1", "A: b\x01c"), [400]),
    ("DEL in a value", request("GET /health HTTP/1.1", "A: b\x7f"), [400]),
    ("a tab in a value", request("GET /health HTTP/1.1", "A: b\tc"), [200]),
    ("Latin-1 in a value", request("GET /health HTTP/1.1", "A: b\xe9"), [200]),
    ("an empty value", request("GET /health HTTP/1.1", "A:"), [200]),
    ("no colon", request("GET /health HTTP/1.1", "A"), [400]),
    ("an empty name", request("GET /health HTTP/1.1", ": b"), [400]),
    ("a space in a name", request("GET /health HTTP/1.1", "A b: c"), [400]),
    ("Latin-1 in a name", request("GET /health HTTP/1.1", "\xe9: c"), [400]),
    ("every character of a token in a name", request("GET /health HTTP/1.1", "!#$%&'*+-.^_`|~09azAZ: c"), [200]),
    ("a 100 kB field", request("GET /health HTTP/1.1", "A: " + "b" * 100_000), [431]),
    ("a 100 kB name", request("GET /health HTTP/1.1", "A" * 100_000 + ": b"), [431]),
    ("5000 fields", request("GET /health HTTP/1.1", *["A: b"] * 5000), [431]),
    ("99 fields", request("GET /health HTTP/1.1", *["A: b"] * 97), [200]),
    ("two Authorizations", request("GET /health HTTP/1.1", "Authorization: a", "Authorization: b"), [400]),
    ("two If-Matches", request("PUT /health HTTP/1.1", 'If-Match: "1"', 'If-Match: "2"', "Content-Length: 0"), [400]),
    ("two Content-Types", post("Content-Type: a/b", "Content-Type: c/d", "Content-Length: 0"), [400]),
    ("a binary blob", bytes(range(128, 256)) * 4, [400]),
    ("a TLS hello in plain", bytes.fromhex("16030100a5010000a10303") + bytes(160), [400]),
] + repeat("Host", ["a b", "a/b", "x:y", "[::1", "u@x", "a,b", "a\\b", "x:1:2", "a?b", "x:80 80"],
           lambda text: request(host="Host: " + text), 400) \
  + repeat("Host", ["example.org", "example.org:8080", "[::1]", "[::1]:8080", "127.0.0.1:1", "a_b", "x:"],
           lambda text: request(host="Host: " + text), 200)

REQUEST_LINES = repeat("request line", [
    "GET  /health HTTP/1.1", " GET /health HTTP/1.1", "GET /health  HTTP/1.1", "GET /health HTTP/1.1 ",
    "GET /health", "GET /health http/1.1", "GET /health HTTP/11", "GET /health HTTP/1.10",
    "GET /health HTTP/1.", "GET /health HTTP/x.y", "GET\t/health HTTP/1.1", "GET /hea\tlth HTTP/1.1",
    "G(T /health HTTP/1.1", "GET", "GET /\0 HTTP/1.1", "GET /\x7f HTTP/1.1", "GET /\xe9 HTTP/1.1",
    "GET /a b HTTP/1.1", ": /health HTTP/1.1", "GET /health HTTPS/1.1", "GET health HTTP/1.1",
    "GET * HTTP/1.1", "GET http:// HTTP/1.1", "GET http:///a HTTP/1.1", "GET ftp HTTP/1.1", "GET /% HTTP/1.1",
    "GET /%4 HTTP/1.1", "GET /%zz HTTP/1.1", "GET /%00 HTTP/1.1", "GET /../a HTTP/1.1",
    "GET /a/../../b HTTP/1.1", "GET /%2e%2e/ HTTP/1.1", "GET /a/..%2f.. HTTP/1.1",
], lambda line: request(line), 400) + repeat("request line", [
    "GET /health HTTP/2.0", "GET /health HTTP/3.0", "GET /health HTTP/0.9", "GET /health HTTP/1.9",
    "PRI * HTTP/2.0",
], lambda line: request(line), 505) + repeat("request line", [
    "get /health HTTP/1.1", "CONNECT x:80 HTTP/1.1", "FOO /health HTTP/1.1", "GETGET /health HTTP/1.1",
    "A" * 60 + " /health HTTP/1.1",
], lambda line: request(line), 501) + repeat("request line", [
    "GET /health?a=b|c HTTP/1.1", "GET http://example.org/health HTTP/1.1", "GET HTTP://x:80/health?a HTTP/1.1",
    "GET /health?%zz HTTP/1.1", "GET /a/../health HTTP/1.1", "GET //health HTTP/1.1",
    "GET /health?" + "".join(map(chr, range(0x21, 0x7F))) + " HTTP/1.1", "DELETE /health HTTP/1.1",
    "GET /" + "a" * 8000 + " HTTP/1.1",
], lambda line: request(line), 200) + [
    ("OPTIONS *", request("OPTIONS * HTTP/1.1"), [200]),
    ("a target of 9000 bytes", request("GET /" + "a" * 9000 + " HTTP/1.1"), [414]),
    ("a target of 100 kB", request("GET /" + "a" * 100_000 + " HTTP/1.1"), [414]),
]

CHUNKS = [
    ("chunks", chunked(b"5\r\nhello\r\n0A\r\n0123456789\r\n0\r\n\r\n"), [200]),
    ("chunks with an extension", chunked(b"5;a=\"b\"\r\nhello\r\n0\r\n\r\n"), [200]),
    ("chunks with a trailer", chunked(b"0\r\nA: b\r\n\r\n"), [200]),
    ("chunks, then a second request", chunked(b"1\r\na\r\n0\r\n\r\n", close=False) + LAST, [200, 200]),
    ("chunks of 16 hexadecimal digits", chunked(b"0000000000000001\r\na\r\n0\r\n\r\n"), [200]),
    ("a trailer that names Content-Length", chunked(b"0\r\nContent-Length: 5\r\n\r\n", close=False) + LAST, [200, 200]),
    ("a chunk above the limit", chunked(b"fffffff\r\n"), [413]),
    ("a chunk beyond 64 bits", chunked(b"10000000000000005\r\nhello\r\n0\r\n\r\n"), [413]),
    ("chunks that add up above the limit", chunked((b"400000\r\n" + b"x" * 0x400000 + b"\r\n") * 4 + b"1\r\n"), [413]),
] + [(f"chunks {body[:24]!r}", chunked(body), [400]) for body in [
    b"\r\n", b"g\r\n", b"-1\r\n", b"+1\r\na\r\n0\r\n\r\n", b"0x1\r\na\r\n0\r\n\r\n", b" 1\r\na\r\n0\r\n\r\n",
    b"1 \r\na\r\n0\r\n\r\n", b"1\na\n0\n\n", b"1\r\na\n0\r\n\r\n", b"1\r\nab\r\n0\r\n\r\n", b"1\r\na0\r\n\r\n",
    b"1\r\ra\r\n0\r\n\r\n", b"1;a\0\r\na\r\n0\r\n\r\n", b"1;\na\r\n0\r\n\r\n", b"0\r\nA\r\n\r\n",
    b"0\r\n A: b\r\n\r\n", b"0\r\nA : b\r\n\r\n", b"0\r\nA: b\n\r\n", b"0\r\nA: \0\r\n\r\n", b"0\r\n\n",
    b"1,1\r\na\r\n0\r\n\r\n", b"\xb2\r\na\r\n0\r\n\r\n", b"1;" + b"a" * 10_000 + b"\r\na\r\n0\r\n\r\n",
    b"0" * 10_000 + b"1\r\na\r\n0\r\n\r\n", b"0\r\n" + b"A: b\r\n" * 3000 + b"\r\n",
]]

CONNECTION = [
    ("two requests in one write", GET + LAST, [200, 200]),
    ("three, the second one wrong", GET + b"GET  / HTTP/1.1\r\n\r\n" + LAST, [200, 400]),
    ("twenty requests in one write", GET * 19 + LAST, [200] * 20),
    ("nothing after Connection: close", LAST + GET, [200]),
    ("Connection: close in a list", request("GET /health HTTP/1.1", "Connection: x, CLOSE", close=False) + GET, [200]),
    ("HTTP/1.0 that keeps alive", request("GET /health HTTP/1.0", "Connection: keep-alive", close=False) + LAST, [200, 200]),
    ("a body, then a request", post("Content-Length: 5", body=b"hello", close=False) + LAST, [200, 200]),
    ("an expectation that isn't known", post("Expect: the-unexpected", "Content-Length: 0"), [417]),
    ("100-continue in HTTP/1.0", request("POST /health HTTP/1.0", "Expect: 100-continue", "Content-Length: 2", body=b"ab"), [200]),
    ("100-continue with its body", post("Expect: 100-continue", "Content-Length: 2", body=b"ab"), [200]),
    ("HEAD, then GET", request("HEAD /health HTTP/1.1", close=False) + LAST, [200, 200]),
    ("half a request", LAST[:20], []),
    ("nothing at all", b"", []),
    ("half a body", post("Content-Length: 50", body=b"ab"), []),
]

ALL = FRAMING + LINES + REQUEST_LINES + CHUNKS + CONNECTION
