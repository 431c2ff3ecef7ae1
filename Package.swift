// swift-tools-version: 6.2
// The whole package: every target, and the only arrows between them (see ARCHITECTURE.md).
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], linker: [LinkerSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: linker)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name + "Tests", dependencies: dependencies + ["TestKit"], swiftSettings: strict)
}

let package = Package(
  name: "InterviewKit",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    .executable(name: "interviewkit", targets: ["interviewkit"]),
    .library(name: "InterviewKitClient", targets: ["InterviewKitClient"]),
  ],
  targets: [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CPostgres"),
    .systemLibrary(name: "CHarfBuzz", pkgConfig: "harfbuzz"),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),

    .target(name: "CFrontend", dependencies: [], exclude: ["web"]),
    library("Frontend", ["CFrontend"]),

    library("Locks"),
    library("Digests", ["CCrypto"]),
    library("JSON"),
    library("HTTP"),
    library("InterviewKits"),
    library("Sockets", ["Locks", "CLinux"]),
    library("HTTPServer", ["Locks", "HTTP", "Sockets"]),
    library("TextLayout", ["Locks", "CHarfBuzz", "Digests", "JSON"], linker: [.linkedLibrary("_FoundationICU")]),
    library("KitDocuments", ["InterviewKits", "JSON"]),
    library("RowLayout", ["Locks", "InterviewKits", "TextLayout", "JSON", "Digests"]),
    library("SQLDatabase", ["Locks", "CSQLite", "CPostgres"]),
    library("Store", ["Locks", "InterviewKits", "SQLDatabase", "JSON"]),
    library(
      "API",
      [
        "Locks", "HTTP", "JSON", "Frontend", "InterviewKits", "KitDocuments", "Store", "RowLayout", "Digests", "CZlib",
      ]),
    .executableTarget(
      name: "interviewkit",
      dependencies: [
        "API", "HTTP", "HTTPServer", "InterviewKits", "JSON", "KitDocuments", "Locks", "RowLayout", "SQLDatabase",
        "Sockets",
        "Store", "TextLayout",
      ],
      swiftSettings: strict),
    library("InterviewKitClient"),
    library("TestKit", ["Locks", "JSON"]),
    .executableTarget(
      name: "Bench", dependencies: ["API", "HTTP", "InterviewKits", "JSON", "RowLayout", "Store", "TextLayout"],
      swiftSettings: strict),

    tests("Locks", ["Locks"]),
    tests("Digests", ["Digests"]),
    tests("JSON", ["JSON"]),
    tests("Frontend", ["Frontend"]),
    tests("HTTP", ["HTTP"]),
    tests("Sockets", ["Sockets"]),
    tests("HTTPServer", ["Locks", "HTTPServer", "HTTP", "Sockets"]),
    tests("TextLayout", ["TextLayout", "JSON"]),
    tests("InterviewKits", ["Locks", "InterviewKits"]),
    tests("KitDocuments", ["KitDocuments", "InterviewKits", "JSON"]),
    tests("RowLayout", ["RowLayout", "TextLayout", "InterviewKits", "JSON"]),
    tests("SQLDatabase", ["SQLDatabase"]),
    tests("Store", ["Locks", "Store", "SQLDatabase", "InterviewKits", "JSON"]),
    tests(
      "API",
      ["Locks", "API", "CZlib", "HTTP", "JSON", "InterviewKits", "KitDocuments", "Store", "RowLayout", "TextLayout"]),
    tests("InterviewKitClient", ["InterviewKitClient", "Locks", "interviewkit"]),
    tests("interviewkit", ["interviewkit"]),
    tests("Architecture", []),
    tests("TestKit", []),
  ]
)
