// Who asks, the account's members and their tokens.

import HTTP
import InterviewKits
import JSON
import KitDocuments
import Store

extension Call {
  /// The member, the account and the token of who asks.
  func readMe() async throws(Problem) -> Response {
    let (member, token) = try stored { () throws(StoreError) in try api.store.me(caller) }
    var response = Response.json { writer in
      writer.object { body in
        body.member("id", caller.memberID.string)
        body.member("name", member?.name?.string)
        body.member("role", caller.role.rawValue)
        body.member("accountId", caller.accountID.string)
        body.member("open", !api.store.access.hasTokens)
        body.name("token")
        if let token { AccessJSON.write(token, to: &body) } else { body.null() }
      }
    }
    response.fields.append(Field("Cache-Control", "no-store"))
    return response
  }

  // MARK: Members

  func listMembers() async throws(Problem) -> Response {
    let (limit, cursor) = (try pageLimit(), try queryID("cursor"))
    let page = try stored { () throws(StoreError) in
      try api.store.members(limit: limit, after: cursor, for: caller)
    }
    return .page(page) { member, list in AccessJSON.write(member, to: &list) }
  }

  func createMember() async throws(Problem) -> Response {
    let form = try decoded { value throws(InvalidDocument) in try AccessJSON.decodeMember(value) }
    let id = form.id ?? api.ids.next()
    let retry = try retryKey()
    let written = try await stored { () throws(StoreError) in
      try await api.store.createMember(id, name: form.name, role: form.role, by: caller, retry: retry)
    }
    return respond(written.member, status: 201, location: "/v1/members/\(written.member.id)")
  }

  func readMember() async throws(Problem) -> Response {
    let id = try id("memberId")
    let member = try stored { () throws(StoreError) in try api.store.member(id, for: caller) }
    return respond(member).unlessKnown(to: request.head)
  }

  func patchMember() async throws(Problem) -> Response {
    let (id, patch) = (try id("memberId"), try json())
    let (precondition, retry) = (try precondition(), try retryKey())
    let written = try await stored { () throws(StoreError) in
      try await api.store.changeMember(id, precondition: precondition, by: caller, retry: retry) {
        member throws(StoreError) in
        try StoreError.document { () throws(InvalidDocument) in try AccessJSON.patch(member, with: patch) }
      }
    }
    return respond(written.member)
  }

  private func respond(_ member: Member, status: Int = 200, location: String? = nil) -> Response {
    .json(status, tag: String(member.revision), location: location) { AccessJSON.write(member, to: &$0) }
  }

  // MARK: Tokens

  func listTokens() async throws(Problem) -> Response {
    let (limit, cursor) = (try pageLimit(), try queryID("cursor"))
    let page = try stored { () throws(StoreError) in
      try api.store.tokens(limit: limit, after: cursor, for: caller)
    }
    return .page(page) { token, list in AccessJSON.write(token, to: &list) }
  }

  /// The only reply that ever holds the token itself; repeated by its name, the same reply without it.
  func createToken() async throws(Problem) -> Response {
    let form = try decoded { value throws(InvalidDocument) in try AccessJSON.decodeToken(value) }
    if let end = form.expiresAt, end <= now {
      throw .invalid("/expiresAt", "inThePast", "The token would have expired already.")
    }
    let owner: TokenDraft.Owner
    switch (form.memberID, form.role) {
    case (let id?, _): owner = .member(id)
    case (nil, let role?): owner = .named(form.name, role, id: api.ids.next())
    case (nil, nil): preconditionFailure("a token's form names a member or a role")
    }
    let secret = InterviewKitAPI.makeToken()
    let draft = TokenDraft(
      id: api.ids.next(), name: form.name, digest: TokenDigest(of: secret.utf8.span), expiresAt: form.expiresAt,
      owner: owner)
    let retry = try retryKey()
    let written = try await stored { () throws(StoreError) in
      try await api.store.createToken(draft, by: caller, retry: retry)
    }
    var response = Response.json(201) { body in
      AccessJSON.write(written.token, to: &body) { body in
        body.member("role", written.member.role.rawValue)
        body.member("token", written.isReplayed ? nil : secret)
      }
    }
    response.fields.append(Field("Cache-Control", "no-store"))
    return response
  }

  func revokeToken() async throws(Problem) -> Response {
    let id = try id("tokenId")
    let retry = try retryKey()
    _ = try await stored { () throws(StoreError) in try await api.store.revokeToken(id, by: caller, retry: retry) }
    return Response(status: 204)
  }
}
