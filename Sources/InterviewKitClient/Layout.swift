// What the service says of row heights, as values of an app. Heights are points or dp, whole device pixels each.

import Foundation

/// All that a height depends on besides the text.
public struct Viewport: Sendable, Hashable {
  /// `ios`, or a version that never changes: `ios@3`.
  public var profile: String
  /// Of the cell, in points or dp; several for several orientations.
  public var widths: [Double]
  /// A Dynamic Type category, such as `extraLarge`; nil for the profile's own.
  public var contentSize: String?
  public var fontScale: Double?
  /// Device pixels a point; nil for the profile's own.
  public var scale: Double?
  /// Nil for the kit's language.
  public var locale: String?

  public init(
    profile: String, widths: [Double], contentSize: String? = nil, fontScale: Double? = nil, scale: Double? = nil,
    locale: String? = nil
  ) {
    (self.profile, self.widths, self.contentSize) = (profile, widths, contentSize)
    (self.fontScale, self.scale, self.locale) = (fontScale, scale, locale)
  }

  var queryItems: [URLQueryItem] {
    var items = [URLQueryItem(name: "profile", value: profile)]
    items.append(URLQueryItem(name: "width", value: widths.map(Self.text).joined(separator: ",")))
    if let contentSize { items.append(URLQueryItem(name: "contentSize", value: contentSize)) }
    if let fontScale { items.append(URLQueryItem(name: "fontScale", value: Self.text(fontScale))) }
    if let scale { items.append(URLQueryItem(name: "scale", value: Self.text(scale))) }
    if let locale { items.append(URLQueryItem(name: "locale", value: locale)) }
    return items
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : String(number)
  }
}

/// The heights of all rows of a form in one viewport.
public struct Layout: Codable, Sendable, Hashable {
  /// The viewport as the service took it, with the profile's version and its own values for what was left out.
  public struct Viewport: Codable, Sendable, Hashable {
    public var profile: String
    public var width: Double
    public var scale: Double
    public var locale: String?
  }

  public struct Row: Codable, Sendable, Hashable, Identifiable {
    public var id: String
    /// `section`, `criterion`, or a question's type.
    public var kind: String
    public var sectionId: String?
    public var y: Double
    public var height: Double
  }

  public var kitId: String
  public var kitRevision: Int
  public var evaluationId: String?
  /// Heights of different fingerprints do not belong together.
  public var fingerprint: String
  /// `exact`, or `approximate` where another font stood in.
  public var fidelity: String
  public var viewport: Viewport
  public var contentHeight: Double
  public var rows: [Row]
}

/// What a write or a change did to the rows of one viewport.
public struct LayoutDelta: Codable, Sendable, Hashable {
  public struct Change: Codable, Sendable, Hashable, Identifiable {
    public var id: String
    public var height: Double
  }

  public struct Insertion: Codable, Sendable, Hashable {
    /// The row before it; nil for the first.
    public var after: String?
    public var row: Layout.Row
  }

  public var fingerprint: String
  public var contentHeight: Double
  public var changed: [Change]
  public var inserted: [Insertion]
  public var removed: [String]
}
