// What is said of an address where nothing is: the one that may have been meant.

import HTTP
import JSON

extension InterviewKitAPI {
  /// `There is nothing at this address; did you mean '/v1/kits'?`
  static func nothing(at path: String) -> String {
    "There is nothing at this address" + (near(path).map { "; did you mean '\($0)'?" } ?? ".")
  }

  /// The address of a route that takes the fewest edits of the path's words: without a slash at the end, and with the version
  /// before it. What stands where a route has a parameter is kept.
  private static func near(_ path: String) -> String? {
    guard path.utf8.count <= longestPath else { return nil }
    let sent = path.split(separator: "/").map(String.init)
    let candidates = patterns.compactMap { pattern in
      fitted(sent, to: pattern) ?? (sent.first == "v1" ? nil : fitted(["v1"] + sent, to: pattern))
    }
    guard let best = candidates.min(by: { $0.edits < $1.edits }), best.path != path else { return nil }
    return best.path
  }

  /// Longer ones are nobody's slip of the finger.
  private static let longestPath = 256
  private static let patterns = describedRoutes.map { $0.pattern.split(separator: "/").map(String.init) }

  /// The words of a pattern with the path's parameters, and how many edits that took; nil when they are too many.
  private static func fitted(_ sent: [String], to pattern: [String]) -> (path: String, edits: Int)? {
    guard sent.count == pattern.count else { return nil }
    var (path, edits) = ("", 0)
    for (word, known) in zip(sent, pattern) {
      let isParameter = known.hasPrefix("{")
      if !isParameter, word != known {
        guard Suggestion.nearest(to: word, among: [known]) != nil else { return nil }
        edits += Suggestion.edits(from: Array(word.utf8), to: Array(known.utf8))
      }
      path += "/" + (isParameter ? word : known)
    }
    return (path, edits)
  }
}
