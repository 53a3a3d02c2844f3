import DayLists

/// Reads lists of samples from standard input, each ended by an empty line, and writes the values of
/// each, ended by an empty line too.
@main
struct DayValuesProgram {
  static func main() throws {
    var lines: [String] = []
    while let line = readLine() {
      guard line.isEmpty else {
        lines.append(line)
        continue
      }
      for value in try SampleList(lines: lines).values() { print(value) }
      print()
      lines = []
    }
  }
}
