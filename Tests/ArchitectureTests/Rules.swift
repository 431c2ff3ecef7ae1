// The rules: each takes what was read and returns every fault as one line of text.

enum Rules {
  /// All that is wrong with the Swift sources.
  static func faults(in sources: [SwiftSource]) -> [String] {
    sources.flatMap { faults(in: $0) } + faultsOfSingleImports(in: sources)
  }

  static func faults(in source: SwiftSource) -> [String] {
    opening(source.path, source.lines) + length(source.path, source.lines) + functions(source) + imports(source)
  }

  /// A file opens with a comment that says what it owns; a script's stands under its `#!`.
  static func opening(_ path: String, _ lines: [Substring]) -> [String] {
    let isScript = lines.first?.hasPrefix("#!") == true
    let first = isScript ? lines.dropFirst().first : lines.first
    let marker = path.hasSuffix(".swift") || path.hasSuffix(".h") ? "// " : "# "
    guard let first, first.hasPrefix(marker), first.split(separator: " ").count >= 5 else {
      return ["\(path):1: does not open with a comment that says what it owns"]
    }
    return []
  }

  static func length(_ path: String, _ lines: [Substring]) -> [String] {
    guard lines.count > Arrows.maximumFileLines else { return [] }
    return ["\(path): \(lines.count) lines, at most \(Arrows.maximumFileLines) allowed"]
  }

  static func functions(_ source: SwiftSource) -> [String] {
    source.functions.filter { $0.lineCount > Arrows.maximumFunctionLines }.map {
      "\(source.path):\($0.line): \($0.name) has \($0.lineCount) lines, at most \(Arrows.maximumFunctionLines) allowed"
    }
  }

  static func imports(_ source: SwiftSource) -> [String] {
    if source.isTest { return [] }
    guard let allowed = Arrows.allowed[source.module] else {
      return ["\(source.path): \(source.module) has no arrows: name them in Arrows.swift and ARCHITECTURE.md"]
    }
    return source.imports.filter { !allowed.contains($0.module) && $0.module != source.module }.map {
      "\(source.path):\($0.line): \(source.module) may not import \($0.module)"
    }
  }

  static func faultsOfSingleImports(in sources: [SwiftSource]) -> [String] {
    let files = sources.filter { $0.imports.contains { $0.module == Arrows.onlyOnce } }.map(\.path)
    return files.count > 1 ? ["\(Arrows.onlyOnce) is imported by \(files.sorted().joined(separator: " and "))"] : []
  }

  /// The manifest may promise no arrow that is not allowed, and no package dependency at all.
  static func faults(inManifest text: String) -> [String] {
    var faults: [String] = []
    if text.contains(".package(") { faults.append("Package.swift: a package dependency") }
    for (target, dependencies) in Manifest.targets(in: text) {
      guard let allowed = Arrows.allowed[target] else {
        faults.append("Package.swift: \(target) has no arrows")
        continue
      }
      for dependency in dependencies where !allowed.contains(dependency) {
        faults.append("Package.swift: \(target) may not depend on \(dependency)")
      }
    }
    return faults
  }
}

/// What `Package.swift` says of its targets, read from its text.
enum Manifest {
  /// Name and dependencies of each target that is no test.
  static func targets(in text: String) -> [(name: String, dependencies: [String])] {
    ["library(", ".executableTarget(", ".target(", ".systemLibrary("].flatMap { call in
      pieces(of: text, after: call).compactMap { piece in
        let strings = quoted(in: piece)
        guard let name = strings.first else { return nil }
        return (name, quoted(in: dependencyList(of: piece)))
      }
    }
  }

  /// The arguments of each call to `name`: the text up to the parenthesis that closes it.
  private static func pieces(of text: String, after name: String) -> [Substring] {
    var (pieces, rest): ([Substring], Substring) = ([], text[...])
    while let range = rest.range(of: name) {
      // A definition of the helper, a longer name, or a product.
      let isAnother = ["func ", "_", "."].contains { rest[..<range.lowerBound].hasSuffix($0) }
      rest = rest[range.upperBound...]
      var depth = 1
      let end = rest.firstIndex { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth == 0
      }
      let piece = rest[..<(end ?? rest.endIndex)]
      if !isAnother, quoted(in: piece).first.map({ !$0.isEmpty }) ?? false { pieces.append(piece) }
    }
    return pieces
  }

  /// The first list in brackets, which is the one of dependencies in each form that the manifest uses.
  private static func dependencyList(of piece: Substring) -> Substring {
    guard let start = piece.firstIndex(of: "["), let end = piece[start...].firstIndex(of: "]") else { return "" }
    return piece[start..<end]
  }

  private static func quoted(in text: Substring) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
  }
}

extension Substring {
  /// The first place of `text`, by characters.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}
