// Walks a shaped paragraph once for a width: fills lines greedily, by arithmetic on its offsets.

/// One line of a paragraph, in UTF-16 units of it; the width is without hanging spaces, in `EmUnits`.
struct LineBox {
  var start: Int
  var end: Int
  var width: Int64
}

/// Fills lines with a paragraph.
struct LineWalker {
  let paragraph: Paragraph
  /// Room for a line, in `EmUnits`.
  let limit: Int64
  let tabs: TabStops
  /// Shapes what a cut changes; only asked where a word is longer than a line, or a cut has another cut near it.
  let cutter: CutSource
  /// Whether lines are looked for by halving where that gives the same; without it every place to break is tried.
  var searches = true
  /// How far advances may shrink at a cut that was not looked at beforehand.
  private let unknownShrink = EmUnits.perEm / 2
  private var tabWalk = TabWalk()
  /// Where the line starts, up to where its start changes advances, and by how much; nil: not known yet.
  private var start = 0
  private var startChangedTo = 0
  private var startDelta: Int64? = 0

  init(paragraph: Paragraph, limit: Int64, tabs: TabStops, cutter: CutSource) {
    self.paragraph = paragraph
    self.limit = limit
    self.tabs = tabs
    self.cutter = cutter
  }

  /// Calls `body` for each line. An empty paragraph is one empty line.
  mutating func walk(_ body: (LineBox) -> Void) {
    let count = paragraph.text.count
    if count == 0 { return body(LineBox(start: 0, end: 0, width: 0)) }
    var next = 0
    while start < count {
      tabWalk = TabWalk(origin: start)
      let (end, width, cut) = fill(from: &next)
      body(LineBox(start: start, end: end, width: width))
      while next < paragraph.opportunities.count, Int(paragraph.opportunities[next].position) <= end { next += 1 }
      beginLine(at: end, cut: cut)
    }
  }

  /// As `walk`, with lines that end where a break strategy says.
  mutating func walk(ends: [Int], _ body: (LineBox) -> Void) {
    var next = 0
    for end in ends {
      tabWalk = TabWalk(origin: start)
      while Int(paragraph.opportunities[next].position) < end { next += 1 }
      let opportunity = paragraph.opportunities[next]
      let isWhole = Int(opportunity.position) == end
      let width = isWhole ? width(plainWidth(to: Int(opportunity.visibleEnd)), of: opportunity) : clusterWidth(to: end)
      body(LineBox(start: start, end: end, width: width))
      beginLine(at: end, cut: isWhole ? Int(opportunity.cut) : nil)
    }
  }

  private mutating func beginLine(at position: Int, cut: Int?) {
    start = position
    (startChangedTo, startDelta) = (position, 0)
    if let cut {
      if cut >= 0 {
        startChangedTo = Int(paragraph.cuts[cut].changedTo)
        startDelta = paragraph.cuts[cut].startDelta
      }
    } else {
      startChangedTo = paragraph.flags.changedTo(position)
      if startChangedTo > position { startDelta = nil }
    }
  }

  /// The change at the start of the line, shaped when first asked: short lines are shaped as a whole and never ask.
  private mutating func resolvedStartDelta() -> Int64 {
    if let startDelta { return startDelta }
    let position = start
    let delta = cutter { $0.startChange(at: position).delta }
    startDelta = delta
    return delta
  }

  /// Fills from the first opportunity after the start, and moves `next` behind the one taken. Returns the end of the line,
  /// its width, and the cut there: nil when the place is no opportunity.
  private mutating func fill(from next: inout Int) -> (end: Int, width: Int64, cut: Int?) {
    if searches, paragraph.rises {
      guard let (last, width) = lastFitting(from: next) else { return breakWord(before: paragraph.opportunities[next]) }
      next = last + 1
      return (Int(paragraph.opportunities[last].position), width, Int(paragraph.opportunities[last].cut))
    }
    var best: (index: Int, width: Int64)?
    var index = next
    while index < paragraph.opportunities.count {
      let opportunity = paragraph.opportunities[index]
      let plain = plainWidth(to: Int(opportunity.visibleEnd))
      if plain > limit + paragraph.largestShrink { break }
      let width = width(plain, of: opportunity)
      if width <= limit { best = (index, width) }
      index += 1
    }
    if let best {
      let opportunity = paragraph.opportunities[best.index]
      next = best.index + 1
      return (Int(opportunity.position), best.width, Int(opportunity.cut))
    }
    return breakWord(before: paragraph.opportunities[next])
  }

  /// The last opportunity that fits, from `next` on, where widths from offsets rise; nil when none does.
  private mutating func lastFitting(from next: Int) -> (index: Int, width: Int64)? {
    guard var index = lastWithin(limit + paragraph.largestShrink, from: next) else { return nil }
    while index >= next {
      let opportunity = paragraph.opportunities[index]
      let width = width(plainWidth(to: Int(opportunity.visibleEnd)), of: opportunity)
      if width <= limit { return (index, width) }
      index -= 1
    }
    return nil
  }

  /// The last opportunity that offsets alone put within a width: the last of all where that is so, else doubles its steps,
  /// then halves.
  private func lastWithin(_ width: Int64, from next: Int) -> Int? {
    let start = start
    return unsafe paragraph.offsets.withUnsafeBufferPointer { offsets in
      let target = unsafe offsets[start] + width
      return unsafe paragraph.opportunities.withUnsafeBufferPointer { opportunities in
        func fits(_ index: Int) -> Bool { unsafe offsets[max(start, Int(opportunities[index].visibleEnd))] <= target }
        if fits(opportunities.count - 1) { return opportunities.count - 1 }
        guard fits(next) else { return nil }
        var (low, step) = (next, 4)
        while low + step < opportunities.count, fits(low + step) { (low, step) = (low + step, step * 2) }
        var high = min(low + step, opportunities.count)
        while high - low > 1 {
          let middle = (low + high) / 2
          if fits(middle) { low = middle } else { high = middle }
        }
        return low
      }
    }
  }

  /// Width from the offsets alone.
  private mutating func plainWidth(to end: Int) -> Int64 {
    if end <= start { return 0 }
    if paragraph.tabs.isEmpty { return paragraph.offsets[end] - paragraph.offsets[start] }
    return tabWalk.width(to: end, paragraph, tabs)
  }

  private mutating func width(_ plain: Int64, of opportunity: BreakOpportunity) -> Int64 {
    let visibleEnd = Int(opportunity.visibleEnd)
    if visibleEnd <= start { return 0 }
    var changedFrom = Int(opportunity.position)
    var endDelta: Int64 = 0
    if opportunity.cut >= 0 {
      changedFrom = Int(paragraph.cuts[Int(opportunity.cut)].changedFrom)
      endDelta = paragraph.cuts[Int(opportunity.cut)].endDelta
    }
    if startDelta == 0, endDelta == 0 { return plain }
    if startChangedTo <= min(visibleEnd, changedFrom) { return plain + resolvedStartDelta() + endDelta }
    let (start, end) = (start, Int(opportunity.position))
    return plain + cutter { $0.wholeLineDelta(start: start, visibleEnd: visibleEnd, end: end) }
  }

  /// A piece longer than a line ends between two grapheme clusters, at least one cluster a line.
  private mutating func breakWord(before opportunity: BreakOpportunity) -> (end: Int, width: Int64, cut: Int?) {
    let visibleEnd = Int(opportunity.visibleEnd)
    let smallest = paragraph.nextCluster(after: start)
    if smallest >= visibleEnd {
      let plain = plainWidth(to: visibleEnd)
      return (Int(opportunity.position), width(plain, of: opportunity), Int(opportunity.cut))
    }
    // By offsets alone first …
    tabWalk = TabWalk(origin: start)
    var ends = [smallest]
    var fitting = 0
    var end = smallest
    while true {
      end = paragraph.nextCluster(after: end)
      if end >= visibleEnd { break }
      let plain = plainWidth(to: end) + (startDelta ?? 0)
      if plain > limit + unknownShrink, plain - ligatureAdvance(at: end) > limit { break }
      ends.append(end)
      if plain <= limit { fitting = ends.count - 1 }
    }
    // … then with what a cut changes, near that place.
    let flags = paragraph.flags
    var best = lastFitting(of: ends) { $0 <= fitting || flags[ends[$0]].contains(.unsafeToBreak) }
    // Spaces hang here too, and clusters that take no room never open a line.
    end = ends[best.index]
    while end < visibleEnd, isPassedOver(at: end, before: opportunity) { end = paragraph.nextCluster(after: end) }
    if end < visibleEnd, showsHyphen(at: end, before: opportunity) {
      // A hyphen is not alone on a line when the cluster before it can go with it.
      var last = best.index
      while last > 0, isPassedOver(at: ends[last - 1], before: opportunity) { last -= 1 }
      if last > 0 {
        best = lastFitting(of: ends) { $0 < last }
        end = ends[best.index]
      }
    }
    return end < visibleEnd ? (end, best.width, nil) : (Int(opportunity.position), best.width, Int(opportunity.cut))
  }

  /// The advance of the ligature that a unit is within: its first letter has all of it, and a cut may take any part away.
  private func ligatureAdvance(at unit: Int) -> Int64 {
    let offsets = paragraph.offsets
    guard paragraph.flags[unit].contains(.unsafeToBreak), offsets[paragraph.nextCluster(after: unit)] == offsets[unit]
    else {
      return 0
    }
    var first = unit - 1
    let floor = max(start, unit - FontLimits.reshapeUnits)
    while first > floor, offsets[first] == offsets[unit] { first -= 1 }
    return offsets[unit] - offsets[first]
  }

  /// The last of some ends between clusters, rising, at which the line fits, else the first.
  private mutating func lastFitting(of ends: [Int], _ isAsked: (Int) -> Bool) -> (index: Int, width: Int64) {
    for index in stride(from: ends.count - 1, through: 1, by: -1) where isAsked(index) {
      let width = clusterWidth(to: ends[index])
      if width <= limit { return (index, width) }
    }
    return (0, clusterWidth(to: ends[0]))
  }

  /// Whether a cluster goes with what is before it when the line ends there.
  private func isPassedOver(at unit: Int, before opportunity: BreakOpportunity) -> Bool {
    paragraph.flags[unit].contains(.hangs)
      || (!showsHyphen(at: unit, before: opportunity) && paragraph.takesNoRoom(at: unit, cutter))
  }

  /// Whether a soft hyphen shows a hyphen when the line ends at an opportunity.
  private func showsHyphen(at unit: Int, before opportunity: BreakOpportunity) -> Bool {
    paragraph.text[unit] == 0xAD && unit + 1 == Int(opportunity.position)
      && cutter.setup.rules.breaking.softHyphen == .breaks
  }

  /// Width of a line that ends between two clusters of a word.
  private mutating func clusterWidth(to end: Int) -> Int64 {
    tabWalk = TabWalk(origin: start)
    let plain = plainWidth(to: end)
    let changedFrom = paragraph.flags.changedFrom(end)
    if startDelta == 0, changedFrom == end { return plain }
    if startChangedTo <= changedFrom {
      let endDelta = changedFrom == end ? 0 : cutter { $0.endChange(at: end, visibleEnd: end).delta }
      return plain + resolvedStartDelta() + endDelta
    }
    let start = start
    return plain + cutter { $0.lineDelta(start: start, visibleEnd: end, end: end) }
  }
}

/// Tab stops of a rule at a size, in `EmUnits`.
struct TabStops {
  var interval: Int64
  /// Where the last stop stands; beyond it a tab is `beyond` wide.
  var last: Int64
  var beyond: Int64
  /// A stop nearer than this is passed over.
  var nearest: Int64 = 0

  func next(after position: Int64) -> Int64 {
    if interval <= 0 { return position }
    var stop = (position / interval + 1) * interval
    if stop - position < nearest { stop += interval }
    return stop <= last ? stop : position + beyond
  }
}

/// Adds up a line with tabs; ends must not fall.
private struct TabWalk {
  /// Unit from which on no tab was counted yet, and where it stands.
  var origin = 0
  var position: Int64 = 0
  var index = -1

  mutating func width(to end: Int, _ paragraph: Paragraph, _ stops: TabStops) -> Int64 {
    if index < 0 { index = firstTab(paragraph.tabs) }
    while index < paragraph.tabs.count, Int(paragraph.tabs[index]) < end {
      let tab = Int(paragraph.tabs[index])
      position = stops.next(after: position + paragraph.offsets[tab] - paragraph.offsets[origin])
      origin = tab + 1
      index += 1
    }
    return end <= origin ? position : position + paragraph.offsets[end] - paragraph.offsets[origin]
  }

  private func firstTab(_ tabs: [Int32]) -> Int {
    var low = 0
    var high = tabs.count
    while low < high {
      let middle = (low + high) / 2
      if Int(tabs[middle]) < origin { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
