import FHIRModel
import Foundation
import KeyValue
import Kiln

/// What the program says: facts on standard output, everything else on standard error.
enum Output {
  static func line(_ text: String) { write(text + "\n", to: .standardOutput) }

  /// A line for whoever runs the program, beside the facts.
  static func notice(_ text: String) { write("kiln: " + text + "\n", to: .standardError) }

  /// One line; line breaks inside become spaces.
  static func error(_ text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    notice(line)
  }

  /// What failed, for a person to read.
  static func reason(of error: any Error) -> String {
    switch error {
    case let error as InteractionError: StoreFailure(error).description
    case StorageError.system(let call, _, let reason): "\(call): \(reason)"
    case StorageError.full: "there is no room left on the disk"
    case let error as CocoaError where error.code == .fileReadNoSuchFile:
      "\(error.filePath ?? "the file") doesn't exist"
    case let error as CocoaError:
      [error.filePath, error.localizedDescription]
        .compactMap(\.self).joined(separator: ": ")
    default: "\(error)"
    }
  }

  /// Prints one JSON object with the members that `body` writes.
  static func json(_ body: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.object(body)
    line(String(decoding: writer.bytes, as: UTF8.self))
  }

  private static func write(_ text: String, to handle: FileHandle) {
    handle.write(Data(text.utf8))
  }
}
