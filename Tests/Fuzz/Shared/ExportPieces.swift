/// Documents like exports of Apple Health's, made of what a target was given.
enum ExportPieces {
  /// The bytes as they are, unless they begin with a letter: then each letter stands for a piece of a
  /// document, `j` for a mark, and `J` for three times more what was made since.
  static func document(_ bytes: [UInt8]) -> [UInt8] {
    guard let first = bytes.first, isLetter(first) else { return bytes }
    var (document, mark): ([UInt8], Int) = ([], 0)
    for byte in bytes where document.count < byteCountMaximum {
      switch byte {
      case UInt8(ascii: "j"): mark = document.count
      case UInt8(ascii: "J"): document += repeatElement(document[mark...], count: 3).joined()
      default: document += pieces[byte] ?? [byte]
      }
    }
    return document
  }

  private static let byteCountMaximum = 1 << 14

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static let pieces: [UInt8: [UInt8]] = {
    var pieces: [UInt8: [UInt8]] = [UInt8(ascii: "I"): [0xe2, 0x82]]
    for (letter, text) in texts { pieces[UInt8(ascii: letter)] = Array(text.utf8) }
    return pieces
  }()

  private static let texts: [Unicode.Scalar: String] = [
    "H": #"<HealthData locale="en_US">"#, "h": "</HealthData>",
    "X": "<!DOCTYPE HealthData [<!ELEMENT Record ANY>]>", "Y": "<!-- c -->", "y": "<![CDATA[",
    "R": "<Record", "r": "</Record>", "Q": "<Records",
    "t": #" type="HKQuantityTypeIdentifierStepCount""#,
    "T": #" type="HKQuantityTypeIdentifierBodyMass""#,
    "k": #" type="HKCategoryTypeIdentifierSleepAnalysis""#,
    "K": #" type="HKCategoryTypeIdentifierHighHeartRateEvent""#,
    "n": #" sourceName="A &amp; B""#, "N": " sourceName='Watch'",
    "d": #" device="&lt;&lt;HKDevice: 0x1&gt;, name:Watch&gt;""#,
    "D": #" device="&lt;&lt;HKDevice: 0x2&gt;, name:&thing; &#7;&gt;""#,
    "u": #" unit="count""#, "U": #" unit="kg""#,
    "s": #" startDate="2026-10-20 08:00:00 +0100""#,
    "S": #" startDate="2026-10-25 01:30:00 +0200""#,
    "e": #" endDate="2026-10-20 08:10:00 +0100""#,
    "E": #" endDate="2026-10-25 02:15:00 +0200""#,
    "c": #" creationDate="2026-10-26 09:00:00 +0100""#,
    "v": #" value=""#, "V": #" value="100""#,
    "w": #" value="HKCategoryValueSleepAnalysisAsleepCore""#,
    "W": #" value="HKCategoryValueNotApplicable""#,
    "m": #"<MetadataEntry key="HKWasUserEntered" value="1"/>"#,
    "M": #"<MetadataEntry key="HKTimeZone" value="Asia/Tokyo"/>"#,
    "l": "<HeartRateVariabilityMetadataList>", "L": "</HeartRateVariabilityMetadataList>",
    "q": #"<InstantaneousBeatsPerMinute bpm="61" time="12:00:01,30"/>"#,
    "f": #"<Correlation type="HKCorrelationTypeIdentifierFood""#, "F": "</Correlation>",
    "o": #"<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30""#,
    "O": "</Workout>", "Z": "<WorkoutRoute>",
    "C": #"<Location date="2026-10-20 07:00:00 +0000" latitude="47.5" longitude="19.05"/>"#,
    "a": "<Audiogram", "A": "</Audiogram>",
    "p": #"<ActivitySummary dateComponents="2026-10-20" activeEnergyBurned="3"/>"#,
    "P": #"<Me HKCharacteristicTypeIdentifierBloodType="HKBloodTypeAPositive"/>"#,
    "g": "&lt;", "G": "&thing;", "i": "é", "b": "\r\n", "B": "\t",
    "x": String(repeating: "x", count: 60), "z": #" an_attribute_of_thirty_letters="1""#,
  ]
}
