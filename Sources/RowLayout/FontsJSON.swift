// The fonts of the configuration as a JSON document: what is loaded and what is missing.

public import JSON
import TextLayout

extension RowLayoutEngine {
  /// The version of the rules by which text is laid out.
  public var textVersion: Int { TextMeasurer.version }

  /// `{ "families": [ { "name", "substitute", "faces": [ { "file", "index", "weight", "present", "sha256" } ] } ], "missing", "fingerprint" }`
  public func writeFonts(to writer: inout JSONWriter) {
    let fonts = measurer.fonts
    let digests = Dictionary(fonts.digests().map { ($0.file, $0.sha256) }) { first, _ in first }
    writer.object { body in
      body.member("families") { list in
        list.array { list in for family in fonts.families { Self.write(family, digests: digests, to: &list) } }
      }
      body.member("missing") { list in list.array { list in for file in fonts.missingFiles { list.string(file) } } }
      body.member("fingerprint", fonts.fingerprint)
    }
  }

  private static func write(_ family: FontLibrary.Family, digests: [String: String], to list: inout JSONWriter) {
    list.object { body in
      body.member("name", family.name)
      body.member("substitute", family.substitute)
      body.member("faces") { faces in
        faces.array { faces in
          for face in family.faces {
            faces.object { body in
              body.member("file", face.file)
              body.member("index", face.index)
              body.member("weight", face.weight)
              body.member("present", face.isPresent)
              body.member("sha256", digests[face.file])
            }
          }
        }
      }
    }
  }
}
