// What the service says of kits, as values of an app.

/// A kit: sections of questions. See the API reference for each member.
public struct Kit: Codable, Sendable, Hashable, Identifiable {
  public var id: String
  public var title: String
  public var instructions: String?
  public var language: String?
  public var status: String
  public var revision: Int
  public var visibility: String?
  public var overallQuestionId: String?
  public var scales: [RatingScale]
  public var sections: [Section]

  /// The questions in the order of the form.
  public var questions: [Question] { sections.flatMap(\.questions) }
}

/// A rating scale of a kit; the presets `fourPoint` and `fivePoint` are not listed.
public struct RatingScale: Codable, Sendable, Hashable, Identifiable {
  public struct Point: Codable, Sendable, Hashable, Identifiable {
    public var id: String
    public var label: String
  }

  public var id: String
  public var title: String
  public var points: [Point]
}

public struct Section: Codable, Sendable, Hashable, Identifiable {
  public var id: String
  public var revision: Int
  public var title: String
  public var questions: [Question]
}

public struct Question: Codable, Sendable, Hashable, Identifiable {
  public struct Option: Codable, Sendable, Hashable, Identifiable {
    public var id: String
    public var text: String
  }

  public struct Criterion: Codable, Sendable, Hashable, Identifiable {
    public var id: String
    public var text: String
  }

  public struct Condition: Codable, Sendable, Hashable {
    public var questionId: String
    public var equals: AnswerValue
  }

  public var id: String
  public var revision: Int
  /// `shortText`, `longText`, `yesNo`, … : a word, so that a newer service's type is no error.
  public var type: String
  public var text: String
  public var help: String?
  public var required: Bool
  public var maxLength: Int?
  /// The scale's ID or a preset.
  public var scale: String?
  public var options: [Option]?
  public var criteria: [Criterion]?
  public var visibleWhen: Condition?
}

/// One page of a list.
public struct Page<Item: Codable & Sendable>: Codable, Sendable {
  public var items: [Item]
  /// What to ask the next page with; nil after the last.
  public var nextCursor: String?
}

/// A kit as lists show it.
public struct KitSummary: Codable, Sendable, Hashable, Identifiable {
  public var id: String
  public var title: String
  public var status: String
  public var revision: Int
}
