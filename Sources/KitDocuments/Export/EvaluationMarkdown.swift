// Evaluations as Markdown, for people to read.

internal import InterviewKits

public enum EvaluationMarkdown {
  /// Each question that is shown, with what was said to it; answers to questions that the kit has no more stand last.
  public static func encode(_ export: EvaluationExport) -> [UInt8] {
    var writer = EvaluationMarkdownWriter(export: export)
    writer.write()
    return Array(writer.text.utf8)
  }
}

private struct EvaluationMarkdownWriter {
  let export: EvaluationExport
  private(set) var text = ""

  init(export: EvaluationExport) { self.export = export }

  private var answers: Answers { export.evaluation.answers }

  mutating func write() {
    let summary = export.evaluation.summary
    line("# \(name(summary.candidate)): \(MarkdownText.escaped(export.snapshot.kit.title.string))")
    line("")
    line("- Evaluation: \(summary.id)")
    line("- Interviewer: \(name(summary.interviewer))")
    line("- Kit: \(summary.kitID), revision \(summary.kitRevision)")
    line("- Status: \(summary.status.rawValue)\(summary.submittedAt.map { ", \($0.rfc3339)" } ?? "")")
    for section in export.snapshot.kit.sections {
      line("")
      line("## \(MarkdownText.escaped(section.title.string))")
      for question in section.questions where export.snapshot.isVisible(question, answers: answers) { write(question) }
    }
    let retired = export.entries.filter(\.isRetired)
    guard !retired.isEmpty else { return }
    line("")
    line("## Retired")
    for entry in retired {
      heading(entry.criterion?.text ?? entry.question?.text ?? ExactText(entry.answer.itemID.string))
      say(entry.answer, to: entry.question)
    }
  }

  private mutating func write(_ question: Question) {
    if question.type == .note { return }
    heading(question.text)
    guard case .scorecard(_, let criteria) = question.kind else { return say(answers[question.id], to: question) }
    for criterion in criteria {
      let answer = answers[criterion.id]
      line("- \(oneLine(criterion.text)): \(short(answer, to: question))")
      if let comment = answer?.content.comment { quote(comment, indent: "  ") }
    }
  }

  private mutating func say(_ answer: Answer?, to question: Question?) {
    if case .text(let text) = answer?.content.value {
      quote(text, indent: "")
    } else {
      line(short(answer, to: question))
    }
    if let comment = answer?.content.comment {
      line("")
      line("Comment:")
      line("")
      quote(comment, indent: "")
    }
  }

  /// A value that is no text, in a few words.
  private func short(_ answer: Answer?, to question: Question?) -> String {
    guard let value = answer?.content.value else {
      return answer?.content.notAssessed == true ? "*not assessed*" : "*no answer*"
    }
    if let label = export.label(of: value, to: question) { return label.isEmpty ? "*none*" : oneLine(ExactText(label)) }
    switch value {
    case .bool(let value): return value ? "yes" : "no"
    case .date(let date): return date.iso8601
    case .number(.integer(let number)): return String(number)
    case .number(.decimal(let number)): return String(number)
    case .text(let text): return oneLine(text)
    default: return ""
    }
  }

  private func name(_ person: Person) -> String { oneLine(person.name ?? ExactText(person.id.string)) }

  private func oneLine(_ text: ExactText) -> String { MarkdownText.escaped(text.string) }

  private mutating func heading(_ title: ExactText) {
    line("")
    line("### \(oneLine(title))")
    line("")
  }

  private mutating func quote(_ text: ExactText, indent: String) {
    for part in text.string.splitAtLineFeeds() {
      line(part.isEmpty ? indent + ">" : indent + "> " + MarkdownText.escapedInQuote(part))
    }
  }

  private mutating func line(_ line: String) { text += line + "\n" }
}
