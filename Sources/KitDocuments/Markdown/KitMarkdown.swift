// Kits as Markdown files: which reader a file gets, and the format that an export has.

public import InterviewKits

/// Markdown in and out.
///
/// A list that somebody keeps is read as it is: headings become sections, list items questions, what is nested under an
/// item its `help`. An export begins with a front matter that holds `interviewkit: 1` and is read back exactly:
///
///     ---
///     interviewkit: 1
///     id: k1
///     status: active
///     ---
///     # Backend, first interview
///
///     > Instructions, one quoted line each.
///
///     ## Experience <!-- id: s1 -->
///
///     - What did you build last? <!-- id: q1; required -->
///       > Help is quoted under its question.
///     - Which of these have you used? <!-- id: q2; type: multiSelect -->
///       - SQLite <!-- id: o1 -->
///
///     ## Depth <!-- scale; id: d -->
///
///     - Shallow <!-- id: d1 -->
///
/// An item without a comment is a new `longText` question, option or criterion, and gets an ID. Characters that would
/// mean something to Markdown have a backslash before them; line breaks that a line can't hold are `&#10;` or `&#13;`.
public enum KitMarkdown {
  /// Reads a kit from a file in UTF-8 or UTF-16, and checks it.
  ///
  /// - Parameters:
  ///   - id: The ID from the address; nil takes the file's, or makes one.
  ///   - defaults: What is taken when the file does not say it.
  public static func decode(
    _ bytes: [UInt8], id: ItemID?, now: Timestamp, ids: ItemIDSource, defaults: ImportDefaults = ImportDefaults()
  ) throws(InvalidDocument) -> (kit: Kit, report: ImportReport) {
    let lines = MarkdownLine.split(try ImportEncoding.utf8(bytes))
    if lines.count > ImportLimits.lines {
      throw InvalidDocument(
        issues: [
          Issue(
            pointer: "", code: "tooMany", message: "More than \(ImportLimits.lines) lines.",
            line: ImportLimits.lines + 1)
        ])
    }
    let frontMatter = MarkdownFrontMatter(lines)
    if frontMatter["interviewkit"] != nil {
      let reader = KitMarkdownReader(lines, frontMatter: frontMatter, defaults: defaults)
      return (try reader.draft.kit(id: id, now: now, ids: ids), reader.report)
    }
    let reader = ListMarkdownReader(lines, frontMatter: frontMatter, defaults: defaults)
    return (try reader.draft.kit(id: id, now: now, ids: ids), reader.report)
  }

  /// The kit as a file that a person can read and edit, and that `decode` reads back as the same kit.
  public static func encode(_ kit: Kit) -> [UInt8] {
    var writer = KitMarkdownWriter()
    writer.write(kit)
    return Array(writer.text.utf8)
  }
}
