// Sources: Sources/FHIRModel

/// No text stops the reader of dates. What it takes is an interval, is taken in every wider form with
/// the same meaning, and a written moment is read as itself.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let forms: [FHIRDateTime.Form] = [.date, .instant, .dateTime, .search]
  let read = forms.map { try? FHIRDateTime(bytes.span, as: $0) }
  for narrow in read.prefix(2) where narrow != nil {
    precondition(narrow == read[2], "a date or instant is no dateTime")
  }
  if let dateTime = read[2] {
    precondition(dateTime == read[3], "a dateTime can't be searched for")
  }
  for value in read { if let value { check(value.interval()) } }
  return 0
}

private func check(_ interval: Range<Instant>) {
  precondition(!interval.isEmpty, "it stands for no moment")
  let first = interval.lowerBound
  guard Instant.writable.contains(first) else { return }
  let written = try? Instant(first.description)
  precondition(written == first.inMilliseconds, "a written moment is read as another")
}
