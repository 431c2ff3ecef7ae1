// Whole numbers as protocols write them.

extension Int {
  /// Reads decimal digits and nothing else: `Int("+5")` is 5, and other scripts have digits too. Nil for an empty text, and beyond 64 bits.
  public init?(digits text: some StringProtocol) {
    guard text.utf8.allSatisfy(ByteClass.isDigit) else { return nil }
    self.init(text)
  }
}
