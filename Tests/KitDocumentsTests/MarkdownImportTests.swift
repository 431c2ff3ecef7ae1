// Markdown lists that people keep: what is a question, what stays with it, and what is left out.

import InterviewKits
import KitDocuments
import Testing

private func decode(_ text: String, defaults: ImportDefaults = ImportDefaults()) throws -> (
  kit: Kit, report: ImportReport
) {
  try KitMarkdown.decode(Array(text.utf8), id: nil, now: now, ids: countingIDs(), defaults: defaults)
}

private func outline(_ kit: Kit) -> [String] {
  kit.sections.flatMap { section in ["# \(section.title)"] + section.questions.map { "\($0.text)" } }
}

@Suite struct MarkdownImportTests {
  private static let list = """
    ---
    title: Front-end questions
    layout: page
    lang : ko
    ---

    # Front-end questions

    Choose a few of these.

    **Note:** they are open.

    ## Contents

      1. [General](#general)
      1. [Coding](https://example.org/coding)

    #### [[⬆]](#toc) <a name='general'>General:</a>

    * What did you `learn` *this week*?
    * How many at a time?
      * What are the exceptions?
        * And theirs?
    * What does this do?

    ```javascript
    * not a question
    # nor a heading
    ```

    * <!-- later -->

    #### Coding

    *Question: what is `foo`?*
    ```
    var foo = 1
    ```

    #### Fun

    Second title
    ------------
    1) Coffee?
    """

  @Test func `headings become sections and items questions`() throws {
    let (kit, report) = try decode(Self.list)
    #expect(kit.title == "Front-end questions")
    #expect(kit.language == "ko")
    #expect(kit.instructions == "Choose a few of these.\n\n**Note:** they are open.")
    #expect(
      outline(kit) == [
        "# General:", "What did you `learn` *this week*?", "How many at a time?", "What does this do?",
        "# Second title",
        "Coffee?",
      ])
    #expect(kit.sections[0].questions[1].help == "* What are the exceptions?\n  * And theirs?")
    #expect(kit.sections[0].questions[2].help == "```javascript\n* not a question\n# nor a heading\n```")
    #expect((report.sections, report.questions, report.followUps) == (2, 4, 2))
    #expect(
      report.leftOut.map { "\($0.line) \($0.reason)" } == [
        "3 frontMatter", "13 emptySection", "15 linkOnly", "16 linkOnly", "31 emptyItem", "33 emptySection", "35 prose",
        "36 codeBlock", "37 codeBlock", "38 codeBlock", "40 emptySection",
      ])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `a written number is no ID, and paragraphs and points stay with their question`(end: String) throws {
    let lines = ["3. First", "", "   Second paragraph", "   of the first", "   - point", "", "4. Second"]
    for last in ["", end] {
      let (kit, report) = try decode(lines.joined(separator: end) + last)
      #expect(outline(kit) == ["# Imported kit", "First", "Second"])
      #expect(kit.sections[0].questions[0].help == "Second paragraph\nof the first\n- point")
      #expect(kit.sections[0].questions.map(\.id.string).allSatisfy { $0.hasPrefix("new") })
      #expect(report.followUps == 1)
    }
  }

  @Test func `UTF-16 and a byte order mark are read`() throws {
    let text = "# 제목\n- 질문?\n"
    let wide: [UInt8] =
      [0xFF, 0xFE] + text.utf16.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    for bytes in [Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), wide] {
      let kit = try KitMarkdown.decode(bytes, id: nil, now: now, ids: countingIDs()).kit
      #expect(outline(kit) == ["# 제목", "질문?"])
      #expect(kit.title == "제목")
    }
  }

  @Test(arguments: [
    ("- one\n  wrapped\n", "one wrapped"), ("- 漢字\n  かな\n", "漢字かな"), ("- a  \n  b\n", "a\nb"), ("- [ ] task\n", "task"),
    ("+ 1\\. \\*x\\* &lt;b&gt; &#233; `\\*`\n", "1. *x* <b> é `\\*`"), ("- text <!-- note -->\n", "text"),
    ("-\tTabbed\n", "Tabbed"), ("- e\u{301}\u{301}\n", "e\u{301}\u{301}"),
    ("- [How does it work?](https://example.org)\n", "[How does it work?](https://example.org)"),
  ])
  func `the words of an item are kept`(source: String, text: String) throws {
    #expect(try decode(source).kit.sections[0].questions.map(\.text) == [ExactText(text)])
  }

  @Test(arguments: [
    "- [a](#a)\n", "- https://example.org\n", "* * *\n", "*emphasis*\n", "prose\n", "", "    code\n", "| a | b |\n",
    "<b>x</b>\n",
    "- [@x](http://x.y) - http://x.y\n", "---\ntitle: T\n---\n",
  ])
  func `what holds no question is refused`(source: String) {
    let error = #expect(throws: InvalidDocument.self) { try decode(source) }
    #expect(error?.issues.map(\.code) == ["noQuestions"])
  }

  @Test func `an import over a kit keeps what the file does not say`() throws {
    let current = Kit(
      id: id("k"), title: "Old", instructions: "Kept", language: "ja", status: .draft, overallQuestionID: id("q"),
      scales: [
        Scale(
          id: id("sc"), title: "S",
          points: [ScalePoint(id: id("p1"), label: "1"), ScalePoint(id: id("p2"), label: "2")])
      ],
      createdAt: now, updatedAt: now)
    let kit = try decode("- Q", defaults: ImportDefaults(current: current)).kit
    #expect((kit.title, kit.instructions, kit.language, kit.status) == ("Old", "Kept", "ja", .draft))
    #expect(kit.scales == current.scales)
    #expect(kit.overallQuestionID == nil)
  }
}

@Suite struct KitMarkdownTests {
  @Test func `an export is what a person would write`() throws {
    var kit = Kit(id: id("k"), title: "Backend", instructions: "Be kind.\n\n- Listen", createdAt: now, updatedAt: now)
    let orders = OrderKey.sequence(count: 3)
    kit.scales = [
      Scale(
        id: id("d"), title: "Depth",
        points: [ScalePoint(id: id("d1"), label: "Low"), ScalePoint(id: id("d2"), label: "High")])
    ]
    kit.sections = [
      Section(
        id: id("s"), order: .between(nil, nil), title: "Work",
        questions: [
          Question(
            id: id("q1"), order: orders[0], text: "What did you build?", help: "* a\n  b", required: true,
            kind: .longText(maxLength: 20_000)),
          Question(
            id: id("q2"), order: orders[1], text: "1. or\n`<b>`?",
            kind: .singleSelect([Option(id: id("o"), text: "- A")])),
          Question(
            id: id("q3"), order: orders[2], text: "Sum up",
            visibleWhen: VisibilityCondition(questionID: id("q1"), equals: .string("a;>")),
            kind: .rating(scale: id("d"))),
        ])
    ]
    let text = String(decoding: KitMarkdown.encode(kit), as: UTF8.self)
    #expect(
      text == """
        ---
        interviewkit: 1
        id: k
        status: active
        visibility: afterOwnSubmission
        ---
        # Backend

        > Be kind.
        >
        > - Listen

        ## Work <!-- id: s -->

        - What did you build? <!-- id: q1; required -->
          > * a
          >   b
        - 1\\. or <!-- id: q2; type: singleSelect -->
          `<b>`?
          - \\- A <!-- id: o -->
        - Sum up <!-- id: q3; type: rating; scale: d; visibleWhen: q1 = "a\\u003b\\u003e" -->

        ## Depth <!-- scale; id: d -->

        - Low <!-- id: d1 -->
        - High <!-- id: d2 -->

        """)
  }

  @Test func `an edited export takes new questions, options and plain help`() throws {
    let (kit, report) = try decode(
      """
      ---
      interviewkit: 1
      id: k
      ---
      # T

      ## New section

      * New question
      * Another <!-- type: multiSelect; required -->
        - A
        - B <!-- id: b -->
      * With points
        - first
        - second
      Prose
      with no question

      ## Empty <!-- id: s2 -->
      and prose
      """)
    #expect(
      outline(kit) == ["# New section", "New question", "Another", "With points", "# Empty"])
    let questions = kit.sections[0].questions
    #expect(questions[1].options.map(\.text) == ["A", "B"])
    #expect(questions[1].options[1].id == id("b"))
    #expect(questions[2].help == "- first\n- second\nProse\nwith no question")
    #expect(report.leftOut.map(\.line) == [20])
    #expect(report.followUps == 2)
  }

  @Test func `errors of an edited export name their lines`() {
    do {
      _ = try decode(
        """
        ---
        interviewkit: 1
        status: closed
        colour: red
        ---
        # T
        ## S <!-- id: s; type: x -->
        - Q <!-- id: q 1; type: essay; requird -->
        - Q <!-- id: q2; type: rating; maxLength: 5; required: maybe; visibleWhen: q9 -->
          - A
        - Q <!-- id: q2; type: singleSelect -->
        -
        """)
      #expect(Bool(false))
    } catch let error as InvalidDocument {
      #expect(
        error.issues.map { "\($0.line ?? 0) \($0.code)" } == [
          "3 invalidValue", "4 unknownMember", "7 unknownMember", "8 unknownMember", "8 invalidId", "8 invalidValue",
          "9 unknownMember", "9 invalidCondition", "9 notOfThisType", "9 missingMember", "11 duplicateId", "11 tooFew",
          "12 empty",
        ])
    } catch {
      #expect(Bool(false))
    }
  }
}
