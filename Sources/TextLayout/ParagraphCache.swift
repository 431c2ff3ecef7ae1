// Shaped paragraphs, kept by all that their shape depends on.
import Glibc
import Locks

/// The text of a paragraph to look for, in UTF-8, with what else its shape depends on. Valid as long as its bytes are.
@safe struct ParagraphText {
  let bytes: UnsafeBufferPointer<UInt8>
  let settings: ParagraphSettings.Packed
  let hash: UInt64

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ settings: ParagraphSettings.Packed) {
    unsafe self.bytes = bytes
    self.settings = settings
    hash = unsafe TextHash.of(UnsafeRawBufferPointer(bytes), settings)
  }
}

/// A hash of long texts that is seeded, so that nobody can choose texts that collide: products of 64 bits folded, 16 bytes
/// at a time.
enum TextHash {
  private static let seeds = (UInt64.random(in: .min ... .max) | 1, UInt64.random(in: .min ... .max) | 1)

  static func of(_ bytes: UnsafeRawBufferPointer, _ settings: ParagraphSettings.Packed) -> UInt64 {
    let seeds = seeds
    var hash = seeds.0 ^ UInt64(bytes.count)
    hash = folded(settings.rules ^ seeds.1, UInt64(bitPattern: Int64(settings.chain)) ^ hash)
    hash = folded(settings.size.bitPattern ^ seeds.1, hash ^ seeds.0)
    return unsafe of(bytes, from: hash)
  }

  /// - Parameter start: a hash of what else it is of, and of the count of bytes; nil: of nothing else.
  static func of(_ bytes: UnsafeRawBufferPointer, from start: UInt64? = nil) -> UInt64 {
    let seeds = seeds
    var hash = start ?? seeds.0 ^ UInt64(bytes.count)
    var offset = 0
    while offset + 16 <= bytes.count {
      hash = unsafe folded(bytes.word(at: offset) ^ seeds.1, bytes.word(at: offset + 8) ^ hash)
      offset += 16
    }
    if offset == bytes.count { return hash }
    if bytes.count >= 16 {
      // The last 16 bytes, some of them once more: the count is in the hash.
      let last = bytes.count - 16
      return unsafe folded(bytes.word(at: last) ^ seeds.1, bytes.word(at: last + 8) ^ hash)
    }
    var (low, high): (UInt64, UInt64) = (0, 0)
    for index in bytes.indices {
      if index < 8 {
        low = unsafe low << 8 | UInt64(bytes[index])
      } else {
        high = unsafe high << 8 | UInt64(bytes[index])
      }
    }
    hash = folded(low ^ seeds.1, high ^ hash)
    return hash
  }

  private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return high ^ low
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func word(at offset: Int) -> UInt64 { unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
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

/// A bounded cache in two generations: what was not used while a whole generation filled up goes. Of two texts with one hash
/// the later one is kept.
final class ParagraphCache: Sendable {
  private struct Entry {
    var text: String
    var settings: ParagraphSettings.Packed
    var paragraph: Paragraph

    /// The key and the table's share, about; short strings are in the entry itself.
    var cost: Int { paragraph.bytes + text.utf8.count + 120 }

    func holds(_ key: ParagraphText) -> Bool {
      if settings != key.settings { return false }
      // The buffer is read inside the closure only, and both as far as the count that is compared.
      let isSame = unsafe text.utf8.withContiguousStorageIfAvailable { own in
        guard unsafe own.count == key.bytes.count else { return false }
        guard let start = own.baseAddress, let other = unsafe key.bytes.baseAddress else { return true }
        return unsafe memcmp(start, other, own.count) == 0
      }
      return isSame ?? false
    }
  }

  private struct State {
    var young: [UInt64: Entry] = [:]
    var old: [UInt64: Entry] = [:]
    var youngBytes = 0
    var oldBytes = 0
    var hits = 0
    var misses = 0
  }

  private let generationBytes: Int
  private let state: Lock<State> = Lock(State())

  /// - Parameter capacityBytes: memory that all kept paragraphs may take.
  init(capacityBytes: Int) { generationBytes = max(0, capacityBytes / 2) }

  /// As `paragraph`, but does not count what is not there.
  func peek(_ text: ParagraphText) -> Paragraph? {
    state.withLock { state in
      guard let paragraph = find(text, &state) else { return nil }
      state.hits += 1
      return paragraph
    }
  }

  func paragraph(_ text: ParagraphText) -> Paragraph? {
    state.withLock { state in
      let paragraph = find(text, &state)
      if paragraph == nil { state.misses += 1 } else { state.hits += 1 }
      return paragraph
    }
  }

  func insert(_ paragraph: Paragraph, _ text: ParagraphText) {
    let entry = unsafe Entry(
      text: String(decoding: text.bytes, as: UTF8.self), settings: text.settings, paragraph: paragraph)
    if entry.cost > generationBytes { return }
    state.withLock { insert(entry, text.hash, &$0) }
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

  private func find(_ text: ParagraphText, _ state: inout State) -> Paragraph? {
    if let entry = state.young[text.hash] { return entry.holds(text) ? entry.paragraph : nil }
    guard let entry = state.old[text.hash], entry.holds(text) else { return nil }
    state.old[text.hash] = nil
    state.oldBytes -= entry.cost
    insert(entry, text.hash, &state)
    return entry.paragraph
  }

  private func insert(_ entry: Entry, _ hash: UInt64, _ state: inout State) {
    if state.youngBytes + entry.cost > generationBytes {
      (state.old, state.oldBytes) = (state.young, state.youngBytes)
      (state.young, state.youngBytes) = ([:], 0)
    }
    if let replaced = state.young.updateValue(entry, forKey: hash) { state.youngBytes -= replaced.cost }
    state.youngBytes += entry.cost
  }
}
