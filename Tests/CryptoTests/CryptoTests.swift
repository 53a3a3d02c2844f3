import Crypto
import Testing

@Suite("Crypto")
struct CryptoTests {
  @Test("SHA-256 gives the digests of FIPS 180-4's examples")
  func digests() {
    let examples = [
      "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq":
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ]
    for (message, digest) in examples {
      #expect(SHA256(of: Array(message.utf8)).description == digest)
    }
    let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(
      SHA256(of: million)
        == SHA256(hex: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"))
  }

  @Test("HMAC-SHA256 gives the codes of RFC 4231, and again for the same key")
  func codes() {
    let short = HMACKey([UInt8](repeating: 0x0b, count: 20))
    let jefe = HMACKey(Array("Jefe".utf8))
    let long = HMACKey([UInt8](repeating: 0xaa, count: 131))
    for _ in 1...2 {
      #expect(
        short.code(of: Array("Hi There".utf8)).hex
          == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
      #expect(
        jefe.code(of: Array("what do ya want for nothing?".utf8)).hex
          == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
      #expect(
        long.code(of: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)).hex
          == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }
  }

  @Test("an empty key is the key of zeros that padding makes of it")
  func emptyKey() {
    // RFC 2104, section 2: the key is filled with zeros to the block's length.
    #expect(
      HMACKey([]).code(of: []).hex
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  @Test("a code is valid for its message alone")
  func validity() {
    let key = HMACKey(Array("key".utf8))
    var code = key.code(of: [1, 2, 3])
    #expect(key.isValid(code, for: [1, 2, 3]))
    #expect(!key.isValid(code, for: [1, 2]))
    #expect(!key.isValid(Array(code.dropLast()), for: [1, 2, 3]))
    code[31] ^= 1
    #expect(!key.isValid(code, for: [1, 2, 3]))
  }

  @Test("random bytes come in the count asked for, and not twice")
  func randomness() throws {
    #expect(try randomBytes(count: 0).isEmpty)
    let first = try randomBytes(count: 32)
    #expect(first.count == 32)
    #expect(try randomBytes(count: 32) != first)
  }

  @Test("random numbers don't come twice, whoever asks, and each of their bits is as often 0 as 1")
  func randomNumbers() async {
    let random = RandomNumbers()
    let numbers = await withTaskGroup { group in
      for _ in 0..<4 { group.addTask { (0..<1_000).map { _ in random.next() } } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(numbers).count == 4_000)
    for bit in 0..<64 {
      // Ten standard deviations of 4,000 throws of a coin.
      #expect((1_684...2_316).contains(numbers.count { $0 >> bit & 1 == 1 }))
    }
  }

  @Test("base64 gives RFC 4648's examples and reads its own alphabet alone")
  func base64() {
    let examples = [
      "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
      "foobar": "Zm9vYmFy",
    ]
    for (plain, text) in examples {
      #expect(Array(plain.utf8).base64 == text)
      let bare = text.filter { $0 != "=" }
      #expect(Array(plain.utf8).base64URL == bare)
      #expect([UInt8](base64URL: bare) == Array(plain.utf8))
    }
    #expect([0xfb, 0xff].base64URL == "-_8")
    #expect([0xfb, 0xff].base64 == "+/8=")
    for wrong in ["A", "Zg==", "Zh", "+/8", "Zm9vYg\n", "Zm9é"] {
      #expect([UInt8](base64URL: wrong) == nil, "\(wrong)")
    }
  }

  @Test("hexadecimal digits are read in both cases and in pairs")
  func hexadecimal() {
    #expect([0x00, 0xff, 0x1a].hex == "00ff1a")
    #expect([UInt8](hex: "00FF1a") == [0x00, 0xff, 0x1a])
    #expect([UInt8](hex: "0") == nil)
    #expect([UInt8](hex: "0g") == nil)
    #expect(SHA256(hex: "00ff") == nil)
  }

  @Test("equality in constant time is equality")
  func equality() {
    #expect(isEqualInConstantTime([], []))
    #expect(isEqualInConstantTime([1, 2], [1, 2]))
    #expect(!isEqualInConstantTime([1, 2], [1, 3]))
    #expect(!isEqualInConstantTime([1, 2], [1, 2, 3]))
  }
}
