// Every limit of the request parser, named, with its unit.

/// What the parser accepts at most. Beyond it: 414, 431, 413 or 400, and the connection closes.
public struct HTTPLimits: Sendable, Hashable {
  /// The longest request line, without its line end; beyond it 414.
  public var requestLineBytes = 16 * 1_024
  /// The longest field line, without its line end; beyond it 431.
  public var fieldLineBytes = 16 * 1_024
  /// All field lines of a head together; beyond it 431.
  public var fieldSectionBytes = 32 * 1_024
  /// How many field lines a head holds; beyond it 431.
  public var fieldCount = 100
  /// How many empty lines may stand before a request line (RFC 9112, section 2.2).
  public var leadingEmptyLines = 4
  /// Hexadecimal digits of a chunk size.
  public var chunkSizeDigits = 16
  /// The longest line with a chunk size and its extensions, without its line end.
  public var chunkLineBytes = 4 * 1_024
  /// All chunk extensions of one body together.
  public var chunkExtensionBytes = 16 * 1_024
  /// All that is not content in a chunked body: sizes, extensions, line ends, trailers.
  public var chunkFramingBytes = 2 * 1_024 * 1_024
  /// All trailer field lines together.
  public var trailerBytes = 8 * 1_024
  /// How many trailer field lines a body may have.
  public var trailerCount = 100

  public init() {}

  public static let standard = HTTPLimits()
}
