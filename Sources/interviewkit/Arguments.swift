// The command line: a command, flags with values, and operands.

import JSON

/// A mistake in the command line; the program says it and exits with 64.
struct UsageError: Error {
  let message: String
  init(_ message: String) { self.message = message }
}

struct Arguments {
  /// Values by name without the dashes, in camelCase: `--content-size large` is `contentSize`.
  private(set) var flags: [String: String] = [:]
  private(set) var operands: [String] = []
  private(set) var wantsHelp = false

  /// - Parameters:
  ///   - words: what follows the command.
  ///   - command: says which options there are; the value of one that takes none is `true`.
  init(_ words: [String], of command: Command) throws(UsageError) {
    let (known, switches) = (Settings.names + ["config"] + command.options, command.switches)
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--help" || word == "-h" {
        wantsHelp = true
      } else if word == "--" {
        operands += rest
        rest = []
      } else if word.hasPrefix("--") {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = Self.camelCase(String(parts[0]))
        if switches.contains(name) {
          guard parts.count == 1 else { throw UsageError("--\(parts[0]) takes no value") }
          flags[name] = "true"
          continue
        }
        guard known.contains(name) else { throw Self.unknown(String(parts[0]), of: command, known + switches) }
        guard flags[name] == nil else { throw UsageError("--\(parts[0]) is given twice") }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
          throw UsageError("--\(parts[0]) needs a value")
        }
        flags[name] = value
      } else if Self.isShortOption(word) {
        throw UsageError("there is no option \(word); interviewkit \(command.rawValue) --help lists them")
      } else {
        operands.append(word)
      }
    }
  }

  /// The command line of another command for the same account of the same database.
  func sameDatabase(_ command: String) -> String {
    let options = ["account", "config", "data", "database"].compactMap { name in
      flags[name].map { "\(Settings.flag(for: name)) \(Self.quoted($0))" }
    }
    return (["interviewkit \(command)"] + options).joined(separator: " ")
  }

  /// The word as a shell takes it.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "/._-:=@+,%".utf8.contains(byte)
    }
    if isPlain, !word.isEmpty { return word }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }

  /// `-p` or `-p3`: a dash and a letter, without blanks. Other words with a dash, as `-`, `-5` or a line of a list, are
  /// operands, and after `--` all are.
  private static func isShortOption(_ word: String) -> Bool {
    let bytes = Array(word.utf8)
    guard bytes.count > 1, bytes[0] == UInt8(ascii: "-"), !bytes.contains(UInt8(ascii: " ")) else { return false }
    return (0x61...0x7A).contains(bytes[1] | 0x20)
  }

  private static func unknown(_ option: String, of command: Command, _ known: [String]) -> UsageError {
    let options = (known + ["help"]).map { String(Settings.flag(for: $0).dropFirst(2)) }
    if let near = Suggestion.nearest(to: option, among: options) {
      return UsageError("there is no option --\(option); did you mean --\(near)?")
    }
    return UsageError("there is no option --\(option); interviewkit \(command.rawValue) --help lists them")
  }

  private static func camelCase(_ flag: String) -> String {
    let words = flag.split(separator: "-")
    return (words.first.map(String.init) ?? "")
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
