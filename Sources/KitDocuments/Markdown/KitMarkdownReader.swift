// Reads a Markdown file that `KitMarkdownWriter` wrote and people may have edited.

internal import InterviewKits
internal import JSON

struct KitMarkdownReader {
  private(set) var draft = KitDraft()
  private(set) var report = ImportReport()

  private let lines: [MarkdownLine]
  private let defaults: ImportDefaults
  private var title: String?
  private var instructions: [String]?
  /// The heading that items stand under.
  private var list = List.none
  /// The item that lines are added to, and the one that it is nested in.
  private var question: OpenItem?
  private var child: OpenItem?
  private var blankLines = 0

  private enum List { case none, sections, scales }

  /// An item whose lines are still coming.
  private struct OpenItem {
    let markerIndent: Int
    var node: DraftNode
    var text: [String]
    var help: [String]?
    /// The member that the text becomes.
    let textName: String
  }

  init(_ lines: [MarkdownLine], frontMatter: MarkdownFrontMatter, defaults: ImportDefaults) {
    (self.lines, self.defaults) = (lines, defaults)
    read(frontMatter)
    var isInComment = false
    for line in lines.dropFirst(frontMatter.lineCount) {
      if isInComment || line.kind == .comment {
        leaveOut(line, .comment)
        isInComment = !line.text.contains("-->")
      } else {
        read(line)
      }
    }
    finishQuestion()
    draft.header.set("title", title ?? defaults.current?.title.string ?? defaults.title)
    draft.header.set("instructions", instructions?.joined(separator: "\n"))
    report.sections = draft.sections.count
    report.questions = draft.sections.reduce(0) { $0 + $1.children.count }
  }

  private mutating func read(_ frontMatter: MarkdownFrontMatter) {
    for setting in frontMatter.settings {
      let source = ImportSource(line: setting.line)
      switch setting.name {
      case "interviewkit":
        if setting.value != "1" {
          draft.add(source, "unknownFormat", "The format's version is 1; '\(setting.value)' is none that is known.")
        }
      case "id", "language", "status", "visibility", "overallQuestionId":
        draft.header.set(setting.name, setting.value)
        draft.headerSources["/" + setting.name] = source
      default:
        draft.add(source, "unknownMember", "There is no setting \"\(setting.name)\" of a kit.")
      }
    }
    for line in frontMatter.others { leaveOut(line, .frontMatter) }
  }

  // MARK: Lines

  private mutating func read(_ line: MarkdownLine) {
    if line.body.isEmpty {
      blankLines += 1
      return
    }
    defer { blankLines = 0 }
    let isNested = question.map { line.indent >= $0.markerIndent + 2 } ?? false
    switch line.kind {
    case .heading(let level) where !isNested: readHeading(line, level: level)
    case .item(let offset): readItem(line, offset: offset, isNested: isNested)
    case .quote where isNested: addHelp(line.quoted)
    case .quote where list == .none && question == nil:
      if instructions == nil { draft.headerSources["/instructions"] = ImportSource(line: line.number) }
      instructions = (instructions ?? []) + [MarkdownText.unescaped(line.quoted)]
    case .html where !isNested, .table where !isNested: leaveOut(line, .markup)
    case .thematicBreak where !isNested, .setextUnderline where !isNested: break
    default:
      if question != nil, isNested || blankLines == 0 { readText(line) } else { leaveOut(line, .prose) }
    }
  }

  private mutating func readHeading(_ line: MarkdownLine, level: Int) {
    finishQuestion()
    let (text, annotation) = split(line)
    if level == 1, title == nil, list == .none {
      title = text
      draft.headerSources["/title"] = ImportSource(line: line.number)
      return
    }
    var node = DraftNode(item: ItemDraft(ImportSource(line: line.number)), childrenName: "questions")
    node.item.set("title", text)
    let isScale = annotation?["scale"] != nil
    for entry in annotation?.entries ?? [] {
      switch entry.name {
      case "scale" where entry.value.isEmpty: break
      case "id": node.item.set("id", entry.value)
      default: refuse(entry.name, of: "a heading", at: line)
      }
    }
    if isScale {
      node.childrenName = "points"
      draft.scales.append(node)
      list = .scales
    } else {
      draft.sections.append(node)
      list = .sections
    }
  }

  private mutating func readItem(_ line: MarkdownLine, offset: Int, isNested: Bool) {
    let (text, annotation) = split(line)
    var node = DraftNode(item: ItemDraft(ImportSource(line: line.number)), childrenName: "")
    if isNested, let parent = question?.node, !parent.childrenName.isEmpty {
      finishChild()
      for entry in annotation?.entries ?? [] {
        if entry.name == "id" {
          node.item.set("id", entry.value)
        } else {
          refuse(entry.name, of: "an option", at: line)
        }
      }
      child = OpenItem(markerIndent: line.indent, node: node, text: [text], textName: "text")
    } else if isNested {
      report.followUps += 1
      addHelp(line.text(dedentedBy: (question?.markerIndent ?? 0) + 2))
    } else {
      finishQuestion()
      let isPoint = list == .scales
      if list == .none { openSection(at: line) }
      readEntries(annotation, isPoint: isPoint, line: line, into: &node)
      question = OpenItem(markerIndent: line.indent, node: node, text: [text], textName: isPoint ? "label" : "text")
    }
  }

  /// A question before the first heading stands in a section that is named like the kit.
  private mutating func openSection(at line: MarkdownLine) {
    var node = DraftNode(item: ItemDraft(ImportSource(line: line.number)), childrenName: "questions")
    node.item.set("title", title ?? defaults.title)
    draft.sections.append(node)
    list = .sections
  }

  private mutating func readText(_ line: MarkdownLine) {
    let text = MarkdownText.unescaped(line.text)
    // Blank lines between two lines of a text belong to it.
    let more = Array(repeating: "", count: blankLines) + [text]
    if child != nil {
      child?.text += more
    } else if question?.help == nil {
      question?.text += more
    } else {
      question?.help? += Array(repeating: "", count: blankLines) + [MarkdownText.unescaped(line.text)]
    }
  }

  private mutating func addHelp(_ source: String) {
    let text = MarkdownText.unescaped(source)
    if question?.help == nil { question?.help = [text] } else { question?.help?.append(text) }
  }

  // MARK: Annotations

  /// The text of a heading or item, and the annotation that ends its line. A comment of another kind is left out.
  private mutating func split(_ line: MarkdownLine) -> (text: String, annotation: MarkdownAnnotation?) {
    guard let (text, comment) = MarkdownAnnotation.splitting(line.content) else {
      return (MarkdownText.unescaped(line.content), nil)
    }
    let annotation = MarkdownAnnotation(comment)
    guard annotation.entries.contains(where: { Self.names.contains($0.name) }) else {
      leaveOut(line, .comment)
      return (MarkdownText.unescaped(text), nil)
    }
    return (MarkdownText.unescaped(text), annotation)
  }

  private static let names: Set<String> = [
    "id", "scale", "type", "required", "private", "maxLength", "visibleWhen",
  ]

  private mutating func readEntries(
    _ annotation: MarkdownAnnotation?, isPoint: Bool, line: MarkdownLine, into node: inout DraftNode
  ) {
    for (name, value) in annotation?.entries ?? [] {
      switch name {
      case "id": node.item.set("id", value)
      case _ where isPoint: refuse(name, of: "a scale point", at: line)
      case "type", "scale": node.item.set(name, value)
      case "required", "private":
        node.item[name] = .bool(value != "false")
        if !["", "true", "false"].contains(value) { refuse("\(name): \(value)", of: "a question", at: line) }
      case "maxLength": node.item[name] = Self.json(value) ?? .string(value)
      case "visibleWhen": readCondition(value, line: line, into: &node)
      default: refuse(name, of: "a question", at: line)
      }
    }
    if isPoint { return }
    if node.item["type"] == nil { node.item.set("type", QuestionType.longText.rawValue) }
    switch node.item["type"] {
    case .string("singleSelect"), .string("multiSelect"): node.childrenName = "options"
    case .string("scorecard"): node.childrenName = "criteria"
    default: break
    }
  }

  /// `q1 = true`
  private mutating func readCondition(_ value: String, line: MarkdownLine, into node: inout DraftNode) {
    let parts = value.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1)
    guard parts.count == 2, let equals = Self.json(String(Substring(parts[1])).trimmingSpaces()) else {
      return draft.add(
        ImportSource(line: line.number), "invalidCondition",
        "visibleWhen is written as: visibleWhen: q1 = true, with a JSON value after the equals sign.")
    }
    let questionID = String(Substring(parts[0])).trimmingSpaces()
    node.item["visibleWhen"] = .object([JSONMember("questionId", .string(questionID)), JSONMember("equals", equals)])
  }

  private static func json(_ text: String) -> JSONValue? { try? JSONValue.parse(Array(text.utf8)) }

  private mutating func refuse(_ name: String, of what: String, at line: MarkdownLine) {
    draft.add(ImportSource(line: line.number), "unknownMember", "There is no \"\(name)\" of \(what).")
  }

  // MARK: Outcomes

  private mutating func finishChild() {
    guard var open = child else { return }
    child = nil
    open.node.item.set(open.textName, open.text.joined(separator: "\n"))
    question?.node.children.append(open.node)
  }

  private mutating func finishQuestion() {
    finishChild()
    guard var open = question else { return }
    question = nil
    open.node.item.set(open.textName, open.text.joined(separator: "\n"))
    if let help = open.help { open.node.item.set("help", help.joined(separator: "\n")) }
    if list == .scales {
      draft.scales[draft.scales.count - 1].children.append(open.node)
    } else {
      draft.sections[draft.sections.count - 1].children.append(open.node)
    }
  }

  private mutating func leaveOut(_ line: MarkdownLine, _ reason: ImportReport.Reason) {
    if line.body.isEmpty { return }
    report.leaveOut(line.number, reason, line.text)
  }
}

extension MarkdownLine {
  /// A quoted line without its mark and the one space after it.
  fileprivate var quoted: String {
    var rest = body.dropFirst()
    if rest.first == 0x20 { rest = rest.dropFirst() }
    return String(decoding: rest, as: UTF8.self)
  }
}
