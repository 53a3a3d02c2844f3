import FHIRModel

/// Why a request was refused before it became an `Interaction`: what HTTP itself has words for.
enum Refusal: Error, Hashable, Sendable {
  /// Nothing is served at this path.
  case unknownPath(String)
  /// What stands in the path as an id can't be one.
  case impossibleID(String)
  /// What stands in the path as a version can't be one.
  case unknownVersion(String)
  /// An operation (`$everything`) that is not offered.
  case unknownOperation(String)
  /// A method that HTTP does not define.
  case unknownMethod(String)
  /// The path is served, but not with this method.
  case methodNotAllowed(String, allowed: [String])
  /// None of the formats that were asked for can be given.
  case notAcceptable(asked: String)
  /// The body is in a format, character set or coding that is not taken; these formats are.
  case unsupportedContent(reason: String, taken: [String])
  /// A header's value can't be read, or can't be honoured here.
  case header(name: String, reason: String)
  /// More in one request than is done in one commit.
  case tooMany(limit: Int)
  /// A search by form that asks with more bytes than the log should keep of one question.
  case longForm(limit: Int)
  /// The path or the body is not what this address takes.
  case unreadable(reason: String)

  static func wordsForID(_ text: String) -> String {
    "'\(text)' is no id: those are 1 to 64 letters, digits, '-' and '.'"
  }
}
