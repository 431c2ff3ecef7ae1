// Tables that people keep: encodings, delimiters, quotes, line ends, and errors with their record and line.

import InterviewKits
import KitDocuments
import Testing

private func decode(_ bytes: [UInt8], defaults: ImportDefaults = ImportDefaults()) throws -> (
  kit: Kit, report: ImportReport
) {
  try KitCSV.decode(bytes, id: nil, now: now, ids: countingIDs(), defaults: defaults)
}

private func decode(_ text: String) throws -> Kit { try decode(Array(text.utf8)).kit }

/// The issues as "line record code".
private func placedIssues(_ text: String) -> [String] {
  do {
    _ = try decode(text)
    return []
  } catch let error as InvalidDocument {
    return error.issues.map { "\($0.line ?? 0) \($0.record ?? 0) \($0.code)" }
  } catch {
    return ["\(error)"]
  }
}

private func utf16(_ text: String, isLittleEndian: Bool, hasMark: Bool) -> [UInt8] {
  ((hasMark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
    let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    return isLittleEndian ? pair : pair.reversed()
  }
}

extension Kit {
  fileprivate var table: [String] {
    sections.flatMap { section in section.questions.map { "\(section.title): \($0.text)" } }
  }
}

@Suite struct CSVImportTests {
  @Test(arguments: [";", ",", "\t"])
  func `encoding and delimiter are found`(delimiter: String) throws {
    let text = "question\(delimiter)category\r\nWhy us? 왜\(delimiter)HR\r\n"
    let files: [[UInt8]] = [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), utf16(text, isLittleEndian: true, hasMark: true),
      utf16(text, isLittleEndian: false, hasMark: true), utf16(text, isLittleEndian: true, hasMark: false),
      utf16(text, isLittleEndian: false, hasMark: false), Array("sep=\(delimiter)\r\n\(text)".utf8),
    ]
    for file in files { #expect(try decode(file).kit.table == ["HR: Why us? 왜"]) }
  }

  @Test func `a file that is no text is refused with the line`() {
    #expect(throws: InvalidDocument.self) { try decode([0xFF, 0xFE, 0x00, 0xD8]) }
    #expect(throws: InvalidDocument.self) { try decode([0xFF, 0xFE, 0x41]) }
    let error = #expect(throws: InvalidDocument.self) { try decode(Array("question\na\n".utf8) + [0xE9, 0x0A]) }
    #expect(error?.issues.map(\.code) == ["invalidUTF8"])
    #expect(error?.issues.first?.line == 3)
  }

  @Test func `a header without a question column names the columns found`() {
    let error = #expect(throws: InvalidDocument.self) { try decode("Nr;Kandidat\n1;Kim\n") }
    #expect(error?.issues.map(\.code) == ["noQuestionColumn"])
    #expect(error?.issues.first?.message.contains("\"Nr\", \"Kandidat\"") == true)
    #expect(placedIssues("") == ["1 0 noQuestionColumn"])
  }

  @Test func `quoted cells keep line breaks, commas and quotes`() throws {
    let kit = try decode("question,help\n\"two\nlines, \"\"hi\"\"\r\nthree\",\"\"\nplain \"quoted\" text,\n")
    let questions = kit.sections[0].questions
    #expect(questions.map(\.text) == ["two\nlines, \"hi\"\r\nthree", "plain \"quoted\" text"])
    #expect(questions.map(\.help) == ["", nil])
  }

  @Test func `a question a record, order and repeated texts kept`() throws {
    let kit = try decode(
      "Category,Question Text\r\nHR,“Why, us?”\r\n\"Tech, deep\",“Why, us?”\r\nHR,\"Second, one\"\r\n".replacing(
        "“Why, us?”", "\"“Why, us?”\""))
    #expect(kit.table == ["HR: “Why, us?”", "HR: Second, one", "Tech, deep: “Why, us?”"])
    #expect(Set(kit.sections.flatMap { $0.questions.map(\.id) }).count == 3)
  }

  @Test(arguments: ["\n", "\r\n", "\r"], [true, false])
  func `every line end is one, with or without the last`(end: String, isClosed: Bool) throws {
    let kit = try decode(["question", "a", "b", "c"].joined(separator: end) + (isClosed ? end : ""))
    #expect(kit.table.map { $0.suffix(1) } == ["a", "b", "c"])
    #expect(
      placedIssues(["question,required", "a,yes", "", "b,perhaps"].joined(separator: end)) == ["4 2 invalidValue"])
  }

  @Test func `mixed line ends are each one`() throws {
    #expect(try decode("question\ra\r\nb\n\n\rc").table.count == 3)
    #expect(placedIssues("question,required\r\"a\r\nb\rc\",\n\r\n\nd,?") == ["7 2 invalidValue"])
  }

  @Test func `a header of one column lets texts hold commas`() throws {
    #expect(try decode("question\nWhy, when; how?\n").sections[0].questions.map(\.text) == ["Why, when; how?"])
  }

  @Test func `types, options and settings come from their columns`() throws {
    let kit = try decode(
      """
      id,question,type,options,required,help,scale,No.
      q1,Pick,select,A|B | C,yes,h,,1
      ,Rate,rating,,x,,fivePoint,2
      ,Tick,,"one
      two",,,,3
      ,Line,Short,,no,,,4
      """)
    let questions = kit.sections[0].questions
    #expect(questions[0].id == id("q1"))
    #expect(questions.map(\.type) == [.singleSelect, .rating, .singleSelect, .shortText])
    #expect(questions[0].options.map(\.text) == ["A", "B", "C"])
    #expect(questions[2].options.map(\.text) == ["one", "two"])
    #expect(questions.map(\.required) == [true, true, false, false])
    #expect(questions[1].scaleID == Scale.fivePoint.id)
    let report = try decode(Array("question,No.\na,1".utf8)).report
    #expect(report.leftOut == [.init(line: 1, reason: .unknownColumn, text: "No.")])
    #expect(report.questions == 1)
  }

  @Test func `headers are known in several languages`() throws {
    for header in ["질문,카테고리", "質問,カテゴリ", "Frage,Kategorie", "Вопрос,Категория", " QUESTION , Section_Title ", "问题,类别"] {
      #expect(try decode("\(header)\nQ,S\n").table == ["S: Q"], "\(header)")
    }
  }

  @Test func `one bad record refuses the file and each error names record and line`() throws {
    var rows = (1...100).map { "Question \($0),HR" }
    (rows[56], rows[80]) = (",HR", "Too, many, cells,x")
    #expect(
      placedIssues("question,category\n" + rows.joined(separator: "\n")) == ["58 57 empty", "82 81 tooManyCells"])
    (rows[56], rows[80]) = ("Question 57,HR", "Question 81,HR")
    #expect(try decode("question,category\n" + rows.joined(separator: "\n")).questionCount == 100)
  }

  @Test func `an error names an item only when the file gave its ID`() {
    let error = #expect(throws: InvalidDocument.self) { try decode("id,question\nq1,\n,\"\"\n") }
    #expect(error?.issues.map(\.itemID) == [id("q1"), nil])
  }

  @Test func `quotes that do not close are named`() {
    #expect(placedIssues("question\n\"a\" b\n\"c\nd") == ["2 1 textAfterQuote", "3 2 unclosedQuote"])
  }

  @Test func `errors of an edited export name record and line`() {
    #expect(
      placedIssues(
        """
        item,id,type,text,required,options,maxLength,visibleWhen,equals
        section,s,,S,,,,,
        question,q 1,longText,Q,maybe,,x,,
        option,,,A,,,,,
        question,q2,singleSelect,Q,,,,q9,tru
        thing,,,,,,,,
        section,s,yesNo,,,,,,
        """) == [
          "3 2 invalidValue", "3 2 invalidId", "3 2 wrongType", "4 3 outOfPlace", "5 4 invalidCondition", "5 4 tooFew",
          "6 5 unknownItem", "7 6 notOfThisItem", "7 6 duplicateId", "7 6 empty",
        ])
  }
}

extension String {
  fileprivate func replacing(_ part: String, _ other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }
}
