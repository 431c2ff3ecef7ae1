// What libFuzzer calls: whatever the bytes and the pieces in which they arrive, a parser says the same, and never traps.
//
// Compiled by scripts/fuzz together with the sources of HTTP, as one module.

/// The outcome of one input, fed in pieces: a line for each event.
private func events(_ bytes: [UInt8], cut: (Int) -> Int) -> [String] {
  var parser = RequestParser()
  var found: [String] = []
  var start = 0
  while start < bytes.count {
    let end = min(bytes.count, start + max(1, cut(start)))
    let piece = bytes[start..<end]
    start = end
    var offset = 0
    feeding: while true {
      switch parser.next(piece.span, &offset) {
      case .needsInput: break feeding
      case .head(let head):
        found.append(describe(head))
        guard head.framing != .none else { continue }
        // Bodies of some requests are thrown away, so that both ways are tried.
        let refusal =
          head.method == .put ? parser.discardBody(upTo: 4_096) : parser.readBody(upTo: 4_096)
        if let refusal { return found + ["\(refusal.status) \(refusal.code)"] }
      case .body(let body): found.append("body \(body)")
      case .refused(let refusal): return found + ["\(refusal.status) \(refusal.code)"]
      }
    }
  }
  if !parser.isBetweenRequests { found.append("unfinished") }
  return found
}

/// All that a handler may ask of a head.
private func describe(_ head: RequestHead) -> String {
  var text = "\(head.method) \(head.rawTarget) 1.\(head.minorVersion) \(head.framing)"
  text += " \(head.path) \(head.query.map { "\($0.name)=\($0.value)" }) \(head.hostname ?? "-")"
  text += " \(head.keepsAlive) \(head.expectsContinue) \(HostPolicy.loopback.admits(head))"
  for name in ["host", "accept", "accept-encoding", "if-match", "if-none-match", "content-type", "x-a"] {
    let value = head.fields[name]
    text += " \(value ?? "-")"
    if let value {
      _ = AcceptList(accept: value).best(of: [.json, .html])
      _ = AcceptList.quality(ofCoding: "gzip", in: value)
      _ = MediaType(value)
      _ = EntityTagCondition(value)
    }
  }
  let conditions = Result { () throws(Refusal) in try Conditions(head) }
  if case .failure(let refusal) = conditions { text += " \(refusal.code)" }
  return text
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ pointer: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: pointer, count: count))
  let whole = events(bytes) { _ in bytes.count }
  precondition(events(bytes) { _ in 1 } == whole, "byte by byte it is read otherwise")
  // Three pieces, cut where the bytes themselves say.
  let first = bytes.first.map { Int($0) &* 7 % (count + 1) } ?? 0
  let cut = events(bytes) { $0 == 0 ? first : max(1, (count - first) / 2) }
  precondition(cut == whole, "in pieces it is read otherwise")
  return 0
}
