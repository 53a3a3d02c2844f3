import FHIRModel

/// The way of a workout as older exports have it: its places stand inside of the workout, and no file
/// holds them.
enum InlineRoute {
  /// A place as a point of a GPX, as newer exports write it; nothing for one that is nowhere or has no
  /// time.
  static func point(_ location: AppleElement) -> String {
    guard let time = location.stamp("date"), let longitude = number("longitude", in: location),
      let latitude = number("latitude", in: location)
    else { return "" }
    let facts = [
      ("speed", "speed"), ("course", "course"), ("hAcc", "horizontalAccuracy"),
      ("vAcc", "verticalAccuracy"),
    ]
    .compactMap { name, attribute in
      number(attribute, in: location).map { "<\(name)>\($0)</\(name)>" }
    }.joined()
    let height = number("altitude", in: location).map { "<ele>\($0)</ele>" } ?? ""
    return "<trkpt lon=\"\(longitude)\" lat=\"\(latitude)\">\(height)"
      + "<time>\(Instant(milliseconds: time.milliseconds))</time>"
      + (facts.isEmpty ? "" : "<extensions>\(facts)</extensions>") + "</trkpt>\n"
  }

  /// As it is written, if it is a number.
  private static func number(_ attribute: String, in location: AppleElement) -> String? {
    location.number(attribute) == nil ? nil : location[attribute]
  }

  /// The file that holds points.
  static func document(_ points: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Kiln" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      \(points)</trkseg></trk></gpx>

      """.utf8)
  }
}
