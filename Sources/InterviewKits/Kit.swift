// A kit: title, instructions, scales, sections and their questions at one revision.

public enum KitStatus: String, Sendable, CaseIterable {
  case draft, active, archived
}

/// When an interviewer sees others' evaluations of a candidate.
public enum KitVisibility: String, Sendable, CaseIterable {
  case afterOwnSubmission, always, never
}

public struct Kit: Hashable, Sendable {
  public var id: ItemID
  /// Rises by one with every accepted change.
  public var revision: Int
  public var title: ExactText
  public var instructions: ExactText?
  /// A BCP 47 tag: the locale of layouts that name none.
  public var language: String?
  public var status: KitStatus
  public var visibility: KitVisibility
  public var overallQuestionID: ItemID?
  public var scales: [Scale]
  public var sections: [Section]
  public var createdAt: Timestamp
  public var updatedAt: Timestamp

  public init(
    id: ItemID, revision: Int = 1, title: ExactText, instructions: ExactText? = nil, language: String? = nil,
    status: KitStatus = .active, visibility: KitVisibility = .afterOwnSubmission, overallQuestionID: ItemID? = nil,
    scales: [Scale] = [], sections: [Section] = [], createdAt: Timestamp, updatedAt: Timestamp
  ) {
    (self.id, self.revision, self.title, self.instructions) = (id, revision, title, instructions)
    (self.language, self.status, self.visibility) = (language, status, visibility)
    (self.overallQuestionID, self.scales, self.sections) = (overallQuestionID, scales, sections)
    (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
  }

  /// A scale of this kit or a preset.
  public func scale(_ id: ItemID) -> Scale? {
    scales.first { $0.id == id } ?? Scale.presets.first { $0.id == id }
  }

  public var questionCount: Int { sections.reduce(0) { $0 + $1.questions.count } }
}

public struct Section: Hashable, Sendable {
  public var id: ItemID
  /// The kit revision that last changed this section's own members or place.
  public var revision: Int
  /// Its place among the sections of the kit.
  public var order: OrderKey
  public var title: ExactText
  public var questions: [Question]

  public init(id: ItemID, revision: Int = 1, order: OrderKey, title: ExactText, questions: [Question] = []) {
    (self.id, self.revision, self.order) = (id, revision, order)
    (self.title, self.questions) = (title, questions)
  }
}

/// A kit at one revision with an index by item ID; immutable, so it is shared and cached.
public final class KitSnapshot: Sendable {
  public let kit: Kit
  private let places: [ItemID: Place]
  /// The questions that name a question in their condition.
  private let conditioned: [ItemID: [ItemID]]
  /// The items whose answers are private at this revision: those of private questions, and of what only they show.
  public let privateItems: Set<ItemID>

  private enum Place: Sendable {
    case section(Int)
    case question(Int, Int)
    case criterion(Int, Int, Int)
  }

  public init(_ kit: Kit) {
    self.kit = kit
    var places: [ItemID: Place] = [:]
    var conditioned: [ItemID: [ItemID]] = [:]
    places.reserveCapacity(kit.questionCount + kit.sections.count)
    for (row, section) in kit.sections.enumerated() {
      places[section.id] = .section(row)
      for (column, question) in section.questions.enumerated() {
        places[question.id] = .question(row, column)
        if let condition = question.visibleWhen { conditioned[condition.questionID, default: []].append(question.id) }
        for (rank, criterion) in question.criteria.enumerated() {
          places[criterion.id] = .criterion(row, column, rank)
        }
      }
    }
    self.places = places
    self.conditioned = conditioned
    privateItems = Self.privateItems(of: kit, conditioned: conditioned)
  }

  /// The kit after a change of `before`. A change that moves nothing shares the index: editing one question of a large
  /// kit costs what it costs in a small one.
  public convenience init(_ change: KitChange, of before: KitSnapshot) {
    if before.keepsPlaces(in: change) {
      self.init(change.after, sharing: before)
    } else {
      self.init(change.after)
    }
  }

  private init(_ kit: Kit, sharing before: KitSnapshot) {
    (self.kit, places, conditioned, privateItems) = (kit, before.places, before.conditioned, before.privateItems)
  }

  /// True when everything written was there before at the same place, with the same criteria and condition, and as
  /// private. What was
  /// not written keeps its order, so that with as many items as before it keeps its place, too.
  private func keepsPlaces(in change: KitChange) -> Bool {
    let after = change.after
    guard change.removed.isEmpty, after.sections.count == kit.sections.count, after.questionCount == kit.questionCount
    else { return false }
    for id in change.writtenSections {
      guard case .section(let row) = places[id], after.sections[row].id == id else { return false }
    }
    for id in change.writtenQuestions {
      guard case .question(let row, let column) = places[id], column < after.sections[row].questions.count else {
        return false
      }
      let (old, new) = (kit.sections[row].questions[column], after.sections[row].questions[column])
      guard new.id == id, old.visibleWhen?.questionID == new.visibleWhen?.questionID, old.isPrivate == new.isPrivate,
        old.criteria.map(\.id) == new.criteria.map(\.id)
      else { return false }
    }
    return true
  }

  /// The questions that this question's answer shows or hides, those that hang on them too, in list order.
  public func dependents(of id: ItemID) -> [ItemID] {
    guard conditioned[id] != nil else { return [] }
    var found: [(place: (Int, Int), id: ItemID)] = []
    var waiting = [id]
    while let next = waiting.popLast() {
      for dependent in conditioned[next] ?? [] {
        // Conditions make no circle, and a question has one of them: each is found once.
        guard case .question(let row, let column) = places[dependent] else { continue }
        found.append(((row, column), dependent))
        waiting.append(dependent)
      }
    }
    return found.sorted { $0.place < $1.place }.map(\.id)
  }

  /// The section with this ID, with its questions.
  public func section(_ id: ItemID) -> Section? {
    guard case .section(let row) = places[id] else { return nil }
    return kit.sections[row]
  }

  /// The question with this ID and the section that holds it.
  public func question(_ id: ItemID) -> (question: Question, sectionID: ItemID)? {
    guard case .question(let row, let column) = places[id] else { return nil }
    return (kit.sections[row].questions[column], kit.sections[row].id)
  }

  /// The criterion with this ID and its scorecard.
  public func criterion(_ id: ItemID) -> (criterion: Criterion, scorecard: Question)? {
    guard case .criterion(let row, let column, let rank) = places[id] else { return nil }
    let scorecard = kit.sections[row].questions[column]
    return (scorecard.criteria[rank], scorecard)
  }
}
