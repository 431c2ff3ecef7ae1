// The schemas of members and tokens for /openapi.json.

import InterviewKits
import Store

extension OpenAPISchemas {
  static let access = #"""
    {
      "Role": { "type": "string", "enum": \#(words(Role.self)) },
      "MemberName": { "type": ["string", "null"], "minLength": 1, "maxLength": \#(KitLimits.nameScalars) },
      "Member": {
        "description": "active: whether the member's tokens are taken.",
        "members": {
          "id": "Id", "name": "MemberName", "role": "Role", "active": "boolean", "revision": "revision",
          "createdAt": "time", "updatedAt": "time"
        }
      },
      "NewMember": {
        "members": { "id??": "Id", "name??": "MemberName", "role": "Role" }
      },
      "MemberPatch": { "members": { "name?": "MemberName", "role?": "Role", "active?": "boolean" } },
      "MemberPage": { "members": { "items": ["Member"], "nextCursor": "string?" } },
      "Token": {
        "description": "lastUsedAt is written once an hour at most.",
        "members": {
          "id": "Id", "memberId": "Id", "name": "string", "createdAt": "time", "expiresAt": "time?",
          "lastUsedAt": "time?", "revokedAt": "time?"
        }
      },
      "TokenPage": { "members": { "items": ["Token"], "nextCursor": "string?" } },
      "NewToken": {
        "description": [
          "Of the member memberId, or of the member with this name in this role, who is made if need be: one of",
          "both is given."
        ],
        "members": {
          "name": { "type": "string", "minLength": 1, "maxLength": \#(KitLimits.nameScalars) }, "memberId??": "Id",
          "role??": "Role", "expiresAt??": "time"
        }
      },
      "IssuedToken": {
        "description": "token is the token itself: in this reply alone, and null when it is repeated by its key.",
        "like": "Token", "members": { "role": "Role", "token": "string?" }
      },
      "Ticket": { "members": { "ticket": "string", "expiresAt": "time" } },
      "Candidate": {
        "description": "Only admins are told times.",
        "members": { "id": "Id", "name": "PersonName", "createdAt": "time?", "updatedAt": "time?" }
      },
      "CandidateErased": {
        "description": "evaluations counts those that went with the candidate; 0 when it was done before.",
        "members": { "id": "Id", "evaluations": "count" }
      },
      "AuditEntry": {
        "description": [
          "No text of people; address is null for a Unix socket and the command line. memberId is commandLine for",
          "that, service for what the service does by itself, and anonymous for whoever came while no token was there;",
          "none of them has a tokenId. sequence is the number of the change, which rises with each."
        ],
        "members": {
          "sequence": "revision", "kind": { "type": "string", "enum": \#(words(ChangeKind.self)) }, "memberId": "Id",
          "tokenId": "Id?", "address": "string?", "kitId": "Id?", "evaluationId": "Id?", "itemId": "Id?",
          "candidateId": "Id?", "revision": "revision", "at": "time"
        }
      },
      "AuditPage": { "members": { "items": ["AuditEntry"], "nextCursor": "string?" } },
      "Me": {
        "description": "open: no token exists, and everybody may do everything.",
        "members": {
          "id": "Id", "name": "MemberName", "role": "Role", "accountId": "Id", "open": "boolean", "token": "Token?"
        }
      }
    }
    """#
}
