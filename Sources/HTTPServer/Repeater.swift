// Answers again what was answered before: heads by their bytes, without reading them, and without a clock.
internal import HTTP

/// All that repeating needs of a loop, in one value.
struct Repeater {
  var answers: RepeatedAnswers
  var ids = RequestIDSource()
  /// Answers since the last `takeCounts`, alike ones together. Their time is told at the turn's end.
  private var counts: [CountedAnswer] = []
  /// Where among the loop's records those begin that have no duration yet.
  private var firstRecord: Int?

  init(answers: RepeatedAnswers) { self.answers = answers }

  /// Answers the heads at `offset` that have been answered before, as long as those answers stand.
  ///
  /// - Parameters:
  ///   - most: how many are answered.
  ///   - room: no other is begun when the batch has so many bytes.
  ///   - isEarly: whether the input had arrived when this turn began.
  ///   - records: takes a record of each, where records are taken.
  /// - Returns: how many were answered.
  mutating func answer(
    _ input: Span<UInt8>, _ offset: inout Int, most: Int, room: Int, isEarly: Bool, peer: String?,
    at time: LoopTime, to batch: inout OutputBatch, records: inout [AccessRecord], takesRecords: Bool
  ) -> Int {
    var count = 0
    while offset < input.count, count < most, batch.byteCount < room, !batch.isFull {
      guard let end = input.headEnd(from: offset, limit: RepeatedAnswers.headBytes),
        let answer = answers.answer(to: input.extracting(offset..<end))
      else { break }
      guard answer.holds(for: peer, inTurn: isEarly ? time.turn : nil) else {
        answers.remove(answer)
        break
      }
      offset = end
      count += 1
      answer.renew(time)
      let requestID = ids.next(milliseconds: time.wallMilliseconds)
      batch.append(answer, requestID)
      note(answer)
      guard takesRecords else { continue }
      if firstRecord == nil { firstRecord = records.count }
      records.append(
        AccessRecord(
          head: answer.head, refusedMethod: nil, status: answer.status, bytes: answer.bodyCount,
          durationMicroseconds: AccessRecord.noDuration, requestID: requestID, peer: peer, refusal: nil))
    }
    return count
  }

  private mutating func note(_ answer: RepeatedAnswer) {
    let last = counts.count - 1
    if last >= 0, counts[last].route == answer.route, counts[last].status == answer.status {
      counts[last].count += 1
    } else {
      counts.append(CountedAnswer(route: answer.route, status: answer.status))
    }
  }

  /// Tells how long the answers of this turn took.
  mutating func finish(_ microseconds: Int, _ answered: inout [CountedAnswer], _ records: inout [AccessRecord]) {
    for var count in counts {
      count.microseconds = microseconds
      answered.append(count)
    }
    counts.removeAll(keepingCapacity: true)
    guard let first = firstRecord else { return }
    firstRecord = nil
    for index in first..<records.count where records[index].durationMicroseconds == AccessRecord.noDuration {
      records[index].durationMicroseconds = microseconds
    }
  }

  /// Whether there are none whose time is not told.
  var isFinished: Bool { counts.isEmpty }
}
