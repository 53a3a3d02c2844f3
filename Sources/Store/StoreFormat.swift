extension ResourceStore {
  /// The number of the format that `Format.md` tells. It rises with every change of a key or value
  /// that an older program would misread; engines refuse a store of another format.
  package static let format: UInt32 = 3
}
