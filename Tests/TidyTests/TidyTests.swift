import FoundationEssentials
import Testing

/// The rules that the compiler doesn't hold: which room may import which, where `unsafe` may stand,
/// and what no file carries.
@Suite("Tidy")
struct TidyTests {
  let tree = Tree()

  /// System modules that are no rooms, and the rooms that may use each; `nil` for all.
  let systemModules: [String: Set<String>?] = [
    "Swift": nil,
    "Synchronization": nil,
    "FoundationEssentials": nil,
    "Dispatch": ["KeyValue", "Access", "Archive", "Wearables", "Kiln", "KilnCommand"],
    "Foundation": ["Wearables", "KilnCommand", "KilnClient"],
    // Linux's half of Foundation's URL loading, and the phone's health store.
    "FoundationNetworking": ["KilnClient"],
    "HealthKit": ["KilnClient"],
    "Glibc": ["LMDBStorage", "HTTP", "Crypto", "Archive", "KilnCommand"],
    "Darwin": ["LMDBStorage", "HTTP", "Crypto", "Archive", "KilnCommand"],
  ]

  let unsafeRooms: Set<String> = ["LMDBStorage", "HTTP", "Crypto", "Archive"]
  let unsafeFiles: Set<String> = [
    "Sources/FHIRModel/Specification/EmbeddedTables.swift",
    // HealthKit's completion handler, whose type doesn't say that it may be called later.
    "Sources/KilnClient/HealthKit/ObserverCompletion.swift",
  ]

  @Test("a room imports only what Package.swift lists for it")
  func importsFollowTheManifest() throws {
    let manifest = Manifest(text: try tree.text(of: "Package.swift"))
    #expect(manifest.rooms.count >= 10, "the manifest was not understood")
    for file in try tree.sources() {
      let allowed = try #require(manifest.rooms[file.room], "no room \(file.room) in Package.swift")
      for name in file.imports where !allowed.contains(name) {
        guard let rooms = systemModules[name] else {
          Issue.record("\(file.path) imports \(name), which Package.swift does not list")
          continue
        }
        #expect(rooms?.contains(file.room) ?? true, "\(file.path) imports \(name)")
      }
    }
  }

  @Test("unsafe code stands only in the rooms that touch C and in the embedded tables")
  func unsafeStaysInItsRooms() throws {
    for file in try tree.sources() where !unsafeRooms.contains(file.room) {
      let isAllowed =
        unsafeFiles.contains(file.path) || file.path.hasPrefix("Sources/FHIRModel/JSON/")
      for line in file.code where !isAllowed {
        #expect(!line.words.contains("unsafe"), "\(file.path): \(line)")
        #expect(!line.contains("@unchecked Sendable"), "\(file.path): \(line)")
      }
    }
  }

  @Test("nothing stops the process or is left for later")
  func nothingIsForced() throws {
    let forbidden = [
      "try!", "fatalError(", "as! ", "nonisolated(unsafe)", "TO" + "DO", "FIX" + "ME",
    ]
    for file in try tree.sources() {
      for line in file.lines {
        for text in forbidden {
          #expect(!line.contains(text), "\(file.path): \(line)")
        }
      }
    }
  }

  /// What apps link: the store in an app, and the client on a phone.
  let publicRooms: Set<String> = ["Kiln", "KilnClient"]

  @Test("the client on a phone stands alone")
  func clientStandsAlone() throws {
    let manifest = Manifest(text: try tree.text(of: "Package.swift"))
    #expect(manifest.rooms["KilnClient"] == [])
    for file in try tree.sources() where file.imports.contains("HealthKit") {
      #expect(file.path.hasPrefix("Sources/KilnClient/HealthKit/"), "\(file.path)")
    }
  }

  @Test("only what apps link is public")
  func onlyProductsArePublic() throws {
    for file in try tree.sources() where !publicRooms.contains(file.room) {
      for line in file.code {
        #expect(!line.words.contains("public"), "\(file.path): \(line)")
      }
    }
  }

  @Test("a file fits into a reader's head")
  func filesAreShort() throws {
    for file in try tree.sources() {
      #expect(file.lines.count <= 400, "\(file.path) has \(file.lines.count) lines")
    }
  }

  @Test("the top level holds what the README's map names")
  func topLevel() throws {
    let allowed: Set<String> = [
      "Package.swift", "Sources", "Tests", "spec", "fixtures", "README.md", "Makefile", "LICENSE",
    ]
    for name in try tree.topLevel() where !name.hasPrefix(".") {
      #expect(allowed.contains(name), "\(name) has no place at the top level")
    }
  }

  @Test("the rules see what they look for")
  func rulesCanFail() throws {
    let manifest = Manifest(
      text: """
        room("Store", imports: ["Search", "KeyValue"]),
        room("KeyValue"),
        .executableTarget(
          name: "KilnCommand",
          dependencies: ["Store"]),
        """)
    #expect(
      manifest.rooms == [
        "Store": ["Search", "KeyValue"], "KeyValue": [], "KilnCommand": ["Store"],
      ])
    let file = SourceFile(
      path: "Sources/Store/Versions.swift",
      text: """
        package import struct CLMDB.MDB_val // import Nothing
        let text = "unsafe // import Words"
        let value = unsafe pointer.pointee
        """)
    #expect(file.room == "Store")
    #expect(file.imports == ["CLMDB"])
    #expect(file.code.map { $0.words.contains("unsafe") } == [false, false, true])
  }
}
