import Access
import Crypto
import FHIRModel
import Kiln

extension Command {
  static let logHead = Command(
    name: "log head",
    summary:
      "Prints the end of the access log's chain: keep it elsewhere, and later verify up to it.",
    options: [.store, .json]
  ) { arguments in
    let assembly = try Assembly.open(try arguments.existingStore())
    defer { assembly.close() }
    let head = try assembly.engine.read { try AccessLog().head(in: $0) }
    guard arguments.has("--json") else {
      Output.line(head.hash.bytes.hex)
      return 0
    }
    Output.json { writer in
      writer.member("entries", Int(head.sequence))
      writer.member("head", head.hash.bytes.hex)
    }
    return 0
  }

  static let logVerify = Command(
    name: "log verify",
    summary: "Proves that no entry up to a head was changed, removed or moved.",
    options: [
      .store, .json,
      .optional("--head", "HASH", "as 'kiln log head' printed it; without it a cut end isn't seen"),
    ]
  ) { arguments in
    var head: SHA256?
    if let text = arguments["--head"] {
      guard let bytes = [UInt8](hex: text), let hash = SHA256(digest: bytes) else {
        throw UsageError("log verify: --head takes the hash that 'kiln log head' printed")
      }
      head = hash
    }
    let assembly = try Assembly.open(try arguments.existingStore())
    defer { assembly.close() }
    switch try assembly.engine.read({ try AccessLog().verify(upTo: head, in: $0) }) {
    case .intact(let last):
      guard arguments.has("--json") else {
        Output.line("intact: \(last.sequence) entries, head \(last.hash.bytes.hex)")
        return 0
      }
      Output.json { writer in
        writer.member("intact", true)
        writer.member("entries", Int(last.sequence))
        writer.member("head", last.hash.bytes.hex)
      }
      return 0
    case .broken(let sequence, let fault):
      throw CommandError("entry \(sequence) of the access log is not as it was written: \(fault)")
    case .headNotFound(let last):
      let reason =
        head == LogHead.empty.hash
        ? "zeros are the head of an empty log, and this one has entries"
        : "no entry has that hash: the log was cut or written anew"
      throw CommandError("\(reason) (it ends at entry \(last.sequence))")
    }
  }
}
