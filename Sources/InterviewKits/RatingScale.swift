// Rating scales: ordered points with IDs, and the two presets.

/// A rating scale of a kit.
public struct Scale: Hashable, Sendable {
  public var id: ItemID
  public var title: ExactText
  public var points: [ScalePoint]

  public init(id: ItemID, title: ExactText, points: [ScalePoint]) {
    (self.id, self.title, self.points) = (id, title, points)
  }
}

public struct ScalePoint: Hashable, Sendable {
  public var id: ItemID
  public var label: ExactText

  public init(id: ItemID, label: ExactText) { (self.id, self.label) = (id, label) }
}

extension Scale {
  /// Strong no, no, yes, strong yes.
  public static let fourPoint = preset("fourPoint", "Four points", ["strongNo", "no", "yes", "strongYes"])
  /// Strong no, no, mixed, yes, strong yes.
  public static let fivePoint = preset("fivePoint", "Five points", ["strongNo", "no", "mixed", "yes", "strongYes"])
  public static let presets = [fourPoint, fivePoint]

  private static let labels = [
    "strongNo": "Strong no", "no": "No", "mixed": "Mixed", "yes": "Yes", "strongYes": "Strong yes",
  ]

  private static func preset(_ name: String, _ title: String, _ points: [String]) -> Scale {
    guard let id = ItemID(name) else { preconditionFailure("a preset's name is an ID") }
    return Scale(
      id: id, title: ExactText(title),
      points: points.map { point in
        guard let pointID = ItemID("\(name).\(point)") else { preconditionFailure("a preset's point is an ID") }
        return ScalePoint(id: pointID, label: ExactText(labels[point] ?? point))
      })
  }
}
