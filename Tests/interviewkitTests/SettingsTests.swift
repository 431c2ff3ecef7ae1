// The settings: where they come from, what is refused, and that docs/configuration.md tells of every one.

import Foundation
import TestKit
import Testing

@testable import interviewkit

@Suite struct SettingsTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func configuration(_ text: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/interviewkit.json"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `options outrank variables, and variables the file`() throws {
    let folder = TemporaryFolder()
    let file = try configuration(#"{"port": 1, "host": "file", "data": "d", "cacheMegabytes": 7}"#, in: folder)
    let environment = ["INTERVIEWKIT_PORT": "2", "INTERVIEWKIT_HOST": "variable", "INTERVIEWKIT_CONFIG": file]
    let settings = try Settings.load(flags: ["port": "3"], environment: environment)
    #expect(settings.port == 3 && settings.host == "variable" && settings.cacheMegabytes == 7)
    #expect(settings.data == folder.path + "/d")
  }

  @Test(arguments: [
    (#"{"prot": 1}"#, #"there is no setting "prot"; did you mean 'port'? There are host"#),
    (#"{"loglevel": "info"}"#, #"there is no setting "loglevel"; did you mean 'logLevel'?"#),
    (#"{"bogusthing": 1}"#, #"there is no setting "bogusthing". There are host, port"#),
    (#"{"logLevel": "inof"}"#, #""logLevel" is one of debug, info, warning, error, not "inof"; did you mean 'info'?"#),
    (#"{"forwardedField": "x-forwarded-for"}"#, "did you mean 'X-Forwarded-For'?"),
    (#"{"port": "+5"}"#, "is a whole number from 0 to 65535"),
    (#"{"port": true}"#, "is a string or a number"),
    (
      #"{"allowedOrigins": ["https://a"]}"#,
      #""allowedOrigins" is a string, comma-separated, such as "https://app.example,http://localhost:5173""#
    ),
    (#"{"trustedProxies": {}}"#, #""trustedProxies" is a string, comma-separated, such as "10.0.0.0/8,::1""#),
  ])
  func `a file with a slip is refused, and what may have been meant is told`(text: String, told: String) throws {
    let folder = TemporaryFolder()
    let file = try configuration(text, in: folder)
    let error = #expect(throws: SettingsError.self) { try Settings.load(flags: ["config": file], environment: [:]) }
    #expect(error?.message.contains(told) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [("port", "abc"), ("port", "99999"), ("logLevel", "verbose"), ("rateLimit", "lots"), ("host", "")])
  func `a wrong value is the command line's mistake only where the command line gave it`(name: String, value: String)
    throws
  {
    let folder = TemporaryFolder()
    let file = try configuration("{}", in: folder)
    let option = #expect(throws: SettingsError.self) {
      try Settings.load(flags: ["config": file, name: value], environment: [:])
    }
    #expect(option?.exitCode == 64 && option?.message.hasPrefix(Settings.flag(for: name)) == true)
    let variable = #expect(throws: SettingsError.self) {
      try Settings.load(flags: ["config": file], environment: [Settings.variable(for: name): value])
    }
    #expect(variable?.exitCode == 78)
    let bad = try configuration("{\"\(name)\": \"\(value)\"}", in: folder)
    let written = #expect(throws: SettingsError.self) { try Settings.load(flags: ["config": bad], environment: [:]) }
    #expect(written?.exitCode == 78)
  }

  @Test(arguments: [
    ("INTERVIEWKIT_PROT", "INTERVIEWKIT_PORT"), ("INTERVIEWKIT_RATELIMIT", "INTERVIEWKIT_RATE_LIMIT"),
    ("INTERVIEWKIT_LOGLEVEL", "INTERVIEWKIT_LOG_LEVEL"), ("INTERVIEWKIT_CONFG", "INTERVIEWKIT_CONFIG"),
    ("INTERVIEWKIT_port", "INTERVIEWKIT_PORT"), ("INTERVIEWKIT_DATABSE", "INTERVIEWKIT_DATABASE"),
  ])
  func `a variable with a slip is refused`(variable: String, meant: String) {
    let error = #expect(throws: SettingsError.self) { try Settings.load(flags: [:], environment: [variable: "1"]) }
    #expect(error?.message == "there is no variable \(variable); did you mean \(meant)?")
  }

  @Test func `other variables with our prefix are anybody's`() throws {
    let folder = TemporaryFolder()
    let file = try configuration("{}", in: folder)
    // Those that the scripts take, and those that a cluster sets for a service of this name.
    let names = ["URL", "BINARY", "ROUNDS", "FAULT_ROUNDS", "SERVICE_HOST", "SERVICE_PORT", "PORT_8080_TCP_ADDR"]
    let environment = Dictionary(uniqueKeysWithValues: names.map { ("INTERVIEWKIT_\($0)", "tcp://10.0.0.1:8080") })
    let settings = try Settings.load(flags: ["config": file], environment: environment)
    #expect(settings.port == 8_080)
  }

  // MARK: The reference

  /// One line of the table: the cells' text without the backticks.
  private struct Line {
    let setting: String
    let option: String
    let variable: String
    let standard: String
    let says: String
  }

  private func lines() throws -> [Line] {
    let text = try String(contentsOf: Self.root.appendingPathComponent("docs/configuration.md"), encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
      }
      guard line.hasPrefix("| `"), cells.count == 5, cells[1].hasPrefix("--") else { return nil }
      return Line(setting: cells[0], option: cells[1], variable: cells[2], standard: cells[3], says: cells[4])
    }
  }

  @Test func `the reference has a line for every setting, and for nothing else`() throws {
    let lines = try lines()
    #expect(lines.map(\.setting).sorted() == (Settings.names + ["config"]).sorted())
    for line in lines {
      #expect(line.option == Settings.flag(for: line.setting))
      #expect(line.variable == Settings.variable(for: line.setting))
    }
  }

  @Test func `the defaults that the reference names are those of the program`() throws {
    let folder = TemporaryFolder()
    let file = try configuration("{}", in: folder)
    let bare = try Settings.load(flags: ["config": file], environment: [:])
    for line in try lines() where line.setting != "config" {
      // A default in words is one that depends on the machine or on another setting.
      if line.setting == "maximumConnections" || line.standard == "none" { continue }
      let set = try Settings.load(flags: ["config": file, line.setting: line.standard], environment: [:])
      #expect(values(of: set) == values(of: bare), "\(line.setting): \(line.standard)")
    }
  }

  @Test func `the ranges that the reference names are those of the program`() throws {
    let folder = TemporaryFolder()
    let file = try configuration("{}", in: folder)
    func spelt(_ number: Substring) -> String {
      var digits = String(number)
      for place in stride(from: digits.count - 3, to: 0, by: -3) {
        digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      }
      return digits
    }
    var count = 0
    for line in try lines() where line.setting != "config" {
      // No number: what takes one says its range.
      let told: String
      do {
        _ = try Settings.load(flags: ["config": file, line.setting: "-"], environment: [:])
        continue
      } catch { told = error.message }
      guard let range = told.firstMatch(of: /whole number from (\d+) to (\d+)/) else { continue }
      let (low, high) = (spelt(range.output.1), spelt(range.output.2))
      #expect(line.says.contains("\(low) to \(high)"), "\(line.setting): \(told)")
      count += 1
    }
    #expect(count >= 10)
  }

  @Test func `an example of a list that a refusal gives is taken`() throws {
    let folder = TemporaryFolder()
    for name in Settings.names {
      let wrong = try configuration("{\"\(name)\": []}", in: folder)
      let error = #expect(throws: SettingsError.self) { try Settings.load(flags: ["config": wrong], environment: [:]) }
      guard let example = error?.message.firstMatch(of: /such as "(.*)"/)?.output.1 else { continue }
      let file = try configuration("{\"\(name)\": \"\(example)\"}", in: folder)
      #expect(throws: Never.self) { try Settings.load(flags: ["config": file], environment: [:]) }
    }
  }

  /// All settings but the list of what was given.
  private func values(of settings: Settings) -> [String: String] {
    let children = Mirror(reflecting: settings).children.filter { $0.label != "given" }
    return Dictionary(uniqueKeysWithValues: children.map { ($0.label ?? "", String(describing: $0.value)) })
  }

  @Test func `the shipped configuration says what the program would do without it`() throws {
    let shipped = try Settings.load(
      flags: ["config": Self.root.appendingPathComponent("Config/interviewkit.json").path], environment: [:])
    let folder = TemporaryFolder()
    var bare = values(of: try Settings.load(flags: ["config": try configuration("{}", in: folder)], environment: [:]))
    var said = values(of: shipped)
    // Paths count from the file.
    for path in ["data", "fonts", "profiles"] { (bare[path], said[path]) = (nil, nil) }
    #expect(said == bare)
  }

  @Test func `every variable that scripts and tests take is in the reference`() throws {
    let text = try String(contentsOf: Self.root.appendingPathComponent("docs/configuration.md"), encoding: .utf8)
    var found: Set<String> = []
    for folder in ["scripts", "Examples", "Tests/EndToEnd", "Tests/Browser", "Tests/Conformance", "Dockerfile"] {
      let path = Self.root.appendingPathComponent(folder).path
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: path))?.map { "\(path)/\($0)" } ?? [path]
      for name in names where !name.contains("__pycache__") {
        guard let source = try? String(contentsOfFile: name, encoding: .utf8) else { continue }
        found.formUnion(source.matches(of: /INTERVIEWKIT_[A-Z_]*[A-Z]/).map { String($0.output) })
      }
    }
    #expect(found.count > 5)
    for variable in found.sorted() { #expect(text.contains("`\(variable)`"), "\(variable) is not in the reference") }
  }
}
