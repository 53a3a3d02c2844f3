import Foundation

/// An option of a command.
struct Option: Sendable {
  /// With its dashes: `--store`.
  let name: String
  /// What stands for the value in the help (`DIR`); `nil` for a flag.
  let value: String?
  let help: String
  var isRequired = false

  static func required(_ name: String, _ value: String, _ help: String) -> Option {
    Option(name: name, value: value, help: help, isRequired: true)
  }

  static func optional(_ name: String, _ value: String, _ help: String) -> Option {
    Option(name: name, value: value, help: help)
  }

  static func flag(_ name: String, _ help: String) -> Option {
    Option(name: name, value: nil, help: help)
  }

  static let store = required("--store", "DIR", "the store's folder")
  static let json = flag("--json", "print the facts as JSON")
}

/// The words after a command, taken apart by its options.
struct Arguments {
  private let command: Command
  private var values: [String: [String]] = [:]
  /// The words that are no options, in their order.
  private(set) var operands: [String] = []

  /// - Throws: `UsageError` for an unknown option, a missing value, a missing required option, or
  ///   more or fewer operands than the command takes.
  init(_ words: [String], of command: Command) throws {
    self.command = command
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let option = command.options.first(where: { $0.name == parts[0] }) else {
        throw command.misuse("there is no option \(parts[0])")
      }
      values[option.name, default: []].append(
        try Self.value(of: option, inWord: parts.dropFirst().first, rest: &rest, command))
    }
    for option in command.options where option.isRequired && values[option.name] == nil {
      throw command.misuse("\(option.name) is missing")
    }
    guard operands.count == command.operands.count else {
      let wanted = command.operands.isEmpty ? "none" : command.operands.joined(separator: " ")
      let noun = operands.count == 1 ? "operand" : "operands"
      throw command.misuse("\(operands.count) \(noun), expected \(wanted)")
    }
  }

  private static func value(
    of option: Option, inWord value: Substring?, rest: inout ArraySlice<String>, _ command: Command
  ) throws -> String {
    guard option.value != nil else {
      guard value == nil else { throw command.misuse("\(option.name) takes no value") }
      return ""
    }
    if let value { return String(value) }
    guard let next = rest.popFirst() else { throw command.misuse("\(option.name) needs a value") }
    return next
  }

  /// The option's value; of several the last.
  subscript(_ name: String) -> String? { values[name]?.last }

  /// All values of an option, which may come several times or hold several parted by commas.
  func list(_ name: String) -> [String] {
    values[name, default: []].flatMap { $0.split(separator: ",") }
      .map { String($0).trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// What is wrong with the words, named with their command.
  func misuse(_ reason: String) -> UsageError { command.misuse(reason) }

  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option that the command requires.
  func required(_ name: String) throws -> String {
    guard let value = self[name] else { throw UsageError("\(name) is missing") }
    return value
  }

  /// - Throws: `UsageError` if the value is no whole number in `range`.
  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range ~= number else {
      throw UsageError(
        "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A duration such as `50ms`, `2s`, in milliseconds.
  ///
  /// - Throws: `UsageError` if the value is none.
  func milliseconds(_ name: String) throws -> Int? {
    guard let text = self[name] else { return nil }
    let units = [("ms", 1), ("s", 1000)]
    for (unit, factor) in units where text.hasSuffix(unit) {
      if let number = Int(text.dropLast(unit.count)), 0...(3_600_000 / factor) ~= number {
        return number * factor
      }
    }
    throw UsageError("\(name) takes a duration such as 50ms or 2s")
  }
}
