// Shaped paragraphs, kept by all that their shape depends on.
import Glibc
import Locks

/// All that a shaped paragraph depends on. Two keys are equal when their texts are so unit for unit.
struct ParagraphKey: Hashable, Sendable {
  private let settings: ParagraphSettings.Packed
  private let text: [UInt16]
  private let hash: UInt64

  init(settings: ParagraphSettings, text: [UInt16]) {
    self.settings = settings.packed
    self.text = text
    hash = TextHash.of(text)
  }

  static func == (left: ParagraphKey, right: ParagraphKey) -> Bool {
    guard left.hash == right.hash, left.settings == right.settings, left.text.count == right.text.count else {
      return false
    }
    // Both buffers are as long as the count that is compared.
    return unsafe left.text.withUnsafeBytes { own in
      unsafe right.text.withUnsafeBytes { other in
        guard let start = own.baseAddress, let otherStart = other.baseAddress else { return own.count == other.count }
        return unsafe start == otherStart || memcmp(start, otherStart, own.count) == 0
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
    hasher.combine(settings)
  }
}

/// A hash of long texts that is seeded, so that nobody can choose texts that collide: products of 64 bits folded, four units at
/// a time.
enum TextHash {
  private static let seeds = (UInt64.random(in: .min ... .max) | 1, UInt64.random(in: .min ... .max) | 1)

  static func of(_ text: [UInt16]) -> UInt64 {
    let seeds = seeds
    return unsafe text.withUnsafeBytes { bytes in
      var hash = seeds.0 ^ UInt64(bytes.count)
      var offset = 0
      while offset + 16 <= bytes.count {
        let low = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let high = unsafe bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
        hash = folded(low ^ seeds.1, high ^ hash)
        offset += 16
      }
      while offset < bytes.count {
        let unit = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        hash = folded(UInt64(unit) ^ seeds.1, hash ^ seeds.0)
        offset += 2
      }
      return hash
    }
  }

  private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return high ^ low
  }
}

/// What a cache of paragraphs holds and how often it helped since the start.
public struct ParagraphCacheStatistics: Sendable, Hashable {
  /// Memory that the paragraphs take, about.
  public var bytes: Int
  /// What they may take at most.
  public var capacityBytes: Int
  public var paragraphs: Int
  /// Paragraphs that were asked for and there, or not.
  public var hits: Int
  public var misses: Int
}

/// A bounded cache in two generations: what was not used while a whole generation filled up goes.
final class ParagraphCache: Sendable {
  private struct State {
    var young: [ParagraphKey: Paragraph] = [:]
    var old: [ParagraphKey: Paragraph] = [:]
    var youngBytes = 0
    var oldBytes = 0
    var hits = 0
    var misses = 0
  }

  private let generationBytes: Int
  private let state: Lock<State> = Lock(State())

  /// - Parameter capacityBytes: memory that all kept paragraphs may take.
  init(capacityBytes: Int) { generationBytes = max(0, capacityBytes / 2) }

  func paragraph(_ key: ParagraphKey) -> Paragraph? {
    state.withLock { state in
      state.hits += 1
      if let paragraph = state.young[key] { return paragraph }
      guard let paragraph = state.old.removeValue(forKey: key) else {
        state.hits -= 1
        state.misses += 1
        return nil
      }
      state.oldBytes -= Self.cost(paragraph)
      insert(paragraph, key, &state)
      return paragraph
    }
  }

  func insert(_ paragraph: Paragraph, _ key: ParagraphKey) {
    if Self.cost(paragraph) > generationBytes { return }
    state.withLock { insert(paragraph, key, &$0) }
  }

  func removeAll() {
    state.withLock { state in
      (state.young, state.youngBytes) = ([:], 0)
      (state.old, state.oldBytes) = ([:], 0)
    }
  }

  var statistics: ParagraphCacheStatistics {
    state.withLock {
      ParagraphCacheStatistics(
        bytes: $0.youngBytes + $0.oldBytes, capacityBytes: 2 * generationBytes,
        paragraphs: $0.young.count + $0.old.count, hits: $0.hits, misses: $0.misses)
    }
  }

  private func insert(_ paragraph: Paragraph, _ key: ParagraphKey, _ state: inout State) {
    if state.youngBytes + Self.cost(paragraph) > generationBytes {
      (state.old, state.oldBytes) = (state.young, state.youngBytes)
      (state.young, state.youngBytes) = ([:], 0)
    }
    if let replaced = state.young.updateValue(paragraph, forKey: key) { state.youngBytes -= Self.cost(replaced) }
    state.youngBytes += Self.cost(paragraph)
  }

  /// The key shares its text with the paragraph; the rest is the table's.
  private static func cost(_ paragraph: Paragraph) -> Int { paragraph.bytes + 120 }
}
