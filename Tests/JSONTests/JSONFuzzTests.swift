// Seeded random bytes against the JSON reader: it ends, and what it takes it gives back.

import JSON
import TestKit
import Testing

@Suite struct JSONFuzzTests {
  private static let pieces: [String] = [
    "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "\\u", "D83D", "\\uDE42", "1", "-", "0", ".", "e", "true",
    "null",
    " ", "\n", "\u{0}", "가", "\"b\":", "{\"k\":", "[[[[",
  ]

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `mixed-up tokens and mutated texts are read the same twice or refused`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed + 1)
    var taken = 0
    for _ in 0..<3_000 {
      var bytes = Array(
        (0..<Int.random(in: 1...12, using: &generator)).flatMap { _ in
          Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)].utf8
        })
      if Bool.random(using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      do {
        let value = try JSONValue.parse(bytes)
        #expect(try parse(written(value)) == value)
        taken += 1
      } catch {
        #expect((0...bytes.count).contains(error.offset))
      }
    }
    #expect(taken > 0)
  }

  @Test func `random values come back as written`() throws {
    var generator = SeededGenerator(seed: 99)
    for _ in 0..<1_000 {
      let value = Self.randomValue(depth: 0, using: &generator)
      #expect(try parse(written(value)) == value)
    }
  }

  private static func randomValue(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 4 ? 4 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .number(JSONNumber(Int(truncatingIfNeeded: generator.next())))
    case 3: return .string(randomText(using: &generator))
    case 4:
      return .array(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          randomValue(depth: depth + 1, using: &generator)
        })
    default:
      return .object(
        (0..<Int.random(in: 0...4, using: &generator)).map { place in
          JSONMember("\(place)" + randomText(using: &generator), randomValue(depth: depth + 1, using: &generator))
        })
    }
  }

  private static func randomText(using generator: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...8, using: &generator) {
      let value = UInt32.random(in: 0...(Bool.random(using: &generator) ? 0x7F : 0x10FFFF), using: &generator)
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}
