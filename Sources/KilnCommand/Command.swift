/// One verb of `kiln`.
struct Command: Sendable {
  /// The words that name it: `serve`, `token create`.
  let name: String
  let summary: String
  /// What stands for the operands in the help.
  var operands: [String] = []
  let options: [Option]
  /// `false` for what another command starts.
  var isListed = true
  /// Does the job and returns the exit code.
  let run: @Sendable (Arguments) throws -> Int32

  /// Every command, in the order of the overview.
  static let all: [Command] = [
    serve, ingestDailyValues, ingestAppleHealth, ingestHealthConnect, ingestAgain, samplesList,
    samplesRemove, tokenCreate, tokenList, tokenRevoke, check, backup, restore, reindex, logHead,
    logVerify, search, demo, benchIngest, bench, benchConstant, benchIngestPart,
  ]

  /// The command that the first words name, with the words after its name.
  static func find(_ words: [String]) -> (Command, [String])? {
    for command in all {
      let name = command.name.split(separator: " ").map(String.init)
      if words.starts(with: name) { return (command, Array(words.dropFirst(name.count))) }
    }
    return nil
  }

  func misuse(_ reason: String) -> UsageError {
    UsageError("\(name): \(reason); see kiln \(name) --help")
  }
}

extension Command {
  /// The commands whose names begin with these words; `nil` if there are none.
  static func overview(of words: [String]) -> String? {
    let listed = all.filter { command in
      command.isListed && command.name.split(separator: " ").map(String.init).starts(with: words)
    }
    if listed.isEmpty { return nil }
    let width = listed.map(\.name.count).max() ?? 0
    let lines = listed.map { "  \($0.name.padded(to: width))  \($0.summary)" }
    return "usage: kiln COMMAND [options]\n\n" + lines.joined(separator: "\n")
      + "\n\nkiln COMMAND --help tells its options, kiln --version the version."
  }

  var help: String {
    let words = (["usage: kiln", name] + operands + ["[options]"]).joined(separator: " ")
    let titles = options.map { [$0.name, $0.value].compactMap(\.self).joined(separator: " ") }
    let width = titles.map(\.count).max() ?? 0
    let lines = zip(titles, options).map { title, option in
      "  \(title.padded(to: width))  \(option.help)" + (option.isRequired ? " (required)" : "")
    }
    return ([words, "", summary, ""] + lines).joined(separator: "\n")
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
