// What the strict JSON reader takes, and what it refuses with which code and place.

import JSON
import Testing

func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

func written(_ value: JSONValue) -> String {
  var writer = JSONWriter()
  writer.value(value)
  return String(decoding: writer.bytes, as: UTF8.self)
}

@Suite struct JSONParserTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "12.5e-3", "1000000000000000001", "\"\"", "\"가 👩‍💻 é\"", "[]", "{}",
    "[1,[2,[3]],{\"a\":{\"b\":null}}]", "{\"\":1,\" \":2}",
  ])
  func `a compact text comes back byte for byte`(text: String) throws {
    #expect(Array(written(try parse(text)).utf8) == Array(text.utf8))
  }

  @Test func `white space around every token is skipped`() throws {
    #expect(written(try parse("\r\n { \"a\" :\t[ 1 , 2 ] , \"b\" : { } } \n")) == "{\"a\":[1,2],\"b\":{}}")
  }

  @Test func `escapes are read as their characters`() throws {
    let value = try parse(#""\"\\\/\b\f\n\r\t\u0041\uD83D\uDE42\u0000""#)
    #expect(value == .string("\"\\/\u{8}\u{C}\n\r\tA🙂\u{0}"))
  }

  @Test(arguments: [
    ("", "invalidJSON", 0), (" ", "invalidJSON", 1), ("nul", "invalidJSON", 0), ("[1,]", "invalidJSON", 3),
    ("{\"a\":1,}", "invalidJSON", 7), ("{a:1}", "invalidJSON", 1), ("01", "invalidJSON", 1), ("-", "invalidJSON", 1),
    ("1.", "invalidJSON", 2), (".5", "invalidJSON", 0), ("+1", "invalidJSON", 0), ("1e", "invalidJSON", 2),
    ("NaN", "invalidJSON", 0), ("'a'", "invalidJSON", 0), ("\"a", "invalidJSON", 2), ("\"\t\"", "invalidJSON", 1),
    ("\"a\\", "invalidJSON", 3), ("\"\\x\"", "invalidJSON", 1), ("\"\\u12G4\"", "invalidJSON", 5),
    ("1 2", "invalidJSON", 2), ("\u{FEFF}1", "invalidJSON", 0), ("[1 2]", "invalidJSON", 3),
    ("{\"a\" 1}", "invalidJSON", 5), ("// 1\n1", "invalidJSON", 0), ("\"\\uD800\"", "loneSurrogate", 1),
    ("\"\\uDC00\\uD800\"", "loneSurrogate", 1), ("\"\\uD83Dx\"", "loneSurrogate", 1),
    ("\"\\uD83D\\u0041\"", "loneSurrogate", 1), ("{\"a\":1,\"a\":2}", "doubledMember", 7),
  ])
  func `what is no strict JSON is refused with its place`(text: String, code: String, offset: Int) {
    let error = #expect(throws: JSONSyntaxError.self) { try parse(text) }
    #expect(error?.code == code)
    #expect(error?.offset == offset)
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], 1), ([0x22, 0xC0, 0xAF, 0x22], 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
      ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 1), ([0x22, 0x61, 0xE2, 0x82, 0x22], 2), ([0x22, 0xF0, 0x90], 1),
      ([0x22, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
    ] as [([UInt8], Int)])
  func `bytes that are no UTF-8 are refused`(bytes: [UInt8], offset: Int) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue.parse(bytes) }
    #expect(error?.code == "invalidUTF8")
    #expect(error?.offset == offset)
  }

  @Test func `an error knows its line, column and pointer`() {
    let error = #expect(throws: JSONSyntaxError.self) {
      try parse("{\r\n  \"a/b\": [1,\r  {\"가~\": tru}]}")
    }
    #expect(error?.line == 3)
    #expect(error?.column == 10)
    #expect(error?.pointer == "/a~1b/1/가~0")
  }

  @Test func `a doubled member is found in a large object and is not confused with a look-alike`() throws {
    let names = (0..<100).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
    #expect(throws: Never.self) { try parse("{\(names)}") }
    let error = #expect(throws: JSONSyntaxError.self) { try parse("{\(names),\"m57\":0}") }
    #expect(error?.code == "doubledMember")
    #expect(error?.pointer == "/m57")
    #expect(throws: Never.self) { try parse("{\"\u{E9}\":1,\"e\u{301}\":2}") }
  }

  @Test(arguments: [(64, nil), (65, "tooDeep"), (300, "tooDeep"), (100_000, "tooDeep")] as [(Int, String?)])
  func `nesting ends at 64 levels`(depth: Int, code: String?) {
    let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let objects = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
    for text in [arrays, objects, String(repeating: "[", count: depth)] {
      var found: String?
      do { _ = try parse(text) } catch { found = error.code }
      #expect(found == code || (code == nil && found == "invalidJSON" && text != arrays && text != objects))
    }
  }

  @Test func `texts are equal only code point for code point`() throws {
    #expect(try parse("\"\u{E9}\"") != parse("\"e\u{301}\""))
    #expect(try parse("{\"\u{E9}\":1}")["e\u{301}"] == nil)
    #expect(try parse("{\"a\":1,\"b\":2}") != parse("{\"b\":2,\"a\":1}"))
  }
}

@Suite struct JSONNumberTests {
  @Test(
    arguments: [
      ("1000000000000000001", 1_000_000_000_000_000_001), ("4.0", 4), ("4.10", nil), ("0.4e1", 4), ("-0", 0),
      ("0e9", 0),
      ("1e3", 1000), ("12.50e1", 125), ("-9223372036854775808", .min), ("9223372036854775807", .max),
      ("9223372036854775808", nil), ("1e400", nil), ("1e-400", nil), ("1e999999999999999999999999", nil),
      ("0e999999999999999999999999", 0), ("100e-2", 1), ("1.5", nil), ("-3E+2", -300),
      ("10000000000000000000e-1", 1_000_000_000_000_000_000),
    ] as [(String, Int?)])
  func `a whole number is exact or none`(text: String, integer: Int?) throws {
    guard case .number(let number) = try parse(text) else { return #expect(Bool(false)) }
    #expect(number.integer == integer)
  }

  @Test func `a double is finite or none`() throws {
    #expect(
      try parse("[1e400,-1e400,1.7976931348623157e308,0.1]").doubles == [nil, nil, .greatestFiniteMagnitude, 0.1])
  }
}

extension JSONValue {
  fileprivate var isKept: Bool {
    guard case .number(let number) = self, let double = number.double else { return false }
    return number.hasSameDigits(as: double)
  }

  fileprivate var doubles: [Double?] {
    guard case .array(let elements) = self else { return [] }
    return elements.map { if case .number(let number) = $0 { number.double } else { nil } }
  }
}

@Suite struct JSONMergePatchTests {
  // RFC 7396, appendix A.
  @Test(arguments: [
    ("{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"),
    ("{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}"),
    ("{\"a\":\"b\"}", "{\"a\":null}", "{}"), ("{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"),
    ("{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}"),
    ("{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"),
    ("{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}"), ("[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"),
    ("{\"a\":\"foo\"}", "null", "null"), ("{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}"),
    ("[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}"),
    ("{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"),
  ])
  func `a merge patch sets, keeps and removes`(target: String, patch: String, result: String) throws {
    #expect(written(try parse(target).merged(with: parse(patch))) == result)
  }
}
