// The kits that are measured: made here, the same in every run.

import InterviewKits
import Store

enum SampleKit {
  /// A kit of one section with `questions` questions, so that it has one row more than that.
  static func make(id: String, questions: Int) -> Kit {
    let keys = OrderKey.sequence(count: questions)
    let list = keys.indices.map { index in
      Question(
        id: itemID("q\(index)"), order: keys[index],
        text: ExactText(
          "How did you go about topic \(index), and what would you do in another way if it came up again?"),
        help: index % 3 == 0 ? ExactText("Ask for one example, with names and dates.") : nil,
        kind: .longText(maxLength: KitLimits.answerScalars))
    }
    let section = Section(
      id: itemID("s"), order: OrderKey.sequence(count: 1)[0], title: ExactText("All"), questions: list)
    let now = Timestamp(milliseconds: 1_800_000_000_000)
    return Kit(
      id: itemID(id), title: ExactText("Bench"), language: "en", sections: [section], createdAt: now, updatedAt: now)
  }

  static func itemID(_ string: String) -> ItemID {
    guard let id = ItemID(string) else { preconditionFailure("'\(string)' has no ID's form") }
    return id
  }
}

extension Store {
  /// Who asks of a store without tokens.
  var openCaller: Caller {
    guard let caller = access.openCaller else { preconditionFailure("a new store has no tokens") }
    return caller
  }
}
