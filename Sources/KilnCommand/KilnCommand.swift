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
    do {
      guard let (command, rest) = Command.find(words) else {
        let isAskedFor = words.isEmpty || words == ["--help"] || words == ["help"]
        guard isAskedFor else {
          throw UsageError("there is no command '\(words.joined(separator: " "))'; see kiln --help")
        }
        Output.line(Command.overview)
        return words.isEmpty ? 2 : 0
      }
      if rest.contains("--help") {
        Output.line(command.help)
        return 0
      }
      return try command.run(Arguments(rest, of: command))
    } catch let error as UsageError {
      Output.error(error.description)
      return 2
    } catch {
      Output.error("\(error)")
      return 1
    }
  }
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
