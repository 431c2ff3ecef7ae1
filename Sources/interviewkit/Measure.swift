// `measure` and `fonts`: the layout engine on the command line, without a database.

import Glibc
import InterviewKits
import JSON
import RowLayout

enum Measure {
  private static let own = ["profile", "mode", "width", "family", "size", "weight", "scale", "locale"]

  static func run(_ words: [String]) throws -> Int32 {
    // --profile and --profiles are different things: one names a profile, the other the folder.
    let arguments = try Arguments(words, known: Settings.names + ["config"] + own)
    if arguments.wantsHelp { return InterviewKitCommand.say(Help.measure) }
    guard !arguments.operands.isEmpty else { throw UsageError("measure takes at least one TEXT") }
    let settings = try Settings.load(flags: arguments.flags)
    let engine = try Engine(settings, digestFile: nil)
    let request: MeasureRequest
    do { request = try engine.layouts.measureRequest(try document(arguments), profiles: engine.profiles) } catch let
      error as InvalidMeasureRequest
    {
      throw UsageError(error.issues.map { "--\($0.pointer.dropFirst()): \($0.message)" }.joined(separator: " "))
    }
    var writer = JSONWriter()
    LayoutJSON.write(engine.layouts.measure(request), to: &writer)
    Files.write(writer.bytes + [0x0A], to: STDOUT_FILENO)
    return 0
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
  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: Settings.names + ["config"])
    if arguments.wantsHelp { return InterviewKitCommand.say(Help.fonts) }
    let settings = try Settings.load(flags: arguments.flags)
    let engine = try Engine(settings, digestFile: nil)
    var writer = JSONWriter()
    engine.layouts.writeFonts(coverage: false, to: &writer)
    Files.write(writer.bytes + [0x0A], to: STDOUT_FILENO)
    return engine.isComplete ? 0 : 1
  }
}
