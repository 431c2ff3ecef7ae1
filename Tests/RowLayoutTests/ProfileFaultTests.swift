// Faults of a profile that is sent: each told once, where it was written, and none that another one makes.

import InterviewKits
import JSON
import RowLayout
import TestKit
import Testing

struct ProfileFaultTests {
  /// A document, and each fault by place and code.
  @Test(arguments: [
    // The line height selects the options that may stand beside it, here and in each mode.
    (#"{"extends":"ios@1","lines":{"height":"mac"}}"#, ["/lines/height unknownWord"]),
    (#"{"extends":"android@1","lines":{"height":7}}"#, ["/lines/height wrongType"]),
    (#"{"extends":"ios@1","lines":7}"#, ["/lines wrongType"]),
    (
      #"{"extends":"ios@1","modes":{"label":{"lines":{"height":"mac","lineHeight":20}}}}"#,
      ["/modes/label/lines/height unknownWord"]
    ),
    (
      #"{"extends":"ios@1","lines":{"height":"mac"},"modes":{"textView":{"lines":{"height":"web","lineSpacing":2}}}}"#,
      ["/lines/height unknownWord", "/modes/textView/lines/lineSpacing inapplicableOption"]
    ),
    (#"{"extends":"ios@1","lines":{"includeFontPadding":true}}"#, ["/lines/includeFontPadding inapplicableOption"]),
    // The kind of a text size rule selects its members.
    (#"{"extends":"ios@1","textSize":{"kind":"dynamic"}}"#, ["/textSize/kind unknownWord"]),
    (#"{"extends":"ios@1","textSize":{"kind":null}}"#, ["/textSize/kind missingMember"]),
    (#"{"extends":"android@1","textSize":{"kind":true,"extra":1}}"#, ["/textSize/kind wrongType"]),
    (#"{"extends":"ios@1","textSize":{"kind":"fontScale"}}"#, ["/textSize/kind otherKind"]),
    (
      #"{"extends":"ios@1","textSize":{"kind":"fontScale","default":0,"styles":{"own":{"weight":400}}}}"#,
      ["/textSize/kind otherKind", "/textSize/default outOfRange", "/textSize/styles/own/size missingMember"]
    ),
    (
      #"{"extends":"web@1","textSize":{"kind":"dynamicType"}}"#,
      ["/textSize/kind otherKind", "/textSize/categories missingMember", "/textSize/otherSizesLike missingMember"]
    ),
    (#"{"extends":"ios@1","strings":{"en":{"none":7}}}"#, ["/strings/en/none wrongType"]),
    // What refers to a list that can't be read is not wrong.
    (#"{"extends":"ios@1","textSize":{"categories":7}}"#, ["/textSize/categories wrongType"]),
    (#"{"extends":"ios@1","textSize":{"categories":null}}"#, ["/textSize/categories missingMember"]),
    (#"{"extends":"ios@1","textSize":{"styles":{"body":7}}}"#, ["/textSize/styles/body wrongType"]),
    (#"{"extends":"ios@1","textSize":{"styles":null}}"#, ["/textSize/styles missingMember"]),
    (#"{"extends":"ios@1","textSize":{"default":7}}"#, ["/textSize/default wrongType"]),
    (#"{"extends":"ios@1","textSize":{"otherSizesLike":null}}"#, ["/textSize/otherSizesLike missingMember"]),
    (
      #"{"extends":"ios@1","textSize":{"default":"huge","otherSizesLike":"none"}}"#,
      ["/textSize/default unknownWord", "/textSize/otherSizesLike unknownStyle"]
    ),
    (#"{"extends":"android@1","textSize":{"minimum":50}}"#, ["/textSize/minimum outOfRange"]),
    (#"{"extends":"android@1","textSize":{"default":9}}"#, ["/textSize/default outOfRange"]),
    (#"{"extends":"android@1","textSize":{"curves":{"sizes":7}}}"#, ["/textSize/curves/sizes wrongType"]),
    (#"{"extends":"android@1","textSize":{"curves":{"sizes":null}}}"#, ["/textSize/curves/sizes missingMember"]),
    // Tabs: a width that is wrong in itself, or mistyped, is not one of two as well.
    (#"{"extends":"web@1","lines":{"tabs":{"spaces":0}}}"#, ["/lines/tabs/spaces outOfRange"]),
    (#"{"extends":"plain@1","lines":{"tabs":{"spaces":null,"every":"x"}}}"#, ["/lines/tabs/every wrongType"]),
    // Parts that name no mode have one in common.
    (#"{"extends":"ios@1","modes":{"label":null}}"#, ["/modes/label missingMember"]),
    // A row's `default` that can't be read may hold what each kind lacks.
    (#"{"extends":"ios@1","rows":{"default":7}}"#, ["/rows/default wrongType"]),
    // Of a profile that is not there, or of no one version of it, only what is wrong over any.
    (#"{"extends":"ios"}"#, ["/extends missingVersion"]),
    (#"{"extends":"ios@7"}"#, ["/extends unknownProfile"]), (#"{"extends":"none"}"#, ["/extends unknownProfile"]),
    (
      #"{"extends":"none@1","textSize":{"otherSizesLike":"body","styles":{"body":{"sizes":[1]}}}}"#,
      ["/extends unknownProfile"]
    ),
    (
      #"{"extends":"ios","textSize":{"kind":"dynamic"},"lines":{"height":"mac"}}"#,
      ["/extends missingVersion", "/textSize/kind unknownWord", "/lines/height unknownWord"]
    ),
  ])
  func `a fault makes no other`(_ body: String, _ faults: [String]) throws {
    #expect(try issues(body).map { "\($0.pointer) \($0.code)" }.sorted() == faults.sorted())
  }

  /// A document, and what is told of each fault that stands in what it extends.
  @Test(arguments: [
    (
      #"{"extends":"ios@1","lines":{"height":"web"}}"#, "/lines/usesFontLeading",
      "here they are those of web. It comes from ios@1: null takes it away."
    ),
    (
      #"{"extends":"android@1","textSize":{"kind":"dynamicType"}}"#, "/textSize/kind",
      "android@1 has a rule of kind fontScale: null takes away what dynamicType has no use for, default, "
        + "styles/titleMedium, styles/bodyLarge, styles/bodyMedium, minimum, maximum, curves."
    ),
    (
      #"{"extends":"ios@1","font":{"size":17}}"#, "/font/size",
      "not both. From ios@1 it has style: null takes a member away."
    ),
    (#"{"extends":"ios@1","textSize":{"styles":{"body":null}}}"#, "/textSize/otherSizesLike", "It comes from ios@1."),
    (#"{"extends":"ios@1","parts":{"comment":null}}"#, "/rows/longText/parts/4", "It comes from ios@1."),
    (
      #"{"extends":"ios@1","lines":{"tabs":{"spaces":4}}}"#, "/lines/tabs",
      "From ios@1 it has every and count: null takes a member away."
    ),
  ])
  func `what is wrong with what is extended is told to come from there`(
    _ body: String, _ pointer: String, _ end: String
  ) throws {
    let issues = try issues(body)
    let issue = try #require(issues.first { $0.pointer == pointer }, "\(issues)")
    #expect(issue.message.hasSuffix(end), "\(issue.message)")
  }

  @Test func `what the document says itself is not told to come from elsewhere`() throws {
    let body = #"{"extends":"ios@1","lines":{"lineHeight":3},"font":{"style":"body","size":17},"extra":1}"#
    let issues = try issues(body)
    #expect(issues.map(\.pointer) == ["/lines/lineHeight", "/font/size", "/extra"])
    #expect(!issues.contains { $0.message.contains("ios@1") }, "\(issues)")
  }

  private func issues(_ body: String) throws -> [InterviewKits.Issue] {
    let library = try Fixture.profiles.get()
    let error = #expect(throws: InvalidProfile.self) {
      try library.draft(
        try JSONValue.parse(Array(body.utf8)), name: "own", families: try Fixture.engine.get().fontFamilies)
    }
    return error?.issues ?? []
  }
}
