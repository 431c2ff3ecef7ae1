// Reads the JSON that the store itself wrote into a column.
import InterviewKits
import JSON

/// A stored object. What cannot be read is damage, not a user's mistake.
struct StoredDocument {
  let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  init(text: String) throws(StoreError) {
    do throws(JSONSyntaxError) { value = try JSONValue.parse(Array(text.utf8)) } catch {
      throw .damaged("stored JSON is unreadable (\(error.code))")
    }
  }

  func optional(_ name: String) -> StoredDocument? { value[name].map { StoredDocument($0) } }

  func required(_ name: String) throws(StoreError) -> StoredDocument {
    guard let member = optional(name) else { throw .damaged("stored JSON has no \(name)") }
    return member
  }

  func string() throws(StoreError) -> String {
    guard case .string(let string) = value else { throw .damaged("stored JSON holds no string") }
    return string
  }

  func text() throws(StoreError) -> ExactText { ExactText(try string()) }
  func id() throws(StoreError) -> ItemID { try Row.id(string()) }

  func bool() throws(StoreError) -> Bool {
    guard case .bool(let bool) = value else { throw .damaged("stored JSON holds no boolean") }
    return bool
  }

  func number() throws(StoreError) -> Number {
    guard case .number(let number) = value else { throw .damaged("stored JSON holds no number") }
    if let integer = number.integer { return .integer(integer) }
    guard let double = number.double else { throw .damaged("stored JSON holds a number out of range") }
    return .decimal(double)
  }

  func integer() throws(StoreError) -> Int {
    guard case .integer(let integer) = try number() else { throw .damaged("stored JSON holds no whole number") }
    return integer
  }

  func list<Element>(
    _ read: (StoredDocument) throws(StoreError) -> Element
  ) throws(StoreError) -> [Element] {
    guard case .array(let elements) = value else { throw .damaged("stored JSON holds no array") }
    var list: [Element] = []
    list.reserveCapacity(elements.count)
    for element in elements { list.append(try read(StoredDocument(element))) }
    return list
  }

  func text(_ name: String) throws(StoreError) -> ExactText { try required(name).text() }
  func id(_ name: String) throws(StoreError) -> ItemID { try required(name).id() }
  func optionalText(_ name: String) throws(StoreError) -> ExactText? { try optional(name)?.text() }
  func optionalID(_ name: String) throws(StoreError) -> ItemID? { try optional(name)?.id() }
  func flag(_ name: String) throws(StoreError) -> Bool { try optional(name)?.bool() ?? false }

  func word<Word: RawRepresentable<String>>(_ name: String, _ type: Word.Type) throws(StoreError) -> Word {
    guard let word = Word(rawValue: try required(name).string()) else { throw .damaged("an unknown \(type)") }
    return word
  }
}

extension JSONWriter {
  /// Left out when nil: a stored document is as short as it can be.
  mutating func memberIfAny(_ name: StaticString, _ value: String?) {
    if let value { member(name, value) }
  }

  /// Left out when false.
  mutating func memberIfTrue(_ name: StaticString, _ value: Bool) {
    if value { member(name, true) }
  }

  mutating func member(_ name: StaticString, _ number: Number) {
    switch number {
    case .integer(let value): member(name, value)
    case .decimal(let value): member(name, value)
    }
  }
}
