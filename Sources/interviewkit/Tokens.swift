// `token create | list | revoke`: the tokens that requests need, through the same API that clients use.

import Glibc
import HTTP
import InterviewKits
import JSON

enum Tokens {
  static func run(_ arguments: Arguments) async throws -> Int32 {
    guard let verb = arguments.operands.first else { throw UsageError("token takes create, list or revoke") }
    let verbs = ["create", "list", "revoke"]
    guard verbs.contains(verb) else {
      throw UsageError("token takes create, list or revoke, not '\(verb)'" + Suggestion.text(for: verb, among: verbs))
    }
    let operands = Array(arguments.operands.dropFirst())
    let own = Command.token.options
    let allowed = verb == "create" ? own : ["account"]
    if let flag = own.first(where: { arguments.flags[$0] != nil && !allowed.contains($0) }) {
      throw UsageError("token \(verb) takes no --\(flag)")
    }
    let account = try arguments.flags["account"].map(itemID).map { "account=\($0)" }
    switch verb {
    case "create":
      guard operands.isEmpty else { throw UsageError("token create takes no operands: '\(operands[0])'") }
      return try await create(arguments, account)
    case "list":
      guard operands.isEmpty else { throw UsageError("token list takes no operands: '\(operands[0])'") }
      return try await list(arguments, account)
    default:
      guard operands.count == 1, let id = try operands.first.map(itemID) else {
        throw UsageError("token revoke takes one ID; token list shows them")
      }
      return try await revoke(id, arguments, account)
    }
  }

  private static func revoke(_ id: ItemID, _ arguments: Arguments, _ account: String?) async throws -> Int32 {
    let query = account.map { "?\($0)" } ?? ""
    let revoked: (response: Response, leavesAdmin: Bool) = try await exchange(arguments) { local in
      let response = try await local.send(.delete, "/v1/tokens/\(id)\(query)")
      guard response.status == 204 else { return (response, true) }
      return (response, try await hasAdmin(local, account))
    }
    if revoked.response.status == 404 { return Refused.say("there is no token '\(id)'") }
    guard revoked.response.status == 204 else { return Refused.say(revoked.response) }
    if !revoked.leavesAdmin {
      let create = arguments.sameDatabase("token create --role admin --name NAME")
      _ = Failure.say("the account has no admin's token now; one is made by: \(create)")
    }
    return 0
  }

  /// Whether an admin's token is taken in the account, as far as its lists can be read.
  private static func hasAdmin(_ local: LocalAPI, _ account: String?) async throws -> Bool {
    let (members, tokens) = (try await all("members", local, account), try await all("tokens", local, account))
    guard members.refused == nil, tokens.refused == nil else { return true }
    let admins = members.items.filter { $0["role"] == .string("admin") && $0["active"] == .bool(true) }.map { $0["id"] }
    return tokens.items.contains { token in
      guard token["revokedAt"] == .null, admins.contains(token["memberId"]) else { return false }
      guard case .string(let end) = token["expiresAt"], let end = Timestamp(rfc3339: end) else { return true }
      return end > Clock.now()
    }
  }

  private static func create(_ arguments: Arguments, _ account: String?) async throws -> Int32 {
    let body = try form(arguments)
    let settings = try Settings.load(flags: arguments.flags)
    let local = try LocalAPI.connect(settings, log: Log(level: settings.logLevel))
    let type = Field("Content-Type", MediaType.json.description)
    let target = "/v1/tokens" + (account.map { "?\($0)" } ?? "")
    let response = try await local.send(.post, target, fields: [type], body: body)
    if response.status != 201 {
      await local.undo()
      return try refused(response)
    }
    let members = try await all("members", local, account).items
    await local.close()
    if local.isNew {
      let path = Files.plainPath(settings.databasePath ?? settings.data)
      _ = Failure.say("no server runs in \(Files.plainPath(settings.data)), and a new database was made: \(path)")
    }
    return try told(response, among: arguments.flags["role"] == nil ? [] : members)
  }

  /// The document that makes a token as the options say.
  private static func form(_ arguments: Arguments) throws -> [UInt8] {
    guard let name = arguments.flags["name"] else { throw UsageError("token create needs --name") }
    let (role, member) = (arguments.flags["role"], try arguments.flags["member"].map(itemID))
    guard (role == nil) != (member == nil) else {
      throw UsageError(
        role == nil
          ? "token create needs --role, or --member"
          : "token create takes --role or --member, not both: a member has a role already")
    }
    if let role, Role(rawValue: role) == nil {
      let roles = Role.allCases.map(\.rawValue)
      let near = Suggestion.text(for: role, among: roles)
      throw UsageError("--role is one of \(roles.joined(separator: ", ")), not '\(role)'\(near)")
    }
    if let time = arguments.flags["expires"], Timestamp(rfc3339: time) == nil {
      throw UsageError("--expires is an RFC 3339 time such as 2027-01-31T00:00:00Z, not '\(time)'")
    }
    var body = JSONWriter()
    body.object { body in
      body.member("name", name)
      if let role { body.member("role", role) }
      if let member { body.member("memberId", member.string) }
      if let time = arguments.flags["expires"] { body.member("expiresAt", time) }
    }
    return body.bytes
  }

  /// Prints the token that was made, and says whose it is.
  /// - Parameter members: of the account, where the token's was named by name and role.
  private static func told(_ response: Response, among members: [JSONValue]) throws(UsageError) -> Int32 {
    guard response.status == 201, let token = try? JSONValue.parse(response.body),
      case .string(let secret) = token["token"], case .string(let id) = token["id"],
      case .string(let owner) = token["memberId"]
    else { return try refused(response) }
    let said = "interviewkit: token \(id) of member \(owner); it is shown this once\n"
    Files.write(Array(said.utf8), to: STDERR_FILENO)
    // The API compares names as Unicode does, as we do here.
    let name = members.first { $0["id"] == .string(owner) }.flatMap { $0["name"]?.text }
    for member in members where name != nil && member["name"]?.text == name {
      guard let id = member["id"]?.text, let role = member["role"]?.text, id != owner else { continue }
      _ = Failure.say("this token is of \(owner); another member has the same name: \(id), of the role \(role)")
    }
    return InterviewKitCommand.say(secret)
  }

  /// Says why no token was made; mistakes in options are told by the options' names.
  private static func refused(_ response: Response) throws(UsageError) -> Int32 {
    let problem = try? JSONValue.parse(response.body)
    if case .string("firstTokenIsAdmins") = problem?["code"] {
      return Refused.say(
        "the first token of an account is an admin's: add --role admin; from then on every request needs a token")
    }
    let options = ["/expiresAt": "expires", "/name": "name", "/role": "role", "/memberId": "member"]
    guard case .array(let issues) = problem?["errors"], !issues.isEmpty else { return Refused.say(response) }
    let said = issues.compactMap { issue -> String? in
      guard case .string(let pointer) = issue["pointer"], let option = options[pointer],
        case .string(let message) = issue["message"]
      else { return nil }
      return "--\(option): \(message)"
    }
    if said.count == issues.count { throw UsageError(said.joined(separator: " ")) }
    return Refused.say(response)
  }

  /// A line for each token, revoked ones too, with its member's role and whether the member is active.
  private static func list(_ arguments: Arguments, _ account: String?) async throws -> Int32 {
    let (tokens, members) = try await exchange(arguments) { local in
      (try await all("tokens", local, account), try await all("members", local, account))
    }
    if let refused = tokens.refused ?? members.refused { return Refused.say(refused) }
    let lines = tokens.items.flatMap { token in
      guard case .object(let parts) = token, let member = members.items.first(where: { $0["id"] == token["memberId"] })
      else { return token.encodedLine }
      let ofMember = ["role", "active"].compactMap { name in member[name].map { JSONMember(name, $0) } }
      return JSONValue.object(parts + ofMember).encodedLine
    }
    Files.write(lines, to: STDOUT_FILENO)
    return 0
  }

  /// Every item of one of the account's lists, or what refused one of its pages.
  private static func all(
    _ list: String, _ local: LocalAPI, _ account: String?
  ) async throws -> (items: [JSONValue], refused: Response?) {
    var (items, cursor): ([JSONValue], String?) = ([], nil)
    repeat {
      let query = ["limit=200"] + [account, cursor.map { "cursor=\($0)" }].compactMap(\.self)
      let response = try await local.send(.get, "/v1/\(list)?" + query.joined(separator: "&"))
      guard response.status == 200, let page = try? JSONValue.parse(response.body),
        case .array(let found) = page["items"]
      else { return ([], response) }
      items += found
      if case .string(let next) = page["nextCursor"] { cursor = next } else { cursor = nil }
    } while cursor != nil
    return (items, nil)
  }

  /// Of a database that is there.
  private static func exchange<Value>(
    _ arguments: Arguments, _ body: (LocalAPI) async throws -> Value
  ) async throws -> Value {
    let settings = try Settings.load(flags: arguments.flags)
    let local = try LocalAPI.connect(settings, log: Log(level: settings.logLevel), creates: false)
    let value = try await body(local)
    await local.close()
    return value
  }
}

extension JSONValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var encodedLine: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes + [0x0A]
  }
}
