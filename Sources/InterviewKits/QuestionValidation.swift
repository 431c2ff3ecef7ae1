// What one question must satisfy within its kit.

extension Question {
  /// All that is wrong with the question itself; conditions on other questions are `ConditionIndex`'s.
  func issues(at pointer: String, scale: (ItemID) -> Scale?) -> [Issue] {
    var check = TextChecks()
    check.requiredText(text, at: pointer + "/text", limit: KitLimits.textScalars, item: id)
    check.optionalText(help, at: pointer + "/help", limit: KitLimits.textScalars, item: id)
    switch kind {
    case .shortText(let maxLength), .longText(let maxLength):
      if !(1...KitLimits.largestAnswerScalars).contains(maxLength) {
        check.add(
          pointer + "/maxLength", id, "outOfRange",
          "maxLength is a whole number from 1 to \(KitLimits.largestAnswerScalars), not \(maxLength).")
      }
    case .singleSelect(let options), .multiSelect(let options):
      check.count(options.count, at: pointer + "/options", limit: KitLimits.optionsOfOneQuestion, of: "options")
      if options.isEmpty { check.add(pointer + "/options", id, "tooFew", "A select question has at least one option.") }
      for (row, option) in options.enumerated() {
        let place = "\(pointer)/options/\(row)/text"
        check.requiredText(option.text, at: place, limit: KitLimits.textScalars, item: option.id)
      }
    case .scorecard(let scaleID, let criteria):
      check.count(criteria.count, at: pointer + "/criteria", limit: KitLimits.criteriaOfOneQuestion, of: "criteria")
      if criteria.isEmpty { check.add(pointer + "/criteria", id, "tooFew", "A scorecard has at least one criterion.") }
      for (row, criterion) in criteria.enumerated() {
        let place = "\(pointer)/criteria/\(row)/text"
        check.requiredText(criterion.text, at: place, limit: KitLimits.textScalars, item: criterion.id)
      }
      check.scale(scaleID, exists: scale(scaleID) != nil, at: pointer + "/scale", item: id)
    case .rating(let scaleID):
      check.scale(scaleID, exists: scale(scaleID) != nil, at: pointer + "/scale", item: id)
    case .note:
      if required { check.add(pointer + "/required", id, "notAnswerable", "A note takes no answer to require.") }
    case .yesNo, .number, .date: break
    }
    return check.issues
  }

  /// The IDs of the options or criteria, with their pointers.
  func ownedIDs(at pointer: String) -> [(id: ItemID, pointer: String)] {
    options.enumerated().map { ($1.id, "\(pointer)/options/\($0)") }
      + criteria.enumerated().map { ($1.id, "\(pointer)/criteria/\($0)") }
  }
}

/// The checks on texts and counts that all items share.
struct TextChecks {
  private(set) var issues: [Issue] = []

  mutating func add(_ pointer: String, _ item: ItemID?, _ code: String, _ message: String) {
    issues.append(Issue(pointer: pointer, itemID: item, code: code, message: message))
  }

  mutating func requiredText(_ text: ExactText, at pointer: String, limit: Int, item: ItemID? = nil) {
    if text.isBlank { return add(pointer, item, "empty", "This text must hold something visible.") }
    optionalText(text, at: pointer, limit: limit, item: item)
  }

  mutating func optionalText(_ text: ExactText?, at pointer: String, limit: Int, item: ItemID? = nil) {
    guard let text else { return }
    if text.string.utf8.contains(0) {
      add(pointer, item, "nulCharacter", "A text can't hold the character U+0000.")
    }
    // A scalar is at least one byte: short texts need no counting.
    if text.string.utf8.count > limit, text.scalarCount > limit {
      add(
        pointer, item, "tooLong",
        "This text has \(text.scalarCount) Unicode scalars; at most \(limit) are accepted here.")
    }
  }

  mutating func count(_ count: Int, at pointer: String, limit: Int, of what: String) {
    if count > limit { add(pointer, nil, "tooMany", "\(count) \(what); at most \(limit) are accepted.") }
  }

  mutating func scale(_ id: ItemID, exists: Bool, at pointer: String, item: ItemID) {
    guard !exists else { return }
    add(pointer, item, "unknownScale", "There is no scale '\(id)': neither a preset nor one of the kit's `scales`.")
  }
}
