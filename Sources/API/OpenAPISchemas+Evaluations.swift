// The schemas of evaluations and answers for /openapi.json.

import InterviewKits
import KitDocuments
import Store

extension OpenAPISchemas {
  static let evaluations = #"""
    {
      "Person": { "members": { "id": "Id", "name": "PersonName" } },
      "NewPerson": { "like": "Person", "members": { "name?": "PersonName" } },
      "PersonPatch": { "members": { "id?": "Id", "name?": "PersonName" } },
      "PersonName": { "type": ["string", "null"], "maxLength": \#(KitLimits.nameScalars) },
      "EvaluationStatus": { "type": "string", "enum": ["draft", "submitted", "withdrawn"] },

      "AnswerValue": {
        "description": [
          "By the question's type: a string, true or false, an option's ID, option IDs, a number, YYYY-MM-",
          "DD, a point's ID; null: none."
        ],
        "type": ["string", "boolean", "number", "array", "null"], "items": "Id"
      },
      "Comment": { "type": ["string", "null"], "maxLength": \#(KitLimits.commentScalars) },
      "Answer": {
        "members": {
          "itemId": "Id", "value": "AnswerValue", "comment": "Comment", "notAssessed": "boolean",
          "revision": "count", "updatedAt": "time?", "updatedBy": "Id?"
        }
      },
      "AnswerContent": {
        "description": [
          "A PUT clears what is left out, a PATCH leaves it. revision, updatedAt and updatedBy are taken",
          "and not looked at."
        ],
        "members": {
          "itemId??": "Id", "value?": "AnswerValue", "comment?": "Comment", "notAssessed??": "boolean",
          "revision?": "any", "updatedAt?": "any", "updatedBy?": "any"
        }
      },
      "AnswerOperation": {
        "description": "What is left out stays as it is. An operationId sent again is not written twice.",
        "like": "AnswerContent",
        "members": {
          "operationId??": {
            "type": "string", "minLength": 1, "maxLength": \#(AnswerJSON.maximumOperationIDBytes)
          },
          "itemId": "Id", "ifRevision??": "count"
        }
      },
      "AnswerBatch": {
        "members": {
          "operations": { "type": "array", "maxItems": \#(KitLimits.operationsOfOneBatch), "items": "AnswerOperation" }
        }
      },
      "AnswerBatchResults": {
        "members": {
          "results": [{
            "description": "In the order of the operations; answer when it was written, else problem.",
            "members": { "operationId": "string?", "status": "integer", "answer?": "Answer", "problem?": "Problem" }
          }],
          "layouts": ["LayoutDelta"]
        }
      },
      "AnswerWritten": {
        "description": "layouts tells what the write changed, in the order of the widths in the query.",
        "members": { "answer": "Answer", "layouts": ["LayoutDelta"] }
      },
      "AnswerOrWritten": {
        "description": "AnswerWritten when the query names a viewport.", "oneOf": ["Answer", "AnswerWritten"]
      },
      "Answers": { "members": { "answers": { "map": "Answer" }, "retired": ["Id"] } },
      "LostConflict": {
        "description": [
          "A value that was refused with 412, kept for good, once for its writer and the revision that he said he had",
          "seen: 0 for none at all, null where he named no revision that there is."
        ],
        "members": {
          "value": "AnswerValue", "comment": "Comment", "notAssessed": "boolean",
          "ifRevision": { "type": ["integer", "null"], "minimum": 0 }, "at": "time", "by": "Id"
        }
      },
      "AnswerHistory": {
        "description": "limit counts in either list; nextCursor goes on in both.",
        "members": { "items": ["Answer"], "lostConflicts": ["LostConflict"], "nextCursor": "string?" }
      },

      "Progress": { "members": { "answered": "count", "required": "count", "missing": "count" } },
      "EvaluationSummary": {
        "members": {
          "id": "Id", "kitId": "Id", "kitRevision": "revision", "candidate": "Person", "interviewer": "Person",
          "status": "EvaluationStatus", "recommendation": "AnswerValue", "progress": "Progress",
          "revision": "revision", "createdAt": "time", "updatedAt": "time", "submittedAt": "time?",
          "submittedBy": "Id?"
        }
      },
      "EvaluationPage": { "members": { "items": ["EvaluationSummary"], "nextCursor": "string?" } },
      "Evaluation": {
        "description": [
          "retired names the answered items that the kit revision has no more; kit and layouts are there",
          "when include names them. sequence is a position in the changes, an opaque string: where to go on, as since."
        ],
        "like": "EvaluationSummary",
        "members": {
          "answers": { "map": "Answer" }, "retired": ["Id"], "sequence": "string", "kit?": "Kit",
          "layouts?": ["Layout"]
        }
      },
      "NewEvaluation": {
        "description": "Without kitRevision it is the kit's current one; without interviewer it is who asks.",
        "members": {
          "id??": "Id", "kitId": "Id", "kitRevision??": "revision", "candidate": "NewPerson",
          "interviewer??": "NewPerson"
        }
      },
      "EvaluationPatch": { "members": { "candidate?": "PersonPatch", "interviewer?": "PersonPatch" } },
      "EvaluationExport": { "members": { "items": ["Evaluation"] } },
      "KitRevision": { "members": { "kitRevision": "revision" } },
      "KitMove": {
        "description": [
          "What a move would do: retired names answered items that the new revision does not have, restored those",
          "that it has again, unfitting those whose answer it would not accept. All answers stay."
        ],
        "members": {
          "evaluationId": "Id", "from": "revision", "to": "revision", "retired": ["Id"], "restored": ["Id"],
          "unfitting": ["Id"], "progress": "Progress"
        }
      },
      "EvaluationOrMove": { "description": "KitMove with dryRun=true.", "oneOf": ["Evaluation", "KitMove"] },
      "Change": {
        "description": [
          "What changed, without its text; deleted is true where something is gone now. layouts is there for an answer",
          "when the query names a viewport. access.changed: you see more or less of the candidate, or of the kit's",
          "evaluations, or of everything; read them again. sequence is the number of this change, which rises with each;",
          "it is no position to go on from."
        ],
        "members": {
          "sequence": "revision", "kind": { "type": "string", "enum": \#(words(ChangeKind.self)) }, "kitId": "Id?",
          "evaluationId": "Id?", "itemId": "Id?", "revision": "revision", "deleted": "boolean", "at": "time",
          "candidateId?": "Id", "layouts?": ["AnswerRows"]
        }
      },
      "Changes": {
        "description": [
          "nextCursor is there when there is more already; sequence is a position, an opaque string: where to go on, as",
          "since. reset: read everything afresh, and go on from sequence."
        ],
        "members": { "items": ["Change"], "nextCursor": "string?", "sequence": "string", "reset": "boolean" }
      },
      "Submission": { "members": { "ifRevision??": "revision" } },
      "Reopening": {
        "members": { "reason": { "type": "string", "minLength": 1, "maxLength": \#(KitLimits.reasonScalars) } }
      },
      "Event": {
        "members": {
          "kind": {
            "type": "string", "enum": ["created", "changed", "submitted", "reopened", "withdrawn", "moved"]
          },
          "revision": "revision", "status": "EvaluationStatus", "kitRevision": "revision", "reason": "string?",
          "at": "time", "by": "Id"
        }
      },
      "EventPage": { "members": { "items": ["Event"], "nextCursor": "string?" } }
    }
    """#
}
