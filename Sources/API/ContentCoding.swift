// Which responses are sent compressed, and the entity tags that tell the two representations apart.

import HTTP

enum ContentCoding {
  /// A shorter body fits into one packet as it is.
  static let smallestBodyBytes = 1_400
  /// A body that is not made smaller by a tenth is sent as it is.
  static let largestShare = 0.9
  /// What the tag of a compressed representation has after the plain one's: `"7"` and `"7-gzip"`.
  static let tagSuffix = "-gzip"

  /// Whether the client accepts gzip, and likes it no less than the plain form (RFC 9110, section 12.5.3).
  static func acceptsGzip(_ head: RequestHead) -> Bool {
    guard let value = head.fields["accept-encoding"] else { return false }
    let quality = AcceptList.quality(ofCoding: "gzip", in: value)
    return quality > 0 && quality >= AcceptList.quality(ofCoding: "identity", in: value)
  }
}

extension Response {
  private var place: (tag: Int?, type: Int?) {
    (fields.firstIndex { $0.name == "ETag" }, fields.firstIndex { $0.name == "Content-Type" })
  }

  /// Whether this response has a compressed form too.
  var mayBeCompressed: Bool {
    guard status == 200, body.count >= ContentCoding.smallestBodyBytes else { return false }
    guard let type = place.type.map({ fields[$0].value }) else { return false }
    return type.hasPrefix("application/json") || type.hasPrefix("text/")
  }

  /// The response as this client gets it: compressed where it accepts that and it pays, and marked as varying.
  func coded(for head: RequestHead) -> Response {
    // What is written names the state by its plain tag; only reads have representations.
    let isRead = head.method == .get || head.method == .head || place.tag == nil
    guard isRead, mayBeCompressed else { return self }
    let plain = varyingByCoding()
    return ContentCoding.acceptsGzip(head) ? plain.compressed() ?? plain : plain
  }

  /// With `Accept-Encoding` in `Vary`.
  func varyingByCoding() -> Response {
    var response = self
    if let place = fields.firstIndex(where: { $0.name == "Vary" }) {
      let value = fields[place].value
      if !value.hasSuffix("Accept-Encoding") { response.fields[place] = Field("Vary", value + ", Accept-Encoding") }
    } else {
      response.fields.append(Field("Vary", "Accept-Encoding"))
    }
    return response
  }

  /// The compressed form with its own tag; nil where it does not pay.
  private func compressed() -> Response? {
    let limit = Int(Double(body.count) * ContentCoding.largestShare)
    guard let bytes = Gzip.compress(body, limit: limit) else { return nil }
    var response = Response(status: status, fields: fields, body: bytes)
    response.route = route
    if let place = place.tag { response.fields[place] = Field("ETag", Self.gzipTag(fields[place].value)) }
    response.fields.append(Field("Content-Encoding", "gzip"))
    return response
  }

  static func gzipTag(_ tag: String) -> String { tag.dropLast() + ContentCoding.tagSuffix + "\"" }

  private static func plainTag(_ tag: String) -> String {
    let suffix = ContentCoding.tagSuffix + "\""
    return tag.hasSuffix(suffix) ? tag.dropLast(suffix.utf8.count) + "\"" : tag
  }

  /// The response to a read, if that is of what `If-Match` names (RFC 9110, section 13.1.1): asked before `If-None-Match`,
  /// which may have made it a 304. Of what is compressed either tag counts.
  /// - Throws: 412 where none of the tags is that of this response; 400 where they are none.
  func provided(by head: RequestHead) throws(Problem) -> Response {
    guard head.fields["if-match"] != nil, status == 200 || status == 304, head.method == .get || head.method == .head
    else { return self }
    let conditions: Conditions
    do { conditions = try Conditions(head) } catch { throw Problem(error) }
    guard case .tags(let tags)? = conditions.ifMatch else { return self }
    let tag = place.tag.map { fields[$0].value } ?? ""
    let known = tags.contains { candidate in
      !candidate.isWeak
        && [tag, Self.gzipTag(tag), Self.plainTag(tag)].contains { $0.utf8.elementsEqual(candidate.description.utf8) }
    }
    if known { return self }
    throw Problem(412, "preconditionFailed", "What is here is not what If-Match names.")
  }

  /// 304 when the client's `If-None-Match` names the tag of this response, or of its compressed form where the client
  /// accepts that (RFC 9110, section 13.1.2); else itself.
  func unlessKnown(to head: RequestHead) -> Response {
    guard status == 200, let value = head.fields["if-none-match"], let condition = EntityTagCondition(value),
      let place = place.tag
    else { return self }
    let tag = fields[place].value
    var known: String?
    switch condition {
    case .any: known = tag
    case .tags(let tags):
      let hasGzip = mayBeCompressed && ContentCoding.acceptsGzip(head)
      for candidate in hasGzip ? [tag, Self.gzipTag(tag)] : [tag]
      where tags.contains(where: { "\"\($0.opaque)\"" == candidate }) {
        known = candidate
      }
    }
    guard let known else { return self }
    var fields = mayBeCompressed ? varyingByCoding().fields : fields
    fields[place] = Field("ETag", known)
    var response = Response(status: 304, fields: fields.filter { $0.name != "Content-Type" })
    response.route = route
    return response
  }
}
