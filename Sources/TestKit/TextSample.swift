// Texts in many languages and the edges of text, all written for these tests.

/// A text to try things on.
public struct TextSample: Sendable, Hashable, CustomStringConvertible {
  /// What the text shows, such as `Korean` or `trailing line break`.
  public let name: String
  /// A BCP 47 tag.
  public let locale: String
  public let text: String

  public init(_ name: String, _ locale: String, _ text: String) {
    (self.name, self.locale, self.text) = (name, locale, text)
  }

  public var description: String { name }

  /// One or two sentences each, as an interviewer would write them.
  public static let languages: [TextSample] = [
    TextSample("English", "en", "Tell me about a decision you would take back. What did it cost, and who told you?"),
    TextSample("Korean", "ko", "최근에 스스로 고친 습관이 있다면 무엇이며, 왜 고치기로 했는지 말씀해 주세요."),
    TextSample("Japanese", "ja", "チームの意見が割れたとき、どのように話をまとめましたか。具体的な例を挙げてください。"),
    TextSample("Chinese, simplified", "zh-Hans", "请讲一次你主动承认错误的经历，后来团队是怎么做的？"),
    TextSample("Chinese, traditional", "zh-Hant", "請說明你如何替新同事安排第一週的工作。"),
    TextSample("Thai", "th", "ช่วยเล่าเหตุการณ์ที่คุณต้องตัดสินใจทั้งที่ข้อมูลยังไม่ครบ"),
    TextSample("Arabic", "ar", "حدّثني عن مشروع تأخّر عن موعده، وما الذي فعلته في الأسبوع الأول؟"),
    TextSample("Hebrew", "he", "ספר לי על פעם שבה שינית את דעתך אחרי שיחה עם לקוח."),
    TextSample("Persian", "fa", "آخرین باری که از همکارتان چیزی یاد گرفتید کی بود و چه بود؟"),
    TextSample("Hindi", "hi", "किसी ऐसे काम के बारे में बताइए जिसे आपने अधूरा छोड़ा और क्यों छोड़ा।"),
    TextSample("Burmese", "my", "သင် နောက်ဆုံး သင်ယူခဲ့တဲ့ အရာအကြောင်း ပြောပြပါ။"),
    TextSample("Vietnamese", "vi", "Hãy kể về lần bạn phải thuyết phục một người không muốn nghe."),
    TextSample("Greek", "el", "Πότε ζητήσατε βοήθεια για τελευταία φορά, και από ποιον;"),
    TextSample("Russian", "ru", "Расскажите о случае, когда вам пришлось отказать важному заказчику."),
    TextSample("Turkish", "tr", "Işığı az bir odada çalışır gibi, belirsiz bir işi nasıl yürüttünüz?"),
    TextSample("German", "de", "Welche Rückmeldung hat Ihre Arbeitsweise am stärksten verändert? Weshalb?"),
    TextSample("French", "fr", "Qu’avez-vous appris de votre dernière panne en production ?"),
    TextSample("Polish", "pl", "Proszę opisać źle rozpoczęty projekt i jego zakończenie."),
    TextSample("Czech", "cs", "Popište nejtěžší rozhovor, který jste letos vedli."),
    TextSample("Spanish", "es", "¿Qué haría usted el primer día si nadie le explicara nada?"),
    TextSample("Portuguese", "pt", "Conte uma ocasião em que a sua estimativa falhou por muito."),
    TextSample("mixed directions", "ar", "اشرح الفرق بين HTTP/1.1 و HTTP/2 في جملتين (نحو 40 كلمة)."),
  ]

  /// Where text handling goes wrong: empty, breaks, marks, joiners, widths, very long words.
  public static let edges: [TextSample] = [
    TextSample("empty", "en", ""),
    TextSample("one space", "en", " "),
    TextSample("spaces before and after", "en", "  kept as typed  "),
    TextSample("trailing line break", "en", "Good\n"),
    TextSample("two trailing line breaks", "en", "Good\n\n"),
    TextSample("only a line break", "en", "\n"),
    TextSample("CRLF", "en", "first\r\nsecond\r\n"),
    TextSample("line and paragraph separators", "en", "one\u{2028}two\u{2029}three"),
    TextSample("tabs", "en", "a\tb\t\tc"),
    TextSample("composed letters", "ko", "\u{AC00}\u{B098} \u{E9}"),
    TextSample("decomposed letters", "ko", "\u{1100}\u{1161}\u{1102}\u{1161} e\u{301}"),
    TextSample("many combining marks", "en", "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}\u{30A}\u{30B}"),
    TextSample("emoji with skin tone", "en", "Strong answer 👍🏽"),
    TextSample("family of four, joined", "en", "👨‍👩‍👧‍👦"),
    TextSample("flags", "en", "🇰🇷🇯🇵🇩🇪"),
    TextSample("keycap", "en", "1️⃣ first, 2️⃣ second"),
    TextSample("zero-width space", "th", "ทำงาน\u{200B}เป็นทีม"),
    TextSample("soft hyphen", "de", "Personal\u{AD}auswahl\u{AD}verfahren"),
    TextSample("no-break spaces", "fr", "30\u{202F}000\u{A0}€"),
    TextSample("byte order mark inside", "en", "a\u{FEFF}b"),
    TextSample("directional marks", "he", "\u{202B}abc אבג\u{202C} \u{2066}def\u{2069}"),
    TextSample("a word without end", "en", String(repeating: "Unterbrechung", count: 40)),
    TextSample("an address", "en", "https://example.org/a/very/long/path?with=query&and=more#and-a-fragment"),
    TextSample("private use", "en", "\u{E000}\u{F8FF}\u{10FFFD}"),
    TextSample("full-width and half-width", "ja", "ＡＢＣ ｱｲｳ １２３"),
    TextSample("quotes, slashes, markup", "en", #"He said "no" \ <b>then</b> & left; it's 'fine'."#),
  ]

  public static let all = languages + edges
}
