// Which values of an answer its history keeps for good, and which are steps of typing that may go.

extension Answer {
  /// How long a value stands to be kept for good.
  public static let standingMilliseconds = 60_000
  /// How many characters (Unicode scalars) a step of typing removes at most.
  public static let removedScalars = 20

  /// True when this value is kept for good once `next` replaces it: when somebody else wrote `next`, when it was written
  /// over whatever stood there (the loser of a conflict), when this stood for a minute, or when more than 20 characters
  /// of it were removed. Anything else is a step of typing.
  public func isKept(whenReplacedBy next: Answer, blindly: Bool) -> Bool {
    if blindly || updatedBy != next.updatedBy { return true }
    if let from = updatedAt, let to = next.updatedAt, to.milliseconds - from.milliseconds >= Self.standingMilliseconds {
      return true
    }
    return content.scalarsRemoved(in: next.content) > Self.removedScalars
  }
}

extension AnswerContent {
  fileprivate func scalarsRemoved(in next: AnswerContent) -> Int {
    func text(_ value: AnswerValue?) -> String { if case .text(let text) = value { text.string } else { "" } }
    return Self.scalarsRemoved(from: text(value), to: text(next.value))
      + Self.scalarsRemoved(from: comment?.string ?? "", to: next.comment?.string ?? "")
  }

  /// The scalars between what both texts begin and end with.
  private static func scalarsRemoved(from old: String, to new: String) -> Int {
    let (old, new) = (Array(old.utf8), Array(new.utf8))
    let shorter = min(old.count, new.count)
    var prefix = 0
    while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] { suffix += 1 }
    // A scalar that differs in its last bytes only is a removed one, too.
    let middle = old[prefix..<(old.count - suffix)]
    return middle.reduce(middle.first.map { $0 & 0xC0 == 0x80 ? 1 : 0 } ?? 0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
  }
}
