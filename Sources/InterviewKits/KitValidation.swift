// What a whole kit must satisfy, beyond the form of its document; every violation is listed.

extension Kit {
  /// All that is wrong, with JSON Pointers into the kit's document; empty when the kit may be stored.
  public func issues() -> [Issue] {
    var check = TextChecks()
    check.requiredText(title, at: "/title", limit: KitLimits.titleScalars)
    check.optionalText(instructions, at: "/instructions", limit: KitLimits.instructionsScalars)
    check.count(sections.count, at: "/sections", limit: KitLimits.sections, of: "sections")
    check.count(questionCount, at: "/sections", limit: KitLimits.questions, of: "questions")
    var found = check.issues
    if let language, !Self.isLanguageTag(language) {
      found.append(
        Issue(pointer: "/language", code: "invalidLanguage", message: "'\(language)' is not a BCP 47 language tag."))
    }
    found += scaleIssues()
    found += uniquenessIssues()
    let index = ConditionIndex(self)
    for (row, section) in sections.enumerated() {
      found += section.ownIssues(at: "/sections/\(row)")
      for (column, question) in section.questions.enumerated() {
        let pointer = "/sections/\(row)/questions/\(column)"
        found += question.issues(at: pointer, scale: scale)
        found += index.issues(of: question, at: pointer)
      }
    }
    if let overallQuestionID { found += overallIssues(overallQuestionID, index: index) }
    return found
  }

  /// What is wrong with the scales themselves.
  func scaleIssues() -> [Issue] {
    var check = TextChecks()
    check.count(scales.count, at: "/scales", limit: KitLimits.scales, of: "scales")
    for (row, scale) in scales.enumerated() {
      check.optionalText(scale.title, at: "/scales/\(row)/title", limit: KitLimits.titleScalars)
      let points = "/scales/\(row)/points"
      check.count(scale.points.count, at: points, limit: KitLimits.pointsOfOneScale, of: "points")
      if scale.points.count < 2 {
        check.add(points, scale.id, "tooFew", "A scale has at least two points.")
      }
      for (column, point) in scale.points.enumerated() {
        check.requiredText(
          point.label, at: "\(points)/\(column)/label", limit: KitLimits.titleScalars, item: point.id)
      }
    }
    return check.issues
  }

  func overallIssues(_ id: ItemID, index: ConditionIndex) -> [Issue] {
    guard let question = index.questions[id] else {
      return [
        Issue(
          pointer: "/overallQuestionId", itemID: id, code: "unknownQuestion",
          message: "The kit has no question '\(id)'.")
      ]
    }
    switch question.type {
    case .note, .scorecard:
      return [
        Issue(
          pointer: "/overallQuestionId", itemID: id, code: "notAnswerable",
          message: "A \(question.type.rawValue) has no answer of its own, so it can't be the overall question.")
      ]
    default: return []
    }
  }

  /// Every item's ID with the pointer of the item, in document order.
  func allItemIDs() -> [(id: ItemID, pointer: String)] {
    var ids: [(id: ItemID, pointer: String)] = []
    for (row, scale) in scales.enumerated() {
      ids.append((scale.id, "/scales/\(row)"))
      for (column, point) in scale.points.enumerated() { ids.append((point.id, "/scales/\(row)/points/\(column)")) }
    }
    for (row, section) in sections.enumerated() {
      ids.append((section.id, "/sections/\(row)"))
      for (column, question) in section.questions.enumerated() {
        let pointer = "/sections/\(row)/questions/\(column)"
        ids.append((question.id, pointer))
        ids += question.ownedIDs(at: pointer)
      }
    }
    return ids
  }

  private func uniquenessIssues() -> [Issue] {
    var seen: [ItemID: String] = [:]
    for preset in Scale.presets {
      seen[preset.id] = "a preset"
      for point in preset.points { seen[point.id] = "a preset" }
    }
    var found: [Issue] = []
    for (id, pointer) in allItemIDs() {
      if let first = seen.updateValue(pointer, forKey: id) {
        found.append(
          Issue(
            pointer: pointer + "/id", itemID: id, code: "duplicateId",
            message: "The ID '\(id)' is used twice in the kit; \(first) has it too."))
      }
    }
    return found
  }

  /// The form of a BCP 47 tag: 2 to 8 letters, then subtags of 1 to 8 letters or digits.
  static func isLanguageTag(_ tag: String) -> Bool {
    let subtags = tag.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
    guard let first = subtags.first, (2...8).contains(first.count), tag.utf8.count <= 35 else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    return first.allSatisfy(isLetter)
      && subtags.dropFirst().allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
  }
}

extension Section {
  /// What is wrong with the section itself, its questions aside.
  func ownIssues(at pointer: String) -> [Issue] {
    var check = TextChecks()
    check.requiredText(title, at: pointer + "/title", limit: KitLimits.titleScalars, item: id)
    return check.issues
  }
}
