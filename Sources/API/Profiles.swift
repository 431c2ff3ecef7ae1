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
  }

  /// Those of the files.
  let shipped: ProfileLibrary
  private let known = Lock<[ItemID: Known]>([:])

  init(_ shipped: ProfileLibrary) { self.shipped = shipped }

  /// - Parameter stored: all that the account has sent; versions are only ever added.
  func known(to account: ItemID, stored: [StoredProfile]) throws(StoreError) -> Known {
    if let known = known.withLock({ $0[account] }), known.storedCount == stored.count { return known }
    var profiles: [Profile] = []
    for profile in stored {
      do { profiles.append(try Profile(stored: profile.content)) } catch {
        throw .database("the stored profile \(profile.name)@\(profile.version) can't be read: \(error)")
      }
    }
    let found = Known(library: shipped.adding(profiles), storedCount: stored.count)
    known.withLock { $0[account] = found }
    return found
  }
}

extension InterviewKitAPI {
  func profiles(of caller: Caller) throws(StoreError) -> ProfileCatalog.Known {
    try profiles.known(to: caller.accountID, stored: store.profiles(for: caller))
  }

  /// Versions of the files that give way to one that was sent under the same name and number, and says something else.
  /// - Parameter caller: of the account whose profiles these are.
  public func shadowedProfiles(for caller: Caller) throws(StoreError) -> [String] {
    let library = try profiles(of: caller).library
    return profiles.shipped.all.filter { library.profile($0.qualifiedName) != $0 }.map(\.qualifiedName)
  }
}

extension Call {
  func profiles() throws(Problem) -> ProfileCatalog.Known {
    try stored { () throws(StoreError) in try api.profiles(of: caller) }
  }

  /// Every version of every profile, by name and version.
  func listProfiles() async throws(Problem) -> Response {
    let limit = try pageLimit()
    let all = try profiles().library.all
    var rest = all[...]
    if let cursor = query("cursor") {
      guard let place = all.firstIndex(where: { $0.qualifiedName == cursor }) else {
        throw .invalid([queryIssue("cursor", "invalidCursor", "'\(cursor)' is no cursor of this list.")])
      }
      rest = all[(place + 1)...]
    }
    let page = rest.prefix(limit)
    let response = Response.json(capacity: 4_096) { writer in
      writer.object { body in
        body.member("items") { items in
          items.array { list in for profile in page { LayoutJSON.writeSummary(profile, to: &list) } }
        }
        body.member("nextCursor", page.count < rest.count ? page.last?.qualifiedName : nil)
      }
    }
    return response.taggedByContent().unlessKnown(to: request.head)
  }

  func readProfile() async throws(Problem) -> Response {
    let name = parameters["name"]
    guard let profile = try profiles().library.profile(name) else { throw .notFound("There is no profile '\(name)'.") }
    return respond(profile).unlessKnown(to: request.head)
  }

  /// Makes the next version of a profile, or the first of a new one. What it extends is stored with it.
  func putProfile() async throws(Problem) -> Response {
    let name = parameters["name"]
    if let known = try profiles().library.profile(name), known.qualifiedName == name {
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
        let library = try catalog.known(to: account, stored: stored).library
        let current = library.profile(name).map { StoredProfile(name: id, version: $0.version, content: $0.stored) }
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
