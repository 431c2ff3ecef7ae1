// Why the store refuses: every case that a caller can act on.
public import InterviewKits
import SQLDatabase

public enum StoreError: Error, Sendable {
  /// No such kit, item, revision or evaluation, or it is in the trash.
  case notFound
  /// It may be read, or its ID be known, and it is not the caller's to write.
  case forbidden
  /// The caller had no token, and by now the service asks for one.
  case notOpen
  /// It was here, and was removed for good.
  case gone
  /// Nothing is written about a candidate who was erased.
  case erasedCandidate(ItemID)
  /// The ID belongs to something in the trash: it can be restored, never used for something else.
  case deletedID(ItemID)
  /// The ID is used for something else.
  case idTaken(ItemID)
  /// A write to what exists says what it saw; `current` is what is there.
  case preconditionRequired(current: CurrentState)
  /// What the writer saw is not what is there; nil when nothing is there.
  case preconditionFailed(current: CurrentState?)
  /// Readable, but not acceptable: all that is wrong.
  case invalid([Issue])
  /// The client has named another write with this key before.
  case keyReused
  /// An evaluation can't be submitted yet: every required item that has no answer.
  case incomplete([Issue])
  /// The state of things forbids it. `code` is a stable word.
  case conflict(code: String, detail: String, issues: [Issue] = [])
  /// Another process held the database's lock for longer than the stated time; nothing was stored.
  case busy
  /// Other transactions were in the way each time that it was tried; nothing was stored.
  case contended
  /// The database can't be reached. A write may have been stored all the same: its client repeats it under its name.
  case unavailable(String)
  /// No room on the disk; nothing of this write was stored, all that was acknowledged before is there.
  case diskFull
  /// The database was written by a newer program.
  case newerDatabase(version: Int, known: Int)
  /// The disk fails under the database. Whether a write that is answered so is stored is not known: it is so whole or not
  /// at all.
  case databaseFailing(String)
  /// The database is damaged: it takes no writes, and this could not be read.
  case databaseDamaged(String)
  /// The store is closed.
  case closed
  /// Anything else that the database says, without values.
  case database(String)
}

/// What is there now, for the one who expected something else.
public enum CurrentState: Sendable {
  case kit(KitSnapshot)
  case section(Section)
  case question(Question, sectionID: ItemID)
  case evaluation(Evaluation)
  case answer(Answer)
  case profile(StoredProfile)
  case member(Member)

  /// The revision that an `If-Match` would have to name.
  public var revision: Int {
    switch self {
    case .kit(let snapshot): snapshot.kit.revision
    case .section(let section): section.revision
    case .question(let question, _): question.revision
    case .evaluation(let evaluation): evaluation.summary.revision
    case .answer(let answer): answer.revision
    case .profile(let profile): profile.version
    case .member(let member): member.revision
    }
  }
}

extension StoreError {
  /// A kit that an evaluation can't be made of: it is not there, or in the trash.
  static func unknownKit(_ kit: ItemID) -> StoreError {
    .invalid([Issue(pointer: "/kitId", itemID: kit, code: "unknownKit", message: "There is no kit '\(kit)'.")])
  }

  /// A kit revision that is not there.
  static func unknownRevision(_ revision: Int, of kit: ItemID) -> StoreError {
    let message = "The kit has no revision \(revision)."
    return .invalid([Issue(pointer: "/kitRevision", itemID: kit, code: "unknownRevision", message: message)])
  }

  /// A write to an evaluation whose answers are frozen.
  public static func frozen(_ status: EvaluationStatus) -> StoreError {
    .conflict(
      code: "evaluationNotDraft",
      detail: "The evaluation is \(status.rawValue), so that it takes no changes; reopen it first.")
  }

  init(_ error: SQLError) {
    self =
      switch error.kind {
      case .busy: .busy
      case .serialization: .contended
      case .unavailable: .unavailable(error.description)
      case .full: .diskFull
      case .inputOutput, .readOnly: .databaseFailing(error.description)
      case .corrupt: .databaseDamaged(error.description)
      default: .database(error.description)
      }
  }

  /// What a refused edit of the domain is here.
  public init(_ error: KitEditError) {
    self =
      switch error {
      case .notFound: .notFound
      case .idTaken(let id): .idTaken(id)
      case .invalid(let issues): .invalid(issues)
      case .inUse(let issues):
        .conflict(code: "inUse", detail: "Others name it; change them first.", issues: issues)
      }
  }
}
