/// The program that a value comes from (HealthKit's source revision).
public struct ValueSource: Hashable, Codable, Sendable {
  /// As the person sees it, such as “Watch”.
  public var name: String?
  /// Names the program for programs: letters, digits, `.`, `-` and `_`.
  public var bundleIdentifier: String?
  /// The program's version, or that of the system of the watch.
  public var version: String?

  /// All parts may be unknown.
  public init(name: String? = nil, bundleIdentifier: String? = nil, version: String? = nil) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
    self.version = version
  }
}

/// The device that measured a value.
public struct ValueDevice: Hashable, Codable, Sendable {
  /// As the person sees it.
  public var name: String?
  /// Who made it.
  public var manufacturer: String?
  /// Its model.
  public var model: String?
  /// The maker's name of the model, such as `Watch7,5`.
  public var hardwareVersion: String?

  /// All parts may be unknown.
  public init(
    name: String? = nil, manufacturer: String? = nil, model: String? = nil,
    hardwareVersion: String? = nil
  ) {
    self.name = name
    self.manufacturer = manufacturer
    self.model = model
    self.hardwareVersion = hardwareVersion
  }
}

/// Where a phone keeps the values that it sends.
public enum ValueOrigin: String, Hashable, Codable, Sendable {
  /// Apple's HealthKit.
  case appleHealth = "apple-health"
  /// Android's Health Connect.
  case healthConnect = "health-connect"
}

extension Unicode.Scalar {
  /// A letter, a digit, `.`, `-` or `_` of ASCII.
  var isPlain: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
      || self == "." || self == "-" || self == "_"
  }
}
