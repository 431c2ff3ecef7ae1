// The schemas of kits, sections and questions for /openapi.json.

import InterviewKits
import KitDocuments

extension OpenAPISchemas {
  static let kits = #"""
    {
      "Id": { "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$" },
      "KitStatus": { "type": "string", "enum": \#(words(KitStatus.self)) },
      "KitVisibility": {
        "type": "string", "enum": \#(words(KitVisibility.self)),
        "description": "When an interviewer sees what the others answered."
      },
      "QuestionType": { "type": "string", "enum": \#(words(QuestionType.self)) },
      "Title": { "type": "string", "minLength": 1, "maxLength": \#(KitLimits.titleScalars) },
      "Text": { "type": "string", "minLength": 1, "maxLength": \#(KitLimits.textScalars) },
      "Language": { "type": ["string", "null"], "description": "A BCP 47 tag.", "examples": ["en", "zh-Hant"] },
      "Instructions": { "type": ["string", "null"], "maxLength": \#(KitLimits.instructionsScalars) },
      "Option": { "members": { "id": "Id", "text": "Text" } },
      "ScalePoint": { "members": { "id": "Id", "label": "Title" } },
      "Scale": { "members": { "id": "Id", "title": "Title", "points": ["ScalePoint"] } },
      "VisibleWhen": {
        "description": "Shown while another question has this answer: an option's ID, true or false, or a number.",
        "members": { "questionId": "Id", "equals": { "type": ["boolean", "number", "string"] } }
      },

      "After": {
        "description": "The item before it; null: first; left out where it may be: last.",
        "anyOf": ["Id", { "type": "null" }]
      },

      "QuestionInKit": {
        "description": [
          "maxLength with shortText and longText; options with singleSelect and multiSelect; scale with",
          "rating and scorecard; criteria with scorecard."
        ],
        "members": {
          "id": "Id", "revision": "revision", "type": "QuestionType", "text": "Text", "help": "string?",
          "required": "boolean", "private": "boolean", "visibleWhen": "VisibleWhen?", "maxLength?": "integer",
          "options?": ["Option"], "scale?": "Id", "criteria?": ["Option"]
        }
      },
      "Question": { "like": "QuestionInKit", "members": { "sectionId": "Id" } },
      "Section": {
        "members": { "id": "Id", "revision": "revision", "title": "Title", "questions": ["QuestionInKit"] }
      },
      "Kit": {
        "members": {
          "id": "Id", "title": "Title", "instructions": "Instructions", "language": "Language",
          "status": "KitStatus", "revision": "revision", "visibility": "KitVisibility", "overallQuestionId": "Id?",
          "scales": ["Scale"], "sections": ["Section"], "createdAt": "time", "updatedAt": "time"
        }
      },
      "ImportReport": {
        "description": "What became of the document sent; leftOut holds the first of what was left out.",
        "members": {
          "sections": "count", "questions": "count", "followUps": "count", "leftOutCount": "count",
          "leftOut": [{
            "members": {
              "line": "revision", "reason": { "type": "string", "enum": \#(words(ImportReport.Reason.self)) },
              "message": "string", "text": "string"
            }
          }]
        }
      },
      "WrittenKit": { "like": "Kit", "members": { "importReport": "ImportReport" } },
      "IdMap": { "description": "From each old ID to the new one.", "map": "Id" },
      "KitCopy": {
        "description": "Of the copy; left out, the service makes an ID, and the title is the same.",
        "members": { "id??": "Id", "title??": "Title" }
      },
      "CopiedKit": { "like": "Kit", "members": { "idMap": "IdMap" } },
      "CopiedQuestion": { "like": "Question", "members": { "idMap": "IdMap" } },
      "DiffItem": {
        "description": "ownerId is a question's section, an option's or criterion's question, a point's scale.",
        "members": {
          "id": "Id", "ownerId": "Id?",
          "kind": { "type": "string", "enum": ["section", "question", "option", "criterion", "scale", "scalePoint"] }
        }
      },
      "KitDiff": {
        "description": "kit names members of the kit itself; retyped is always empty.",
        "members": {
          "kitId": "Id", "from": "revision", "to": "revision", "kit": ["string"], "added": ["DiffItem"],
          "removed": ["DiffItem"], "moved": ["DiffItem"],
          "reworded": [{ "like": "DiffItem", "members": { "from": "string", "to": "string" } }],
          "retyped": ["DiffItem"], "changed": [{ "like": "DiffItem", "members": { "members": ["string"] } }]
        }
      },
      "KitSummary": {
        "members": {
          "id": "Id", "title": "Title", "language": "Language", "status": "KitStatus", "revision": "revision",
          "sectionCount": "count", "questionCount": "count", "createdAt": "time", "updatedAt": "time",
          "deletedAt?": "time"
        }
      },

      "KitPage": { "members": { "items": ["KitSummary"], "nextCursor": "string?" } },
      "DeletedSection": {
        "members": { "id": "Id", "deletedAt": "time", "deletedRevision": "revision", "section": "Section" }
      },
      "DeletedQuestion": {
        "members": { "id": "Id", "deletedAt": "time", "deletedRevision": "revision", "question": "Question" }
      },
      "SectionPage": {
        "description": "With deleted=true the items are deleted ones.",
        "members": { "items": [{ "anyOf": ["Section", "DeletedSection"] }], "nextCursor": "string?" }
      },
      "QuestionPage": {
        "description": "With deleted=true the items are deleted ones.",
        "members": { "items": [{ "anyOf": ["Question", "DeletedQuestion"] }], "nextCursor": "string?" }
      },

      "NewOption": { "members": { "id??": "Id", "text": "Text" } },
      "NewScale": {
        "members": {
          "id??": "Id", "title": "Title", "points": [{ "members": { "id??": "Id", "label": "Title" } }]
        }
      },
      "QuestionOfNewKit": {
        "description": [
          "maxLength with shortText and longText; options with singleSelect and multiSelect; scale with",
          "rating and scorecard; criteria with scorecard. revision is taken and not looked at."
        ],
        "members": {
          "id??": "Id", "revision?": "any", "type": "QuestionType", "text": "Text", "help??": "string",
          "required??": "boolean", "private??": "boolean", "visibleWhen??": "VisibleWhen",
          "maxLength??": {
            "type": "integer", "minimum": 1, "maximum": \#(KitLimits.largestAnswerScalars),
            "description": "\#(KitLimits.answerScalars) where it is left out, with shortText and longText alone."
          },
          "options??": ["NewOption"], "scale??": "Id", "criteria??": ["NewOption"]
        }
      },
      "NewQuestion": {
        "like": "QuestionOfNewKit",
        "members": {
          "sectionId??": "Id", "after?": "After"
        }
      },
      "QuestionPatch": {
        "like": "QuestionOfNewKit",
        "members": { "type?": "QuestionType", "text?": "Text", "visibleWhen??": "VisibleWhenPatch" }
      },
      "VisibleWhenPatch": {
        "members": { "questionId?": "Id", "equals?": { "type": ["boolean", "number", "string"] } }
      },
      "SectionOfNewKit": {
        "members": { "id??": "Id", "revision?": "any", "title": "Title", "questions??": ["QuestionOfNewKit"] }
      },
      "NewSection": {
        "like": "SectionOfNewKit",
        "members": { "after?": "After" }
      },
      "SectionPatch": { "members": { "id??": "Id", "revision?": "any", "title?": "Title" } },
      "SectionMove": { "members": { "after": "After" } },
      "QuestionMove": {
        "description": "Without sectionId it stays in its section.",
        "members": { "sectionId??": "Id", "after": "After" }
      },
      "NewKit": {
        "description": [
          "What is read may be sent back: revision, createdAt, updatedAt and importReport are taken and not",
          "looked at. IDs left out are made."
        ],
        "members": {
          "id??": "Id", "title": "Title", "instructions?": "Instructions", "language?": "Language",
          "status??": "KitStatus", "visibility??": "KitVisibility", "overallQuestionId??": "Id",
          "scales??": ["NewScale"], "sections??": ["SectionOfNewKit"], "revision?": "any", "createdAt?": "any",
          "updatedAt?": "any", "importReport?": "any"
        }
      },
      "KitPatch": {
        "description": "RFC 7396: null takes a member away; sections and scales are replaced whole.",
        "like": "NewKit", "members": { "title?": "Title" }
      }
    }
    """#
}
