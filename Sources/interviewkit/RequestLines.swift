// The log's lines of requests: a batch in one write, as bytes, since there is one for every request.

import Glibc
import HTTP
import HTTPServer
import InterviewKits
import JSON

extension Log {
  /// A line for each request, written on the thread that calls.
  func access(_ records: [AccessRecord]) {
    guard writes(.info) else { return }
    output.write(RequestLines.bytes(of: records, at: Clock.now().rfc3339))
  }
}

enum RequestLines {
  private static let method = Array("\",\"method\":\"".utf8)
  private static let target = Array("\",\"target\":".utf8)
  private static let status = Array(",\"status\":".utf8)
  private static let length = Array(",\"bytes\":".utf8)
  private static let duration = Array(",\"microseconds\":".utf8)
  private static let peer = Array(",\"peer\":".utf8)
  private static let end = Array("}\n".utf8)
  private static let refusal = Array(",\"refusal\":\"".utf8)

  /// The lines in the form of all others. What needs no escape is written as it is: request IDs, methods and refusals
  /// are words.
  static func bytes(of records: [AccessRecord], at time: String) -> [UInt8] {
    let start = Array("{\"at\":\"\(time)\",\"level\":\"info\",\"event\":\"request\",\"requestId\":\"".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(records.count * 320)
    var middle: [UInt8] = []
    for index in records.indices {
      text += start
      records[index].requestID.append(to: &text)
      if index == 0 || !records[index].isAlike(records[index - 1]) { middle = Self.middle(of: records[index]) }
      text += middle
      append(records[index].durationMicroseconds, to: &text)
      text += peer
      append(peer: records[index].peer, to: &text)
      if let word = records[index].refusal {
        text += refusal
        text += word.utf8
        text.append(UInt8(ascii: "\""))
      }
      text += end
    }
    return text
  }

  /// What is the same in the lines of answers that are alike.
  private static func middle(of record: AccessRecord) -> [UInt8] {
    var text = method
    text += record.method.utf8
    text += target
    append(quoted: record.targetBytes, to: &text)
    text += status
    append(record.status, to: &text)
    text += length
    append(record.bytes, to: &text)
    text += duration
    return text
  }

  /// A peer is an address, or nothing.
  private static func append(peer: String?, to text: inout [UInt8]) {
    guard let peer else { return text += "null".utf8 }
    text.append(UInt8(ascii: "\""))
    text += peer.utf8
    text.append(UInt8(ascii: "\""))
  }

  /// A target holds no control characters.
  private static func append(quoted value: ArraySlice<UInt8>, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    let start = text.count
    text += value
    if text[start...].contains(where: isEscaped) {
      text.removeSubrange(start...)
      for byte in value { text += isEscaped(byte) ? [UInt8(ascii: "\\"), byte] : [byte] }
    }
    text.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") }

  private static func append(_ number: Int, to text: inout [UInt8]) {
    if number >= 10 { append(number / 10, to: &text) }
    text.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
