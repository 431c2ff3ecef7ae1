// The answer to a measure request as JSON.

public import JSON
internal import TextLayout

extension LayoutJSON {
  /// The heights; `applied` says by which rules, and a result whose text had settings of its own says so itself.
  public static func write(_ response: MeasureResponse, to writer: inout JSONWriter) {
    let common = response.results.first?.setting ?? 0
    writer.object { writer in
      writer.member("results") { writer in
        writer.array { writer in
          for result in response.results {
            write(result, applied: result.setting == common ? nil : response.settings[result.setting], to: &writer)
          }
        }
      }
      writer.member("fingerprint", response.fingerprint)
      writeFidelity(isExact: response.isExact, response.substitutions, to: &writer)
      if response.settings.indices.contains(common) {
        writer.member("applied") { write(response.settings[common], to: &$0) }
      }
    }
  }

  private static func write(_ result: MeasureResponse.Result, applied: MeasureSetting?, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", result.id)
      writer.member("height", result.height)
      writer.member("exactHeight", result.exactHeight)
      writer.member("width", result.width)
      writer.member("lines", result.lines)
      if let starts = result.lineStarts {
        writer.member("lineStarts") { writer in writer.array { writer in for start in starts { writer.int(start) } } }
      }
      if result.missingGlyphs { writer.member("missingGlyphs", true) }
      if let applied { writer.member("applied") { write(applied, to: &$0) } }
    }
  }

  static func write(_ setting: MeasureSetting, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("profile", setting.profile.qualifiedName)
      writer.member("mode", setting.mode.rawValue)
      writer.member("width", setting.width)
      writer.member("font") { writer in
        writer.object { writer in
          writer.member("family", setting.family)
          writer.member("size", setting.fontSize)
          writer.member("weight", setting.weight)
          writer.member("fallbacks") { writer in
            writer.array { writer in for family in setting.fallbacks { writer.string(family) } }
          }
        }
      }
      switch setting.textSize {
      case .contentSize(let name): writer.member("contentSize", name)
      case .fontScale(let factor): writer.member("fontScale", factor)
      }
      writer.member("scale", setting.scale)
      writer.member("locale", setting.locale)
      writer.member("insets") { write(setting.rule.insets, to: &$0) }
      writer.member("lineFragmentPadding", setting.rule.lineFragmentPadding)
      writer.member("minimumHeight", setting.rule.minimumHeight)
      writer.member("singleLine", setting.rule.isSingleLine)
      writer.member("lines") { write(setting.rule.lines, to: &$0) }
    }
  }

  private static func write(_ insets: Insets, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("top", insets.top)
      writer.member("leading", insets.leading)
      writer.member("bottom", insets.bottom)
      writer.member("trailing", insets.trailing)
    }
  }

  private static func write(_ lines: LineRules, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("height", lines.height.rawValue)
      switch lines.height {
      case .ios: writer.member("usesFontLeading", lines.usesFontLeading)
      case .android:
        writer.member("includeFontPadding", lines.includeFontPadding)
        writer.member("lineSpacingExtra", lines.lineSpacingExtra)
        writer.member("lineSpacingMultiplier", lines.lineSpacingMultiplier)
      case .web:
        writer.member("lineHeight") { writer in
          if let height = lines.lineHeight { writer.double(height) } else { writer.null() }
        }
      case .plain: break
      }
      if lines.height == .ios || lines.height == .plain { writer.member("lineSpacing", lines.lineSpacing) }
      writer.member("strictness", lines.strictness.rawValue)
      writer.member("hangul", lines.hangul.rawValue)
      if let strategy = lines.lineBreakStrategy { writer.member("lineBreakStrategy", strategy.rawValue) }
      writer.member("softHyphen", lines.softHyphen.rawValue)
      writer.member("ideographicSpaceHangs", lines.ideographicSpaceHangs)
      writer.member("breakPairs", lines.breakPairs.rawValue)
      writer.member("hyphens", lines.hyphens.rawValue)
      writer.member("quotes", lines.quotes.rawValue)
      writer.member("bitmapAdvance", lines.bitmapAdvance.rawValue)
      writer.member("tabs") { writer in
        writer.object { writer in
          switch lines.tabs {
          case .stops(let every, let count):
            writer.member("every", every)
            writer.member("count", count)
          case .pixelStops(let every): writer.member("everyPixels", every)
          case .spaces(let count): writer.member("spaces", count)
          }
        }
      }
      writer.member("trailingBreak", lines.trailingBreak.rawValue)
      writer.member("maximumLines", lines.maximumLines)
      writer.member("breakStrategy", lines.breakStrategy.rawValue)
      writer.member("hyphenation", lines.hyphenation.rawValue)
    }
  }
}
