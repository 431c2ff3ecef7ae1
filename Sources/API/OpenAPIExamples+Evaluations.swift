// The examples of evaluations, answers and changes for /openapi.json.

extension OpenAPIExamples {
  static let evaluations = #"""
    {
      "NewEvaluation": {
        "id": "kim-2", "kitId": "backend", "kitRevision": 1, "candidate": {"id": "c-81", "name": "Kim Min-jun"}
      },
      "Evaluation": {
        "id": "kim-2", "kitId": "backend", "kitRevision": 2, "candidate": {"id": "c-81", "name": "Kim Ji-woo"},
        "interviewer": {"id": "anonymous", "name": null}, "status": "submitted",
        "recommendation": "fourPoint.yes", "progress": {"answered": 2, "required": 1, "missing": 0},
        "revision": 9,
        "answers": {
          "built": {
            "itemId": "built",
            "value": "Moved four teams to a new store, and had each write down what it lost.", "comment": null,
            "notAssessed": false, "revision": 4, "updatedAt": "2026-11-30T11:02:31.861Z",
            "updatedBy": "anonymous"
          },
          "hire": {
            "itemId": "hire", "value": "fourPoint.yes", "comment": null, "notAssessed": false, "revision": 1,
            "updatedAt": "2026-11-30T11:02:31.865Z", "updatedBy": "anonymous"
          }
        },
        "retired": [], "sequence": "mx35sgfj1ue08x1-25", "createdAt": "2026-11-30T11:02:31.819Z",
        "updatedAt": "2026-11-30T11:02:31.886Z", "submittedAt": "2026-11-30T11:02:31.886Z",
        "submittedBy": "anonymous"
      },
      "Evaluation.markdown": {
        "lines": [
          "# Kim Ji-woo: Backend engineer, first interview\n",
          "\n",
          "- Evaluation: kim-2\n",
          "- Interviewer: anonymous\n",
          "- Kit: backend, revision 2\n",
          "- Status: submitted, 2026-11-30T11:02:31.886Z\n",
          "\n",
          "## Experience\n",
          "\n",
          "### What did you build last?\n",
          "\n",
          "> Moved four teams to a new store, and had each write down what it lost.\n",
          "\n",
          "### Would you hire?\n",
          "\n",
          "Yes\n"
        ]
      },
      "Evaluation.csv": {
        "lines": [
          "evaluationId,kitId,kitRevision,status,candidateId,candidateName,interviewerId,interviewerName,",
          "itemId,section,question,criterion,type,value,label,comment,notAssessed,revision,updatedAt,",
          "updatedBy,retired\r\n",
          "kim-2,backend,2,submitted,c-81,Kim Ji-woo,anonymous,,built,Experience,What did you build last?,,",
          "longText,\"Moved four teams to a new store, and had each write down what it lost.\",,,false,4,",
          "2026-11-30T11:02:31.861Z,anonymous,false\r\n",
          "kim-2,backend,2,submitted,c-81,Kim Ji-woo,anonymous,,hire,Experience,Would you hire?,,rating,",
          "fourPoint.yes,Yes,,false,1,2026-11-30T11:02:31.865Z,anonymous,false\r\n"
        ]
      },
      "EvaluationPatch": {"candidate": {"name": "Kim Ji-woo"}},
      "EvaluationPage": {
        "items": [
          {
            "id": "kim-2", "kitId": "backend", "kitRevision": 2,
            "candidate": {"id": "c-81", "name": "Kim Ji-woo"}, "interviewer": {"id": "anonymous", "name": null},
            "status": "submitted", "recommendation": "fourPoint.yes",
            "progress": {"answered": 2, "required": 1, "missing": 0}, "revision": 9,
            "createdAt": "2026-11-30T11:02:31.819Z", "updatedAt": "2026-11-30T11:02:31.886Z",
            "submittedAt": "2026-11-30T11:02:31.886Z", "submittedBy": "anonymous"
          }
        ],
        "nextCursor": null
      },
      "EvaluationExport": {
        "items": [
          {
            "id": "kim-2", "kitId": "backend", "kitRevision": 2,
            "candidate": {"id": "c-81", "name": "Kim Ji-woo"}, "interviewer": {"id": "anonymous", "name": null},
            "status": "submitted", "recommendation": "fourPoint.yes",
            "progress": {"answered": 2, "required": 1, "missing": 0}, "revision": 9,
            "answers": {
              "built": {
                "itemId": "built",
                "value": "Moved four teams to a new store, and had each write down what it lost.",
                "comment": null, "notAssessed": false, "revision": 4, "updatedAt": "2026-11-30T11:02:31.861Z",
                "updatedBy": "anonymous"
              },
              "hire": {
                "itemId": "hire", "value": "fourPoint.yes", "comment": null, "notAssessed": false,
                "revision": 1, "updatedAt": "2026-11-30T11:02:31.865Z", "updatedBy": "anonymous"
              }
            },
            "retired": [], "sequence": "mx35sgfj1ue08x1-25", "createdAt": "2026-11-30T11:02:31.819Z",
            "updatedAt": "2026-11-30T11:02:31.886Z", "submittedAt": "2026-11-30T11:02:31.886Z",
            "submittedBy": "anonymous"
          }
        ]
      },
      "EvaluationExport.markdown": {
        "lines": [
          "# Kim Ji-woo: Backend engineer, first interview\n",
          "\n",
          "- Evaluation: kim-2\n",
          "- Interviewer: anonymous\n",
          "- Kit: backend, revision 2\n",
          "- Status: submitted, 2026-11-30T11:02:31.886Z\n",
          "\n",
          "## Experience\n",
          "\n",
          "### What did you build last?\n",
          "\n",
          "> Moved four teams to a new store, and had each write down what it lost.\n",
          "\n",
          "### Would you hire?\n",
          "\n",
          "Yes\n"
        ]
      },
      "EvaluationExport.csv": {
        "lines": [
          "evaluationId,kitId,kitRevision,status,candidateId,candidateName,interviewerId,interviewerName,",
          "itemId,section,question,criterion,type,value,label,comment,notAssessed,revision,updatedAt,",
          "updatedBy,retired\r\n",
          "kim-2,backend,2,submitted,c-81,Kim Ji-woo,anonymous,,built,Experience,What did you build last?,,",
          "longText,\"Moved four teams to a new store, and had each write down what it lost.\",,,false,4,",
          "2026-11-30T11:02:31.861Z,anonymous,false\r\n",
          "kim-2,backend,2,submitted,c-81,Kim Ji-woo,anonymous,,hire,Experience,Would you hire?,,rating,",
          "fourPoint.yes,Yes,,false,1,2026-11-30T11:02:31.865Z,anonymous,false\r\n"
        ]
      },
      "putAnswer": {"value": "Moved four teams to a new store, and had each write down what it lost."},
      "patchAnswer": {"comment": "Told in two minutes."},
      "Answer": {
        "itemId": "built", "value": "Moved four teams to a new store, and had each write down what it lost.",
        "comment": null, "notAssessed": false, "revision": 1, "updatedAt": "2026-11-30T11:02:31.839Z",
        "updatedBy": "anonymous"
      },
      "AnswerOrWritten": {
        "answer": {
          "itemId": "built", "value": "Moved four teams to a new store, and had each write down what it lost.",
          "comment": null, "notAssessed": false, "revision": 1, "updatedAt": "2026-11-30T11:02:31.839Z",
          "updatedBy": "anonymous"
        },
        "layouts": [
          {
            "fingerprint": "8900aa99b503ac7e141af370368911e2",
            "viewport": {"profile": "ios@1", "width": 375, "contentSize": "large", "scale": 3, "locale": "en"},
            "heightChanged": true, "contentHeight": 379.3333333333333,
            "changed": [{"id": "built", "height": 107.33333333333333, "heightDelta": 20.333333333333332}],
            "inserted": [], "removed": []
          }
        ]
      },
      "AnswerHistory": {
        "items": [
          {
            "itemId": "built", "value": null, "comment": null, "notAssessed": false, "revision": 3,
            "updatedAt": "2026-11-30T11:02:31.857Z", "updatedBy": "anonymous"
          },
          {
            "itemId": "built",
            "value": "Moved four teams to a new store, and had each write down what it lost.",
            "comment": "Told in two minutes.", "notAssessed": false, "revision": 2,
            "updatedAt": "2026-11-30T11:02:31.846Z", "updatedBy": "anonymous"
          }
        ],
        "lostConflicts": [], "nextCursor": null
      },
      "AnswerBatch": {
        "operations": [
          {"operationId": "op-1", "itemId": "hire", "ifRevision": 0, "value": "fourPoint.yes"},
          {"operationId": "op-2", "itemId": "built", "ifRevision": 1, "value": "Something else."}
        ]
      },
      "AnswerBatchResults": {
        "results": [
          {
            "operationId": "op-1", "status": 201,
            "answer": {
              "itemId": "hire", "value": "fourPoint.yes", "comment": null, "notAssessed": false, "revision": 1,
              "updatedAt": "2026-11-30T11:02:31.865Z", "updatedBy": "anonymous"
            }
          },
          {
            "operationId": "op-2", "status": 412,
            "problem": {
              "type": "urn:interviewkit:problem:preconditionFailed", "title": "Precondition Failed",
              "status": 412, "detail": "It is not what you saw any more.", "code": "preconditionFailed",
              "requestId": "01a22c1e-e4b8-74cd-bf10-655bfc6e1279",
              "current": {
                "itemId": "built",
                "value": "Moved four teams to a new store, and had each write down what it lost.",
                "comment": null, "notAssessed": false, "revision": 4, "updatedAt": "2026-11-30T11:02:31.861Z",
                "updatedBy": "anonymous"
              },
              "sent": {"value": "Something else."}, "errors": []
            }
          }
        ],
        "layouts": [
          {
            "fingerprint": "8900aa99b503ac7e141af370368911e2",
            "viewport": {"profile": "ios@1", "width": 375, "contentSize": "large", "scale": 3, "locale": "en"},
            "heightChanged": false, "contentHeight": 379.3333333333333, "changed": [], "inserted": [],
            "removed": []
          }
        ]
      },
      "Answers": {
        "answers": {
          "built": {
            "itemId": "built",
            "value": "Moved four teams to a new store, and had each write down what it lost.", "comment": null,
            "notAssessed": false, "revision": 4, "updatedAt": "2026-11-30T11:02:31.861Z",
            "updatedBy": "anonymous"
          },
          "hire": {
            "itemId": "hire", "value": "fourPoint.yes", "comment": null, "notAssessed": false, "revision": 1,
            "updatedAt": "2026-11-30T11:02:31.865Z", "updatedBy": "anonymous"
          }
        },
        "retired": []
      },
      "KitRevision": {"kitRevision": 2},
      "EvaluationOrMove": {
        "id": "kim-2", "kitId": "backend", "kitRevision": 2, "candidate": {"id": "c-81", "name": "Kim Ji-woo"},
        "interviewer": {"id": "anonymous", "name": null}, "status": "draft", "recommendation": "fourPoint.yes",
        "progress": {"answered": 2, "required": 1, "missing": 0}, "revision": 8,
        "answers": {
          "built": {
            "itemId": "built",
            "value": "Moved four teams to a new store, and had each write down what it lost.", "comment": null,
            "notAssessed": false, "revision": 4, "updatedAt": "2026-11-30T11:02:31.861Z",
            "updatedBy": "anonymous"
          },
          "hire": {
            "itemId": "hire", "value": "fourPoint.yes", "comment": null, "notAssessed": false, "revision": 1,
            "updatedAt": "2026-11-30T11:02:31.865Z", "updatedBy": "anonymous"
          }
        },
        "retired": [], "sequence": "mx35sgfj1ue08x1-24", "createdAt": "2026-11-30T11:02:31.819Z",
        "updatedAt": "2026-11-30T11:02:31.871Z", "submittedAt": null, "submittedBy": null
      },
      "EvaluationOrMove.dryRun": {
        "evaluationId": "kim-2", "from": 1, "to": 2, "retired": [], "restored": [], "unfitting": [],
        "progress": {"answered": 2, "required": 1, "missing": 0}
      },
      "Submission": {"ifRevision": 8},
      "Reopening": {"reason": "One more question came up."},
      "EventPage": {
        "items": [
          {
            "kind": "withdrawn", "revision": 11, "status": "withdrawn", "kitRevision": 2, "reason": null,
            "at": "2026-11-30T11:02:31.931Z", "by": "anonymous"
          },
          {
            "kind": "reopened", "revision": 10, "status": "draft", "kitRevision": 2,
            "reason": "One more question came up.", "at": "2026-11-30T11:02:31.924Z", "by": "anonymous"
          }
        ],
        "nextCursor": null
      },
      "Changes": {
        "items": [
          {
            "sequence": 1, "kind": "kit.created", "kitId": "backend", "evaluationId": null, "itemId": null,
            "revision": 1, "deleted": false, "at": "2026-11-30T11:02:31.633Z"
          },
          {
            "sequence": 2, "kind": "kit.created", "kitId": "01a22c1e-e3ed-74e3-8046-4f62600c13bc",
            "evaluationId": null, "itemId": null, "revision": 1, "deleted": false,
            "at": "2026-11-30T11:02:31.661Z"
          }
        ],
        "nextCursor": null, "sequence": "mx35sgfj1ue08x1-27", "reset": false
      },
      "Changes.event-stream": {
        "lines": [
          "retry: 2000\n",
          "\n",
          "id: mx35m04n15g6jg8-2\n",
          "data: {\"sequence\":2,\"kind\":\"kit.created\",\"kitId\":\"01a22c1a-4bd6-7d79-940d-1daf544a3852\",",
          "\"evaluationId\":null,\"itemId\":null,\"revision\":1,\"deleted\":false,",
          "\"at\":\"2026-11-30T10:57:30.582Z\"}\n",
          "\n"
        ]
      }
    }
    """#
}
