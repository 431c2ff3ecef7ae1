// The fonts of the configuration as a JSON document: what is loaded, what is missing, and where a browser gets the files.

public import JSON
import TextLayout

extension RowLayoutEngine {
  /// The version of the rules by which text is laid out.
  public var textVersion: Int { TextMeasurer.version }

  /// `{ "families": [ { "name", "substitute", "locales", "emoji", "metrics", "tracking", "faces": [ { "file", "index",
  /// "weight", "present", "absence", "sha256", "url", "unicodeRange" } ] } ], "fallbacks", "missing", "fingerprint" }`
  /// - Parameter coverage: whether each face tells its characters, as CSS's `unicode-range` does; opens every file.
  public func writeFonts(coverage: Bool, to writer: inout JSONWriter) {
    let fonts = measurer.fonts
    let digests = Dictionary(fonts.digests().map { ($0.file, $0.sha256) }) { first, _ in first }
    writer.object { body in
      body.member("families") { list in
        list.array { list in
          for family in fonts.families {
            list.object { body in
              Self.write(family, to: &body)
              body.member("faces") { faces in
                faces.array { faces in
                  for face in family.faces {
                    let url =
                      family.substitute == nil && face.isPresent
                      ? digests[face.file].map { "\($0)/\(face.index)" } : nil
                    let ranges = coverage ? Self.unicodeRange(fonts.coverage(of: face)) : nil
                    Self.write(face, sha256: digests[face.file], url: url, unicodeRange: ranges, to: &faces)
                  }
                }
              }
            }
          }
        }
      }
      body.member("fallbacks") { list in list.array { list in for name in fonts.fallbacks { list.string(name) } } }
      body.member("missing") { list in list.array { list in for file in fonts.missingFiles { list.string(file) } } }
      body.member("fingerprint", fonts.fingerprint)
    }
  }

  /// One face as a font file; nil when there is none with this digest and index that may be passed on.
  public func fontFile(sha256: String, index: Int) throws -> [UInt8]? {
    try measurer.fonts.fontFile(sha256: sha256, index: index)
  }

  private static func write(_ family: FontLibrary.Family, to body: inout JSONWriter) {
    body.member("name", family.name)
    body.member("substitute", family.substitute)
    body.member("locales") { list in list.array { list in for tag in family.locales { list.string(tag) } } }
    body.member("emoji", family.isEmoji)
    if let metrics = family.metrics {
      body.member("metrics") { writer in
        writer.object { body in
          body.member("ascender", metrics.ascender)
          body.member("descender", metrics.descender)
          body.member("lineGap", metrics.lineGap)
          body.member("unitsPerEm", metrics.unitsPerEm)
        }
      }
    }
    guard let tracking = family.tracking else { return }
    body.member("tracking") { list in
      list.array { list in
        for entry in tracking.entries {
          list.object { body in
            body.member("size", entry.size)
            body.member("tracking", entry.tracking)
          }
        }
      }
    }
  }

  private static func write(
    _ face: FontLibrary.Face, sha256: String?, url: String?, unicodeRange: String?, to faces: inout JSONWriter
  ) {
    faces.object { body in
      body.member("file", face.file)
      body.member("index", face.index)
      body.member("weight", face.weight)
      body.member("present", face.isPresent)
      if let absence = face.absence { body.member("absence", absence.rawValue) }
      body.member("sha256", sha256)
      body.member("url", url.map { "/assets/fonts/\($0)" })
      if let unicodeRange { body.member("unicodeRange", unicodeRange) }
    }
  }

  /// As CSS writes it: `U+20-7E, U+A0` (CSS Fonts 4, section 4.5).
  private static func unicodeRange(_ ranges: [ClosedRange<UInt32>]) -> String {
    ranges.map { range in
      let (first, last) = (String(range.lowerBound, radix: 16), String(range.upperBound, radix: 16))
      return range.count == 1 ? "U+\(first)" : "U+\(first)-\(last)"
    }.joined(separator: ",")
  }
}
