// Every limit of text measurement, with its unit.

/// Limits of fonts and layout.
enum FontLimits {
  /// Bytes read at once while a font file is digested: the file is never mapped for it, so that it takes no memory.
  static let digestChunkBytes = 262_144
  /// UTF-16 units of a grapheme cluster; what is longer is cut, since shaping takes quadratic time within a cluster. More
  /// than any text that is read needs: UAX #15 calls a text with at most 30 marks in a row stream-safe.
  static let clusterUnits = 64
  /// UTF-16 units of a run after which a space ends it, since some scripts take quadratic time within a run; twice as many
  /// end it anywhere.
  static let runUnits = 1_024
  /// UTF-16 units that are shaped again on each side of a break when no safer place is nearer.
  static let reshapeUnits = 32
  /// Shape plans kept for each set of scratch memory.
  static let shapePlans = 512
  /// Kinds of runs for which pieces are kept, for each set of scratch memory …
  static let pieceKinds = 32
  /// … pairs of characters for each kind, 24 bytes each, and longer pieces.
  static let pairs = 8_192
  /// Characters for each kind whose part in pairs is kept, 200 bytes each, about.
  static let pairSides = 4_096
  static let stretches = 2_048
  /// Kinds of runs whose words are kept, for each set of scratch memory …
  static let wordKinds = 64
  /// … words of each kind, and UTF-16 units of a word that is kept, the spaces around it included.
  static let words = 4_096
  static let wordUnits = 64
  /// Chains for which it is kept which of their fonts a character takes, for each set of scratch memory.
  static let placedChains = 64
  /// Short runs of signs whose shape is kept, for each set of scratch memory.
  static let shortRuns = 1_024
  /// Places to break on one line up to which a break strategy weighs all lines together; with more they are filled greedily,
  /// so that time stays linear.
  static let optimalCandidates = 1_000
  /// UTF-16 units that go through the bidi algorithm at once.
  static let bidiUnits = 8_192
  /// Weights of one variable font that are kept open at once.
  static let instances = 64
  /// Set-ups of font families kept at once.
  static let chains = 512
  /// Styles under rules that are kept set up at once.
  static let setups = 1_024
  /// Line break iterators kept for reuse, for each kind and locale.
  static let iteratorsPerKind = 8
  /// Kinds and locales for which iterators are kept.
  static let iteratorKinds = 64
  /// Sets of scratch memory kept for reuse.
  static let scratchSets = 8
  /// Glyph buffers larger than this are not kept, so that one long text does not hold its memory for ever.
  static let keptScratchUnits = 65_536
}
