// The schemas of measuring, profiles and fonts for /openapi.json.

import RowLayout

extension OpenAPISchemas {
  static let measuring = #"""
    {
      "Mode": { "type": "string", "enum": \#(words(PartMode.self)), "description": "The view that shows the text." },
      "Sides": { "members": { "top": "length", "leading": "length", "bottom": "length", "trailing": "length" } },
      "Insets": {
        "description": "One length for all sides, or those that are not 0.",
        "anyOf": [
          "length",
          { "members": { "top??": "length", "leading??": "length", "bottom??": "length", "trailing??": "length" } }
        ]
      },
      "Tabs": {
        "description": [
          "Stops every so many units, count of them (0: no end), or every so many pixels; or the width of",
          "so many spaces."
        ],
        "anyOf": [
          { "members": { "every": "number", "count??": "count" } }, { "members": { "everyPixels": "number" } },
          { "members": { "spaces": "revision" } }
        ]
      },
      "LineHeights": { "type": "string", "enum": \#(words(of: \LineRules.height)) },
      "Strictness": { "type": "string", "enum": \#(words(of: \LineRules.strictness)) },
      "Hangul": { "type": "string", "enum": \#(words(of: \LineRules.hangul)) },
      "SoftHyphen": { "type": "string", "enum": \#(words(of: \LineRules.softHyphen)) },
      "BitmapAdvance": { "type": "string", "enum": \#(words(of: \LineRules.bitmapAdvance)) },
      "TrailingBreak": { "type": "string", "enum": \#(words(of: \LineRules.trailingBreak)) },
      "LineBreakStrategy": { "type": "string", "enum": \#(words(LineRules.LineBreakStrategy.self)) },
      "BreakPairs": { "type": "string", "enum": \#(words(of: \LineRules.breakPairs)) },
      "Hyphens": { "type": "string", "enum": \#(words(of: \LineRules.hyphens)) },
      "Quotes": { "type": "string", "enum": \#(words(of: \LineRules.quotes)) },
      "BreakStrategy": { "type": "string", "enum": \#(words(of: \LineRules.breakStrategy)) },
      "Hyphenation": { "type": "string", "enum": \#(words(of: \LineRules.hyphenation)) },
      "LineRules": {
        "description": [
          "usesFontLeading with heights of ios; includeFontPadding, lineSpacingExtra and",
          "lineSpacingMultiplier of android; lineHeight of web (null: normal); lineBreakStrategy of ios; lineSpacing",
          "of ios and plain."
        ],
        "members": {
          "height??": "LineHeights", "usesFontLeading??": "boolean", "includeFontPadding??": "boolean",
          "lineSpacingExtra??": "number", "lineSpacingMultiplier??": "length", "lineHeight??": "length",
          "lineSpacing??": "length", "strictness??": "Strictness", "hangul??": "Hangul", "softHyphen??": "SoftHyphen",
          "ideographicSpaceHangs??": "boolean", "bitmapAdvance??": "BitmapAdvance", "tabs??": "Tabs",
          "trailingBreak??": "TrailingBreak",
          "maximumLines??": { "type": "integer", "minimum": 0, "maximum": 100000, "description": "0: any number." },
          "breakStrategy??": "BreakStrategy", "hyphenation??": "Hyphenation",
          "lineBreakStrategy??": "LineBreakStrategy", "breakPairs??": "BreakPairs", "hyphens??": "Hyphens",
          "quotes??": "Quotes"
        }
      },
      "AppliedLines": {
        "members": {
          "height": "LineHeights", "usesFontLeading?": "boolean", "includeFontPadding?": "boolean",
          "lineSpacingExtra?": "number", "lineSpacingMultiplier?": "length", "lineHeight?": "length?",
          "lineSpacing?": "length",
          "strictness": "Strictness", "hangul": "Hangul", "softHyphen": "SoftHyphen",
          "ideographicSpaceHangs": "boolean", "bitmapAdvance": "BitmapAdvance", "tabs": "Tabs",
          "trailingBreak": "TrailingBreak", "maximumLines": "count", "breakStrategy": "BreakStrategy",
          "hyphenation": "Hyphenation", "lineBreakStrategy?": "LineBreakStrategy", "breakPairs": "BreakPairs",
          "hyphens": "Hyphens", "quotes": "Quotes"
        }
      },
      "MeasureOptions": {
        "description": [
          "What goes over the mode's own insets and line rules; lineStarts asks for the UTF-16 offsets of",
          "the lines."
        ],
        "like": "LineRules",
        "members": {
          "usesLineFragmentOrigin??": { "type": "boolean", "description": "false: one line, whatever the text." },
          "lineStarts??": "boolean", "insets??": "Insets", "lineFragmentPadding??": "length"
        }
      },
      "MeasureSettings": {
        "description": "contentSize or fontScale, as the profile has it.",
        "members": {
          "profile??": "string", "mode??": "Mode",
          "width??": {
            "type": "number", "exclusiveMinimum": 0, "maximum": \#(Int(RowLayoutLimits.standard.maximumWidth))
          },
          "font??": {
            "description": "style or size, not both.",
            "members": {
              "family??": "string", "fallbacks??": { "type": "array", "maxItems": 50, "items": "string" },
              "style??": "string",
              "size??": {
                "type": "number", "minimum": 0.1, "maximum": \#(Int(RowLayoutLimits.standard.maximumFontSize))
              },
              "weight??": { "type": "integer", "minimum": 1, "maximum": 1000 }
            }
          },
          "contentSize??": "string", "fontScale??": "number",
          "scale??": { "type": "number", "minimum": 0.1, "maximum": 10 }, "locale??": "string",
          "options??": "MeasureOptions"
        }
      },
      "MeasuredText": {
        "description": "Its settings go over those of the request.", "like": "MeasureSettings",
        "members": {
          "id": { "type": "string", "minLength": 1, "maxLength": 200, "description": "In UTF-8 at most 200 bytes." },
          "text": { "type": "string", "maxLength": \#(RowLayoutLimits.standard.maximumTextScalars) }
        }
      },
      "MeasureRequest": {
        "description": "profile and width stand here or at every text.",
        "like": "MeasureSettings",
        "members": {
          "texts": { "type": "array", "maxItems": \#(RowLayoutLimits.standard.maximumTexts), "items": "MeasuredText" }
        }
      },
      "AppliedSettings": {
        "members": {
          "profile": "string", "mode": "Mode", "width": "number",
          "font": {
            "members": { "family": "string", "size": "number", "weight": "integer", "fallbacks": ["string"] }
          },
          "contentSize?": "string", "fontScale?": "number", "scale": "number", "locale": "string",
          "insets": "Sides", "lineFragmentPadding": "length", "minimumHeight": "length", "singleLine": "boolean",
          "lines": "AppliedLines"
        }
      },
      "MeasuredHeight": {
        "description": [
          "height is exactHeight rounded up to whole device pixels; applied is there where the text had",
          "settings of its own."
        ],
        "members": {
          "id": "string", "height": "length", "exactHeight": "length", "width": "length", "lines": "count",
          "lineStarts?": ["count"], "missingGlyphs?": { "type": "boolean", "enum": [true] }, "applied?": "AppliedSettings"
        }
      },
      "Measurement": {
        "members": {
          "results": ["MeasuredHeight"], "fingerprint": "string", "fidelity": "Fidelity",
          "substitutions?": "Substitutions", "applied?": "AppliedSettings"
        }
      },

      "ProfileSummary": {
        "description": "contentSizes where the text size is one of a list, fontScales where it is a factor.",
        "members": {
          "id": "string", "name": "string", "version": "revision", "description": "string", "unit": "string",
          "scale": "number", "modes": ["Mode"], "font": "string", "contentSizes?": ["string"],
          "fontScales?": { "members": { "minimum": "number", "maximum": "number" } }
        }
      },
      "ProfilePage": { "members": { "items": ["ProfileSummary"], "nextCursor": "string?" } },
      "ProfileFont": {
        "members": {
          "family?": "string", "fallbacks?": ["string"], "defaultFallbacks?": "boolean", "style?": "string",
          "size?": "number", "weight?": "integer"
        }
      },
      "Profile": {
        "description": "A profile as its file says it, what it extends applied.",
        "members": {
          "id": "string", "digest": "string", "name": "string", "version": "revision", "description?": "string",
          "notes?": ["string"], "unit": "string", "scale": "number", "wholePixels?": "boolean",
          "font": "ProfileFont", "lines?": "LineRules", "textSize": { "anyOf": ["DynamicType", "FontScaling"] },
          "modes": {
            "map": {
              "members": {
                "insets?": "Insets", "lineFragmentPadding?": "length", "minimumHeight?": "length",
                "singleLine?": "boolean", "lines?": "LineRules"
              }
            }
          },
          "parts": {
            "map": {
              "like": "ProfileFont",
              "members": {
                "mode?": "Mode", "insets?": "Insets", "minimumHeight?": "length", "gapAbove?": "length",
                "gapBetween?": "length", "maximumLines?": "count",
                "placeholder?": { "type": "string", "enum": \#(words(PlaceholderRule.self)) }
              }
            }
          },
          "slots?": { "map": { "members": { "height?": "length", "gapAbove?": "length" } } },
          "rows": {
            "map": {
              "members": {
                "insets?": "Insets", "minimumHeight?": "length", "separatorPixels?": "count", "parts?": ["string"]
              }
            }
          },
          "strings": { "map": { "map": "string" } }
        }
      },
      "ProfileDocument": {
        "description": [
          "A profile, or what it says over the one that it extends, where null takes a member away; nested",
          "members are those of a profile. id, digest and version are the service's."
        ],
        "members": {
          "id??": "any", "digest??": "any", "name?": "string", "version??": "any",
          "extends??": { "type": "string", "description": "One version, such as ios@1." },
          "description??": "string", "notes??": ["string"], "unit??": "string", "scale??": "number",
          "wholePixels??": "boolean", "font??": { "type": "object" }, "textSize??": { "type": "object" },
          "lines??": { "type": "object" }, "modes??": { "type": "object" }, "parts??": { "type": "object" },
          "slots??": { "type": "object" }, "rows??": { "type": "object" }, "strings??": { "type": "object" }
        }
      },
      "DynamicType": {
        "members": {
          "kind": { "const": "dynamicType" }, "default": "string", "otherSizesLike": "string",
          "categories": { "description": "Other names by name, smallest size first.", "map": ["string"] },
          "styles": { "map": { "members": { "weight?": "integer", "sizes": ["number"], "leading": ["number"] } } }
        }
      },
      "FontScaling": {
        "members": {
          "kind": { "const": "fontScale" }, "default?": "number", "minimum?": "number", "maximum?": "number",
          "styles?": { "map": { "members": { "size": "number", "weight?": "integer" } } },
          "curves?": {
            "members": { "from?": "number", "sizes": ["number"], "scales?": { "map": ["number"] } }
          }
        }
      },
      "Fonts": {
        "description": [
          "substitute is the family measured instead when no file of it is there; missing names the files.",
          "url gives a face as a file, null where it is not there or may not be passed on. metrics and tracking",
          "count instead of the files' own, fallbacks are tried after a style's family, those of a locale first."
        ],
        "members": {
          "families": [{
            "members": {
              "name": "string", "substitute": "string?", "locales": ["string"], "emoji": "boolean",
              "metrics?": {
                "members": {
                  "ascender": "integer", "descender": "integer", "lineGap": "integer", "unitsPerEm": "integer"
                }
              },
              "tracking?": [{ "members": { "size": "number", "tracking": "number" } }],
              "faces": [{
                "members": {
                  "file": "string", "index": "count", "weight": "integer", "present": "boolean", "absence?": "string",
                  "sha256": "string?", "url": "string?", "unicodeRange?": "string"
                }
              }]
            }
          }],
          "fallbacks": ["string"], "missing": ["string"], "fingerprint": "string"
        }
      }
    }
    """#
}
