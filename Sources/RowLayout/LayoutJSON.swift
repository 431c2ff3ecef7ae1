// Layouts, deltas and profiles as JSON.

public import InterviewKits
public import JSON
internal import TextLayout

/// Writers of this module's values. Lengths are device pixels ÷ scale in full double precision.
public enum LayoutJSON {
  /// A layout.
  /// - Parameters:
  ///   - evaluationID: whose answers are in it; nil for the empty kit.
  ///   - parts: whether each row tells its parts.
  public static func write(
    _ layout: Layout, evaluationID: ItemID? = nil, parts: Bool = false, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("kitId", layout.kitID.string)
      writer.member("kitRevision", layout.kitRevision)
      if let evaluationID { writer.member("evaluationId", evaluationID.string) }
      writer.member("fingerprint", layout.fingerprint)
      writeFidelity(isExact: layout.isExact, layout.substitutions, to: &writer)
      writer.member("viewport") { write(layout.viewport, to: &$0) }
      writer.member("contentHeight", layout.contentHeight)
      writer.member("rows") { writer in
        writer.array { writer in
          for row in layout.rows { write(row, scale: layout.viewport.scale, parts: parts, to: &writer) }
        }
      }
    }
  }

  /// What an answer write changed: one entry of `layouts`.
  public static func write(_ delta: LayoutDelta, parts: Bool = false, to writer: inout JSONWriter) {
    let scale = delta.viewport.scale
    writer.object { writer in
      writer.member("fingerprint", delta.fingerprint)
      writer.member("viewport") { write(delta.viewport, to: &$0) }
      writer.member("heightChanged", delta.heightChanged)
      writer.member("contentHeight", Double(delta.contentPixels) / scale)
      writer.member("changed") { writer in
        writer.array { writer in
          for change in delta.changed {
            writer.object { writer in
              writer.member("id", change.id.string)
              writer.member("height", Double(change.height) / scale)
              writer.member("heightDelta", Double(change.heightDelta) / scale)
              write(change.geometry, scale: scale, parts: parts, to: &writer)
            }
          }
        }
      }
      writer.member("inserted") { writer in
        writer.array { writer in
          for insertion in delta.inserted {
            writer.object { writer in
              writer.member("after", insertion.after?.string)
              writer.member("row") { write(insertion.row, scale: scale, parts: parts, to: &$0) }
            }
          }
        }
      }
      writer.member("removed") { writer in
        writer.array { writer in for id in delta.removed { writer.string(id.string) } }
      }
    }
  }

  public static func write(_ viewport: Viewport, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("profile", viewport.profile.qualifiedName)
      writer.member("width", viewport.width)
      switch viewport.textSize {
      case .contentSize(let name): writer.member("contentSize", name)
      case .fontScale(let factor): writer.member("fontScale", factor)
      }
      writer.member("scale", viewport.scale)
      writer.member("locale", viewport.locale)
      guard !viewport.profile.slots.isEmpty else { return }
      writer.member("slots") { writer in
        writer.object { writer in
          for name in viewport.profile.slots.keys.sorted() {
            writer.name(name)
            writer.double(viewport.slotHeight(name))
          }
        }
      }
    }
  }

  /// A profile with all that it says: its file, `extends` applied.
  public static func write(_ profile: Profile, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", profile.qualifiedName)
      writer.member("digest", profile.digest)
      if case .object(let members) = profile.document {
        for member in members where member.name != "extends" {
          writer.name(member.name)
          writer.value(member.value)
        }
      }
    }
  }

  /// A profile in a list.
  public static func writeSummary(_ profile: Profile, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", profile.qualifiedName)
      writer.member("name", profile.name)
      writer.member("version", profile.version)
      writer.member("description", profile.summary)
      writer.member("unit", profile.unit)
      writer.member("scale", profile.scale)
      writer.member("modes") { writer in
        writer.array { writer in
          for mode in PartMode.allCases where profile.modes[mode] != nil { writer.string(mode.rawValue) }
        }
      }
      writer.member("font", profile.font.family)
      switch profile.textSize {
      case .dynamicType(let rule):
        writer.member("contentSizes") { writer in
          writer.array { writer in for category in rule.categories { writer.string(category.name) } }
        }
      case .fontScale(let rule):
        writer.member("fontScales") { writer in
          writer.object { writer in
            writer.member("minimum", rule.range.lowerBound)
            writer.member("maximum", rule.range.upperBound)
          }
        }
      }
    }
  }

  static func write(_ row: LayoutRow, scale: Double, parts: Bool, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", row.id.string)
      writer.member("kind", row.kind.rawValue)
      writer.member("sectionId", row.sectionID.string)
      writer.member("y", Double(row.y) / scale)
      writer.member("height", Double(row.height) / scale)
      write(row.geometry, scale: scale, parts: parts, to: &writer)
    }
  }

  /// The members that tell of a row's content, in the object of the row.
  private static func write(_ geometry: RowGeometry, scale: Double, parts: Bool, to writer: inout JSONWriter) {
    if geometry.missingGlyphs { writer.member("missingGlyphs", true) }
    guard parts else { return }
    writer.member("fidelity", geometry.isExact ? "exact" : "approximate")
    writer.member("parts") { writer in
      writer.array { writer in
        for part in geometry.parts {
          writer.object { writer in
            if let role = part.role { writer.member("role", role.rawValue) }
            if let slot = part.slot { writer.member("slot", slot) }
            writer.member("y", Double(part.y) / scale)
            writer.member("height", Double(part.height) / scale)
            writer.member("lines", part.lines)
          }
        }
      }
    }
  }

  static func writeFidelity(isExact: Bool, _ substitutions: [FontSubstitution], to writer: inout JSONWriter) {
    writer.member("fidelity", isExact ? "exact" : "approximate")
    guard !substitutions.isEmpty else { return }
    writer.member("substitutions") { writer in
      writer.array { writer in
        for substitution in substitutions {
          writer.object { writer in
            writer.member("requested", substitution.requested)
            writer.member("used", substitution.used)
          }
        }
      }
    }
  }
}
