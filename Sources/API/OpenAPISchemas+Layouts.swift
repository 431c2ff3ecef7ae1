// The schemas of layouts and of what an answer write changes in them, for /openapi.json.

import RowLayout

extension OpenAPISchemas {
  static let layouts = #"""
    {
      "Fidelity": {
        "type": "string", "enum": ["exact", "approximate"],
        "description": "approximate: a font that the profile names is not there, another stood in."
      },
      "Substitutions": {
        "description": "The fonts that stood in; null: none had the glyphs.",
        "type": "array", "items": { "members": { "requested": "string", "used": "string?" } }
      },
      "Viewport": {
        "description": "contentSize or fontScale, as the profile has it.",
        "members": {
          "profile": "string", "width": "length", "contentSize?": "string", "fontScale?": "number",
          "scale": "number", "locale": "string", "slots?": { "map": "length" }
        }
      },
      "Part": {
        "description": "A text has a role; a slot of the profile its name, and no lines.",
        "members": { "role?": "PartRole", "slot?": "string", "y": "length", "height": "length", "lines": "count" }
      },
      "PartRole": { "type": "string", "enum": \#(words(PartRole.self)) },
      "Row": {
        "description": [
          "Lengths are in the profile's unit. fidelity and parts are there with parts=true; missingGlyphs",
          "when some character is in no font."
        ],
        "members": {
          "id": "Id", "kind": { "type": "string", "enum": \#(words(RowKind.self)) }, "sectionId": "Id", "y": "length",
          "height": "length", "missingGlyphs?": { "type": "boolean", "enum": [true] }, "fidelity?": "Fidelity", "parts?": ["Part"]
        }
      },
      "Layout": {
        "description": "fingerprint is the same as long as all that the heights depend on is, text aside.",
        "members": {
          "kitId": "Id", "kitRevision": "revision", "evaluationId?": "Id", "fingerprint": "string",
          "fidelity": "Fidelity", "substitutions?": "Substitutions", "viewport": "Viewport",
          "contentHeight": "length", "rows": ["Row"]
        }
      },
      "RowChange": {
        "members": {
          "id": "Id", "height": "length", "heightDelta": "number", "missingGlyphs?": { "type": "boolean", "enum": [true] },
          "fidelity?": "Fidelity", "parts?": ["Part"]
        }
      },
      "RowInsertion": {
        "description": "after is the row before it, perhaps new itself; null: first.",
        "members": { "after": "Id?", "row": "Row" }
      },
      "LayoutDelta": {
        "description": "Take the removed rows out, insert the others in order, then set the changed heights.",
        "members": {
          "fingerprint": "string", "viewport": "Viewport", "heightChanged": "boolean", "contentHeight": "length",
          "changed": ["RowChange"], "inserted": ["RowInsertion"], "removed": ["Id"]
        }
      },
      "AnswerRows": {
        "description": [
          "How rows stand when the change is told, at evaluationRevision, which is never older than the change: the",
          "answer's own row (changed), the rows that it shows (inserted) and hides (removed). Take the removed rows out,",
          "put each inserted one behind its after (also one that you have, with its height), then set the height of",
          "changed if you have it. Done twice it is the same. Another kitRevision or fingerprint than yours: read the",
          "layout."
        ],
        "members": {
          "fingerprint": "string", "viewport": "Viewport", "kitRevision": "revision", "evaluationRevision": "revision",
          "contentHeight": "length", "changed": [{ "members": { "id": "Id", "height": "length" } }],
          "inserted": ["RowInsertion"], "removed": ["Id"]
        }
      },
      "UnsavedValues": {
        "description": "Values by item ID, as an answer write takes them.",
        "members": {
          "values": { "map": "AnswerValue" },
          "slots?": { "description": "Heights over those of the viewport, by slot.", "map": "length" }
        }
      }
    }
    """#

  static func words<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type) -> String {
    "[" + Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
  }

  /// The words of a member that holds one of a list.
  static func words<Root, Word: RawRepresentable<String> & CaseIterable>(of _: KeyPath<Root, Word>) -> String {
    words(Word.self)
  }
}
