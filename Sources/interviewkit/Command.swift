// The commands: what each takes besides the settings, what it prints for `--help`, and what runs it.

import JSON

enum Command: String, CaseIterable {
  case serve
  case importKit = "import"
  case export, backup, restore, verify, measure, fonts, token

  /// The options that take a value, in camelCase, besides those of the settings.
  var options: [String] {
    switch self {
    case .serve, .verify, .fonts: []
    case .importKit: ["id", "format"]
    case .export: ["format", "revision", "to"]
    case .backup: ["to"]
    case .restore: ["from"]
    case .measure: ["profile", "mode", "width", "family", "size", "weight", "scale", "locale"]
    case .token: ["role", "name", "member", "expires", "account"]
    }
  }

  /// The options that take none.
  var switches: [String] {
    switch self {
    case .importKit: ["dryRun", "all"]
    case .export: ["all", "force"]
    case .backup, .restore: ["force"]
    case .serve, .verify, .measure, .fonts, .token: []
    }
  }

  var help: String {
    switch self {
    case .serve: Help.serve
    case .importKit: Help.importKit
    case .export: Help.exportKit
    case .backup: Help.backup
    case .restore: Help.restore
    case .verify: Help.verify
    case .measure: Help.measure
    case .fonts: Help.fonts
    case .token: Help.token
    }
  }

  /// - Returns: the exit code.
  func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(words, of: self)
    if arguments.wantsHelp { return InterviewKitCommand.say(help) }
    switch self {
    case .serve: return try await Serve.run(arguments)
    case .importKit: return try await ImportKit.run(arguments)
    case .export: return try await ExportKit.run(arguments)
    case .backup: return try Backup.run(arguments)
    case .restore: return try Restore.run(arguments)
    case .verify: return try Verify.run(arguments)
    case .measure: return try await Measure.run(arguments)
    case .fonts: return try Fonts.run(arguments)
    case .token: return try await Tokens.run(arguments)
    }
  }

  static func named(_ word: String) throws(UsageError) -> Command {
    if let command = Command(rawValue: word) { return command }
    let near = Suggestion.text(for: word, among: allCases.map(\.rawValue) + ["help"])
    throw UsageError("there is no command '\(word)'" + (near.isEmpty ? "; --help lists them" : near))
  }
}
