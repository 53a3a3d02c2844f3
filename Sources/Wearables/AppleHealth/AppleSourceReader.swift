import Archive
import FHIRModel

/// Finds the source of a record by its name and what is said of its device.
///
/// The address in the device's description is another one each time, so it is no part of what is
/// looked up.
struct AppleSourceReader {
  fileprivate struct Known {
    var name: [UInt8] = []
    /// From behind the address on.
    var device: [UInt8] = []
    var position: UInt16?
  }

  /// Mostly two sources alternate.
  private var last: Known?
  private var before: Known?
  private var table = ByteTable<UInt16?>(countMaximum: 16_384)

  /// No person gives a watch a longer one.
  private static let nameLengthMaximum = 500

  /// The position in `list`, to which a new source is added; `nil` if it holds too many.
  ///
  /// - Parameter device: empty if nothing is said of it.
  mutating func position(
    ofName name: Span<UInt8>, device: Span<UInt8>, in list: inout SourceList
  ) -> UInt16? {
    let addressEnd = device.firstPosition(of: UInt8(ascii: ">"))
    let device = device.extracting(
      (addressEnd < device.count ? addressEnd : 0)..<device.count)
    if let last, last.isOf(name, device) { return last.position }
    swap(&last, &before)
    if let last, last.isOf(name, device) { return last.position }
    var known = Known()
    known.name.append(copying: name)
    known.device.append(copying: device)
    known.position = look(up: known, in: &list)
    last = known
    return known.position
  }

  private mutating func look(up known: Known, in list: inout SourceList) -> UInt16? {
    table.value(of: (known.name + [0] + known.device).span) { _ in
      let name = String(decoding: known.name, as: UTF8.self)
      let device = String(decoding: known.device, as: UTF8.self)
      return list.position(
        of: Source(
          appleName: String(name.prefix(Self.nameLengthMaximum)),
          device: device.isEmpty ? nil : device))
    }
  }
}

extension AppleSourceReader.Known {
  fileprivate func isOf(_ name: Span<UInt8>, _ device: Span<UInt8>) -> Bool {
    self.name.span.equals(name) && self.device.span.equals(device)
  }
}
