// What may have been meant: distances, and the word that is nearest.

import Testing

@testable import JSON

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "abc", 3), ("same", "same", 0), ("kitten", "sitting", 3), ("serve", "sevre", 1),
    ("prot", "port", 1), ("ab", "ba", 1), ("abc", "cba", 2), ("restore", "store", 2), ("é", "e", 2),
  ])
  func `edits are counted, and two exchanged neighbours are one`(source: String, target: String, edits: Int) {
    #expect(Suggestion.edits(from: Array(source.utf8), to: Array(target.utf8)) == edits)
    #expect(Suggestion.edits(from: Array(target.utf8), to: Array(source.utf8)) == edits)
  }

  private static let commands = [
    "serve", "import", "export", "backup", "restore", "verify", "measure", "fonts", "token",
  ]

  @Test(arguments: [
    ("serv", "serve"), ("SERVE", "serve"), ("sevre", "serve"), ("improt", "import"), ("exprt", "export"),
    ("tokens", "token"), ("meas", "measure"), ("back", "backup"), ("verfy", "verify"), ("font", "fonts"),
  ])
  func `a slip finds its command`(word: String, meant: String) {
    #expect(Suggestion.nearest(to: word, among: Self.commands) == meant)
  }

  @Test(arguments: ["", "x", "start", "delete", "kubernetes", String(repeating: "serve", count: 20)])
  func `what is near nothing is left alone`(word: String) {
    #expect(Suggestion.nearest(to: word, among: Self.commands) == nil)
    #expect(Suggestion.text(for: word, among: Self.commands).isEmpty)
  }

  @Test func `a beginning that two words share stands for neither`() {
    #expect(Suggestion.nearest(to: "maximum", among: ["maximumConnections", "maximumConnectionsPerAddress"]) == nil)
    #expect(Suggestion.nearest(to: "shutdown", among: ["shutdownGraceSeconds", "port"]) == "shutdownGraceSeconds")
  }
}
