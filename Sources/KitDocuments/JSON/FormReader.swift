// What all document readers share: IDs, words from a list and numbers, with their issues.

internal import InterviewKits
internal import JSON

extension JSONObjectReader {
  /// The item ID in a member; absent when it is not of an ID's form, with an issue added.
  mutating func itemID(_ name: String) -> Presence<ItemID> {
    string(name).map { text -> ItemID? in
      if let id = ItemID(text) { return id }
      report(
        name, "invalidId",
        "An ID has 1 to \(ItemID.maximumBytes) characters of A-Z a-z 0-9 . _ : - and begins with a letter or digit.")
      return nil
    }
  }

  mutating func requiredItemID(_ name: String) -> ItemID? {
    switch value(name) {
    case .absent: report(name, "missingMember", "The member \"\(name)\" is missing.")
    case .null: report(name, "wrongType", "\(name) must not be null.")
    case .value: return itemID(name).value
    }
    return nil
  }

  /// A word of a fixed list; absent when it is another one, with an issue added.
  mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String, _: Word.Type) -> Presence<Word>
  where Word.RawValue == String {
    string(name).map { text -> Word? in
      if let word = Word.allCases.first(where: { $0.rawValue == text }) { return word }
      let words = Word.allCases.map(\.rawValue)
      let ending = Suggestion.ending(for: text, among: words)
      report(name, "invalidValue", "\(name) is one of: \(words.joined(separator: ", "))\(ending)")
      return nil
    }
  }

  mutating func text(_ name: String) -> Presence<ExactText> { string(name).map { ExactText($0) } }

  /// Takes members that a reader of the document gets and may send back; they are the service's to set.
  mutating func ignore(_ names: String...) { for name in names { _ = value(name) } }
}

extension JSONNumber {
  /// The number with all its digits, or why it can't be kept so.
  var exact: Result<Number, InexactNumber> {
    if let integer { return .success(.integer(integer)) }
    guard let double, double.magnitude <= Number.maximumDecimal else {
      return .failure(
        InexactNumber(
          code: "outOfRange", message: "A number is whole and within 64 bits, or has a fraction and is at most 1e15."))
    }
    guard hasSameDigits(as: double) else {
      return .failure(
        InexactNumber(code: "tooPrecise", message: "The number has more digits than can be kept exactly."))
    }
    return .success(.decimal(double))
  }
}

/// Why a number can't be kept with all its digits.
struct InexactNumber: Error {
  var code: String
  var message: String
}

extension JSONWriter {
  mutating func number(_ number: Number) {
    switch number {
    case .integer(let value): int(value)
    case .decimal(let value): double(value)
    }
  }

  mutating func member(_ name: StaticString, _ text: ExactText?) { member(name, text?.string) }

  mutating func member(_ name: StaticString, _ id: ItemID?) { member(name, id?.string) }
}

extension JSONIssueList {
  /// The issues found so far as the domain's.
  func domainIssues() -> [Issue] {
    issues.map { Issue(pointer: $0.pointer, code: $0.code, message: $0.message) }
  }
}
