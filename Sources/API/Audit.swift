// The audit: who did what when, from which address.

import HTTP
import InterviewKits
import JSON
import Store

extension Call {
  func listAudit() async throws(Problem) -> Response {
    let (member, limit, cursor) = (try queryID("member"), try pageLimit(), query("cursor"))
    let page = try stored { () throws(StoreError) in
      try api.store.audit(member: member, limit: limit, cursor: cursor, for: caller)
    }
    return .page(page) { entry, list in
      list.object { body in
        body.member("sequence", entry.change.sequence)
        body.member("kind", entry.change.kind.rawValue)
        body.member("memberId", entry.change.by.string)
        body.member("tokenId", entry.tokenID?.string)
        body.member("address", entry.address)
        body.member("kitId", entry.change.kitID?.string)
        body.member("evaluationId", entry.change.evaluationID?.string)
        body.member("itemId", entry.change.itemID?.string)
        body.member("candidateId", entry.change.candidateID?.string)
        body.member("revision", entry.change.revision)
        body.member("at", entry.change.at.rfc3339)
      }
    }
  }
}
