// What itemising knows of characters from before: their scripts, and which font of a chain has them.

/// Of one chain; used by one thread at a time. It says what `Script.of` and the search through the chain's fonts said.
struct CharacterPlaces {
  /// Which font a character that is a cluster of its own takes, as one byte.
  enum Choice {
    static let unknown: UInt8 = 0
    /// No font has it.
    static let missing: UInt8 = 254
    /// It needs no glyph, and stays with the font of what is before it.
    static let none: UInt8 = 255
    /// The font at a place has it.
    static func font(_ place: Int) -> UInt8 { UInt8(place + 1) }
  }

  /// Chains with more fonts are not looked up here.
  static let maximumFonts = 253

  private struct InScript {
    var script: UInt32
    var candidates: [Int]
    /// 256 characters at a time.
    var pages = [[UInt8]](repeating: [], count: 256)
  }

  private var scripts: [UInt32] = []
  /// The places among `scripts`, from 1, 256 characters at a time.
  private var pages = [[UInt8]](repeating: [], count: 256)
  private var inScripts: [InScript] = []
  private var pageCount = 0

  /// Memory that it takes, about.
  var bytes: Int { 4_096 * (1 + inScripts.count) + pageCount * 288 }

  /// The script of a character below U+10000.
  mutating func script(of unit: UInt16) -> UInt32 {
    let (page, place) = (Int(unit >> 8), Int(unit & 255))
    if pages[page].isEmpty {
      pages[page] = [UInt8](repeating: 0, count: 256)
      pageCount += 1
    }
    let known = pages[page][place]
    if known > 0 { return scripts[Int(known) - 1] }
    let script = Script.of(UInt32(unit))
    if let index = scripts.firstIndex(of: script) {
      pages[page][place] = UInt8(index + 1)
    } else if scripts.count < 255 {
      scripts.append(script)
      pages[page][place] = UInt8(scripts.count)
    }
    return script
  }

  /// Where what is known of text of a script stands.
  mutating func index(of script: UInt32, in chain: FontChain) -> Int {
    if let index = inScripts.firstIndex(where: { $0.script == script }) { return index }
    inScripts.append(InScript(script: script, candidates: chain.candidates(for: script)))
    return inScripts.count - 1
  }

  /// As `FontChain.candidates`.
  func candidates(_ index: Int) -> [Int] { inScripts[index].candidates }

  func choice(_ unit: UInt16, _ index: Int) -> UInt8 {
    let page = Int(unit >> 8)
    return inScripts[index].pages[page].isEmpty ? Choice.unknown : inScripts[index].pages[page][Int(unit & 255)]
  }

  mutating func set(_ unit: UInt16, _ index: Int, to choice: UInt8) {
    let page = Int(unit >> 8)
    if inScripts[index].pages[page].isEmpty {
      inScripts[index].pages[page] = [UInt8](repeating: Choice.unknown, count: 256)
      pageCount += 1
    }
    inScripts[index].pages[page][Int(unit & 255)] = choice
  }
}
