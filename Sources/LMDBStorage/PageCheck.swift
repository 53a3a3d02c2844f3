import CLMDB
import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Looks at every page of a store's data file before LMDB does, which trusts what stands in them: a
/// damaged number would lead it out of the page or the file, and the process would end.
///
/// The pages are read as bytes. Each is seen to be of a known kind, its nodes to lie within it, what
/// they lead to within the file and led to once, and each tree to have as many pages and entries as is
/// kept of it. What the values hold is not looked at.
package struct PageCheck {
  /// A page that can't be what LMDB wrote.
  package struct Fault: Error, Hashable, CustomStringConvertible {
    package let page: UInt64
    package let reason: String
    package var description: String { "page \(page): \(reason)" }
  }

  private let file: DataFile
  /// A bit for every page that was led to.
  private var seen: [UInt8]
  private var faults: [Fault] = []
  /// The pages that may be written anew, and the page that says so.
  private var free: [(page: UInt64, listedBy: UInt64)] = []
  private static let faultCountMaximum = 100

  /// The damaged pages of the store in `folder`, or as many as are worth telling; none if all is well.
  ///
  /// Another process may be writing: the pages are those of one snapshot, which it leaves alone.
  ///
  /// - Throws: `StorageError.system` if the file can't be read.
  package static func faults(ofStoreIn folder: String) throws -> [Fault] {
    let path = StoreFolder(path: folder).dataFile
    // A head that is read while a commit writes it may look damaged, once.
    let faults = try self.faults(in: path)
    return faults.isEmpty ? faults : try self.faults(in: path)
  }

  private static func faults(in path: String) throws -> [Fault] {
    do {
      _ = try DataFile(path).heads()
      return try withSnapshot(of: path) { commit in
        let file = try DataFile(path)
        // Two commits later the head of this one is written over; then a later one is looked at.
        let head = try file.heads().first { $0.commit == commit }
        return try head.map { try walk(from: $0, in: file) }
      }
    } catch let fault as Fault {
      return [fault]
    }
  }

  private static func walk(from head: DataFile.Head, in file: DataFile) throws -> [Fault] {
    var check = PageCheck(file: file, seen: Array(repeating: 0, count: Int(file.pageCount) / 8 + 1))
    for page in 0..<DataFile.headCount { _ = check.isFirstVisit(to: page) }
    let page = head.commit % DataFile.headCount
    try check.noting { try $0.walk(head.freePages, .freePages, namedBy: page) }
    try check.noting { try $0.walk(head.tables, .tables, namedBy: page) }
    check.checkFreePages(upTo: head.lastPage)
    return check.faults
  }

  /// Holds a snapshot, so that no process writes over its pages, and lends its commit until `body`
  /// gives an answer.
  private static func withSnapshot<Result>(
    of path: String, _ body: (UInt64) throws -> Result?
  ) throws -> Result {
    let environment = try unsafe Environment.create()
    defer { unsafe mdb_env_close(environment) }
    try unsafe StorageError.check(
      mdb_env_open(environment, path, UInt32(MDB_RDONLY | MDB_NOTLS | MDB_NOSUBDIR), 0o600),
      "mdb_env_open \(path)")
    for _ in 0..<1000 {
      let answer = try unsafe withTransaction(environment, UInt32(MDB_RDONLY)) {
        try unsafe body(UInt64(mdb_txn_id($0)))
      }
      if let answer { return answer }
    }
    throw StorageError.system(call: "snapshot of \(path)", code: EBUSY, reason: "too many commits")
  }
}

extension PageCheck {
  /// What the values of a tree are.
  private enum Content {
    /// Lists of pages.
    case freePages
    /// Trees of their own, which are no lists of values.
    case tables
    case values
  }

  /// What is free is written over, so that it must be nothing that is in use.
  private mutating func checkFreePages(upTo last: UInt64) {
    guard faults.isEmpty else { return }
    for (page, list) in free {
      guard page <= last, page >= file.pageCount || isFirstVisit(to: page) else {
        return faults.append(
          Fault(page: list, reason: "it says that page \(page) is free, which is in use or beyond"))
      }
    }
  }

  /// - Throws: `Fault` for a value that is no list.
  private mutating func noteFree(in value: ArraySlice<UInt8>, _ number: UInt64) throws {
    let list = DataPage(bytes: value)
    let count = value.count >= 8 ? list.integer(at: 0) as UInt64 : .max
    guard count <= UInt64(value.count / 8 - 1) else {
      throw Fault(page: number, reason: "it lists \(count) free pages in \(value.count) bytes")
    }
    for position in 0..<Int(count) {
      free.append((list.integer(at: 8 + 8 * position), number))
    }
  }

  private mutating func noting(_ body: (inout PageCheck) throws -> Void) throws {
    do { try body(&self) } catch let fault as Fault { faults.append(fault) }
  }

  /// Whether a page is led to for the first time.
  private mutating func isFirstVisit(to page: UInt64) -> Bool {
    let (byte, bit) = (Int(page / 8), UInt8(1) << (page % 8))
    defer { seen[byte] |= bit }
    return seen[byte] & bit == 0
  }

  /// - Parameter page: what the tree is named by.
  /// - Throws: `Fault` for the record; what is wrong below is noted.
  private mutating func walk(
    _ tree: TreeRecord, _ content: Content, namedBy page: UInt64
  ) throws {
    guard tree.root != TreeRecord.noRoot else {
      guard tree.counts == TreeRecord.Counts(), tree.depth == 0 else {
        throw Fault(
          page: page, reason: "it names a tree of \(tree.counts.entries) entries without root")
      }
      return
    }
    guard 1...TreeRecord.depthMaximum ~= tree.depth else {
      throw Fault(page: page, reason: "it names a tree of depth \(tree.depth)")
    }
    var found = TreeRecord.Counts()
    let known = faults.count
    try visit(tree.root, of: tree, content, depth: 1, from: page, &found)
    if faults.count == known, found != tree.counts {
      throw Fault(
        page: page, reason: "it names a tree of \(tree.counts), and there are \(found)")
    }
  }

  private mutating func visit(
    _ number: UInt64, of tree: TreeRecord, _ content: Content, depth: Int, from parent: UInt64,
    _ found: inout TreeRecord.Counts
  ) throws {
    guard faults.count < Self.faultCountMaximum else { return }
    guard number < file.pageCount, isFirstVisit(to: number) else {
      throw Fault(
        page: parent,
        reason: "it leads to page \(number), which is beyond the file or has another place")
    }
    let page = DataPage(bytes: try file.page(number)[...])
    let isLeaf = depth == tree.depth
    guard page.number == number, page.flags.subtracting(.fixed) == (isLeaf ? .leaf : .branch),
      page.flags.contains(.fixed) == (isLeaf && tree.holdsNumbers)
    else { throw Fault(page: number, reason: "its number or kind is another") }
    if let reason = page.fault() { throw Fault(page: number, reason: reason) }
    if tree.hasNumbersAsKeys { try checkNumbers(in: page, isLeaf: isLeaf) }
    guard isLeaf else {
      found.branches += 1
      for position in 0..<page.count {
        let child = page.node(at: position).child
        try noting {
          try $0.visit(child, of: tree, content, depth: depth + 1, from: number, &found)
        }
      }
      return
    }
    found.leaves += 1
    if page.flags.contains(.fixed) {
      guard page.width == tree.width, page.width == TreeRecord.numberByteCount else {
        throw Fault(page: number, reason: "its keys have another width than its tree's")
      }
      found.entries += UInt64(page.count)
      return
    }
    for position in 0..<page.count {
      try noting {
        try $0.visit(page.node(at: position), in: page, of: tree, content, &found)
      }
    }
  }

  /// - Throws: `Fault` for a key that is no number. The first of a branch may be left out.
  private func checkNumbers(in page: DataPage, isLeaf: Bool) throws {
    guard !page.flags.contains(.fixed) else { return }
    for position in 0..<page.count {
      let byteCount = page.node(at: position).keyByteCount
      guard byteCount == TreeRecord.numberByteCount || !isLeaf && position == 0 && byteCount == 0
      else {
        throw Fault(page: page.number, reason: "the key of node \(position) has \(byteCount) bytes")
      }
    }
  }

  /// What a leaf's node holds.
  private mutating func visit(
    _ node: DataPage.Node, in page: DataPage, of tree: TreeRecord, _ content: Content,
    _ found: inout TreeRecord.Counts
  ) throws {
    let value = page.value(of: node)
    let number = page.number
    let isOfSeveral = node.flags.contains(.several)
    guard !isOfSeveral || tree.flags.contains(.several),
      !node.flags.contains(.tree) || isOfSeveral || content == .tables
    else { throw Fault(page: number, reason: "a node's flags are none of its table's") }
    if node.flags.contains(.overflow) {
      guard !tree.flags.contains(.several) else {
        throw Fault(page: number, reason: "the value of a key is as long as none of its table's")
      }
      let first: UInt64 = DataPage(bytes: value).integer(at: 0)
      found.entries += 1
      let count = try overflow(at: first, of: node.valueByteCount, from: number)
      found.overflows += count
      if content == .freePages {
        var value: [UInt8] = []
        for page in first..<first + count { value += try file.page(page) }
        let start = DataPage.headByteCount
        try noteFree(in: value[start..<start + node.valueByteCount], number)
      }
    } else if node.flags.contains(.tree) {
      guard value.count == TreeRecord.byteCount else {
        throw Fault(page: number, reason: "a tree's record has \(value.count) bytes")
      }
      let inner = TreeRecord(value)
      // Else trees could lie in trees, one for every page of the file.
      guard !isOfSeveral || !inner.flags.contains(.several) else {
        throw Fault(page: number, reason: "the values of a key have values of their own")
      }
      found.entries += isOfSeveral ? inner.counts.entries : 1
      try walk(inner, .values, namedBy: number)
    } else if isOfSeveral {
      found.entries += UInt64(try countOfSeveral(in: value, of: tree, number))
    } else {
      guard !tree.flags.contains(.fixed) || value.count == TreeRecord.numberByteCount else {
        throw Fault(page: number, reason: "the value of a key has \(value.count) bytes")
      }
      found.entries += 1
      if content == .freePages { try noteFree(in: value, number) }
    }
  }

  /// The values of a key, in a page inside the node.
  private func countOfSeveral(
    in value: ArraySlice<UInt8>, of tree: TreeRecord, _ number: UInt64
  ) throws -> Int {
    let inner = DataPage(bytes: value)
    let kind: DataPage.Flags =
      tree.flags.contains(.fixed) ? [.leaf, .inner, .fixed] : [.leaf, .inner]
    guard value.count >= DataPage.headByteCount, inner.flags == kind else {
      throw Fault(page: number, reason: "the values of a key are no page")
    }
    guard !tree.flags.contains(.fixed) || inner.width == TreeRecord.numberByteCount else {
      throw Fault(page: number, reason: "the values of a key have \(inner.width) bytes")
    }
    if let reason = inner.fault() {
      throw Fault(page: number, reason: "among the values of a key, \(reason)")
    }
    return inner.count
  }

  private mutating func overflow(
    at first: UInt64, of byteCount: Int, from parent: UInt64
  ) throws -> UInt64 {
    let count = UInt64((DataPage.headByteCount - 1 + byteCount) / file.pageByteCount + 1)
    guard first < file.pageCount, count <= file.pageCount - first else {
      throw Fault(
        page: parent, reason: "a value stands on pages \(first) and following, beyond the file")
    }
    let page = DataPage(bytes: try file.page(first)[...])
    guard page.number == first, page.flags == .overflow, page.overflowPageCount == count else {
      throw Fault(page: first, reason: "it is not the first of \(count) with a long value")
    }
    for number in first..<first + count {
      guard isFirstVisit(to: number) else {
        throw Fault(page: first, reason: "its value shares page \(number) with something else")
      }
    }
    return count
  }
}
