// Layout profiles: those of the files, and those that were sent, whose versions never change.

import HTTP
import InterviewKits
import JSON
import Locks
import RowLayout
public import Store

/// The profiles that an account may name: the files' and its own.
final class ProfileCatalog: Sendable {
  struct Known: Sendable {
    var library: ProfileLibrary
    /// How many of it were sent; it rises with each.
    var storedCount: Int
    /// What the library was made of: the same array again is known by where it is in memory.
    fileprivate var stored: [StoredProfile]
  }

  /// Those of the files.
  let shipped: ProfileLibrary
  private let memory: ProfileMemory
  private let known = Lock<[ItemID: Known]>([:])

  /// Accounts whose libraries are kept, which are names and references to texts.
  private static let maximumAccounts = 256

  /// - Parameter memory: where profiles are kept that were read.
  init(_ shipped: ProfileLibrary, memory: ProfileMemory) { (self.shipped, self.memory) = (shipped, memory) }

  /// - Parameter stored: all that the account has sent; versions are only ever added.
  func known(to account: ItemID, stored: [StoredProfile]) -> Known {
    if let known = known.withLock({ $0[account] }), Self.isSame(known.stored, stored) { return known }
    let sent = stored.map { SentProfile(name: $0.name.string, version: $0.version, content: $0.content) }
    let found = Known(
      library: shipped.adding(sent, by: account.string, memory: memory), storedCount: stored.count, stored: stored)
    known.withLock { known in
      if known.count >= Self.maximumAccounts, known[account] == nil { known.removeAll() }
      known[account] = found
    }
    return found
  }

  private static func isSame(_ left: [StoredProfile], _ right: [StoredProfile]) -> Bool {
    // The addresses are compared, not followed.
    unsafe left.withUnsafeBufferPointer { left in
      unsafe right.withUnsafeBufferPointer { right in
        unsafe left.count == right.count && (left.isEmpty || left.baseAddress == right.baseAddress)
      }
    }
  }
}

extension InterviewKitAPI {
  func profiles(of caller: Caller) throws(StoreError) -> ProfileCatalog.Known {
    profiles.known(to: caller.accountID, stored: try store.profiles(for: caller))
  }

  /// Versions of the files that give way to one that was sent under the same name and number, and says something else.
  /// - Parameter caller: of the account whose profiles these are.
  public func shadowedProfiles(for caller: Caller) throws(StoreError) -> [String] {
    let library = try profiles(of: caller).library
    var shadowed: [String] = []
    for profile in profiles.shipped.all where try library.read(profile.qualifiedName) != profile {
      shadowed.append(profile.qualifiedName)
    }
    return shadowed
  }
}

extension ProfileLibrary {
  /// As `profile`; a version that was stored and can't be read is a fault of the database.
  fileprivate func read(_ name: String) throws(StoreError) -> Profile? {
    do { return try profile(name) } catch { throw .database("the stored profile \(name) can't be read: \(error)") }
  }
}

extension Call {
  func profiles() throws(Problem) -> ProfileCatalog.Known {
    try stored { () throws(StoreError) in try api.profiles(of: caller) }
  }

  private func profile(_ name: String, in library: ProfileLibrary) throws(Problem) -> Profile? {
    try stored { () throws(StoreError) in try library.read(name) }
  }

  /// Every version of every profile, by name and version.
  func listProfiles() async throws(Problem) -> Response {
    let limit = try pageLimit()
    let library = try profiles().library
    let all = library.versions
    var rest = all[...]
    if let cursor = query("cursor") {
      guard let place = all.firstIndex(where: { $0.qualifiedName == cursor }) else {
        throw .invalid([queryIssue("cursor", "invalidCursor", "'\(cursor)' is no cursor of this list.")])
      }
      rest = all[(place + 1)...]
    }
    let names = rest.prefix(limit).map(\.qualifiedName)
    var page: [Profile] = []
    for name in names { if let profile = try profile(name, in: library) { page.append(profile) } }
    let hasMore = names.count < rest.count
    let response = Response.json(capacity: 4_096) { writer in
      writer.object { body in
        body.member("items") { items in
          items.array { list in for profile in page { LayoutJSON.writeSummary(profile, to: &list) } }
        }
        body.member("nextCursor", hasMore ? names.last : nil)
      }
    }
    return response.taggedByContent().unlessKnown(to: request.head)
  }

  func readProfile() async throws(Problem) -> Response {
    let name = parameters["name"]
    let library = try profiles().library
    guard let profile = try profile(name, in: library) else { throw .notFound(library.unknownProfile(name)) }
    return respond(profile).unlessKnown(to: request.head)
  }

  /// Makes the next version of a profile, or the first of a new one. What it extends is stored with it.
  func putProfile() async throws(Problem) -> Response {
    let name = parameters["name"]
    if let known = try profiles().library.versions.first(where: { $0.qualifiedName == name }) {
      throw Problem(409, "immutableVersion", "A version never changes: PUT /v1/profiles/\(known.name) makes a new one.")
    }
    guard let id = ItemID(name) else {
      throw .invalid("", "invalidName", "A profile is named with 1 to 40 lower-case letters, digits and hyphens.")
    }
    let body = try json()
    let (precondition, retry, account) = (try precondition(), try retryKey(), account)
    let (catalog, families) = (api.profiles, api.layouts.fontFamilies)
    let written = try await stored { () throws(StoreError) in
      try await api.store.putProfile(id, precondition: precondition, by: caller, retry: retry) {
        (stored) throws(StoreError) in
        let library = catalog.known(to: account, stored: stored).library
        let current = try library.read(name).map { StoredProfile(name: id, version: $0.version, content: $0.stored) }
        do throws(InvalidProfile) {
          let draft = try library.draft(body, name: name, families: families)
          let next = draft.map { StoredProfile(name: id, version: $0.version, content: $0.stored) }
          return ProfileEdit(current: current, next: next)
        } catch { throw .invalid(error.issues) }
      }
    }
    let profile = try stored { () throws(StoreError) in
      do { return try Profile(stored: written.profile.content) } catch { throw .database("\(error)") }
    }
    return respond(profile, isNew: written.outcome == .created)
  }

  private func respond(_ profile: Profile, isNew: Bool = false) -> Response {
    // The version is what If-Match names; the digest tells two programs' files of one version apart.
    .json(
      isNew ? 201 : 200, tag: "\(profile.version)-\(profile.digest.prefix(16))",
      location: isNew ? "/v1/profiles/\(profile.name)" : nil, capacity: 8_192
    ) { LayoutJSON.write(profile, to: &$0) }
  }
}
