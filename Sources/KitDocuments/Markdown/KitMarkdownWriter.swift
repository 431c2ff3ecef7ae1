// Writes a kit as a Markdown file with its IDs in comments.

internal import InterviewKits
internal import JSON

struct KitMarkdownWriter {
  private(set) var text = ""

  mutating func write(_ kit: Kit) {
    line("---")
    line("interviewkit: 1")
    line("id: \(kit.id)")
    if let language = kit.language { line("language: \(language)") }
    line("status: \(kit.status.rawValue)")
    line("visibility: \(kit.visibility.rawValue)")
    if let overall = kit.overallQuestionID { line("overallQuestionId: \(overall)") }
    line("---")
    line("# " + MarkdownText.escaped(kit.title.string))
    if let instructions = kit.instructions {
      line("")
      quote(instructions, indent: "")
    }
    for section in kit.sections {
      heading(section.title, annotation: ["id: \(section.id)"])
      for question in section.questions { write(question) }
    }
    for scale in kit.scales {
      heading(scale.title, annotation: ["scale", "id: \(scale.id)"])
      for point in scale.points { item(point.label, indent: "", annotation: ["id: \(point.id)"]) }
    }
  }

  private mutating func write(_ question: Question) {
    item(question.text, indent: "", annotation: annotation(of: question))
    if let help = question.help { quote(help, indent: "  ") }
    for option in question.options { item(option.text, indent: "  ", annotation: ["id: \(option.id)"]) }
    for criterion in question.criteria { item(criterion.text, indent: "  ", annotation: ["id: \(criterion.id)"]) }
  }

  private func annotation(of question: Question) -> [String] {
    var entries = ["id: \(question.id)"]
    if question.type != .longText { entries.append("type: \(question.type.rawValue)") }
    if let scale = question.scaleID { entries.append("scale: \(scale)") }
    if question.required { entries.append("required") }
    if question.isPrivate { entries.append("private") }
    switch question.kind {
    case .shortText(let maxLength), .longText(let maxLength):
      if maxLength != KitLimits.answerScalars { entries.append("maxLength: \(maxLength)") }
    default: break
    }
    if let condition = question.visibleWhen {
      entries.append("visibleWhen: \(condition.questionID) = \(Self.json(condition.equals))")
    }
    return entries
  }

  /// A JSON value without the characters that would end the entry or the comment.
  private static func json(_ value: VisibilityCondition.Value) -> String {
    var writer = JSONWriter()
    KitJSON.write(value, to: &writer)
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: writer.bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case ";": result.append(contentsOf: "\\u003b".unicodeScalars)
      case ">": result.append(contentsOf: "\\u003e".unicodeScalars)
      case "<": result.append(contentsOf: "\\u003c".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  // MARK: Lines

  private mutating func line(_ line: String) {
    text += line
    text += "\n"
  }

  private mutating func heading(_ title: ExactText, annotation: [String]) {
    line("")
    line("## \(MarkdownText.escaped(title.string)) <!-- \(annotation.joined(separator: "; ")) -->")
    line("")
  }

  /// A list item whose first line ends with the annotation; further lines of the text stand below it.
  private mutating func item(_ text: ExactText, indent: String, annotation: [String]) {
    let lines = Self.lines(of: text)
    line("\(indent)- \(MarkdownText.escaped(lines[0])) <!-- \(annotation.joined(separator: "; ")) -->")
    for further in lines.dropFirst() { line(further.isEmpty ? "" : indent + "  " + MarkdownText.escaped(further)) }
  }

  private mutating func quote(_ text: ExactText, indent: String) {
    for part in text.string.splitAtLineFeeds() {
      line(part.isEmpty ? indent + ">" : indent + "> " + MarkdownText.escapedInQuote(part))
    }
  }

  /// The lines of a text; line feeds at its ends stay in the first and the last one, as an item begins and ends with
  /// something to read.
  private static func lines(of text: ExactText) -> [String] {
    let parts = text.string.splitAtLineFeeds()
    guard let first = parts.firstIndex(where: { !$0.isEmpty }), let last = parts.lastIndex(where: { !$0.isEmpty })
    else {
      return [text.string]
    }
    var lines = Array(parts[first...last])
    lines[0] = String(repeating: "\n", count: first) + lines[0]
    lines[lines.count - 1] += String(repeating: "\n", count: parts.count - 1 - last)
    return lines
  }
}

extension String {
  /// The parts between line feeds. Not `split` on characters: Swift takes CR LF for one.
  func splitAtLineFeeds() -> [String] {
    utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
  }
}
