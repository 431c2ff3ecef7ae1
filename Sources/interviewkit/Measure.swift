// `measure` and `fonts`: the layout engine on the command line, without a database.

import Glibc
import HTTP
import InterviewKits
import JSON
import RowLayout
import TextLayout

enum Measure {
  // --profile and --profiles are different things: one names a profile, the other the folder.
  static func run(_ arguments: Arguments) async throws -> Int32 {
    guard !arguments.operands.isEmpty else { throw UsageError("measure takes at least one TEXT") }
    if arguments.flags["profile"] == nil { throw UsageError("measure needs --profile, such as ios, android or web") }
    if arguments.flags["width"] == nil {
      throw UsageError("measure needs --width, the view's width in points, dp or CSS pixels, such as --width 343")
    }
    let body = try document(arguments)
    let settings = try Settings.load(flags: arguments.flags)
    // Profiles that somebody sent are in the database: with --data or --database it is asked.
    if arguments.flags["data"] != nil || arguments.flags["database"] != nil {
      return try await measure(
        body, with: LocalAPI.connect(settings, log: Log(level: settings.logLevel), creates: false))
    }
    let engine = try Engine(settings, digestFile: nil)
    let request: MeasureRequest
    do { request = try engine.layouts.measureRequest(body, profiles: engine.profiles) } catch {
      throw UsageError(error.issues.map(said).joined(separator: " "))
    }
    var writer = JSONWriter()
    LayoutJSON.write(engine.layouts.measure(request), to: &writer)
    Files.write(writer.bytes + [0x0A], to: STDOUT_FILENO)
    return 0
  }

  private static func measure(_ body: JSONValue, with local: LocalAPI) async throws -> Int32 {
    var writer = JSONWriter()
    writer.value(body)
    let type = Field("Content-Type", MediaType.json.description)
    let response = try await local.send(.post, "/v1/measure", fields: [type], body: writer.bytes)
    await local.close()
    guard response.status == 200 else { return try refused(response) }
    Files.write(response.body + [0x0A], to: STDOUT_FILENO)
    return 0
  }

  /// Mistakes in options are told by the options' names.
  private static func refused(_ response: Response) throws(UsageError) -> Int32 {
    guard case .array(let issues) = (try? JSONValue.parse(response.body))?["errors"], !issues.isEmpty else {
      return Refused.say(response)
    }
    let said = issues.compactMap { issue -> String? in
      guard case .string(let pointer) = issue["pointer"],
        let option = pointer.split(separator: "/").last.map(String.init),
        Command.measure.options.contains(option), case .string(let message) = issue["message"]
      else { return nil }
      return "--\(option): \(option == "family" ? familyMessage(message) : message)"
    }
    if said.count == issues.count { throw UsageError(said.joined(separator: " ")) }
    return Refused.say(response)
  }

  /// What the API says of a family, in the words of the command line.
  private static func familyMessage(_ message: String) -> String {
    message.split(separator: "/v1/fonts", omittingEmptySubsequences: false).joined(separator: "interviewkit fonts")
  }

  /// What is wrong with an option where no database is asked.
  private static func said(_ issue: Issue) -> String {
    let option = issue.pointer.split(separator: "/").last.map(String.init) ?? ""
    switch option {
    case "family": return "--family: \(familyMessage(issue.message))"
    case "profile": return "--profile: \(issue.message) Profiles that were sent are found with --data, or --database."
    default: return "--\(option): \(issue.message)"
    }
  }

  /// The body of `POST /v1/measure` that the flags stand for.
  private static func document(_ arguments: Arguments) throws -> JSONValue {
    var writer = JSONWriter()
    let flags = arguments.flags
    func number(_ name: String) throws -> JSONValue? {
      guard let text = flags[name] else { return nil }
      guard let value = try? JSONValue.parse(Array(text.utf8)), case .number = value else {
        throw UsageError("--\(name) is a number, not '\(text)'")
      }
      return value
    }
    let numbers = [("width", try number("width")), ("scale", try number("scale"))]
    let font = [("size", try number("size")), ("weight", try number("weight"))]
    writer.object { body in
      for name in ["profile", "mode", "locale"] {
        guard let text = flags[name] else { continue }
        body.name(name)
        body.string(text)
      }
      for case (let name, let value?) in numbers {
        body.name(name)
        body.value(value)
      }
      if flags["family"] != nil || font.contains(where: { $0.1 != nil }) {
        body.member("font") { writer in
          writer.object { body in
            if let family = flags["family"] { body.member("family", family) }
            for case (let name, let value?) in font {
              body.name(name)
              body.value(value)
            }
          }
        }
      }
      body.member("texts") { writer in
        writer.array { list in
          for (row, text) in arguments.operands.enumerated() {
            list.object { body in
              body.member("id", String(row + 1))
              body.member("text", text)
            }
          }
        }
      }
    }
    return try JSONValue.parse(writer.bytes)
  }
}

enum Fonts {
  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.isEmpty else { throw UsageError("fonts takes no operands: '\(arguments.operands[0])'") }
    let settings = try Settings.load(flags: arguments.flags)
    let engine = try Engine(settings, digestFile: nil)
    var writer = JSONWriter()
    engine.layouts.writeFonts(coverage: false, to: &writer)
    Files.write(writer.bytes + [0x0A], to: STDOUT_FILENO)
    return engine.isComplete ? 0 : 1
  }
}
