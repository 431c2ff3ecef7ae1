// Kits for tests: IDs from a counter, and random kits of every type with awkward texts.

import InterviewKits
import JSON
import KitDocuments
import Synchronization
import TestKit

let now = Timestamp(milliseconds: 1_796_025_600_123)

func id(_ text: String) -> ItemID {
  guard let id = ItemID(text) else { preconditionFailure("\(text) is no ID") }
  return id
}

/// IDs `new1`, `new2` …
func countingIDs() -> ItemIDSource {
  let counter = Atomic<Int>(0)
  let box = CounterBox(counter)
  return ItemIDSource { id("new\(box.next())") }
}

private final class CounterBox: Sendable {
  private let counter: Atomic<Int>
  init(_ counter: consuming Atomic<Int>) { self.counter = counter }
  func next() -> Int { counter.add(1, ordering: .relaxed).newValue }
}

func json(_ text: String) throws(JSONSyntaxError) -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

func text(of write: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  write(&writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

/// The issues of what a decoding function refuses, as "pointer code".
func issues(_ body: () throws -> Void) -> [String] {
  do {
    try body()
    return []
  } catch let error as InvalidDocument {
    return error.issues.map { "\($0.pointer) \($0.code)" }
  } catch {
    return ["\(error)"]
  }
}

struct RandomKits {
  var generator: SeededGenerator
  private var counter = 0
  /// Questions that a condition may name.
  private var conditions: [(id: ItemID, equals: VisibilityCondition.Value)] = []

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private static let awkward = [
    "- ", "* ", "1. ", "2) ", "# ", "## a", "> ", "```", "~~~", "`", "``", "\\", "\\*", "\\\\", "<!--", "-->",
    "<!-- id: x -->",
    "<b>", "&amp;", "&#10;", "&", ";", "&lt;", "\n", "\n\n", "\r\n", "\r", "\t", "  ", " ", "\"", "\"\"", "'", ",",
    "=1+1", "+", "-",
    "@", "[ ] ", "[a](b)", "---", "===", "| a |", "가나다", "é", "e\u{301}", "👩‍💻", "\u{200B}", "\u{FEFF}", "\u{2028}",
    "\u{85}",
    "\u{A0}", "word", "Why?", "id: q1", "{", "}", "null", "true", "    ", "\u{B}", "\u{C}", "\u{1}", "*a*", "_", "سؤال",
  ]

  mutating func kit() -> Kit {
    (counter, conditions) = (0, [])
    var kit = Kit(id: newID("k"), title: text(), createdAt: now, updatedAt: now)
    if chance(2) { kit.instructions = optionalText() }
    kit.language = pick([nil, "en", "ko", "zh-Hant-TW"])
    kit.status = pick(KitStatus.allCases)
    kit.visibility = pick(KitVisibility.allCases)
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      let points = (0..<Int.random(in: 2...4, using: &generator)).map { _ in ScalePoint(id: newID("p"), label: text()) }
      kit.scales.append(Scale(id: newID("sc"), title: optionalText(), points: points))
    }
    let orders = OrderKey.sequence(count: Int.random(in: 0...4, using: &generator))
    for order in orders {
      var section = Section(id: newID("s"), order: order, title: text())
      for order in OrderKey.sequence(count: Int.random(in: 0...6, using: &generator)) {
        section.questions.append(question(order, in: kit))
      }
      kit.sections.append(section)
    }
    let overall = kit.sections.flatMap(\.questions).first { $0.type != .note && $0.type != .scorecard }
    if chance(2) { kit.overallQuestionID = overall?.id }
    return kit
  }

  private mutating func question(_ order: OrderKey, in kit: Kit) -> Question {
    let scale = pick(kit.scales + Scale.presets).id
    let maxLength = pick([20_000, 20_000, 1, 500, 100_000])
    let type = pick(QuestionType.allCases)
    let kind: Question.Kind =
      switch type {
      case .shortText: .shortText(maxLength: maxLength)
      case .longText: .longText(maxLength: maxLength)
      case .yesNo: .yesNo
      case .singleSelect: .singleSelect(options())
      case .multiSelect: .multiSelect(options())
      case .number: .number
      case .date: .date
      case .rating: .rating(scale: scale)
      case .scorecard: .scorecard(scale: scale, criteria: options().map { Criterion(id: $0.id, text: $0.text) })
      case .note: .note
      }
    var question = Question(id: newID("q"), order: order, text: text(), kind: kind)
    if chance(2) { question.help = optionalText() }
    question.required = type != .note && chance(3)
    question.isPrivate = chance(4)
    if chance(3), let condition = conditions.randomElement(using: &generator) {
      question.visibleWhen = VisibilityCondition(questionID: condition.id, equals: condition.equals)
    }
    remember(question, scales: kit.scales + Scale.presets)
    return question
  }

  private mutating func remember(_ question: Question, scales: [Scale]) {
    let equals: VisibilityCondition.Value
    switch question.kind {
    case .shortText, .longText: equals = .string(optionalText())
    case .yesNo: equals = .bool(chance(2))
    case .number: equals = .number(pick([.integer(.max), .integer(-3), .decimal(0.1), .decimal(-1e-7)]))
    case .date: equals = .string("2026-11-30")
    case .singleSelect(let options), .multiSelect(let options): equals = .string(ExactText(pick(options).id.string))
    case .rating(let scale):
      guard let scale = scales.first(where: { $0.id == scale }) else { return }
      equals = .string(ExactText(pick(scale.points).id.string))
    case .scorecard, .note: return
    }
    conditions.append((question.id, equals))
  }

  private mutating func options() -> [Option] {
    (0..<Int.random(in: 1...3, using: &generator)).map { _ in Option(id: newID("o"), text: text()) }
  }

  /// A text that holds something visible.
  private mutating func text() -> ExactText {
    while true {
      let text = optionalText()
      if !text.isBlank { return text }
    }
  }

  private mutating func optionalText() -> ExactText {
    var text = ""
    for _ in 0..<Int.random(in: 0...5, using: &generator) {
      text.unicodeScalars.append(contentsOf: pick(Self.awkward).unicodeScalars)
    }
    return ExactText(text)
  }

  private mutating func newID(_ prefix: String) -> ItemID {
    counter += 1
    return id("\(prefix)\(pick(["", ".", "--", ":x-", "_"]))\(counter)")
  }

  private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &generator) == 0 }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: 0..<choices.count, using: &generator)]
  }
}
