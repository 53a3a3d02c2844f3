import REST

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program `kiln`: finds the command that the words name and runs it.
///
/// Exit codes: 0 done, 1 the command failed, 2 the words are wrong.
@main
struct KilnCommand {
  static func main() {
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  static func run(_ words: [String]) -> Int32 {
    if words.first == "help" { return run(words.dropFirst() + ["--help"]) }
    if words == ["--version"] {
      Output.line("\(Software.name) \(Software.version)")
      return 0
    }
    do {
      guard let (command, rest) = Command.find(words) else {
        let name = words.filter { !isHelp($0) }
        guard let overview = Command.overview(of: name) else {
          throw UsageError("there is no command '\(name.joined(separator: " "))'; see kiln --help")
        }
        let isAskedFor = name.count < words.count
        guard isAskedFor || words.isEmpty else {
          let name = name.joined(separator: " ")
          throw UsageError("'\(name)' begins several commands; see kiln \(name) --help")
        }
        Output.line(overview)
        return isAskedFor ? 0 : 2
      }
      if rest.contains(where: isHelp) {
        Output.line(command.help)
        return 0
      }
      return try command.run(Arguments(rest, of: command))
    } catch let error as UsageError {
      Output.error(error.description)
      return 2
    } catch {
      Output.error(Output.reason(of: error))
      return 1
    }
  }

  private static func isHelp(_ word: String) -> Bool { ["--help", "-h"].contains(word) }
}

/// The words after `kiln` are not what the command takes.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A command could not do its job, for a reason that its message names.
struct CommandError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
