// The layout engine of a run: fonts and profiles from the settings.

import JSON
import RowLayout
import TextLayout

struct Engine {
  let fonts: FontLibrary
  let profiles: ProfileLibrary
  let layouts: RowLayoutEngine
  private let pieceBytes: Int

  /// - Parameter digestFile: where the fonts' digests are kept between runs; nil keeps none.
  init(_ settings: Settings, digestFile: String?) throws(SettingsError) {
    do { fonts = try FontLibrary(configurationFile: settings.fonts, digestCacheFile: digestFile) } catch {
      throw SettingsError("fonts: \(error)")
    }
    do { profiles = try ProfileLibrary(directory: settings.profiles) } catch {
      throw SettingsError("profiles: \(error)")
    }
    let bytes = settings.cacheMegabytes << 20
    pieceBytes = bytes / 8
    let measurer = TextMeasurer(fonts: fonts, cacheBytes: bytes / 4, pieceBytes: pieceBytes)
    let limits = RowLayoutLimits(cacheBytes: bytes - bytes / 8 - bytes / 4)
    layouts = RowLayoutEngine(measurer: measurer, limits: limits)
  }

  /// Names the font files that are missing, family by family, and which family stands in.
  func report(to log: Log) {
    for family in fonts.families {
      let missing = family.faces.filter { !$0.isPresent }
      if missing.isEmpty { continue }
      let standIn = missing.count == family.faces.count ? family.substitute : nil
      log(standIn == nil ? .warning : .info, "font.missing") { line in
        line.member("family", family.name)
        line.member("substitute", standIn)
        line.member("files") { list in list.array { list in for face in missing { list.string(face.file) } } }
        line.member("absences") { list in
          list.array { list in for case let absence? in missing.map(\.absence) { list.string(absence.rawValue) } }
        }
      }
    }
  }

  /// What the caches of shaped texts and of rows hold, and their bounds.
  var caches: [(name: String, bytes: Int, limitBytes: Int)] {
    let (measurer, texts) = (layouts.measurer, layouts.measurer.cacheStatistics)
    return [("texts", texts.bytes, texts.capacityBytes), ("pieces", measurer.pieceBytes, pieceBytes)] + layouts.caches
  }

  /// True when every family can be measured, by its own files or by its substitute's.
  var isComplete: Bool { fonts.families.allSatisfy { $0.substitute != nil || $0.faces.allSatisfy(\.isPresent) } }

  /// Does beside the start what the first layout would wait for: digests the fonts and opens the usual ones.
  func warmUp() async {
    _ = fonts.fingerprint
    for profile in profiles.names {
      var writer = JSONWriter()
      writer.object { body in
        body.member("profile", profile)
        body.member("width", 300)
        body.member("texts") { list in
          list.array { list in list.object { $0.member("text", "Aé Ж 가 あ 漢 ع ש ก अ 🙂") } }
        }
      }
      guard let body = try? JSONValue.parse(writer.bytes),
        let request = try? layouts.measureRequest(body, profiles: profiles)
      else {
        continue
      }
      _ = layouts.measure(request)
    }
  }
}
