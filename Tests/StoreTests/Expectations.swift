// What tests expect of the store's errors, and edits that many tests make.
import InterviewKits
import Testing

@testable import Store

/// The case of an error, without what it carries.
enum Refusal: Equatable {
  case notFound, forbidden, notOpen, gone, deletedID, idTaken, preconditionRequired, preconditionFailed, invalid,
    keyReused,
    incomplete,
    conflict,
    busy, contended, unavailable, diskFull
  case newerDatabase, databaseFailing, databaseDamaged, closed, database

  init(_ error: StoreError) {
    self =
      switch error {
      case .notFound: .notFound
      case .gone, .erasedCandidate: .gone
      case .forbidden: .forbidden
      case .notOpen: .notOpen
      case .deletedID: .deletedID
      case .idTaken: .idTaken
      case .preconditionRequired: .preconditionRequired
      case .preconditionFailed: .preconditionFailed
      case .invalid: .invalid
      case .keyReused: .keyReused
      case .incomplete: .incomplete
      case .conflict: .conflict
      case .busy: .busy
      case .contended: .contended
      case .unavailable: .unavailable
      case .diskFull: .diskFull
      case .newerDatabase: .newerDatabase
      case .databaseFailing: .databaseFailing
      case .databaseDamaged: .databaseDamaged
      case .closed: .closed
      case .database: .database
      }
  }
}

func expect<Value>(
  _ refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Value
) async {
  do {
    _ = try await body()
    Testing.Issue.record("nothing was refused", sourceLocation: sourceLocation)
  } catch let error as StoreError {
    #expect(Refusal(error) == refusal, "\(error)", sourceLocation: sourceLocation)
  } catch {
    Testing.Issue.record(error, sourceLocation: sourceLocation)
  }
}

extension Question {
  static func yesNo(_ id: ItemID) -> Question {
    Question(id: id, order: .between(nil, nil), text: "Really?", kind: .yesNo)
  }
}

extension Kit {
  func restoringNothing(_ now: Timestamp) -> KitChange? { nil }
}

extension TestStore {
  @discardableResult func reword(
    _ id: ItemID, in kit: ItemID = "k1", to text: ExactText = "Reworded", _ precondition: Precondition = .exists
  ) async throws(StoreError) -> KitWritten {
    try await change(kit, item: id, precondition) { (kit, now) throws(KitEditError) in
      guard var question = KitSnapshot(kit).question(id)?.question else { throw .notFound(id) }
      question.text = text
      return try kit.updating(question, now: now)
    }
  }
}
