// Runs the code of docs/ios.md against a service and the stand-in for UIKit: what its table is asked for, and when.
//
//   guide URL FOLDER      the service has the evaluation "e" of a kit with the questions why, more (shown by sure) and sure

import Foundation
import InterviewKitClient
import UIKit

extension RowCell: Reusable {
  static func make() -> UITableViewCell { RowCell(style: .default, reuseIdentifier: nil) }
}

func check(_ holds: Bool, _ what: String) {
  guard !holds else { return }
  print("not so: \(what)")
  exit(1)
}

@MainActor func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
  for _ in 0..<1_000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  check(false, what)
}

guard CommandLine.arguments.count == 3, let url = URL(string: CommandLine.arguments[1]) else { exit(64) }
let client = InterviewKitClient(baseURL: url)
let outbox = try Outbox(file: URL(fileURLWithPath: CommandLine.arguments[2] + "/outbox.json"), client: client)
let viewport = Viewport(profile: "ios", widths: [375])
let form = try await Form("e", client: client, outbox: outbox, viewport: viewport)
let controller = FormController(form)
let table = controller.tableView
controller.viewDidLoad()
check(table.estimatedRowHeight == 0, "no heights are estimated")

let layout = try await client.screen("e", viewport: viewport).layouts[0]
check(controller.tableView(table, numberOfRowsInSection: 0) == layout.rows.count, "the table has every row")
for (place, row) in layout.rows.enumerated() {
  let height = controller.tableView(table, heightForRowAt: IndexPath(row: place, section: 0))
  check(height == CGFloat(row.height), "\(row.id) is \(height) high, the service says \(row.height)")
}

@MainActor func cell(of id: String) -> (cell: UITableViewCell, text: UITextView) {
  let place = form.heights.index(of: id) ?? -1
  let path = IndexPath(row: place, section: 0)
  let cell = controller.tableView(table, cellForRowAt: path)
  cell.contentView.frame.size = CGSize(width: 375, height: controller.tableView(table, heightForRowAt: path))
  cell.layoutSubviews()
  guard let text = cell.contentView.subviews.last as? UITextView else { exit(1) }
  return (cell, text)
}

// The row is as high as the stand-in's text view wants it, so that what grows later grows by typing.
let text = cell(of: "why").text
text.frame.size.height = text.sizeThatFits(text.frame.size).height
text.text = "Short."
text.delegate?.textViewDidChange(text)
check(table.calls.isEmpty, "a key that adds no line asks the table for nothing, not \(table.calls)")
let before = form.heights.height(for: "why") ?? 0
text.text = String(repeating: "It goes on and on. ", count: 20)
text.delegate?.textViewDidChange(text)
check(table.calls == ["update"], "a key that adds lines has the heights asked for once, not \(table.calls)")
check((form.heights.height(for: "why") ?? 0) > before, "the row in focus grows at once")
check(form.text(of: "why") == text.text, "the form holds what was typed before anything else happens")
try await eventually("what was typed is at the service") {
  try await client.evaluation("e").answers["why"]?.value == .text(text.text)
}
try await eventually("and nothing is left in the outbox") { await outbox.entries.isEmpty }

// Another device answers the question that shows another one.
let wanted = form.heights.index(of: "why").map { $0 + 1 } ?? -1
_ = try await client.putAnswer(AnswerDraft(.bool(true)), to: "sure", in: "e", seen: 0, viewport: viewport)
try await eventually("the row that it shows is inserted at \(wanted): \(table.calls)") {
  table.calls.contains("insert [\(wanted)]")
}
check(form.heights.index(of: "more") == wanted, "and has its place")
check(cell(of: "why").text.text == text.text, "a cell made anew shows what was typed")

/// As if somebody typed: the text view has it before its delegate hears of it.
@MainActor func type(_ new: String, into text: UITextView) {
  text.text = new
  text.delegate?.textViewDidChange(text)
}
func stored(_ id: String) async throws -> Answer? { try await client.evaluation("e").answers[id] }
func writeElsewhere(_ new: String, to id: String) async throws {
  let seen = try await stored(id)?.revision ?? 0
  _ = try await client.putAnswer(AnswerDraft(.text(new)), to: id, in: "e", seen: seen, viewport: viewport)
}
@MainActor func isStored(_ new: String, in id: String) async throws {
  try await eventually("“\(new)” is at the service") { try await stored(id)?.value == .text(new) }
  try await eventually("and nothing is on its way") { await outbox.entries.isEmpty }
}

// Another device writes over what was saved here: the cell in focus shows it, and what is typed then is typed on it.
let focused = cell(of: "why").text
focused.isFirstResponder = true
type("Mine.", into: focused)
try await isStored("Mine.", in: "why")
focused.selectedRange = NSRange(location: 5, length: 0)
try await writeElsewhere("Theirs, better.", to: "why")
try await eventually("the cell in focus shows what another device wrote") { focused.text == "Theirs, better." }
check(focused.selectedRange.location == 15, "and a caret at the end stays there, not at \(focused.selectedRange)")
type("Theirs, better. More.", into: focused)
try await isStored("Theirs, better. More.", in: "why")
check(await outbox.held.isEmpty, "without a conflict")
focused.selectedRange = NSRange(location: 8, length: 0)
try await writeElsewhere("I see: Theirs, far better. More.", to: "why")
try await eventually("the cell shows it again") { focused.text.hasPrefix("I see") }
check(focused.selectedRange.location == 19, "the caret stays between the words that it was between")

// A row without focus whose height stays as it is.
let beside = cell(of: "more").text
try await writeElsewhere("a", to: "more")
try await eventually("a cell without focus shows what another device wrote") { beside.text == "a" }
try await writeElsewhere("b", to: "more")
try await eventually("also where no height is another one") { beside.text == "b" }

// What others write under an open composition is not shown, and not written over.
for (title, end) in [("Keep mine", "Mine alone, twice."), ("Take theirs", "Theirs alone.")] {
  focused.markedTextRange = UITextRange()
  type("Mine alone.", into: focused)
  try await isStored("Mine alone.", in: "why")
  try await writeElsewhere("Theirs alone.", to: "why")
  // The form is told of changes in their order: with this one it has seen that one.
  try await writeElsewhere("beside: \(title)", to: "more")
  try await eventually("the row beside is told") { beside.text == "beside: \(title)" }
  check(focused.text == "Mine alone.", "a composition is left alone")
  focused.markedTextRange = nil
  type("Mine alone, twice.", into: focused)
  try await eventually("two who wrote the same are a conflict, which is shown") {
    controller.presentedViewController != nil
  }
  let message = (controller.presentedViewController as? UIAlertController)?.message ?? ""
  check(message.contains("Mine alone, twice.") && message.contains("Theirs alone."), "with both texts: \(message)")
  check(try await stored("why")?.value == .text("Theirs alone."), "and nothing is written meanwhile")
  check(focused.text == "Mine alone, twice.", "nor is the cell's text replaced")
  controller.press(title)
  try await isStored(end, in: "why")
  try await eventually("the cell shows what was decided") { focused.text == end }
  try await eventually("and nothing is held") { await outbox.held.isEmpty }
}

// An answer that was first written elsewhere: what saw none is refused with it, and held.
try await outbox.put(AnswerDraft(.text("first")), to: "more", in: "e", seen: 0)
_ = try await outbox.drain()
check(await outbox.held.map(\.problem.status) == [412], "a first write that is none is a conflict")
check(await outbox.held.first?.problem.current?.value == .text("beside: Take theirs"), "which has what is there")
try await outbox.put(AnswerDraft(.text("typed before the crash")), to: "why", in: "e", seen: 0)
let again = try await Form("e", client: client, outbox: outbox, viewport: viewport)
check(again.text(of: "why") == "typed before the crash", "what waits is shown after a restart")
check(again.text(of: "more") == "first" && again.conflicts.count == 1, "and so is what was refused")

check(!table.calls.contains { $0.hasPrefix("reload") }, "nothing was ever reloaded: \(table.calls)")
let fresh = try await client.screen("e", viewport: viewport).layouts[0]
check(form.heights.ids == fresh.rows.map(\.id), "the rows are those of a fresh layout")
print("as the guide says")
