// `import` and `export`: kits from and to files, through the same API that clients use.

import Glibc
import HTTP
import InterviewKits
import JSON

/// The documents a kit can be in.
enum KitFormat: String, CaseIterable {
  case json, markdown, csv

  var mediaType: MediaType {
    switch self {
    case .json: .json
    case .markdown: .markdown
    case .csv: .csv
    }
  }

  static func named(_ name: String) throws(UsageError) -> KitFormat {
    if let format = KitFormat(rawValue: name) { return format }
    let near = Suggestion.text(for: name, among: allCases.map(\.rawValue))
    throw UsageError("--format is json, markdown or csv, not '\(name)'\(near)")
  }

  /// By the file's ending.
  static func of(file: String) throws(UsageError) -> KitFormat {
    let ending = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
    switch ending {
    case "json": return .json
    case "md", "markdown": return .markdown
    case "csv", "tsv", "txt": return .csv
    default: throw UsageError("name the format of '\(file)' with --format json, markdown or csv")
    }
  }
}

/// What a file's name says of a kit whose text does not: `shift-lead.en.csv` is a title and a language.
struct KitFileName: Equatable {
  let title: String
  let language: String?

  init(_ path: String) {
    let name = path.split(separator: "/").last ?? ""
    var parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1 { parts.removeLast() }
    let last = String(parts.last ?? "")
    language = parts.count > 1 && Self.isLanguage(last) ? last : nil
    if language != nil { parts.removeLast() }
    let bare = parts.joined(separator: ".")
    title = bare.isEmpty || path == "-" ? "Imported kit" : bare
  }

  /// Two letters and subtags, as `en`, `pt-BR`, `zh-Hant`: three letters alone are rather a word.
  private static func isLanguage(_ part: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    let tags = part.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let first = tags.first, first.count == 2, first.allSatisfy(isLetter) else { return false }
    return tags.dropFirst().allSatisfy { tag in
      (2...8).contains(tag.count) && tag.allSatisfy { isLetter($0) || isDigit($0) }
    }
  }
}

enum ImportKit {
  static func run(_ arguments: Arguments) async throws -> Int32 {
    if arguments.flags["all"] != nil { return try Transfers.importAll(arguments) }
    guard arguments.operands.count == 1, let file = arguments.operands.first else {
      throw UsageError("import takes one FILE")
    }
    try Files.requireFile(file)
    let format =
      try arguments.flags["format"].map { name throws(UsageError) in try KitFormat.named(name) }
      ?? KitFormat.of(file: file)
    let settings = try Settings.load(flags: arguments.flags)
    let bytes = try Files.read(file)
    let local = try LocalAPI.connect(settings, log: Log(level: settings.logLevel))
    var pairs = arguments.flags["dryRun"] == nil ? [] : ["dryRun=true"]
    if format != .json {
      let name = KitFileName(file)
      pairs.append("title=" + percentEncoded(name.title))
      if let language = name.language { pairs.append("language=" + percentEncoded(language)) }
    }
    let query = pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    var fields = [Field("Content-Type", format.mediaType.description)]
    let response: Response
    if let name = arguments.flags["id"] {
      let id = try itemID(name)
      fields.append(Field("If-Match", "*"))
      let replaced = try await local.send(.put, "/v1/kits/\(id)\(query)", fields: fields, body: bytes)
      // If-Match fails where there is nothing yet: then the kit is created.
      response =
        replaced.status == 412
        ? try await local.send(.put, "/v1/kits/\(id)\(query)", fields: [fields[0]], body: bytes) : replaced
    } else {
      response = try await local.send(.post, "/v1/kits\(query)", fields: fields, body: bytes)
    }
    let isStored = (200..<300).contains(response.status) && arguments.flags["dryRun"] == nil
    if isStored { await local.close() } else { await local.undo() }
    return report(response, of: file)
  }

  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) && byte < 0x80
      return isPlain ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
  }

  /// Prints the kit's ID, revision and the report; a refusal goes to standard error, a line for each mistake.
  private static func report(_ response: Response, of file: String) -> Int32 {
    guard (200..<300).contains(response.status), let kit = try? JSONValue.parse(response.body) else {
      let problem = try? JSONValue.parse(response.body)
      if response.status == 409, case .string("idTaken") = problem?["code"],
        case .string(let detail) = problem?["detail"]
      {
        // The ID stands between quotes, which no ID holds.
        let id = detail.split(separator: "'").dropFirst().first ?? "ID"
        return Refused.say("the kit '\(id)' of \(file) exists already; --id \(id) replaces it")
      }
      return Refused.say(response, of: file)
    }
    var writer = JSONWriter()
    writer.object { line in
      for name in ["id", "revision", "title", "language", "importReport"] {
        line.name(name)
        line.value(kit[name] ?? .null)
      }
    }
    Files.write(writer.bytes + [0x0A], to: STDOUT_FILENO)
    return 0
  }
}

enum ExportKit {
  static func run(_ arguments: Arguments) async throws -> Int32 {
    if arguments.flags["all"] != nil { return try Transfers.exportAll(arguments) }
    for flag in ["to", "force"] where arguments.flags[flag] != nil { throw UsageError("--\(flag) goes with --all") }
    guard arguments.operands.count == 1, let kit = try arguments.operands.first.map(itemID) else {
      throw UsageError("export takes one KIT")
    }
    let revision = try arguments.flags["revision"].map { text throws(UsageError) in
      guard let number = Int(text), number > 0 else {
        throw UsageError("--revision is a whole number above 0, not '\(text)'")
      }
      return "/revisions/\(number)"
    }
    let format = try KitFormat.named(arguments.flags["format"] ?? "json")
    let settings = try Settings.load(flags: arguments.flags)
    let local = try LocalAPI.connect(settings, log: Log(level: settings.logLevel), creates: false)
    let accept = Field("Accept", format.mediaType.description)
    let response = try await local.send(.get, "/v1/kits/\(kit)\(revision ?? "")", fields: [accept], body: [])
    let missing = response.status == 404 ? try await missing(kit, arguments.flags["revision"], in: local) : nil
    await local.close()
    guard response.status == 200 else { return missing.map(Refused.say) ?? Refused.say(response) }
    Files.write(response.body + (response.body.last == 0x0A ? [] : [0x0A]), to: STDOUT_FILENO)
    return 0
  }
}

extension ExportKit {
  /// What is not there: the revision, or the kit, and which may have been meant.
  private static func missing(_ kit: ItemID, _ revision: String?, in local: LocalAPI) async throws -> String {
    if let revision, case let found = try await local.send(.get, "/v1/kits/\(kit)"), found.status == 200 {
      guard case .number(let newest) = (try? JSONValue.parse(found.body))?["revision"] else {
        return "the kit '\(kit)' has no revision \(revision)"
      }
      return "the kit '\(kit)' has no revision \(revision); its newest is \(newest.text)"
    }
    let page = try await local.send(.get, "/v1/kits?limit=200")
    guard case .array(let kits) = (try? JSONValue.parse(page.body))?["items"] else { return "there is no kit '\(kit)'" }
    let ids = kits.compactMap { if case .string(let id) = $0["id"] { id } else { nil } }
    return "there is no kit '\(kit)'" + Suggestion.text(for: kit.string, among: ids)
  }
}

/// The operand or flag as an ID.
func itemID(_ text: String) throws(UsageError) -> ItemID {
  guard let id = ItemID(text) else {
    throw UsageError("'\(text)' is no ID: 1 to 64 of A-Z a-z 0-9 . _ : -, beginning with a letter or digit")
  }
  return id
}

/// What a command says when the API refuses.
enum Refused {
  static func say(_ message: String) -> Int32 {
    Files.write(Array("interviewkit: \(message)\n".utf8), to: STDERR_FILENO)
    return 1
  }

  /// A line for each mistake, with its line in the file or its place in the document.
  static func say(_ response: Response, of file: String = "") -> Int32 {
    guard let problem = try? JSONValue.parse(response.body), case .string(let detail) = problem["detail"] else {
      return say("the server answered with status \(response.status)")
    }
    guard case .array(let issues) = problem["errors"], !issues.isEmpty else { return say(detail) }
    for issue in issues {
      guard case .string(let message) = issue["message"] else { continue }
      var place = file
      if case .number(let line) = issue["line"] {
        place += ":\(line.text)"
      } else if case .string(let pointer) = issue["pointer"], !pointer.isEmpty {
        place += place.isEmpty ? pointer : " \(pointer)"
      }
      _ = say(place.isEmpty ? message : "\(place): \(message)")
    }
    return 1
  }
}
