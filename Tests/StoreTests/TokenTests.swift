// Tokens in the database: the first one among several writers, the last admin's, and what a start finds.
import InterviewKits
import Testing

@testable import Store

@Suite(.onBothDatabases) struct TokenTests {
  private static let day = 24 * 3_600_000

  private static func draft(
    _ number: Int, role: Role = .admin, expiresAt: Timestamp? = nil
  ) -> TokenDraft {
    let id = ItemID(stringLiteral: "t\(number)")
    return TokenDraft(
      id: id, name: ExactText("n\(number)"), digest: TokenDigest(1, 2, 3, UInt64(number)), expiresAt: expiresAt,
      owner: .named(ExactText("n\(number)"), role, id: ItemID(stringLiteral: "m\(number)")))
  }

  @Test func `of first tokens that are made at once one is made, and the others are refused`() async throws {
    let test = try TestStore.make()
    let anybody = try #require(test.store.access.openCaller)
    let refusals = await withTaskGroup(of: Refusal?.self) { group in
      for number in 1...20 {
        group.addTask {
          do throws(StoreError) {
            try await test.store.createToken(Self.draft(number), by: anybody)
            return nil
          } catch { return Refusal(error) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(refusals.count { $0 == nil } == 1 && refusals.count { $0 == .notOpen } == 19)
    #expect(try test.store.tokens(for: TestStore.caller).items.count == 1)
    // Nothing else that was on its way is written, either.
    await expect(.notOpen) { try await test.store.createKit(.sample(), by: anybody) }
    await expect(.notOpen) { try await test.store.createMember("x", name: nil, role: .admin, by: anybody) }
    try await test.reopen()
    #expect(test.store.access.hasTokens && test.store.access.openCaller == nil)
  }

  @Test func `several servers make one bootstrap token`() async throws {
    guard TestedDatabase.current == .postgres else { return }
    let test = try TestStore.make()
    try test.addServer()
    let made = try await withThrowingTaskGroup(of: Bool.self) { group in
      for (number, server) in test.servers.enumerated() {
        let (member, token) = (ItemID(stringLiteral: "m\(number)"), ItemID(stringLiteral: "t\(number)"))
        group.addTask { try await server.bootstrap(TokenDigest(1, 2, 3, 4), member: member, token: token) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(made.count { $0 } == 1)
    #expect(try test.store.tokens(for: TestStore.caller).items.map(\.name) == ["bootstrap"])
  }

  @Test func `when the last admin's token has expired nobody gets in, and it is told`() async throws {
    let test = try TestStore.make()
    let end = Timestamp(milliseconds: Self.day)
    let anybody = try #require(test.store.access.openCaller)
    let (boss, lee) = (Self.draft(1, expiresAt: end), Self.draft(2, role: .interviewer))
    try await test.store.createToken(boss, by: anybody)
    try await test.store.createToken(lee, by: TestStore.author)
    #expect(try test.store.accountsWithoutAdmin(now: Timestamp(milliseconds: Self.day - 1)).isEmpty)
    test.advance(milliseconds: Self.day)
    for _ in 0..<2 {
      #expect(try test.store.accountsWithoutAdmin(now: end) == [Store.defaultAccount])
      // Not open again: a request without a token is nobody's.
      #expect(test.store.access.hasTokens && test.store.access.openCaller == nil)
      #expect(test.store.access.mark(of: boss.digest, now: end) == nil)
      #expect(test.store.access.mark(of: lee.digest, now: end) != nil)
      await expect(.notOpen) { try await test.store.createToken(Self.draft(3), by: anybody) }
      try await test.reopen()
    }
    // An expired token may be revoked, as it admits nobody; the command line makes another.
    try await test.store.revokeToken("t1", by: TestStore.author)
    try await test.store.createToken(Self.draft(4), by: Store.commandLine)
    #expect(try test.store.accountsWithoutAdmin(now: end).isEmpty)
  }

  @Test func `an admin whose token has expired is not another admin`() async throws {
    let test = try TestStore.make()
    let anybody = try #require(test.store.access.openCaller)
    try await test.store.createToken(Self.draft(1), by: anybody)
    try await test.store.createToken(
      Self.draft(2, expiresAt: Timestamp(milliseconds: Self.day)), by: TestStore.author)
    func demote() async throws {
      try await test.store.changeMember("n1", precondition: .exists, by: TestStore.author) { member in
        var member = member
        member.role = .observer
        return member
      }
    }
    test.advance(milliseconds: Self.day)
    await expect(.conflict) { try await demote() }
    await expect(.conflict) { try await test.store.revokeToken("t1", by: TestStore.author) }
    try await test.store.createToken(Self.draft(3), by: TestStore.author)
    try await demote()
  }

  @Test func `two admins can't end each other at once`() async throws {
    let test = try TestStore.make()
    let anybody = try #require(test.store.access.openCaller)
    try await test.store.createToken(Self.draft(1), by: anybody)
    try await test.store.createToken(Self.draft(2), by: TestStore.author)
    let refusals = await withTaskGroup(of: Refusal?.self) { group in
      for id in ["t1", "t2"] as [ItemID] {
        group.addTask {
          do throws(StoreError) {
            try await test.store.revokeToken(id, by: TestStore.author)
            return nil
          } catch { return Refusal(error) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(refusals.count { $0 == nil } == 1 && refusals.count { $0 == .conflict } == 1)
    #expect(try test.store.accountsWithoutAdmin(now: Timestamp(milliseconds: 0)).isEmpty)
  }
}
