// The arrows of the package: who may import whom. ARCHITECTURE.md shows the same in words.

enum Arrows {
  /// The libraries of ours, C libraries and parts of the toolchain that each target may import.
  static let allowed: [String: Set<String>] = [
    "CLinux": [], "CSQLite": [], "CPostgres": [], "CHarfBuzz": [], "CCrypto": [], "CZlib": [], "CFrontend": [],
    "Frontend": ["CFrontend"],
    "Locks": ["Glibc"],
    "Digests": ["CCrypto"],
    "JSON": ["Glibc"],
    "HTTP": ["Glibc"],
    "InterviewKits": [],
    "Sockets": ["CLinux", "Glibc", "Locks", "Synchronization"],
    "HTTPServer": ["HTTP", "Sockets", "Glibc", "Locks", "Synchronization"],
    "TextLayout": ["CHarfBuzz", "Digests", "JSON", "_FoundationICU", "Glibc", "Locks", "Synchronization"],
    "KitDocuments": ["InterviewKits", "JSON", "Glibc"],
    "RowLayout": ["InterviewKits", "TextLayout", "JSON", "Digests", "Glibc", "Locks", "Synchronization"],
    "SQLDatabase": ["CSQLite", "CPostgres", "Glibc", "Locks", "Synchronization"],
    "Store": ["InterviewKits", "SQLDatabase", "JSON", "Glibc", "Locks", "Synchronization"],
    "API": [
      "HTTP", "JSON", "Frontend", "InterviewKits", "KitDocuments", "Store", "RowLayout", "Digests", "CZlib", "Glibc",
      "Locks", "Synchronization",
    ],
    "interviewkit": ours.union(toolchain).union(["CLinux"]),
    "Bench": ours.union(toolchain),
    "InterviewKitClient": ["Foundation", "FoundationNetworking"],
    "TestKit": ["JSON", "Glibc", "Foundation", "FoundationEssentials", "Locks"],
  ]

  /// Every library of ours but TestKit, which is for tests alone.
  static let ours: Set<String> = [
    "Locks", "Digests", "JSON", "HTTP", "InterviewKits", "Sockets", "HTTPServer", "TextLayout", "KitDocuments",
    "RowLayout", "SQLDatabase", "Frontend", "Store", "API",
  ]

  /// Foundation is not among them: it costs start-up time and memory.
  static let toolchain: Set<String> = ["Glibc", "Synchronization", "FoundationEssentials", "Dispatch"]

  /// The one file that may see the toolchain's ICU is wherever its import stands first; more than one is a fault.
  static let onlyOnce = "_FoundationICU"

  static let maximumFileLines = 400
  static let maximumFunctionLines = 70
}
