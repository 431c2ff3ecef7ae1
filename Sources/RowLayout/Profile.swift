// A layout profile: how a platform draws rows, as data. One object is one immutable version of it.

public import JSON

/// How a platform draws rows: fonts, insets, line rules, text sizes and the strings that the client itself shows.
public final class Profile: Sendable, Hashable {
  let content: ProfileContent
  /// The whole profile after `extends`, as it was read.
  public let document: JSONValue
  /// SHA-256 of all that it says, in hexadecimal.
  public let digest: String

  init(_ content: ProfileContent, document: JSONValue, digest: String) {
    (self.content, self.document, self.digest) = (content, document, digest)
  }

  public var name: String { content.name }
  public var version: Int { content.version }
  /// A sentence for people.
  public var summary: String { content.summary }
  /// The unit of every length: `pt`, `dp` or `px`.
  public var unit: String { content.unit }
  /// Device pixels in a unit, unless a viewport says otherwise.
  public var scale: Double { content.scale }
  /// Android: widths and insets are whole device pixels, rounded to the nearest.
  public var usesWholePixels: Bool { content.usesWholePixels }
  /// The font of parts, and of measure requests that name none.
  public var font: FontRule { content.font }
  public var textSize: TextSizeRule { content.textSize }
  public var modes: [PartMode: ModeRule] { content.modes }
  public var parts: [PartRole: PartRule] { content.parts }
  /// Parts of a height that the client names, by name.
  public var slots: [String: SlotRule] { content.slots }
  public var rows: [RowKind: RowRule] { content.rows }
  /// Texts that the client itself shows, by language (a tag in lower case) and key.
  public var strings: [String: [String: String]] { content.strings }

  /// The name of this very version, such as `ios@3`.
  public var qualifiedName: String { "\(name)@\(version)" }

  public static func == (left: Profile, right: Profile) -> Bool { left.digest == right.digest }

  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// The text for a key in the locale's language, else in English.
  /// - Parameter locale: a BCP 47 tag; `ko-KR` finds `ko-KR`, then `ko`.
  public func string(_ key: String, locale: String) -> String? {
    for tag in Self.lookupTags(locale) { if let text = strings[tag]?[key] { return text } }
    return strings["en"]?[key]
  }

  /// All texts for a locale: its language's, and English ones where it has none.
  func strings(locale: String) -> [String: String] {
    Self.lookupTags(locale).reversed().reduce(strings["en"] ?? [:]) { texts, tag in
      texts.merging(strings[tag] ?? [:]) { $1 }
    }
  }

  /// The tag in lower case, and what remains when its last parts are taken away (RFC 4647, section 3.4).
  private static func lookupTags(_ locale: String) -> [String] {
    var parts = locale.lowercased().split(separator: "-")
    var tags: [String] = []
    while !parts.isEmpty {
      tags.append(parts.joined(separator: "-"))
      parts.removeLast()
      if parts.last?.utf8.count == 1 { parts.removeLast() }
    }
    return tags
  }
}

/// What a profile file says, after `extends`.
struct ProfileContent: Sendable, Hashable {
  var name: String
  var version: Int
  var summary: String
  var unit: String
  var scale: Double
  var usesWholePixels: Bool
  var font: FontRule
  var textSize: TextSizeRule
  var modes: [PartMode: ModeRule]
  var parts: [PartRole: PartRule]
  var slots: [String: SlotRule]
  var rows: [RowKind: RowRule]
  var strings: [String: [String: String]]
}

/// The view that draws a text.
public enum PartMode: String, Sendable, CaseIterable {
  /// `UILabel`, `boundingRect`, a `TextView` without padding, a `div`.
  case label
  /// `UITextView`, Android's `TextView`, a `textarea`.
  case textView
  /// A `UITextView` whose `textContainerInset` and `lineFragmentPadding` are zero.
  case zeroPaddingTextView
  /// `UITextField`, an `input`: one line.
  case textField
  /// Android's `EditText`.
  case editText
}

/// Space at the four sides.
public struct Insets: Sendable, Hashable {
  public var top: Double
  public var leading: Double
  public var bottom: Double
  public var trailing: Double

  public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
    (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
  }

  public static let zero = Insets()
}

/// How one kind of view sets text.
public struct ModeRule: Sendable, Hashable {
  /// `textContainerInset`, `padding`, a border's insets.
  public var insets: Insets
  /// UIKit: more space at both sides, inside the insets.
  public var lineFragmentPadding: Double
  public var minimumHeight: Double
  /// One line, whatever the text: hard breaks count as spaces.
  public var isSingleLine: Bool
  public var lines: LineRules

  /// All that a line of text loses of the view's width.
  public var horizontalInsets: Double { insets.leading + insets.trailing + 2 * lineFragmentPadding }
}

/// A font before the text size setting is applied.
public struct FontRule: Sendable, Hashable {
  public var family: String
  /// Families tried next, before those of the font configuration.
  public var fallbacks: [String]
  public var usesDefaultFallbacks: Bool
  public var size: FontSize
  /// CSS weight; nil takes the text style's.
  public var weight: Int?
}

public enum FontSize: Sendable, Hashable {
  /// A text style of the profile, such as `body`.
  case style(String)
  /// A size in the profile's unit, which the text size setting scales.
  case fixed(Double)
}

/// What a part of a row shows.
public enum PartRole: String, Sendable, CaseIterable {
  /// A section's title.
  case title
  /// The question, the criterion, the note.
  case text
  /// The question's help.
  case help
  /// The answer to `shortText`, `number` and `date`: one line.
  case field
  /// The answer to `longText`: it grows.
  case answer
  /// One choice: an option, yes or no, a point of a scale.
  case option
  /// What is chosen, on one button.
  case value
  /// Shown while an answer says "not assessed".
  case notAssessed
  /// The comment of an answer that has one.
  case comment
}

public struct PartRule: Sendable, Hashable {
  public var mode: PartMode
  public var font: FontRule
  /// Space around the view, such as room for a check mark.
  public var insets: Insets
  public var minimumHeight: Double
  /// Space above, unless the part is its row's first.
  public var gapAbove: Double
  /// Space between two of the same role.
  public var gapBetween: Double
  /// Lines beyond add no height; 0 is no limit.
  public var maximumLines: Int
  public var placeholder: PlaceholderRule
}

/// A part of a row whose height the client names: a counter, an error line, a cell of its own.
public struct SlotRule: Sendable, Hashable {
  /// What it takes when a viewport names no other; 0 takes nothing, its gap neither.
  public var height: Double
  /// Space above, unless it is its row's first.
  public var gapAbove: Double
}

/// Whether the hint of an empty field takes room.
public enum PlaceholderRule: String, Sendable, CaseIterable {
  /// It takes none.
  case never
  /// The field is at least as high as its hint while it is empty.
  case whenEmpty
  /// The field is always at least as high as its hint (Android's `TextView` measures both).
  case always
}

/// The kind of a row: a section's header, a question's type, or a criterion.
public enum RowKind: String, Sendable, CaseIterable {
  case section, shortText, longText, yesNo, singleSelect, multiSelect, number, date, rating, scorecard, note, criterion
}

public struct RowRule: Sendable, Hashable {
  public var insets: Insets
  public var minimumHeight: Double
  /// The separator under the row, in device pixels.
  public var separatorPixels: Int
  /// What the row shows, from top to bottom.
  public var parts: [RowPart]
}

/// One entry of a row's list of parts.
public enum RowPart: Sendable, Hashable {
  case text(PartRole)
  /// A slot of the profile, by name.
  case slot(String)
}
