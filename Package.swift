// swift-tools-version: 6.2

import PackageDescription

// Every room of the store is a target, and this table is the whole of what may import what:
// the Tidy test reads it and refuses an import that is not listed here.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
]

func room(
  _ name: String, imports: [Target.Dependency] = [], features: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: imports, swiftSettings: strict + features)
}

func tests(of name: String, imports: [Target.Dependency]) -> Target {
  .testTarget(name: name + "Tests", dependencies: imports, swiftSettings: strict)
}

let package = Package(
  name: "Kiln",
  platforms: [.macOS(.v26), .iOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Kiln", targets: ["Kiln"]),
    .library(name: "KilnClient", targets: ["KilnClient"]),
    .executable(name: "kiln", targets: ["KilnCommand"]),
  ],
  targets: [
    // C libraries and the facts of R4
    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .target(name: "CSystem"),
    .target(
      name: "FHIRSpec", path: "spec",
      exclude: ["README.md", "NOTICE.md", "derive.py", "derive_folding.py", "tables"],
      sources: ["FHIRSpec.c"]),

    // rooms, from the bottom up
    room("Crypto", imports: ["COpenSSL"]),
    room(
      "Archive", imports: ["CArchive", "CSQLite"],
      features: [.enableExperimentalFeature("Lifetimes")]),
    room("KeyValue"),
    room("LMDBStorage", imports: ["KeyValue", "CLMDB", "CSystem"]),
    room("FHIRModel", imports: ["FHIRSpec"]),
    room("Search", imports: ["FHIRModel", "KeyValue", "Crypto"]),
    room("Store", imports: ["Search", "FHIRModel", "KeyValue"]),
    room("Access", imports: ["Store", "FHIRModel", "KeyValue", "Crypto"]),
    room("Wearables", imports: ["FHIRModel", "Archive"]),
    room("REST", imports: ["Access", "Wearables", "FHIRModel"]),
    room("HTTP", imports: ["REST", "COpenSSL", "CSystem"]),
    room(
      "Kiln",
      imports: [
        "Crypto", "KeyValue", "LMDBStorage", "FHIRModel", "Search", "Store", "Access", "Wearables",
        "REST",
      ]),
    .executableTarget(
      name: "KilnCommand",
      dependencies: [
        "Crypto", "KeyValue", "LMDBStorage", "FHIRModel", "Search", "Store", "Access", "Wearables",
        "REST", "HTTP", "Kiln", "Archive",
      ],
      swiftSettings: strict),

    // what a phone's app links: none of the rooms, no C library
    room("KilnClient"),

    // programs that the checks drive
    .executableTarget(
      name: "StorageNeighbour", dependencies: ["KeyValue", "LMDBStorage"],
      path: "Tests/StorageNeighbour"),
    .executableTarget(
      name: "PowerCutLoader", dependencies: ["KeyValue", "LMDBStorage"],
      path: "Tests/PowerCut/Loader", swiftSettings: strict),

    .executableTarget(
      name: "CrashLoader",
      dependencies: ["Store", "Search", "FHIRModel", "KeyValue", "LMDBStorage"],
      path: "Tests/Crash/Loader", swiftSettings: strict),

    // an app with an outbox, to be killed
    .executableTarget(
      name: "ClientNeighbour", dependencies: ["KilnClient"], path: "Tests/ClientNeighbour",
      swiftSettings: strict),

    // a server for the checks that try the HTTP room from outside
    .executableTarget(
      name: "HTTPEcho", dependencies: ["HTTP", "REST"], path: "Tests/HTTPEcho",
      swiftSettings: strict),

    // the engine of day values, for the comparison with a second program
    .target(
      name: "DayLists", dependencies: ["Wearables"], path: "Tests/DayValues/Lists",
      swiftSettings: strict),
    .executableTarget(
      name: "DayValuesProgram", dependencies: ["DayLists"], path: "Tests/DayValues/Program",
      swiftSettings: strict),

    // what tests share
    .target(name: "SeededNumbers", path: "Tests/SeededNumbers", swiftSettings: strict),
    .target(
      name: "HTTPFixtures",
      dependencies: ["REST", "Access", "Store", "Search", "FHIRModel", "KeyValue"],
      path: "Tests/HTTPFixtures", swiftSettings: strict),

    // tests, at each room's door
    tests(of: "HTTP", imports: ["HTTP", "HTTPFixtures", "REST", "CSystem"]),
    tests(of: "FHIRModel", imports: ["FHIRModel"]),
    tests(of: "Specification", imports: ["FHIRModel"]),
    tests(
      of: "Storage", imports: ["KeyValue", "LMDBStorage", "StorageNeighbour", "SeededNumbers"]),
    tests(of: "Tidy", imports: []),
    tests(of: "Crypto", imports: ["Crypto"]),
    tests(of: "Archive", imports: ["Archive", "CSQLite", "SeededNumbers"]),
    tests(
      of: "Access",
      imports: [
        "Access", "Store", "Search", "FHIRModel", "KeyValue", "LMDBStorage", "Crypto",
        "SeededNumbers",
      ]),
    tests(of: "Values", imports: ["FHIRModel"]),
    tests(
      of: "Store",
      imports: ["Store", "Search", "FHIRModel", "KeyValue", "LMDBStorage", "SeededNumbers"]),
    tests(of: "Query", imports: ["FHIRModel"]),
    tests(of: "Search", imports: ["Search", "FHIRModel", "KeyValue", "SeededNumbers"]),
    tests(of: "Kiln", imports: ["Kiln"]),
    tests(
      of: "KilnClient",
      imports: [
        "KilnClient", "ClientNeighbour", "KilnCommand", "HTTP", "REST", "SeededNumbers",
      ]),
    tests(
      of: "REST",
      imports: [
        "REST", "HTTPFixtures", "Access", "Store", "Search", "FHIRModel", "KeyValue",
        "SeededNumbers",
      ]),
    tests(
      of: "Wearables",
      imports: ["Wearables", "FHIRModel", "DayLists", "Archive", "CSQLite", "SeededNumbers"]),
  ]
)
