// Answers by item ID, as a persistent map: a changed copy shares with the one before all but a few small nodes.

/// The answers of an evaluation, by the ID of their question or criterion.
///
/// A hash-array-mapped trie (Bagwell, "Ideal Hash Trees"): a copy costs nothing, and a change of a copy costs the nodes
/// on one path, however many answers there are. The order of iteration means nothing.
public struct Answers: Sendable {
  public private(set) var count = 0
  private var root = AnswerTrie.empty

  public init() {}

  public var isEmpty: Bool { count == 0 }

  /// The item's answer. Setting nil removes it; an answer that is set belongs to this item.
  public subscript(_ id: ItemID) -> Answer? {
    get { root.answer(to: id, hash: id.hashValue, depth: 0) }
    set {
      if let newValue {
        update(newValue)
      } else if root.remove(id, hash: id.hashValue, depth: 0) != nil {
        count -= 1
      }
    }
  }

  /// Sets an answer under its own item's ID.
  /// - Returns: the one that it replaces.
  @discardableResult public mutating func update(_ answer: Answer) -> Answer? {
    let old = root.insert(answer, hash: answer.itemID.hashValue, depth: 0)
    if old == nil { count += 1 }
    return old
  }

}

extension Answers: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral answers: (ItemID, Answer)...) { self.init(answers.map(\.1)) }

  /// Of two answers to one item the last stays.
  public init(_ answers: some Sequence<Answer>) {
    for answer in answers { update(answer) }
  }
}

extension Answers: Sequence {
  public struct Iterator: IteratorProtocol {
    private var waiting: [AnswerTrie]
    private var found: [Answer] = []

    fileprivate init(_ root: AnswerTrie) { waiting = [root] }

    public mutating func next() -> Answer? {
      while found.isEmpty {
        switch waiting.popLast() {
        case .none: return nil
        case .empty: break
        case .leaf(_, let answers): found = answers
        case .branch(_, let children): waiting += children
        }
      }
      return found.popLast()
    }
  }

  public func makeIterator() -> Iterator { Iterator(root) }
  public var underestimatedCount: Int { count }
}

extension Answers: Hashable {
  public static func == (left: Answers, right: Answers) -> Bool {
    left.count == right.count && left.allSatisfy { right[$0.itemID] == $0 }
  }

  public func hash(into hasher: inout Hasher) {
    // The order of two equal maps may differ, so it has no part in their hash.
    hasher.combine(reduce(count) { $0 ^ $1.hashValue })
  }
}

/// A node; each level takes five bits of the hash.
enum AnswerTrie: Sendable {
  case empty
  /// Answers whose IDs have one and the same hash.
  case leaf(hash: Int, [Answer])
  /// The children whose bit is set, in the order of their bits.
  case branch(bits: UInt32, [AnswerTrie])

  private static let levelBits = 5
  private static let depths = Int.bitWidth / levelBits + 1

  func answer(to id: ItemID, hash: Int, depth: Int) -> Answer? {
    switch self {
    case .empty: return nil
    case .leaf(let own, let answers): return own == hash ? answers.first { $0.itemID == id } : nil
    case .branch(let bits, let children):
      let bit = Self.bit(of: hash, depth)
      guard bits & bit != 0 else { return nil }
      return children[Self.place(of: bit, in: bits)].answer(to: id, hash: hash, depth: depth + 1)
    }
  }

  /// - Returns: the answer that was there.
  mutating func insert(_ answer: Answer, hash: Int, depth: Int) -> Answer? {
    switch self {
    case .empty:
      self = .leaf(hash: hash, [answer])
      return nil
    case .leaf(let own, var answers):
      // Let go first, so that what nobody else holds is changed in place; below, too.
      self = .empty
      guard own == hash else {
        precondition(depth < Self.depths, "two hashes differ within their bits")
        self = .branch(bits: Self.bit(of: own, depth), [.leaf(hash: own, answers)])
        return insert(answer, hash: hash, depth: depth)
      }
      let place = answers.firstIndex { $0.itemID == answer.itemID }
      let old = place.map { answers[$0] }
      if let place { answers[place] = answer } else { answers.append(answer) }
      self = .leaf(hash: hash, answers)
      return old
    case .branch(let bits, var children):
      self = .empty
      let bit = Self.bit(of: hash, depth)
      let place = Self.place(of: bit, in: bits)
      guard bits & bit != 0 else {
        children.insert(.leaf(hash: hash, [answer]), at: place)
        self = .branch(bits: bits | bit, children)
        return nil
      }
      let old = children[place].insert(answer, hash: hash, depth: depth + 1)
      self = .branch(bits: bits, children)
      return old
    }
  }

  /// - Returns: the answer that was there.
  mutating func remove(_ id: ItemID, hash: Int, depth: Int) -> Answer? {
    switch self {
    case .empty: return nil
    case .leaf(let own, var answers):
      guard own == hash, let place = answers.firstIndex(where: { $0.itemID == id }) else { return nil }
      self = .empty
      let old = answers.remove(at: place)
      if !answers.isEmpty { self = .leaf(hash: own, answers) }
      return old
    case .branch(let bits, var children):
      let bit = Self.bit(of: hash, depth)
      guard bits & bit != 0 else { return nil }
      self = .empty
      let place = Self.place(of: bit, in: bits)
      let old = children[place].remove(id, hash: hash, depth: depth + 1)
      var rest = bits
      if case .empty = children[place] {
        children.remove(at: place)
        rest &= ~bit
      }
      if !children.isEmpty { self = .branch(bits: rest, children) }
      return old
    }
  }

  private static func bit(of hash: Int, _ depth: Int) -> UInt32 {
    1 << UInt32(truncatingIfNeeded: UInt(bitPattern: hash) >> UInt(depth * levelBits) & 31)
  }

  private static func place(of bit: UInt32, in bits: UInt32) -> Int { (bits & (bit - 1)).nonzeroBitCount }
}
