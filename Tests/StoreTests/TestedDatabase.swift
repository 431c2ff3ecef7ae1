// The databases that the store's contract is tested on, and how its suites come to run on both.
import SQLDatabase
import TestKit
import Testing

enum TestedDatabase: String, Sendable, CaseIterable {
  case sqlite, postgres

  /// What `TestStore.make()` makes.
  @TaskLocal static var current = TestedDatabase.sqlite

  /// The connection string of an empty schema.
  static func newSchema() -> String {
    let name = "t\(UInt64.random(in: 0 ... .max))"
    do {
      let connection = try PostgresDatabase(TestPostgres.url).open(.writing)
      try connection.script("CREATE SCHEMA \(name)")
      connection.close()
    } catch { preconditionFailure("no schema could be made: \(error)") }
    return TestPostgres.url(schema: name)
  }
}

/// Runs each test of a suite once on SQLite and once on PostgreSQL: the same is expected of both.
struct ContractTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let isOfFile = test.traits.contains { $0 is FileTrait }
    for database in TestedDatabase.allCases where database == .sqlite || !isOfFile {
      do { try await TestedDatabase.$current.withValue(database) { try await function() } } catch {
        Testing.Issue.record(error, "on \(database)")
      }
    }
  }
}

/// Marks a test of a contract's suite that is about a database file.
struct FileTrait: TestTrait {}

/// Runs a test on PostgreSQL.
struct PostgresTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestedDatabase.$current.withValue(.postgres) { try await function() }
  }
}

extension Trait where Self == ContractTrait {
  static var onBothDatabases: Self { ContractTrait() }
}

extension Trait where Self == PostgresTrait {
  static var onPostgres: Self { PostgresTrait() }
}

extension Trait where Self == FileTrait {
  static var aboutTheFile: Self { FileTrait() }
}
