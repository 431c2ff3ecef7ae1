// Profiles that were sent, as texts: read when they are asked for, and kept as long as there is room.

/// The name of one version of a profile.
public struct ProfileVersion: Sendable, Hashable {
  public var name: String
  public var version: Int

  public init(name: String, version: Int) { (self.name, self.version) = (name, version) }

  /// Such as `ios@3`.
  public var qualifiedName: String { "\(name)@\(version)" }
}

/// One version of a profile as it was stored.
public struct SentProfile: Sendable {
  public var name: String
  public var version: Int
  /// What `Profile.stored` gave.
  public var content: String

  public init(name: String, version: Int, content: String) {
    (self.name, self.version, self.content) = (name, version, content)
  }
}

/// Profiles that were read from stored texts, within a bound. Safe to use from several threads at once.
public final class ProfileMemory: Sendable {
  /// A version never changes, so its name stands for what it says.
  fileprivate struct Key: Hashable, Sendable {
    /// Whose version it is.
    var owner: String
    var qualifiedName: String
    var bytes: Int
  }

  private let profiles: BoundedCache<Key, Profile>

  /// What a profile takes for each byte of its text, about: its values and the document that it is read out from.
  private static let bytesForEach = 10

  /// - Parameter cacheBytes: what all of them may take, about. One that takes more is read each time.
  public init(cacheBytes: Int) { profiles = BoundedCache(cost: cacheBytes) }

  /// What it holds, in bytes, about.
  public var bytes: Int { profiles.cost }

  fileprivate func profile(_ content: String, _ key: Key) throws(ProfileError) -> Profile {
    if let known = profiles[key] { return known }
    let profile = try Profile(stored: content)
    profiles.insert(profile, for: key, cost: content.utf8.count * Self.bytesForEach)
    return profile
  }
}

/// Versions by their qualified names.
struct SentProfiles: Sendable {
  private let owner: String
  private let contents: [String: String]
  private let memory: ProfileMemory
  let versions: [ProfileVersion]

  /// - Parameter owner: who has sent them.
  init(_ profiles: [SentProfile], by owner: String, memory: ProfileMemory) {
    self.owner = owner
    versions = profiles.map { ProfileVersion(name: $0.name, version: $0.version) }
    contents = Dictionary(zip(versions.map(\.qualifiedName), profiles.map(\.content))) { $1 }
    self.memory = memory
  }

  func profile(_ qualifiedName: String) throws(ProfileError) -> Profile? {
    guard let content = contents[qualifiedName] else { return nil }
    return try memory.profile(
      content, ProfileMemory.Key(owner: owner, qualifiedName: qualifiedName, bytes: content.utf8.count))
  }
}
