import FHIRModel
import Foundation

/// Writes a route where none stands, or one with other points: before them each export writes when it
/// was made, and the route's name by the time of day there.
struct RouteRevision: Revision {
  let resource: Resource
  private let bytes: [UInt8]

  /// - Parameter bytes: the file that the resource holds.
  init(_ resource: Resource, _ bytes: [UInt8]) {
    self.resource = resource
    self.bytes = bytes
  }

  var type: ResourceType { resource.type }
  var mayDelete: Bool { false }

  func revised(_ current: Resource?) -> Resource? {
    guard let current else { return resource }
    return isSame(current.document.root) ? current : resource
  }

  private func isSame(_ root: JSONValue) -> Bool {
    let context = resource.document.root["context"]
    guard context == nil || context?.rawBytes == root["context"]?.rawBytes,
      let first = RouteDocument.firstPoint(in: bytes),
      let text = root["content"]?.elements.first(where: { _ in true })?["attachment"]?["data"]?
        .string,
      let standing = Data(base64Encoded: text).map({ Array($0) }),
      let standingFirst = RouteDocument.firstPoint(in: standing)
    else { return false }
    return bytes[first...] == standing[standingFirst...]
  }
}
