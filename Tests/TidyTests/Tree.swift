import FoundationEssentials

/// The files of this package, found from where this file was compiled.
struct Tree {
  let root: String

  init(path: String = #filePath) {
    root = path.split(separator: "/", omittingEmptySubsequences: false)
      .dropLast(3).joined(separator: "/")
  }

  func text(of path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }

  func topLevel() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root)
  }

  /// Every Swift file under Sources.
  func sources() throws -> [SourceFile] {
    let folder = root + "/Sources"
    return try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }
      .map { SourceFile(path: "Sources/" + $0, text: try text(of: "Sources/" + $0)) }
  }
}

struct SourceFile {
  let path: String
  let lines: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The folder under Sources.
  var room: String { String(path.split(separator: "/")[1]) }

  /// The lines without their comments and without the text of string literals on one line.
  var code: [String] { lines.map(\.withoutCommentsAndLiterals) }

  /// The modules that the file imports, whatever stands before or after the word.
  var imports: [String] {
    code.compactMap { line in
      let words = line.split(separator: " ")
      guard let position = words.firstIndex(of: "import"), position + 1 < words.count else {
        return nil
      }
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "let", "var"]
      let named = kinds.contains(words[position + 1]) ? words[position + 2] : words[position + 1]
      return named.split(separator: ".").first.map(String.init)
    }
  }
}

extension String {
  var words: [Substring] { split { !$0.isLetter && !$0.isNumber && $0 != "_" } }

  var withoutCommentsAndLiterals: String {
    var code = ""
    var isInLiteral = false
    var previous: Character = " "
    for character in self {
      if character == "\"", previous != "\\" { isInLiteral.toggle() }
      if !isInLiteral, character == "/", previous == "/" {
        code.removeLast()
        return code
      }
      if !isInLiteral { code.append(character) }
      previous = character
    }
    return code
  }
}

/// What Package.swift lists for each room: read as text, since a test can't run the manifest.
struct Manifest {
  private(set) var rooms: [String: Set<String>] = [:]

  init(text: String) {
    var rest = Substring(text)
    while let start = rest.firstRange(of: #/room\(\s*"|executableTarget\(\s*name: "/#) {
      rest = rest[start.upperBound...]
      guard let quote = rest.firstIndex(of: "\"") else { return }
      let name = String(rest[..<quote])
      rest = rest[rest.index(after: quote)...]
      rooms[name] = Set(Self.list(in: rest.prefix { $0 != ")" }))
    }
  }

  /// The quoted names of the first bracketed list in `text`.
  private static func list(in text: Substring) -> [String] {
    guard let open = text.firstIndex(of: "["), let close = text.firstIndex(of: "]") else {
      return []
    }
    return text[open..<close].split(separator: "\"").enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }
      .map { String($0.element) }
  }
}
