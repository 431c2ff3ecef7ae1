// The words that people use in tables of questions: names of columns, types, yes and no.

internal import InterviewKits
internal import JSON

/// What a column of somebody's table holds.
enum TableColumn: CaseIterable {
  case question, section, type, required, isPrivate, options, criteria, scale, help, id, maxLength

  /// Names as `TableWords.key` writes them; the first name that a table has wins.
  var names: [String] {
    switch self {
    case .question:
      [
        "question", "questiontext", "questions", "text", "prompt", "title", "질문", "문항", "質問", "設問", "问题", "問題",
        "frage", "pregunta", "pergunta", "domanda", "вопрос", "السؤال", "سؤال", "שאלה", "प्रश्न", "คำถาม", "pytanie",
        "otázka",
        "soru", "câuhỏi",
      ]
    case .section:
      [
        "section", "sectiontitle", "category", "group", "topic", "area", "theme", "구분", "분류", "카테고리", "섹션", "分類",
        "カテゴリ", "カテゴリー", "セクション", "类别", "分类", "kategorie", "bereich", "thema", "catégorie", "rubrique", "categoría",
        "sección", "categoria", "категория", "раздел", "القسم", "الفئة", "หมวด",
      ]
    case .type:
      [
        "type", "questiontype", "kind", "answertype", "유형", "種類", "タイプ", "类型", "typ", "fragetyp", "tipo", "тип",
        "النوع",
      ]
    case .required:
      ["required", "mandatory", "isrequired", "필수", "必須", "必填", "pflicht", "obligatoire", "obligatorio", "обязательно"]
    case .isPrivate: ["private", "isprivate"]
    case .options:
      ["options", "choices", "answers", "선택지", "보기", "選択肢", "选项", "optionen", "antworten", "opciones", "варианты"]
    case .criteria: ["criteria", "criterion", "평가기준", "評価基準", "kriterien", "критерии"]
    case .scale: ["scale", "ratingscale"]
    case .help:
      [
        "help", "helptext", "description", "hint", "guidance", "notes", "note", "followup", "followups", "도움말", "설명",
        "説明",
        "備考", "说明", "hinweis", "beschreibung", "aide", "ayuda", "описание", "подсказка",
      ]
    case .id: ["id", "questionid", "key"]
    case .maxLength: ["maxlength", "maximumlength"]
    }
  }
}

enum TableWords {
  /// A name without case, spaces and punctuation.
  static func key(_ name: String) -> String {
    let kept = name.shortened(to: ImportLimits.columnNameScalars).lowercased().unicodeScalars.filter {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0.properties.generalCategory == .nonspacingMark
        || $0.properties.generalCategory == .spacingMark
    }
    return String(String.UnicodeScalarView(kept))
  }

  /// Nil when it is neither yes nor no.
  static func bool(_ cell: String) -> Bool? {
    if cell.trimmingSpaces().isEmpty { return false }
    return switch key(cell) {
    case "true", "yes", "y", "1", "x", "required", "예", "はい", "是", "ja", "oui", "sí", "si", "sim", "да", "نعم", "o":
      true
    case "false", "no", "n", "0", "optional", "아니요", "いいえ", "否", "nein", "non", "não", "нет", "لا": false
    default: nil
    }
  }

  /// A JSON value; TRUE and FALSE are how spreadsheets write theirs.
  static func json(_ cell: String) -> JSONValue? {
    switch cell {
    case "TRUE": .bool(true)
    case "FALSE": .bool(false)
    default: try? JSONValue.parse(Array(cell.utf8))
    }
  }

  static func type(_ cell: String) -> QuestionType? {
    let key = key(cell)
    if let type = QuestionType.allCases.first(where: { $0.rawValue.lowercased() == key }) { return type }
    return switch key {
    case "text", "long", "paragraph", "textarea", "freetext", "open", "openended", "multiline": .longText
    case "short", "line", "singleline", "string", "textfield": .shortText
    case "boolean", "bool", "truefalse", "yesorno": .yesNo
    case "select", "choice", "single", "singlechoice", "multiplechoice", "radio", "dropdown": .singleSelect
    case "multiple", "multi", "multichoice", "checkbox", "checkboxes", "multipleselect": .multiSelect
    case "numeric", "integer", "decimal": .number
    case "day": .date
    case "scale", "score", "stars", "likert": .rating
    case "matrix", "rubric": .scorecard
    case "info", "instruction", "statement": .note
    default: nil
    }
  }

  /// The entries of a list in one cell: one a line, or between |, else between ; or , .
  static func list(_ cell: String) -> [String] {
    let lines = cell.utf8.split { $0 == 0x0A || $0 == 0x0D }
    for separator in [nil, UInt8(ascii: "|"), UInt8(ascii: ";"), UInt8(ascii: ",")] {
      let parts = separator.map { separator in cell.utf8.split(separator: separator) } ?? lines
      if parts.count > 1 || separator == UInt8(ascii: ",") {
        return parts.map { String(Substring($0)).trimmingSpaces() }.filter { !$0.isEmpty }
      }
    }
    return []
  }
}
