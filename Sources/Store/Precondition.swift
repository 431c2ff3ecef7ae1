// The one rule for changing what exists: say what you saw.

/// What a writer expects to find.
public enum Precondition: Sendable, Hashable {
  /// Says nothing: enough to create, not to change.
  case none
  /// `If-Match: *`: overwrite whatever is there.
  case exists
  /// `If-Match` with tags: one of these revisions.
  case revisions([Int])
  /// `If-None-Match: *`: create, never change.
  case createOnly
}

extension Precondition {
  enum Verdict { case passes, required, failed }

  /// - Parameter revision: nil when there is nothing yet.
  func verdict(revision: Int?) -> Verdict {
    switch (self, revision) {
    case (.none, nil), (.createOnly, nil), (.exists, .some): .passes
    case (.none, .some): .required
    case (.revisions(let seen), let revision?): seen.contains(revision) ? .passes : .failed
    case (.exists, nil), (.revisions, nil), (.createOnly, .some): .failed
    }
  }

  /// An answer never written has revision 0, and takes the preconditions of what exists and of what does not.
  func verdict(answerRevision revision: Int) -> Verdict {
    if revision > 0 { return verdict(revision: revision) }
    if case .revisions(let seen) = self { return seen.contains(0) ? .passes : .failed }
    return .passes
  }
}
