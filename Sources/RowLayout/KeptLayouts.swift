// Layouts that are kept: rows once they are computed, documents once they were read.

public import InterviewKits
internal import JSON
internal import Synchronization

/// What a layout is of: a kit revision, and the answers of an evaluation at its revision.
public struct LayoutSubject: Sendable {
  /// Whose kit it is; IDs are unique within an account only.
  public let account: ItemID
  public let kit: KitSnapshot
  /// Nil: the kit before answers.
  public let evaluation: Evaluation?
  /// Whether answers were left out that others see.
  public let isRedacted: Bool
  /// Whether conditions hide nothing.
  public let showsAll: Bool

  public init(
    account: ItemID, kit: KitSnapshot, evaluation: Evaluation? = nil, isRedacted: Bool = false, showsAll: Bool = false
  ) {
    (self.account, self.kit, self.evaluation) = (account, kit, evaluation)
    (self.isRedacted, self.showsAll) = (isRedacted, showsAll)
  }
}

/// All that tells a kept layout from any other.
struct LayoutKey: Hashable, Sendable {
  private let account: ItemID
  private let kit: ItemID
  private let kitRevision: Int
  private let evaluation: ItemID?
  private let revision: Int
  private let fingerprint: String
  private let isRedacted: Bool
  private let showsAll: Bool

  init(_ subject: LayoutSubject, fingerprint: String) {
    (account, kit, kitRevision) = (subject.account, subject.kit.kit.id, subject.kit.kit.revision)
    (evaluation, revision) = (subject.evaluation?.summary.id, subject.evaluation?.summary.revision ?? 0)
    (self.fingerprint, isRedacted, showsAll) = (fingerprint, subject.isRedacted, subject.showsAll)
  }
}

struct DocumentKey: Hashable, Sendable {
  var layout: LayoutKey
  var parts: Bool
}

/// How often layouts came from where.
final class LayoutCounters: Sendable {
  let computed = Atomic(0)
  let encoded = Atomic(0)
  let copied = Atomic(0)
}

extension RowLayoutEngine {
  /// Since the start: layouts that were computed, documents that were encoded, and documents that were copied.
  public var counts: (computed: Int, encoded: Int, copied: Int) {
    (
      counters.computed.load(ordering: .relaxed), counters.encoded.load(ordering: .relaxed),
      counters.copied.load(ordering: .relaxed)
    )
  }

  /// The layout, kept from before where nothing that it depends on has changed.
  public func layout(of subject: LayoutSubject, viewport: Viewport) -> Layout {
    let key = LayoutKey(subject, fingerprint: fingerprint(of: viewport))
    if let known = layouts[key] { return known }
    counters.computed.add(1, ordering: .relaxed)
    let layout = layout(
      of: subject.kit, answers: subject.evaluation?.answers ?? [:], viewport: viewport, showsAll: subject.showsAll)
    layouts.insert(layout, for: key, cost: layout.rows.count * Self.keptRowBytes + 256)
    return layout
  }

  /// The layout's document: encoded once, then copied.
  /// - Parameter parts: whether each row tells its parts.
  public func document(of subject: LayoutSubject, viewport: Viewport, parts: Bool) -> [UInt8] {
    let key = DocumentKey(layout: LayoutKey(subject, fingerprint: fingerprint(of: viewport)), parts: parts)
    if let known = documents[key] {
      counters.copied.add(1, ordering: .relaxed)
      return known
    }
    counters.encoded.add(1, ordering: .relaxed)
    let layout = layout(of: subject, viewport: viewport)
    var writer = JSONWriter(capacity: 512 + layout.rows.count * (parts ? 400 : 120))
    LayoutJSON.write(layout, evaluationID: subject.evaluation?.summary.id, parts: parts, to: &writer)
    documents.insert(writer.bytes, for: key, cost: writer.bytes.count + 256)
    return writer.bytes
  }

  /// True when the layout's rows are computed, so that a read has only to encode them.
  public func isPrepared(_ subject: LayoutSubject, viewport: Viewport) -> Bool {
    layouts[LayoutKey(subject, fingerprint: fingerprint(of: viewport))] != nil
  }

  /// What a row of a kept layout takes beside its geometry.
  private static let keptRowBytes = 64
}
