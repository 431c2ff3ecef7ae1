// Shaped paragraphs, kept by all that their shape depends on.
import Locks

/// All that a shaped paragraph depends on. Two keys are equal when their texts are so unit for unit.
struct ParagraphKey: Hashable, Sendable {
  var settings: ParagraphSettings
  var text: [UInt16]

  func hash(into hasher: inout Hasher) {
    hasher.combine(settings)
    unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
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
