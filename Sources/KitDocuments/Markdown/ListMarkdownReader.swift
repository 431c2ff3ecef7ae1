// Reads anybody's Markdown list of questions: headings become sections, list items questions.

internal import InterviewKits
internal import JSON

/// Nested points, further paragraphs and code that stand with a question become its `help`; what belongs to no
/// question is left out and reported.
struct ListMarkdownReader {
  private(set) var draft = KitDraft()
  private(set) var report = ImportReport()

  private let lines: [MarkdownLine]
  private let defaults: ImportDefaults
  private var title: String?
  private var instructions: [String] = []
  /// The heading that the next question goes under, until it has become a section.
  private var heading: (words: String, line: Int)?
  private var section: Int?
  private var question: OpenQuestion?
  private var sawBlank = true
  /// True until the first heading or list after the title: text there introduces the kit.
  private var isIntroduction = true
  /// The text line above, which an underline makes a heading.
  private var proseAbove: MarkdownLine?
  private var place = 0

  /// A question whose lines are still coming.
  private struct OpenQuestion {
    let line: Int
    let markerIndent: Int
    let contentIndent: Int
    var text: String
    var help: [String] = []
    var followUps = 0
    var lines: [MarkdownLine]

    init(_ line: MarkdownLine, offset: Int) {
      (self.line, markerIndent, contentIndent) = (line.number, line.indent, line.indent + offset)
      text = MarkdownText.unescaped(line.content.droppingTrailingComment())
      lines = [line]
    }

    /// A further line of a wrapped paragraph.
    mutating func continueText(_ line: MarkdownLine) {
      let next = MarkdownText.unescaped(line.text.droppingTrailingComment())
      text += (lines.last?.hasHardBreak == true ? "\n" : text.softJoint(to: next)) + next
      lines.append(line)
    }

    /// A line as it was written, without the indentation of its question.
    mutating func addHelp(_ line: MarkdownLine) {
      let source = line.kind == .quote ? line.content : line.text(dedentedBy: contentIndent)
      help.append(MarkdownText.unescaped(source))
      lines.append(line)
    }

    mutating func addCode(_ block: [MarkdownLine]) {
      help += block.map { $0.text(dedentedBy: block[0].indent) }
      lines += block
    }

    /// A paragraph ended above what comes now.
    mutating func addBlankLine() { help.append("") }
  }

  init(_ lines: [MarkdownLine], frontMatter: MarkdownFrontMatter, defaults: ImportDefaults) {
    (self.lines, self.defaults) = (lines, defaults)
    read(frontMatter)
    place = frontMatter.lineCount
    while place < lines.count { readBlock() }
    finishQuestion()
    dropEmptyHeading()
    finishHeader()
  }

  private mutating func read(_ frontMatter: MarkdownFrontMatter) {
    for setting in frontMatter.settings {
      switch setting.name {
      case "title" where !setting.value.isEmpty:
        title = setting.value
        draft.headerSources["/title"] = ImportSource(line: setting.line)
      case "lang" where Self.isLanguage(setting.value), "language" where Self.isLanguage(setting.value):
        draft.header.set("language", setting.value)
        draft.headerSources["/language"] = ImportSource(line: setting.line)
      default: leaveOut(setting.line, .frontMatter, "\(setting.name): \(setting.value)")
      }
    }
    for line in frontMatter.others { leaveOut(line.number, .frontMatter, line.text) }
  }

  /// Two or three letters and subtags: `language: javascript` speaks of something else.
  private static func isLanguage(_ tag: String) -> Bool {
    let subtags = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
    guard let first = subtags.first, (2...3).contains(first.count), first.allSatisfy(isLetter) else { return false }
    return subtags.dropFirst().allSatisfy { subtag in
      (1...8).contains(subtag.count) && subtag.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    } && tag.utf8.count <= 35
  }

  // MARK: Blocks

  private mutating func readBlock() {
    let line = lines[place]
    place += 1
    let isNested = question.map { line.indent >= $0.markerIndent + 2 } ?? false
    switch line.kind {
    case .blank:
      sawBlank = true
      proseAbove = nil
      return
    case .fence(let mark, let length): readFence(line, mark: mark, length: length)
    case .comment: readComment(line)
    case .heading(let level) where !isNested:
      readHeading(line.content.droppingClosingHashes(), level: level, line: line.number)
    case .setextUnderline(let level) where proseAbove != nil && !sawBlank && !isNested: readUnderline(level: level)
    case .thematicBreak, .setextUnderline: if !isNested { finishQuestion() }
    case .item(let offset):
      if isNested { readNestedPoint(line) } else { beginQuestion(line, offset: offset) }
    case .html where question == nil || sawBlank || Self.isBlockTag(line), .table where !isNested:
      leaveOut(line.number, .markup, line.text)
      sawBlank = true
      return
    default: readText(line, isNested: isNested)
    }
    sawBlank = false
  }

  private mutating func readFence(_ line: MarkdownLine, mark: UInt8, length: Int) {
    var block = [line]
    while place < lines.count {
      let next = lines[place]
      block.append(next)
      place += 1
      if case .fence(mark, let closing) = next.kind, closing >= length, next.body.count == closing { break }
    }
    guard question != nil else {
      for line in block where !line.body.isEmpty { leaveOut(line.number, .codeBlock, line.text) }
      return
    }
    if sawBlank { question?.addBlankLine() }
    question?.addCode(block)
  }

  private mutating func readComment(_ line: MarkdownLine) {
    var last = line
    leaveOut(line.number, .comment, line.text)
    while !last.text.contains("-->"), place < lines.count {
      last = lines[place]
      place += 1
      if !last.body.isEmpty { leaveOut(last.number, .comment, last.text) }
    }
  }

  private mutating func readHeading(_ source: String, level: Int, line: Int) {
    finishQuestion()
    let words = MarkdownLinks.words(of: source)
    let isFirst = level == 1 && heading == nil && draft.sections.isEmpty && isIntroduction
    if isFirst, title == nil {
      title = words
      draft.headerSources["/title"] = ImportSource(line: line)
    } else if !isFirst || title?.utf8.elementsEqual(words.utf8) != true {
      // The first heading may repeat the front matter's title; text below it introduces the kit in any case.
      dropEmptyHeading()
      heading = (words, line)
      isIntroduction = isFirst
    }
    section = nil
    proseAbove = nil
  }

  private mutating func readUnderline(level: Int) {
    guard let above = proseAbove else { return }
    if isIntroduction { instructions.removeLast() } else { report.takeBackLast() }
    readHeading(above.text, level: level, line: above.number)
  }

  private mutating func readNestedPoint(_ line: MarkdownLine) {
    question?.followUps += 1
    question?.addHelp(line)
  }

  private mutating func beginQuestion(_ line: MarkdownLine, offset: Int) {
    finishQuestion()
    (isIntroduction, proseAbove) = (false, nil)
    question = OpenQuestion(line, offset: offset)
  }

  private mutating func readText(_ line: MarkdownLine, isNested: Bool) {
    guard question != nil, isNested || !sawBlank else { return readProse(line) }
    let hasHelp = question?.help.isEmpty == false
    if !hasHelp, !sawBlank {
      question?.continueText(line)
    } else {
      if sawBlank, hasHelp { question?.addBlankLine() }
      question?.addHelp(line)
    }
  }

  private mutating func readProse(_ line: MarkdownLine) {
    finishQuestion()
    proseAbove = sawBlank ? line : nil
    if !isIntroduction { return leaveOut(line.number, .prose, line.text) }
    if sawBlank, !instructions.isEmpty { instructions.append("") }
    if instructions.isEmpty { draft.headerSources["/instructions"] = ImportSource(line: line.number) }
    instructions.append(MarkdownText.unescaped(line.text))
  }

  private static let blockTags = [
    "details", "summary", "div", "p", "table", "tr", "td", "th", "br", "hr", "img", "ul", "ol", "li", "pre", "center",
  ]

  private static func isBlockTag(_ line: MarkdownLine) -> Bool {
    let name = line.body.dropFirst().drop { $0 == UInt8(ascii: "/") }.prefix { (0x41...0x5A).contains($0 & 0xDF) }
    return blockTags.contains(String(decoding: name.map { $0 | 0x20 }, as: UTF8.self))
  }

  // MARK: Outcomes

  private mutating func finishQuestion() {
    guard let open = question else { return }
    question = nil
    let text = open.text.droppingCheckbox()
    let source = open.lines.first?.content ?? ""
    if open.lines.allSatisfy({ $0.body.isEmpty || MarkdownLinks.isNothingElse($0.content) }) {
      for line in open.lines where !line.body.isEmpty { leaveOut(line.number, .linkOnly, line.text) }
      return
    }
    if text.trimmingSpaces().isEmpty, open.help.isEmpty { return leaveOut(open.line, .emptyItem, source) }
    var item = ItemDraft(ImportSource(line: open.line))
    item.set("type", QuestionType.longText.rawValue)
    item.set("text", text)
    if !open.help.isEmpty { item.set("help", open.help.trimmingBlankEnds().joined(separator: "\n")) }
    let row = openSection(for: open)
    draft.sections[row].children.append(DraftNode(item: item, childrenName: ""))
    report.questions += 1
    report.followUps += open.followUps
  }

  private mutating func openSection(for open: OpenQuestion) -> Int {
    if let section { return section }
    var item = ItemDraft(ImportSource(line: heading?.line ?? open.line))
    let words = heading?.words ?? ""
    item.set("title", words.isEmpty ? title ?? defaults.current?.title.string ?? defaults.title : words)
    draft.sections.append(DraftNode(item: item, childrenName: "questions"))
    report.sections += 1
    heading = nil
    let row = draft.sections.count - 1
    section = row
    return row
  }

  private mutating func dropEmptyHeading() {
    if let heading { leaveOut(heading.line, .emptySection, heading.words) }
    heading = nil
  }

  private mutating func finishHeader() {
    if let title, !title.isEmpty { draft.header.set("title", title) }
    if !instructions.isEmpty {
      draft.header.set("instructions", instructions.trimmingBlankEnds().joined(separator: "\n"))
    }
    draft.take(defaults)
    if report.questions == 0 {
      draft.add(
        ImportSource(line: 1), "noQuestions", "There is no list item in the file that could be a question.")
    }
    report.sort()
  }

  private mutating func leaveOut(_ line: Int, _ reason: ImportReport.Reason, _ text: String) {
    report.leaveOut(line, reason, text)
  }
}
