// What an import made of a file: counts, and what it left out with its place and reason.

public import JSON

/// The outcome of an import, the `importReport` of its reply.
public struct ImportReport: Sendable, Hashable {
  /// Why a line did not become a part of the kit.
  public enum Reason: String, Sendable, CaseIterable {
    /// A list item that is nothing but links: a table of contents, a list of people.
    case linkOnly
    /// A paragraph that belongs to no question.
    case prose
    case codeBlock
    case comment
    /// A table, or a block of HTML.
    case markup
    /// A list item without words.
    case emptyItem
    /// A heading under which there is no question.
    case emptySection
    /// A setting of the front matter that says nothing of a kit.
    case frontMatter
    /// A column whose name is none that is known.
    case unknownColumn

    /// A sentence for people.
    public var message: String {
      switch self {
      case .linkOnly: "The item is nothing but links, as in a table of contents."
      case .prose: "The paragraph belongs to no question."
      case .codeBlock: "The code block belongs to no question."
      case .comment: "A comment is not shown to anybody."
      case .markup: "A table or HTML is no question."
      case .emptyItem: "The item holds no words."
      case .emptySection: "There is no question under this heading."
      case .frontMatter: "The setting says nothing of a kit."
      case .unknownColumn: "The column's name is none that is known."
      }
    }
  }

  public struct LeftOut: Sendable, Hashable {
    /// The line of the file, from 1.
    public var line: Int
    public var reason: Reason
    /// The beginning of what was left out.
    public var text: String

    public init(line: Int, reason: Reason, text: String) {
      (self.line, self.reason) = (line, reason)
      self.text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.textScalars)))
    }

    /// The most Unicode scalars of `text`.
    public static let textScalars = 120
  }

  public var sections: Int
  public var questions: Int
  /// Nested points that stayed with their question.
  public var followUps: Int
  /// In the order of the file; the first `ImportLimits.leftOut` of them.
  public private(set) var leftOut: [LeftOut] = []
  /// How many there are in all.
  public private(set) var leftOutCount = 0

  public init(sections: Int = 0, questions: Int = 0, followUps: Int = 0) {
    (self.sections, self.questions, self.followUps) = (sections, questions, followUps)
  }

  mutating func leaveOut(_ line: Int, _ reason: Reason, _ text: String) {
    leftOutCount += 1
    if leftOut.count < ImportLimits.leftOut { leftOut.append(LeftOut(line: line, reason: reason, text: text)) }
  }

  mutating func takeBackLast() {
    if leftOut.count == leftOutCount { leftOut.removeLast() }
    leftOutCount -= 1
  }

  mutating func sort() { leftOut.sort { $0.line < $1.line } }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("sections", sections)
      writer.member("questions", questions)
      writer.member("followUps", followUps)
      writer.member("leftOutCount", leftOutCount)
      writer.member("leftOut") { writer in
        writer.array { writer in
          for item in leftOut {
            writer.object { writer in
              writer.member("line", item.line)
              writer.member("reason", item.reason.rawValue)
              writer.member("message", item.reason.message)
              writer.member("text", item.text)
            }
          }
        }
      }
    }
  }
}
