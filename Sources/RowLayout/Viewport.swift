// What a height depends on besides the text: profile, width, text size, pixel scale and locale.

public struct Viewport: Sendable, Hashable {
  public let profile: Profile
  /// The width of a row, in the profile's unit.
  public let width: Double
  public let textSize: TextSize
  /// Device pixels in a unit.
  public let scale: Double
  /// A BCP 47 tag.
  public let locale: String

  /// Nothing is checked here; `ViewportQuery` does.
  init(profile: Profile, width: Double, textSize: TextSize, scale: Double, locale: String) {
    (self.profile, self.width, self.textSize) = (profile, width, textSize)
    (self.scale, self.locale) = (scale, locale)
  }

  /// What a setting of the text size is called in a query.
  var textSizeText: String {
    switch textSize {
    case .contentSize(let name): name
    case .fontScale(let factor): "\(factor)"
    }
  }
}
