// The examples of layouts, measuring, access and the service for /openapi.json.

extension OpenAPIExamples {
  static let others = #"""
    {
      "Layout": {
        "kitId": "backend", "kitRevision": 1, "evaluationId": "kim-2",
        "fingerprint": "8900aa99b503ac7e141af370368911e2", "fidelity": "approximate",
        "substitutions": [{"requested": "SF Pro", "used": "Inter"}],
        "viewport": {"profile": "ios@1", "width": 375, "contentSize": "large", "scale": 3, "locale": "en"},
        "contentHeight": 379.3333333333333,
        "rows": [
          {"id": "experience", "kind": "section", "sectionId": "experience", "y": 0, "height": 56},
          {"id": "built", "kind": "longText", "sectionId": "experience", "y": 56, "height": 107.33333333333333},
          {"id": "hire", "kind": "rating", "sectionId": "experience", "y": 163.33333333333334, "height": 216}
        ]
      },
      "UnsavedValues": {"values": {"built": "typed, and not saved yet"}},
      "MeasureRequest": {
        "profile": "ios", "mode": "label", "width": 343, "locale": "en", "options": {"lineStarts": true},
        "texts": [{"id": "a", "text": "What did you build last, and what would you do otherwise today?"}]
      },
      "Measurement": {
        "results": [
          {
            "id": "a", "height": 40.666666666666664, "exactHeight": 40.57421875, "width": 335.4432391453598,
            "lines": 2, "lineStarts": [0, 44]
          }
        ],
        "fingerprint": "8523c4ae455f431c2b19d392983c38b0", "fidelity": "approximate",
        "substitutions": [{"requested": "SF Pro", "used": "Inter"}],
        "applied": {
          "profile": "ios@1", "mode": "label", "width": 343,
          "font": {"family": "SF Pro", "size": 17, "weight": 400, "fallbacks": []}, "contentSize": "large",
          "scale": 3, "locale": "en", "insets": {"top": 0, "leading": 0, "bottom": 0, "trailing": 0},
          "lineFragmentPadding": 0, "minimumHeight": 0, "singleLine": false,
          "lines": {
            "height": "ios", "usesFontLeading": true, "lineSpacing": 0, "strictness": "strict",
            "hangul": "word", "lineBreakStrategy": "standard", "softHyphen": "breaks",
            "ideographicSpaceHangs": true, "breakPairs": "unicode", "hyphens": "broken", "quotes": "locale",
            "bitmapAdvance": "font", "tabs": {"every": 28, "count": 12}, "trailingBreak": "line",
            "maximumLines": 0, "breakStrategy": "simple", "hyphenation": "none"
          }
        }
      },
      "ProfileDocument": {"extends": "ios@1", "parts": {"answer": {"mode": "zeroPaddingTextView"}}},
      "Profile": {
        "id": "compact@1", "digest": "da741831a9e2288920849fce24dcce6b76a847dd14751fe2d2a6f5c6a4645722",
        "name": "compact", "version": 1,
        "rows": {"longText": {"parts": ["text", "help", "answer", "notAssessed", "comment"]}},
        "strings": {"ko": {"yes": "예", "no": "아니요"}}, "unit": "pt", "scale": 3,
        "font": {"family": "SF Pro", "style": "body"},
        "textSize": {
          "kind": "dynamicType", "default": "large", "otherSizesLike": "body",
          "categories": {
            "large": ["UICTContentSizeCategoryL", "UIContentSizeCategoryLarge"],
            "AX1": [
              "UICTContentSizeCategoryAccessibilityM", "UIContentSizeCategoryAccessibilityMedium",
              "accessibilityMedium"
            ]
          },
          "styles": {
            "body": {
              "weight": 400, "sizes": [14, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53],
              "leading": [19, 20, 21, 22, 24, 26, 29, 34, 40, 48, 56, 62]
            }
          }
        },
        "modes": {"label": {"lines": {"lineBreakStrategy": "standard"}}, "zeroPaddingTextView": {}},
        "parts": {
          "text": {"style": "headline"},
          "answer": {"mode": "zeroPaddingTextView", "style": "body", "gapAbove": 8, "placeholder": "whenEmpty"}
        }
      },
      "ProfilePage": {
        "items": [
          {
            "id": "android@1", "name": "android", "version": 1,
            "description": {"lines": ["Android views, API 34 and later: large text is scaled less. Roboto, ",
              "TextView for what is read, EditText for what is typed."]},
            "unit": "dp", "scale": 2.625, "modes": ["label", "textView", "textField", "editText"],
            "font": "Roboto", "fontScales": {"minimum": 0.5, "maximum": 3}
          }
        ],
        "nextCursor": null
      },
      "Fonts": {
        "families": [
          {
            "name": "SF Pro", "substitute": "Inter", "locales": [], "emoji": false,
            "metrics": {"ascender": 1950, "descender": -494, "lineGap": 0, "unitsPerEm": 2048},
            "tracking": [{"size": 6, "tracking": 0.24}],
            "faces": [
              {
                "file": "./Config/../Fonts/SF-Pro-Text-Regular.otf", "index": 0, "weight": 400,
                "present": false, "absence": "notThere", "sha256": null, "url": null
              }
            ]
          }
        ],
        "fallbacks": ["Noto Sans", "Noto Sans Arabic"],
        "missing": ["./Config/../Fonts/SF-Pro-Text-Regular.otf"],
        "fingerprint": "3ae56d6af4c8f9c493feda144f91874eca452eb727f25f511213f51004cc6301"
      },
      "NewMember": {"id": "lee", "name": "Lee Seo-yeon", "role": "observer"},
      "Member": {
        "id": "lee", "name": "Lee Seo-yeon", "role": "interviewer", "active": true, "revision": 2,
        "createdAt": "2026-11-30T11:02:31.990Z", "updatedAt": "2026-11-30T11:02:32.004Z"
      },
      "MemberPatch": {"role": "interviewer"},
      "MemberPage": {
        "items": [
          {
            "id": "lee", "name": "Lee Seo-yeon", "role": "interviewer", "active": true, "revision": 2,
            "createdAt": "2026-11-30T11:02:31.990Z", "updatedAt": "2026-11-30T11:02:32.004Z"
          }
        ],
        "nextCursor": null
      },
      "NewToken": {"name": "boss", "role": "admin"},
      "IssuedToken": {
        "id": "01a22c1e-e54c-7faf-98ce-7471a351e7a2", "memberId": "boss", "name": "boss",
        "createdAt": "2026-11-30T11:02:32.012Z", "expiresAt": null, "lastUsedAt": null, "revokedAt": null,
        "role": "admin", "token": "ik_LhLUNiJ_ZJbj18M3a7oPXzW4AVGLopaf8fbzCqG4Oio"
      },
      "TokenPage": {
        "items": [
          {
            "id": "01a22c1e-e54c-7faf-98ce-7471a351e7a2", "memberId": "boss", "name": "boss",
            "createdAt": "2026-11-30T11:02:32.012Z", "expiresAt": null, "lastUsedAt": null, "revokedAt": null
          }
        ],
        "nextCursor": null
      },
      "Ticket": {
        "ticket": "ikt_rr60AQv8AqxEN-t0PB_ON6ZAQgqnKPSOUamSVHPG_As", "expiresAt": "2026-11-30T11:03:02.027Z"
      },
      "Me": {
        "id": "boss", "name": "boss", "role": "admin", "accountId": "default", "open": false,
        "token": {
          "id": "01a22c1e-e54c-7faf-98ce-7471a351e7a2", "memberId": "boss", "name": "boss",
          "createdAt": "2026-11-30T11:02:32.012Z", "expiresAt": null, "lastUsedAt": null, "revokedAt": null
        }
      },
      "Candidate": {
        "id": "c-81", "name": "Kim Ji-woo", "createdAt": "2026-11-30T11:02:31.819Z",
        "updatedAt": "2026-11-30T11:02:31.830Z"
      },
      "CandidateErased": {"id": "c-81", "evaluations": 1},
      "AuditPage": {
        "items": [
          {
            "sequence": 35, "kind": "token.revoked", "memberId": "boss",
            "tokenId": "01a22c1e-e54c-7faf-98ce-7471a351e7a2", "address": "127.0.0.1", "kitId": null,
            "evaluationId": null, "itemId": "01a22c1e-e55c-7a9d-97fd-1c99c1667ae6", "candidateId": null,
            "revision": 1, "at": "2026-11-30T11:02:32.032Z"
          },
          {
            "sequence": 34, "kind": "token.created", "memberId": "boss",
            "tokenId": "01a22c1e-e54c-7faf-98ce-7471a351e7a2", "address": "127.0.0.1", "kitId": null,
            "evaluationId": null, "itemId": "01a22c1e-e55c-7a9d-97fd-1c99c1667ae6", "candidateId": null,
            "revision": 1, "at": "2026-11-30T11:02:32.028Z"
          }
        ],
        "nextCursor": null
      },
      "Status": {"status": "ok"},
      "Status.ready": {"status": "ready", "database": "sound"},
      "Version": {
        "version": "0.1.0", "schema": 9, "engine": 2,
        "fonts": "3ae56d6af4c8f9c493feda144f91874eca452eb727f25f511213f51004cc6301"
      },
      "string.plain": {
        "lines": [
          "# HELP interviewkit_requests_total Answered requests by route and status.\n",
          "# TYPE interviewkit_requests_total counter\n"
        ]
      },
      "OpenAPI": {"openapi": "3.1.0", "info": {"title": "InterviewKit"}, "paths": {}, "components": {}}
    }
    """#
}
