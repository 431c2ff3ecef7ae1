// What an edit made of a kit: the kit after it, and which of its rows it wrote.

public struct KitChange: Sendable {
  /// What the change feed says of the change.
  public enum Subject: Hashable, Sendable {
    case kit
    case section(ItemID)
    case question(ItemID)
  }

  public var after: Kit
  public var subject: Subject
  /// True when a member of the kit itself changed: title, instructions, scales …
  public var headerChanged: Bool
  /// Sections whose own members or place changed, and new ones.
  public var writtenSections: [ItemID]
  /// Questions whose content, place or section changed, and new ones.
  public var writtenQuestions: [ItemID]
  /// Sections and questions that left for the trash; a section's questions are named too.
  public var removed: [ItemID]

  public init(
    after: Kit, subject: Subject, headerChanged: Bool = false, writtenSections: [ItemID] = [],
    writtenQuestions: [ItemID] = [], removed: [ItemID] = []
  ) {
    (self.after, self.subject, self.headerChanged) = (after, subject, headerChanged)
    (self.writtenSections, self.writtenQuestions, self.removed) = (writtenSections, writtenQuestions, removed)
  }
}

/// Why an edit of a kit is refused.
public enum KitEditError: Error, Hashable, Sendable {
  case notFound(ItemID)
  /// A new item has the ID of an item that is there.
  case idTaken(ItemID)
  case invalid([Issue])
  /// The item is named by others (`itemId` of each issue), so it can't be removed.
  case inUse([Issue])
}

/// Where a new or moved item goes among its siblings.
public enum Place: Hashable, Sendable {
  case first
  case last
  case after(ItemID)
  /// The place it had before.
  case at(OrderKey)
}
