// Heights of lines by platform rule.
import Testing
import TextLayout

@Suite struct HeightTests {
  @Test(arguments: [
    (14.0, 16.70703125), (15, 17.900390625), (16, 19.09375), (17, 20.287109375), (18, 21.48046875), (19, 22.673828125),
  ])
  func `the system font's line is 1.193359375 times its size`(size: Double, height: Double) {
    let measured = Fixture.measure("Line", "SF Pro", size: size, rules: .iosLabel)
    #expect(measured.exactHeight == height)
    #expect(measured.height == (height * 3).rounded(.up) / 3)
    #expect(measured.substitutions == [FontSubstitution(requested: "SF Pro", used: "Inter")])
    #expect(!measured.isExact)
  }

  @Test func `the stand-in of the system font is tracked by size`() {
    let width = { Fixture.measure("aaaaaaaaaa", $0, size: $1, rules: .iosLabel).width }
    #expect(abs(width("SF Pro", 12) - width("Inter", 12)) < 1e-6)
    #expect(abs(width("SF Pro", 17) - (width("Inter", 17) - 4.3)) < 1e-5)
    #expect(abs(width("SF Pro", 20) - (width("Inter", 20) - 4.6)) < 1e-5)
    #expect(abs(width("SF Pro", 18.5) - (width("Inter", 18.5) - 4.45)) < 1e-5)
  }

  @Test func `line heights on iOS follow the fonts of each line alone`() {
    let measured = Fixture.measure("Latin\nกขค\n日本", "Inter", size: 10, locale: "ja", rules: .iosTextView)
    let expected = [34_080 / 2_816.0, 15.11, 14.48]
    #expect(zip(measured.lineHeights, expected).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test func `the primary font holds every line open on Android, on the web and in plain rules`() {
    for rule in [
      LineHeightRule.android(includeFontPadding: false, spacingExtra: 0, spacingMultiplier: 1), .web(height: nil),
    ] {
      let rules = TextRules(lineHeight: rule)
      let measured = Fixture.measure("हिन्दी\nab", fallbacks: ["Noto Sans Devanagari"], rules: rules)
      // Devanagari's ascent is below Roboto's, its descent above: 15 + round(6.528).
      #expect(measured.lineHeights == [22, 19])
    }
    let plain = Fixture.measure("हिन्दी", fallbacks: ["Noto Sans Devanagari"], rules: TextRules())
    #expect(abs(plain.exactHeight - 16 * (1_900 / 2_048.0 + 0.408)) < 1e-9)
  }

  @Test func `Android stretches every line but the last`() {
    let rules = TextRules.android.with {
      $0.lineHeight = .android(includeFontPadding: false, spacingExtra: 3, spacingMultiplier: 1.2)
    }
    // int((19 · 0.2 + 3) + 0.5) = 7
    #expect(Fixture.measure("a", rules: rules).height == 19)
    #expect(Fixture.measure("a\nb\nc", rules: rules).lineHeights == [26, 26, 19])
    #expect(Fixture.measure("a\nb\nc", rules: rules).height == 71)
  }

  @Test func `Android rounds in pixels of the density`() {
    let rules = TextRules.android.with { $0.scale = 2.625 }
    // 42 px: round(38.96) + round(10.25) = 49 px.
    #expect(Fixture.measure("a", rules: rules).height == 49 / 2.625)
  }

  @Test func `a CSS line height is the height of every line`() {
    let rules = TextRules(lineHeight: .web(height: 24))
    #expect(Fixture.measure("a ကို\nb", rules: rules).lineHeights == [24, 24])
  }

  @Test func `bitmap emoji take the advance that the platform takes`() {
    #expect(Fixture.measure("🙂", size: 2_048).width == 2_550)
    let strike = TextRules.android.with { $0.bitmapAdvance = .strike }
    #expect(abs(Fixture.measure("🙂", size: 109, rules: strike).width - 136) < 1e-5)
  }
}
