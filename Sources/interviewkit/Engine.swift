// The layout engine of a run: fonts and profiles from the settings.

import RowLayout
import TextLayout

struct Engine {
  let fonts: FontLibrary
  let profiles: ProfileLibrary
  let layouts: RowLayoutEngine

  /// - Parameter digestFile: where the fonts' digests are kept between runs; nil keeps none.
  init(_ settings: Settings, digestFile: String?) throws(SettingsError) {
    do { fonts = try FontLibrary(configurationFile: settings.fonts, digestCacheFile: digestFile) } catch {
      throw SettingsError("fonts: \(error)")
    }
    do { profiles = try ProfileLibrary(directory: settings.profiles) } catch {
      throw SettingsError("profiles: \(error)")
    }
    let bytes = settings.cacheMegabytes << 20
    let measurer = TextMeasurer(fonts: fonts, cacheBytes: bytes / 2)
    var limits = RowLayoutLimits()
    limits.partCacheBytes = bytes / 2
    layouts = RowLayoutEngine(measurer: measurer, profiles: profiles, limits: limits)
  }
}
