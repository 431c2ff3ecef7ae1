// What the service says of evaluations and their answers, as values of an app.

/// What a question is answered with: text (also a date, an option's or a point's ID), a choice of several, a number, or yes and no.
public enum AnswerValue: Codable, Sendable, Hashable {
  case text(String)
  case choices([String])
  case number(Double)
  case bool(Bool)

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .choices(try container.decode([String].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .choices(let choices): try container.encode(choices)
    case .number(let number): try container.encode(number)
    case .bool(let bool): try container.encode(bool)
    }
  }
}

/// The answer to one question or criterion.
public struct Answer: Codable, Sendable, Hashable {
  public var itemId: String
  public var value: AnswerValue?
  public var comment: String?
  public var notAssessed: Bool
  /// 0 while unanswered.
  public var revision: Int
}

public struct Candidate: Codable, Sendable, Hashable, Identifiable {
  public var id: String
  public var name: String?

  public init(id: String, name: String?) { (self.id, self.name) = (id, name) }
}

public struct Evaluation: Codable, Sendable, Hashable, Identifiable {
  public struct Progress: Codable, Sendable, Hashable {
    public var answered: Int
    public var required: Int
    public var missing: Int
  }

  public var id: String
  public var kitId: String
  public var kitRevision: Int
  public var candidate: Candidate
  /// `draft`, `submitted` or `withdrawn`.
  public var status: String
  public var progress: Progress
  public var revision: Int
  /// By the ID of the question or criterion.
  public var answers: [String: Answer]
  /// The answered items that the evaluation's kit revision has no more.
  public var retired: [String]
  /// Where to begin reading changes, so that none is missed.
  public var sequence: String
}

/// One screen, read in one consistent state: the evaluation, its kit, and a layout for each width asked for.
public struct Screen: Sendable {
  public var evaluation: Evaluation
  public var kit: Kit
  public var layouts: [Layout]
}

extension Screen: Decodable {
  private enum CodingKeys: String, CodingKey { case kit, layouts }

  public init(from decoder: any Decoder) throws {
    evaluation = try Evaluation(from: decoder)
    let members = try decoder.container(keyedBy: CodingKeys.self)
    kit = try members.decode(Kit.self, forKey: .kit)
    layouts = try members.decode([Layout].self, forKey: .layouts)
  }
}

/// What a write of one answer gave.
public struct AnswerWritten: Codable, Sendable {
  public var answer: Answer
  public var layouts: [LayoutDelta]
}

/// What to write as an answer. `value` nil clears it.
public struct AnswerDraft: Codable, Sendable, Hashable {
  public var value: AnswerValue?
  public var comment: String?
  public var notAssessed: Bool

  public init(_ value: AnswerValue?, comment: String? = nil, notAssessed: Bool = false) {
    (self.value, self.comment, self.notAssessed) = (value, comment, notAssessed)
  }
}
