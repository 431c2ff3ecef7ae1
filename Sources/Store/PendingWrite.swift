// A write that waits for its group, and what it answers.
import InterviewKits

/// The output of a write, told where in the change feed it can be seen.
protocol SequencedOutput: Sendable {
  var sequence: Int { get set }
  /// Set when the output is an older one.
  var replayedSequence: Int? { get }
}

extension SequencedOutput {
  var replayedSequence: Int? { nil }
}

extension KitWritten: SequencedOutput {}
extension EvaluationWritten: SequencedOutput {}
extension AnswersWritten: SequencedOutput {}
extension ProfileWritten: SequencedOutput {}

/// A write of any output. Used by the writer's thread alone once it is enqueued.
class PendingWrite: @unchecked Sendable {
  // @unchecked Sendable: made by the caller, handed over whole under the queue's lock, then only the writer's thread.

  /// Runs or runs again; nobody is answered yet.
  /// - Returns: why it is refused.
  func run(in transaction: WriteTransaction) -> StoreError? { preconditionFailure("overridden by TypedWrite") }
  /// The group is on disk: answers.
  /// - Parameter sequence: the group's last change.
  func finish(sequence: Int) { preconditionFailure("overridden by TypedWrite") }
  /// Nothing of the group is on disk: answers so.
  func fail(_ error: StoreError) { preconditionFailure("overridden by TypedWrite") }
}

final class TypedWrite<Output: SequencedOutput>: PendingWrite, @unchecked Sendable {
  private let author: Caller
  private let body: @Sendable (WriteTransaction) throws(StoreError) -> Output
  private let answer: @Sendable (Result<Output, StoreError>) -> Void
  private var result: Result<Output, StoreError> = .failure(.closed)

  init(
    author: Caller, body: @escaping @Sendable (WriteTransaction) throws(StoreError) -> Output,
    answer: @escaping @Sendable (Result<Output, StoreError>) -> Void
  ) {
    (self.author, self.body, self.answer) = (author, body, answer)
  }

  override func run(in transaction: WriteTransaction) -> StoreError? {
    transaction.author = author
    do throws(StoreError) {
      // He was let in before the first token was there, and would not be now.
      if author.isOpen, transaction.hasTokens { throw .notOpen }
      result = .success(try body(transaction))
      return nil
    } catch {
      result = .failure(error)
      return error
    }
  }

  override func finish(sequence: Int) {
    answer(
      result.map { output in
        var output = output
        output.sequence = output.replayedSequence ?? sequence
        return output
      })
  }

  override func fail(_ error: StoreError) { answer(.failure(error)) }
}
