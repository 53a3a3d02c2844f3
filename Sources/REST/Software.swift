/// This program, as it tells its name and version wherever it does.
package enum Software {
  package static let name = "Kiln"
  /// By the rules of https://semver.org.
  package static let version = "0.1.0"
}
