// Text sizes: Dynamic Type, UIFontMetrics and Android's font scale.

import RowLayout
import Testing

struct TextSizeTests {
  @Test(arguments: [
    ("body", "xSmall", 14.0), ("body", "large", 17), ("body", "xxxLarge", 23), ("body", "AX1", 28), ("body", "AX5", 53),
    ("largeTitle", "large", 34), ("largeTitle", "AX5", 60), ("footnote", "xSmall", 12), ("subheadline", "xxxLarge", 21),
    ("caption2", "AX5", 40), ("caption1", "large", 12), ("headline", "AX3", 40), ("title3", "medium", 19),
  ])
  func `a text style has the size of its content size category`(style: String, category: String, size: Double) throws {
    let rule = try #require(try Fixture.profiles.get().profile("ios")).textSize
    #expect(rule.size(of: .style(style), at: .contentSize(category), scale: 3) == size)
  }

  /// 48 and 16.333… were read from devices by others.
  @Test(arguments: [(17.0, "large", 17.0), (17.0, "AX5", 48.0), (17.0, "medium", 49.0 / 3), (10.0, "AX5", 85.0 / 3)])
  func `other sizes follow the leading of body, in whole device pixels`(
    size: Double, category: String, scaled: Double
  ) throws {
    let rule = try #require(try Fixture.profiles.get().profile("ios")).textSize
    #expect(rule.size(of: .fixed(size), at: .contentSize(category), scale: 3) == scaled)
  }

  @Test(arguments: [
    "large", "LARGE", "Large", "UICTContentSizeCategoryL", "uicontentsizecategorylarge", "UIContentSizeCategoryLarge",
  ])
  func `a category is known by short and full names in any case`(name: String) throws {
    guard case .dynamicType(let rule) = try #require(try Fixture.profiles.get().profile("ios")).textSize else {
      throw TestFailure("no Dynamic Type")
    }
    #expect(rule.category(name) == 3)
    #expect(rule.categories.count == 12)
    #expect(rule.styles.count == 11)
    #expect(rule.category("UICTContentSizeCategoryAccessibilityXXXL") == 11)
    #expect(rule.category("ax5") == 11)
    #expect(rule.category("huge") == nil)
  }

  /// Fault B012: font scale is no single factor since API 34.
  @Test(arguments: [
    ("android", 1.3, 14.0, 18.8), ("android", 1.3, 24, 26.4), ("android", 1.3, 30, 30.0),
    ("android-33", 1.3, 14, 18.2), ("android-33", 1.3, 24, 31.2), ("android-33", 1.3, 30, 39.0),
    ("android", 2, 16, 28), ("android", 1, 30, 30), ("android", 1.1, 30, 33), ("android", 1.3, 4, 5.2),
    ("android", 1.3, 120, 120), ("android", 1.4, 14, 20.4), ("android", 2.5, 30, 75), ("web", 1.5, 16, 24),
    ("plain", 0.5, 30, 15),
  ])
  func `a font scale enlarges as its platform does`(
    profile: String, factor: Double, size: Double, scaled: Double
  ) throws {
    let rule = try #require(try Fixture.profiles.get().profile(profile)).textSize
    let value = rule.size(of: .fixed(size), at: .fontScale(factor), scale: 1)
    #expect(abs(value - scaled) < 1e-9, "\(value)")
  }

  /// Android itself steps back once: where its curves begin, large text is smaller than linear scaling had made it.
  @Test func `a larger font scale never makes text smaller, and a larger size stays larger`() throws {
    for name in ["android", "android-33", "web"] {
      let rule = try #require(try Fixture.profiles.get().profile(name)).textSize
      func scaled(_ size: Double, _ hundredths: Int) -> Double {
        rule.size(of: .fixed(size), at: .fontScale(Double(hundredths) / 100), scale: 1)
      }
      for size in stride(from: 6.0, through: 110, by: 1) {
        for step in 115..<300 { #expect(scaled(size, step) <= scaled(size, step + 1) + 1e-9) }
        for step in 50...300 { #expect(scaled(size, step) <= scaled(size + 1, step) + 1e-9) }
      }
    }
  }
}
