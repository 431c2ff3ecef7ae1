// What can be wrong with the fonts at start.

/// Why a font library cannot be made.
public enum FontError: Error, Sendable, Hashable {
  /// The configuration file cannot be read.
  case unreadable(path: String, reason: String)
  /// The configuration is not valid; every problem is listed with its JSON pointer.
  case invalidConfiguration(path: String, problems: [String])
  /// No file that the configuration names is there.
  case noFonts(path: String, missing: [String])
  /// A file differs from the digest that the configuration pins.
  case digestMismatch(file: String, expected: String, actual: String)
}

extension FontError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "font configuration \(path) cannot be read: \(reason)"
    case .invalidConfiguration(let path, let problems):
      "font configuration \(path) is not valid: \(problems.joined(separator: "; "))"
    case .noFonts(let path, let missing):
      "none of the \(missing.count) font files that \(path) names can be used; install the font packages or correct the paths. "
        + "Missing: \(missing.prefix(3).joined(separator: ", "))\(missing.count > 3 ? ", …" : "")"
    case .digestMismatch(let file, let expected, let actual):
      "font file \(file) has SHA-256 \(actual), but the configuration pins \(expected)"
    }
  }
}
