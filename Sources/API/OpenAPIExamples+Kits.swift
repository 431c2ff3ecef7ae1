// The examples of kits, sections and questions for /openapi.json.

extension OpenAPIExamples {
  static let kits = #"""
    {
      "NewKit": {
        "id": "backend", "title": "Backend engineer", "language": "en", "overallQuestionId": "hire",
        "sections": [
          {
            "id": "experience", "title": "Experience",
            "questions": [
              {"id": "built", "type": "longText", "text": "What did you build last?", "required": true},
              {"id": "hire", "type": "rating", "text": "Would you hire?", "scale": "fourPoint"}
            ]
          }
        ]
      },
      "NewKit.markdown": "# Phone screen\n\n## Work\n\n- What are you working on now?\n  - What is hard about it?\n",
      "NewKit.csv": {
        "lines": [
          "section,type,question,options\n",
          "Work,longText,What are you working on now?,\n",
          "Work,singleSelect,How much notice?,None;A month;More\n"
        ]
      },
      "WrittenKit": {
        "id": "backend", "title": "Backend engineer", "instructions": null, "language": "en",
        "status": "active", "revision": 1, "visibility": "afterOwnSubmission", "overallQuestionId": "hire",
        "scales": [],
        "sections": [
          {
            "id": "experience", "revision": 1, "title": "Experience",
            "questions": [
              {
                "id": "built", "revision": 1, "type": "longText", "text": "What did you build last?",
                "help": null, "required": true, "private": false, "visibleWhen": null, "maxLength": 20000
              },
              {
                "id": "hire", "revision": 1, "type": "rating", "text": "Would you hire?", "help": null,
                "required": false, "private": false, "visibleWhen": null, "scale": "fourPoint"
              }
            ]
          }
        ],
        "createdAt": "2026-11-30T11:02:31.633Z", "updatedAt": "2026-11-30T11:02:31.633Z",
        "importReport": {"sections": 1, "questions": 2, "followUps": 0, "leftOutCount": 0, "leftOut": []}
      },
      "KitPatch": {"title": "Backend engineer, first interview", "instructions": null},
      "Kit": {
        "id": "backend", "title": "Backend engineer, first interview", "instructions": null, "language": "en",
        "status": "active", "revision": 2, "visibility": "afterOwnSubmission", "overallQuestionId": "hire",
        "scales": [],
        "sections": [
          {
            "id": "experience", "revision": 1, "title": "Experience",
            "questions": [
              {
                "id": "built", "revision": 1, "type": "longText", "text": "What did you build last?",
                "help": null, "required": true, "private": false, "visibleWhen": null, "maxLength": 20000
              },
              {
                "id": "hire", "revision": 1, "type": "rating", "text": "Would you hire?", "help": null,
                "required": false, "private": false, "visibleWhen": null, "scale": "fourPoint"
              }
            ]
          }
        ],
        "createdAt": "2026-11-30T11:02:31.633Z", "updatedAt": "2026-11-30T11:02:31.689Z"
      },
      "Kit.markdown": {
        "lines": [
          "---\n",
          "interviewkit: 1\n",
          "id: backend\n",
          "language: en\n",
          "status: active\n",
          "visibility: afterOwnSubmission\n",
          "overallQuestionId: hire\n",
          "---\n",
          "# Backend engineer, first interview\n",
          "\n",
          "## Experience <!-- id: experience -->\n",
          "\n",
          "- What did you build last? <!-- id: built; required -->\n",
          "- Would you hire? <!-- id: hire; type: rating; scale: fourPoint -->\n"
        ]
      },
      "Kit.csv": {
        "lines": [
          "item,id,type,text,help,required,private,maxLength,scale,visibleWhen,equals,language,status,",
          "visibility,overallQuestionId\r\n",
          "kit,backend,,\"Backend engineer, first interview\",,,,,,,,en,active,afterOwnSubmission,hire\r\n",
          "section,experience,,Experience,,,,,,,,,,,\r\n",
          "question,built,longText,What did you build last?,,true,false,20000,,,,,,,\r\n",
          "question,hire,rating,Would you hire?,,false,false,,fourPoint,,,,,,\r\n"
        ]
      },
      "KitPage": {
        "items": [
          {
            "id": "01a22c1e-e3fc-7bea-96eb-9f7b5c7cc8b9", "title": "Imported kit", "language": null,
            "status": "active", "revision": 1, "sectionCount": 1, "questionCount": 2,
            "createdAt": "2026-11-30T11:02:31.680Z", "updatedAt": "2026-11-30T11:02:31.680Z"
          },
          {
            "id": "01a22c1e-e3ed-74e3-8046-4f62600c13bc", "title": "Phone screen", "language": null,
            "status": "active", "revision": 1, "sectionCount": 1, "questionCount": 1,
            "createdAt": "2026-11-30T11:02:31.661Z", "updatedAt": "2026-11-30T11:02:31.661Z"
          },
          {
            "id": "backend", "title": "Backend engineer, first interview", "language": "en", "status": "active",
            "revision": 2, "sectionCount": 1, "questionCount": 2, "createdAt": "2026-11-30T11:02:31.633Z",
            "updatedAt": "2026-11-30T11:02:31.689Z"
          }
        ],
        "nextCursor": null
      },
      "KitCopy": {"id": "backend-2", "title": "Backend engineer, second interview"},
      "CopiedKit": {
        "id": "backend-2", "title": "Backend engineer, second interview", "instructions": null,
        "language": "en", "status": "active", "revision": 1, "visibility": "afterOwnSubmission",
        "overallQuestionId": "01a22c1e-e40f-7f93-b688-716931726bc7", "scales": [],
        "sections": [
          {
            "id": "01a22c1e-e40f-7702-868e-40cd0bdeb900", "revision": 1, "title": "Experience",
            "questions": [
              {
                "id": "01a22c1e-e40f-740c-ac3d-d4a4164141c6", "revision": 1, "type": "longText",
                "text": "What did you build last?", "help": null, "required": true, "private": false,
                "visibleWhen": null, "maxLength": 20000
              },
              {
                "id": "01a22c1e-e40f-7f93-b688-716931726bc7", "revision": 1, "type": "rating",
                "text": "Would you hire?", "help": null, "required": false, "private": false,
                "visibleWhen": null, "scale": "fourPoint"
              }
            ]
          }
        ],
        "createdAt": "2026-11-30T11:02:31.695Z", "updatedAt": "2026-11-30T11:02:31.695Z",
        "idMap": {
          "backend": "backend-2", "experience": "01a22c1e-e40f-7702-868e-40cd0bdeb900",
          "built": "01a22c1e-e40f-740c-ac3d-d4a4164141c6", "hire": "01a22c1e-e40f-7f93-b688-716931726bc7"
        }
      },
      "KitDiff": {
        "kitId": "backend", "from": 1, "to": 13, "kit": ["title"],
        "added": [
          {"id": "closing", "kind": "section", "ownerId": null},
          {"id": "why", "kind": "question", "ownerId": "experience"},
          {"id": "why-work", "kind": "option", "ownerId": "why"},
          {"id": "why-people", "kind": "option", "ownerId": "why"},
          {"id": "01a22c1e-e438-7c04-b645-1559f5b7820d", "kind": "question", "ownerId": "experience"},
          {
            "id": "01a22c1e-e438-77ab-b6a1-e933a33b0ebc", "kind": "option",
            "ownerId": "01a22c1e-e438-7c04-b645-1559f5b7820d"
          },
          {
            "id": "01a22c1e-e438-76ba-8533-0b9f5a4ae994", "kind": "option",
            "ownerId": "01a22c1e-e438-7c04-b645-1559f5b7820d"
          }
        ],
        "removed": [], "moved": [], "reworded": [], "retyped": [], "changed": []
      },
      "NewSection": {"id": "closing", "title": "Closing", "after": "experience"},
      "Section": {"id": "closing", "revision": 3, "title": "Closing", "questions": []},
      "SectionPatch": {"title": "To close"},
      "SectionMove": {"after": null},
      "SectionPage": {
        "items": [
          {"id": "closing", "revision": 5, "title": "To close", "questions": []},
          {
            "id": "experience", "revision": 1, "title": "Experience",
            "questions": [
              {
                "id": "built", "revision": 1, "type": "longText", "text": "What did you build last?",
                "help": null, "required": true, "private": false, "visibleWhen": null, "maxLength": 20000
              },
              {
                "id": "hire", "revision": 1, "type": "rating", "text": "Would you hire?", "help": null,
                "required": false, "private": false, "visibleWhen": null, "scale": "fourPoint"
              }
            ]
          }
        ],
        "nextCursor": null
      },
      "SectionPage.deleted": {
        "items": [
          {
            "id": "closing", "deletedAt": "2026-11-30T11:02:31.752Z", "deletedRevision": 12,
            "section": {"id": "closing", "revision": 5, "title": "To close", "questions": []}
          }
        ],
        "nextCursor": null
      },
      "NewQuestion": {
        "id": "why", "type": "singleSelect", "text": "Why us?",
        "options": [{"id": "why-work", "text": "The work"}, {"id": "why-people", "text": "The people"}],
        "sectionId": "closing", "after": null
      },
      "Question": {
        "id": "why", "sectionId": "closing", "revision": 6, "type": "singleSelect", "text": "Why us?",
        "help": null, "required": false, "private": false, "visibleWhen": null,
        "options": [{"id": "why-work", "text": "The work"}, {"id": "why-people", "text": "The people"}]
      },
      "QuestionPatch": {"text": "Why us, above all?"},
      "QuestionMove": {"sectionId": "experience", "after": "built"},
      "QuestionPage": {
        "items": [
          {
            "id": "built", "sectionId": "experience", "revision": 1, "type": "longText",
            "text": "What did you build last?", "help": null, "required": true, "private": false,
            "visibleWhen": null, "maxLength": 20000
          },
          {
            "id": "why", "sectionId": "experience", "revision": 8, "type": "singleSelect",
            "text": "Why us, above all?", "help": null, "required": false, "private": false,
            "visibleWhen": null,
            "options": [{"id": "why-work", "text": "The work"}, {"id": "why-people", "text": "The people"}]
          }
        ],
        "nextCursor": null
      },
      "QuestionPage.deleted": {
        "items": [
          {
            "id": "why", "deletedAt": "2026-11-30T11:02:31.741Z", "deletedRevision": 10,
            "question": {
              "id": "why", "sectionId": "experience", "revision": 8, "type": "singleSelect",
              "text": "Why us, above all?", "help": null, "required": false, "private": false,
              "visibleWhen": null,
              "options": [{"id": "why-work", "text": "The work"}, {"id": "why-people", "text": "The people"}]
            }
          }
        ],
        "nextCursor": null
      },
      "CopiedQuestion": {
        "id": "01a22c1e-e438-7c04-b645-1559f5b7820d", "sectionId": "experience", "revision": 9,
        "type": "singleSelect", "text": "Why us, above all?", "help": null, "required": false, "private": false,
        "visibleWhen": null,
        "options": [
          {"id": "01a22c1e-e438-77ab-b6a1-e933a33b0ebc", "text": "The work"},
          {"id": "01a22c1e-e438-76ba-8533-0b9f5a4ae994", "text": "The people"}
        ],
        "idMap": {
          "why": "01a22c1e-e438-7c04-b645-1559f5b7820d", "why-work": "01a22c1e-e438-77ab-b6a1-e933a33b0ebc",
          "why-people": "01a22c1e-e438-76ba-8533-0b9f5a4ae994"
        }
      }
    }
    """#
}
