// The settings of a run: built-in values, overridden by the file, by the environment, by flags, in that order.

import API
import Glibc
import HTTP
import HTTPServer
import JSON
import Sockets
import Store

/// Why a run can't start; the text is one readable line.
struct SettingsError: Error {
  let message: String
  /// 78, or 64 where an option on the command line has a wrong value.
  var exitCode: Int32 = 78
  init(_ message: String) { self.message = message }
}

struct Settings: Equatable {
  var host = "127.0.0.1"
  var port = 8080
  /// The folder of the database, the socket and the lock.
  var data = "data"
  /// `sqlite:PATH` or a connection string of PostgreSQL; empty means `interviewkit.sqlite` in the data folder.
  var database = ""
  var fonts = "Config/fonts.json"
  var profiles = "Config/profiles"
  /// The bound of the text and row caches together.
  var cacheMegabytes = 32
  /// Writes committed in one transaction, at most.
  var groupWrites = StoreLimits().groupOperations
  var logLevel = LogLevel.info
  var shutdownGraceSeconds = 10
  /// How often readers of the change stream are told that the service is there.
  var heartbeatSeconds = 15
  /// Proxies that are believed about their clients, and the field in which they tell.
  var trustedProxies: [AddressRange] = []
  var forwardedField = ForwardingField.xForwardedFor
  /// How bytes get from and to sockets.
  var transfer = TransferMethod.automatic
  /// A file with the first admin's token, for services that are set up by their environment alone.
  var bootstrapTokenFile = ""
  var limits = ServerLimits.standard
  /// How often a member, and an address, may ask; nil: as often as they like.
  var rateLimit = RateLimit("6000/60")
  var addressRateLimit = RateLimit("12000/60")
  /// Pages of other origins that may use the API.
  var allowedOrigins = CrossOrigin.none
  /// What was given, by name.
  private(set) var given: [String: String] = [:]

  /// The names in the file, in flags (`--shutdown-grace-seconds`) and in the environment
  /// (`INTERVIEWKIT_SHUTDOWN_GRACE_SECONDS`).
  static let names = [
    "host", "port", "data", "database", "fonts", "profiles", "cacheMegabytes", "groupWrites", "logLevel",
    "shutdownGraceSeconds", "heartbeatSeconds", "trustedProxies", "forwardedField", "bootstrapTokenFile", "transfer",
    "headSeconds", "bodySeconds", "idleSeconds", "maximumConnections", "maximumConnectionsPerAddress",
    "rateLimit", "addressRateLimit", "allowedOrigins",
  ]
  /// The settings that a running service takes over when they change.
  static let changeable: Set<String> = ["logLevel", "shutdownGraceSeconds"]
  private static let mayBeEmpty: Set<String> = ["database", "trustedProxies", "allowedOrigins", "bootstrapTokenFile"]
  /// The settings that list several things, with an example each.
  private static let lists = [
    "trustedProxies": "10.0.0.0/8,::1", "allowedOrigins": "https://app.example,http://localhost:5173",
  ]
  /// The settings whose relative paths count from the file that holds them.
  private static let paths: Set<String> = ["data", "fonts", "profiles", "bootstrapTokenFile"]

  var defaultDatabasePath: String { data + "/" + Store.usualFile }
  var databaseURL: String { database.isEmpty ? "sqlite:" + defaultDatabasePath : database }
  /// The database as messages name it: without the password that a connection string may hold.
  /// What the API lets callers ask. No limit for members switches the others off as well.
  var apiLimits: APILimits {
    var limits = APILimits()
    limits.crossOrigin = allowedOrigins
    guard let rateLimit else { return limits }
    (limits.memberRate, limits.addressRate) = (rateLimit, addressRateLimit)
    limits.wrongTokenRate = RateLimit("600/60")
    return limits
  }

  var databaseName: String { databaseURL.hasPrefix("sqlite:") ? databaseURL : "on PostgreSQL" }
  /// The database's file; nil for one that is none.
  var databasePath: String? {
    databaseURL.hasPrefix("sqlite:") ? String(databaseURL.dropFirst("sqlite:".count)) : nil
  }
  var socketPath: String { data + "/interviewkit.sock" }
  /// The token of the command line, while a server runs.
  var keyPath: String { data + "/interviewkit.key" }
  var lockPath: String { data + "/interviewkit.lock" }
  /// The fonts' digests between runs.
  var digestPath: String { data + "/font-digests.json" }

  /// - Parameter flags: values by setting name; `config` names the file.
  static func load(
    flags: [String: String], environment: [String: String] = Environment.all
  ) throws(SettingsError) -> Settings {
    var settings = Settings()
    let named = flags["config"] ?? environment["INTERVIEWKIT_CONFIG"]
    let file = named ?? defaultFile()
    if let file { try settings.apply(file: file) }
    try refuseMisspelt(environment)
    for name in names {
      let variable = variable(for: name)
      if let value = environment[variable] { try settings.set(name, to: value, from: variable) }
    }
    for name in names {
      guard let value = flags[name] else { continue }
      do { try settings.set(name, to: value, from: flag(for: name)) } catch {
        var error = error
        error.exitCode = 64
        throw error
      }
    }
    if file == nil, !Files.exists(settings.fonts) {
      throw SettingsError("there is no Config/interviewkit.json here or above the program; --config names it")
    }
    return settings
  }

  static func flag(for name: String) -> String { "--" + words(of: name).joined(separator: "-") }

  static func variable(for name: String) -> String {
    variablePrefix + words(of: name).joined(separator: "_").uppercased()
  }

  private static let variablePrefix = "INTERVIEWKIT_"

  /// A variable that is nearly one of ours is one of ours with a slip in it. Others may be anybody's, such as those that
  /// the scripts take, or a cluster's for a service of this name.
  private static func refuseMisspelt(_ environment: [String: String]) throws(SettingsError) {
    let known = (names + ["config"]).map { String(variable(for: $0).dropFirst(variablePrefix.count)) }
    for name in environment.keys.sorted() where name.hasPrefix(variablePrefix) {
      let rest = String(name.dropFirst(variablePrefix.count))
      if known.contains(rest) { continue }
      let joined = known.first { $0.filter { $0 != "_" } == rest.uppercased().filter { $0 != "_" } }
      guard let near = joined ?? Suggestion.nearest(to: rest, among: known) else { continue }
      throw SettingsError("there is no variable \(name); did you mean \(variablePrefix)\(near)?")
    }
  }

  private static func words(of name: String) -> [String] {
    name.reduce(into: [""]) { words, letter in
      if letter.isUppercase { words.append("") }
      words[words.count - 1] += letter.lowercased()
    }
  }

  /// `Config/interviewkit.json` in the working folder, else in a folder above the program.
  private static func defaultFile() -> String? {
    var folders = ["."]
    var folder = programFolder()
    while let slash = folder.lastIndex(of: "/") {
      folders.append(folder)
      folder = String(folder[..<slash])
    }
    return folders.map { $0 + "/Config/interviewkit.json" }.first(where: Files.exists)
  }

  private static func programFolder() -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe readlink("/proc/self/exe", &path, path.count)
    guard length > 0 else { return "" }
    let program = String(decoding: path[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return program.lastIndex(of: "/").map { String(program[..<$0]) } ?? ""
  }

  private mutating func apply(file: String) throws(SettingsError) {
    let document: JSONValue
    do { document = try JSONValue.parse(try Files.read(file)) } catch let error as JSONSyntaxError {
      throw SettingsError("\(file), line \(error.line): \(error.message)")
    } catch { throw SettingsError("can't read the configuration \(file): \(error)") }
    guard case .object(let members) = document else { throw SettingsError("\(file) holds no JSON object") }
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    let unknown = members.map(\.name).filter { !Self.names.contains($0) }
    if !unknown.isEmpty {
      let said = unknown.map { "there is no setting \"\($0)\"" + Suggestion.text(for: $0, among: Self.names) }
      let list = said.joined(separator: "; ")
      let end = list.hasSuffix("?") ? "" : "."
      throw SettingsError("\(file): \(list)\(end) There are \(Self.names.joined(separator: ", "))")
    }
    for member in members {
      var value: String
      switch member.value {
      case .string(let text): value = text
      case .number(let number): value = number.text
      default:
        let form = Self.lists[member.name].map { "a string, comma-separated, such as \"\($0)\"" }
        throw SettingsError("\(file): \"\(member.name)\" is \(form ?? "a string or a number")")
      }
      if Self.paths.contains(member.name), !value.hasPrefix("/") { value = folder + "/" + value }
      try set(member.name, to: value, from: "\(file): \"\(member.name)\"")
    }
  }

  private mutating func set(_ name: String, to value: String, from source: String) throws(SettingsError) {
    func number(_ range: ClosedRange<Int>) throws(SettingsError) -> Int {
      guard let number = Int(digits: value), range.contains(number) else {
        throw SettingsError(
          "\(source) is a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(value)\"")
      }
      return number
    }
    if value.isEmpty, !Self.mayBeEmpty.contains(name) { throw SettingsError("\(source) is empty") }
    given[name] = value
    switch name {
    case "host": host = value
    case "port": port = try number(0...65_535)
    case "data": data = value
    case "database":
      guard value.isEmpty || Store.isDatabase(named: value) else {
        throw SettingsError(
          "\(source) is sqlite:PATH, postgres://USER@HOST/NAME or libpq's keywords and values, not \"\(value)\"")
      }
      database = value
    case "fonts": fonts = value
    case "profiles": profiles = value
    case "cacheMegabytes": cacheMegabytes = try number(1...4_096)
    case "groupWrites": groupWrites = try number(1...10_000)
    case "logLevel":
      guard let level = LogLevel(rawValue: value) else {
        throw Self.unknown(value, LogLevel.allCases.map(\.rawValue), source)
      }
      logLevel = level
    case "shutdownGraceSeconds": shutdownGraceSeconds = try number(0...3_600)
    case "heartbeatSeconds": heartbeatSeconds = try number(1...3_600)
    case "trustedProxies":
      trustedProxies = try value.split(separator: ",").map { text throws(SettingsError) in
        guard let range = AddressRange(text.split(separator: " ").joined()) else {
          throw SettingsError("\(source) lists addresses or ranges such as 10.0.0.0/8, or unix; '\(text)' is none")
        }
        return range
      }
    case "forwardedField":
      guard let field = ForwardingField(rawValue: value) else {
        throw Self.unknown(value, ForwardingField.allCases.map(\.rawValue), source)
      }
      forwardedField = field
    case "transfer":
      guard let method = TransferMethod(rawValue: value) else {
        throw Self.unknown(value, TransferMethod.allCases.map(\.rawValue), source)
      }
      transfer = method
    case "bootstrapTokenFile": bootstrapTokenFile = value
    case "headSeconds": limits.headMilliseconds = try number(1...3_600) * 1_000
    case "bodySeconds": limits.bodyMilliseconds = try number(1...3_600) * 1_000
    case "idleSeconds": limits.idleMilliseconds = try number(1...3_600) * 1_000
    case "maximumConnections": limits.connections = try number(1...1_000_000)
    case "maximumConnectionsPerAddress": limits.connectionsPerAddress = try number(1...1_000_000)
    case "rateLimit": rateLimit = try Self.rate(value, from: source)
    case "addressRateLimit": addressRateLimit = try Self.rate(value, from: source)
    case "allowedOrigins": allowedOrigins = try Self.origins(value, from: source)
    default: preconditionFailure("a setting without a place: \(name)")
    }
  }

  private static func unknown(_ value: String, _ words: [String], _ source: String) -> SettingsError {
    let near = Suggestion.text(for: value, among: words)
    return SettingsError("\(source) is one of \(words.joined(separator: ", ")), not \"\(value)\"\(near)")
  }

  private static func rate(_ value: String, from source: String) throws(SettingsError) -> RateLimit? {
    if value == "off" { return nil }
    guard let limit = RateLimit(value) else {
      throw SettingsError("\(source) is off, or requests and seconds such as 600/60, not \"\(value)\"")
    }
    return limit
  }

  private static func origins(_ value: String, from source: String) throws(SettingsError) -> CrossOrigin {
    let listed = value.split(separator: ",").map { String($0.filter { $0 != " " }) }
    guard let origins = CrossOrigin(listed) else {
      throw SettingsError(
        "\(source) lists origins such as https://app.example or http://localhost:5173, comma-separated, not \"\(value)\""
      )
    }
    return origins
  }
}
