// A line on standard error that fills up, on a terminal only.

import Glibc

struct ProgressBar {
  private let title: String
  private let isShown = isatty(STDERR_FILENO) == 1
  private var shown = -1

  private static let cells = 40

  init(_ title: String) { self.title = title }

  mutating func show(_ done: Int, of total: Int) {
    guard isShown else { return }
    let percent = total > 0 ? min(100, done * 100 / total) : 100
    guard percent != shown else { return }
    if shown < 0 { Interruption.lineIsOpen(true) }
    shown = percent
    let filled = percent * Self.cells / 100
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.cells - filled)
    Files.write(Array("\r\(title) [\(bar)] \(percent) %".utf8), to: STDERR_FILENO)
  }

  /// Goes to the next line.
  mutating func end() {
    guard shown >= 0 else { return }
    Interruption.lineIsOpen(false)
    Files.write([0x0A], to: STDERR_FILENO)
    shown = -1
  }
}
