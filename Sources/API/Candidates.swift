// Candidates: a record, and its erasure.

import HTTP
import InterviewKits
import JSON
import RowLayout
import Store

extension Call {
  func readCandidate() async throws(Problem) -> Response {
    let id = try id("candidateId")
    let candidate = try stored { () throws(StoreError) in try api.store.candidate(id, for: caller) }
    return .json { writer in
      writer.object { body in
        body.member("id", candidate.id.string)
        body.member("name", candidate.name?.string)
        body.member("createdAt", candidate.createdAt?.rfc3339)
        body.member("updatedAt", candidate.updatedAt?.rfc3339)
      }
    }
  }

  /// Answers, their history, reasons and names are gone when this is answered; IDs stay, and stay taken.
  func eraseCandidate() async throws(Problem) -> Response {
    let id = try id("candidateId")
    let erased: CandidateErased
    do { erased = try await api.store.erase(candidate: id, by: caller) } catch {
      if case .notFound = error { throw .notFound("There is no candidate '\(id)'.") }
      throw problem(error)
    }
    api.layouts.forgetTexts()
    return .json { writer in
      writer.object { body in
        body.member("id", erased.id.string)
        body.member("evaluations", erased.evaluations)
      }
    }
  }
}
