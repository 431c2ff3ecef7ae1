// What a height depends on besides the text: profile, width, text size, pixel scale and locale.

internal import InterviewKits
public import JSON

public struct Viewport: Sendable, Hashable {
  public let profile: Profile
  /// The width of a row, in the profile's unit.
  public let width: Double
  public let textSize: TextSize
  /// Device pixels in a unit.
  public let scale: Double
  /// A BCP 47 tag.
  public let locale: String
  /// The heights of slots that are not the profile's own, by name, in the profile's unit.
  public let slots: [String: Double]

  /// Nothing is checked here; `ViewportQuery` does.
  init(
    profile: Profile, width: Double, textSize: TextSize, scale: Double, locale: String, slots: [String: Double] = [:]
  ) {
    (self.profile, self.width, self.textSize) = (profile, width, textSize)
    (self.scale, self.locale) = (scale, locale)
    // A height that is the profile's own is the same viewport as none.
    self.slots = slots.filter { profile.slots[$0.key]?.height != $0.value }
  }

  /// The height of a slot, in the profile's unit.
  func slotHeight(_ name: String) -> Double { slots[name] ?? profile.slots[name]?.height ?? 0 }

  /// This viewport with other heights for some slots.
  /// - Parameter heights: those of an object such as `{ "counter": 18 }`; `pointer` leads to it.
  /// - Throws: every issue.
  public func with(slots heights: JSONValue, pointer: String) throws(InvalidViewport) -> Viewport {
    let issues = JSONIssueList()
    var given = slots
    if let reader = JSONObjectReader(heights, at: pointer, issues: issues), case .object(let members) = heights {
      var object = reader
      for member in members {
        guard profile.slots[member.name] != nil else {
          issues.add(object.pointer(to: member.name), "unknownSlot", profile.unknownSlot(member.name))
          continue
        }
        if let height = object.double(member.name, in: 0...RowLayoutLimits.maximumSlotHeight).value {
          given[member.name] = height
        }
      }
    }
    guard issues.issues.isEmpty else {
      throw InvalidViewport(
        issues: issues.issues.map { Issue(pointer: $0.pointer, code: $0.code, message: $0.message) })
    }
    return Viewport(
      profile: profile, width: width, textSize: textSize, scale: scale, locale: locale, slots: given)
  }

  /// What a setting of the text size is called in a query.
  var textSizeText: String {
    switch textSize {
    case .contentSize(let name): name
    case .fontScale(let factor): "\(factor)"
    }
  }
}

extension Profile {
  func unknownSlot(_ name: String) -> String {
    let names = slots.keys.sorted().joined(separator: ", ")
    return "The profile \(self.name) has no slot \"\(name)\"; it has \(names.isEmpty ? "none" : names)."
  }
}
