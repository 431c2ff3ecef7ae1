// What moving an evaluation to another kit revision does to its answers: all of them stay.

public struct KitMove: Hashable, Sendable {
  /// Answered items that the new revision has no more.
  public var retired: [ItemID]
  /// Answered items that the old revision does not have, and the new one has again.
  public var restored: [ItemID]
  /// Answers that stay, yet would not be accepted any more: an option or a point is gone, or the text is too long.
  public var unfitting: [ItemID]
  public var progress: Progress

  public init(of answers: Answers, from old: KitSnapshot, to new: KitSnapshot) {
    let items = answers.filter { !$0.content.isEmpty }.map(\.itemID).sorted()
    retired = items.filter { old.answerTarget($0) != nil && new.answerTarget($0) == nil }
    restored = items.filter { old.answerTarget($0) == nil && new.answerTarget($0) != nil }
    unfitting = items.filter { item in
      guard let target = new.answerTarget(item), let answer = answers[item] else { return false }
      return !target.issues(of: answer.content).isEmpty
    }
    progress = new.progress(answers: answers)
  }
}
