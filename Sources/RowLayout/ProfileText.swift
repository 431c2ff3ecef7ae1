// The texts that rows show of themselves, by the keys under which a profile has them.

internal import InterviewKits

/// The keys of a profile's `strings`.
enum ProfileText {
  /// All that there are.
  static let keys: Set<String> = {
    var keys: Set<String> = ["yes", "no", "notAssessed", "requiredMark", "listSeparator"]
    keys.formUnion(RowKind.allCases.map { "placeholder.\($0.rawValue)" })
    for scale in Scale.presets { keys.formUnion(scale.points.map { "point.\($0.id.string)" }) }
    return keys
  }()
}
