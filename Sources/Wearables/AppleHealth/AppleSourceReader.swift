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
    /// The same with its references as they were written; empty where that isn't known.
    var written: [UInt8] = []
    var position: UInt16?
  }

  /// Mostly two sources alternate.
  private var last: Known?
  private var before: Known?
  private var table = ByteTable<UInt16?>(countMaximum: 16_384)

  /// No person gives a watch a longer one.
  private static let nameLengthMaximum = 500

  /// The position of one of the last two sources, if it is that by what is written of the device with its
  /// references; `nil` if the references must be resolved to tell.
  mutating func position(ofName name: Span<UInt8>, written device: Span<UInt8>) -> UInt16? {
    guard let end = Self.addressEnd(in: device) else { return nil }
    let device = device.extracting(end...)
    if let last, last.isWritten(name, device) { return last.position }
    guard let before, before.isWritten(name, device) else { return nil }
    swap(&last, &self.before)
    return last?.position
  }

  /// Where the first `&gt;` stands, if nothing before it needs a look but `&lt;`.
  private static func addressEnd(in text: Span<UInt8>) -> Int? {
    var position = 0
    while position + 4 <= text.count {
      switch text[position] {
      case UInt8(ascii: "&"):
        guard text[position + 2] == UInt8(ascii: "t"), text[position + 3] == UInt8(ascii: ";")
        else { return nil }
        if text[position + 1] == UInt8(ascii: "g") { return position }
        guard text[position + 1] == UInt8(ascii: "l") else { return nil }
        position += 4
      case ..<0x20, UInt8(ascii: ">"): return nil
      default: position += 1
      }
    }
    return nil
  }

  /// The position in `list`, to which a new source is added; `nil` if it holds too many.
  ///
  /// - Parameters:
  ///   - device: empty if nothing is said of it.
  ///   - written: how that was written, to be known again by it; empty if it isn't to be.
  mutating func position(
    ofName name: Span<UInt8>, device: Span<UInt8>, written: [UInt8] = [], in list: inout SourceList
  ) -> UInt16? {
    let addressEnd = device.firstPosition(of: UInt8(ascii: ">"))
    let device = device.extracting(
      (addressEnd < device.count ? addressEnd : 0)..<device.count)
    if written.isEmpty {
      if let last, last.isOf(name, device) { return last.position }
      swap(&last, &before)
      if let last, last.isOf(name, device) { return last.position }
    } else {
      swap(&last, &before)
    }
    var known = Known()
    known.name.append(copying: name)
    known.device.append(copying: device)
    if let end = Self.addressEnd(in: written.span) { known.written = Array(written[end...]) }
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
  fileprivate func isWritten(_ name: Span<UInt8>, _ device: Span<UInt8>) -> Bool {
    written.span.equals(device) && self.name.span.equals(name)
  }

  fileprivate func isOf(_ name: Span<UInt8>, _ device: Span<UInt8>) -> Bool {
    self.name.span.equals(name) && self.device.span.equals(device)
  }
}
