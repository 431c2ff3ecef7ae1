// The program as it was built, as a process of its own: started, killed, and started again on what it kept.

import Foundation
import Glibc
import TestKit
import Testing

@testable import InterviewKitClient

/// One data folder, and the process that serves it now.
final class RunningService {
  private(set) var url: URL
  private let folder = TemporaryFolder()
  private var process: Process

  init() throws { (process, url) = try Self.start(folder.path + "/data", port: 0) }

  deinit { kill() }

  /// Ends the process as a power cut would: nothing of it runs on.
  func kill() {
    if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Serves the same data at the same address.
  func startAgain() throws { (process, url) = try Self.start(folder.path + "/data", port: url.port ?? 0) }

  private static func start(_ data: String, port: Int) throws -> (Process, URL) {
    let process = Process()
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    process.executableURL = program.appendingPathComponent("interviewkit")
    let config = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Config/interviewkit.json")
      .standardized
    process.arguments = ["serve", "--port", String(port), "--data", data, "--config", config.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // One line when it is ready: it names the address.
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let address = line.split(separator: " ").last.flatMap { URL(string: $0.trimmingCharacters(in: .newlines)) }
    return (process, try #require(address, "the service did not start: \(line)"))
  }

  /// Sends a document as `curl` would: what a recruiter does, which the client does not do for him.
  func put(_ path: String, _ document: String) async throws {
    let request = ServiceRequest(
      method: "PUT", target: path, fields: ["Content-Type": "application/json"], body: Data(document.utf8))
    let reply = try await HTTPTransport(baseURL: url).send(request)
    try #require(reply.status == 201, "\(String(decoding: reply.body, as: UTF8.self))")
  }
}
