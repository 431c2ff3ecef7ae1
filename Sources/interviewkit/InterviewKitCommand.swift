// The program: picks the command, and turns its errors into one line and an exit code.

import Glibc
import JSON

@main
struct InterviewKitCommand {
  /// The version of the program.
  static let version = "0.1.0"

  static func main() {
    // A peer that has gone away is an error of one write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    Termination.block()
    let words = Array(CommandLine.arguments.dropFirst())
    // The command runs beside the main thread, which waits for signals; the command's end is the process's.
    Task.detached { exit(await run(words)) }
    Termination.shared.waitForever()
  }

  /// - Returns: the exit code.
  static func run(_ words: [String]) async -> Int32 {
    guard let command = words.first else { return fail(UsageError("name a command; --help lists them")) }
    let rest = Array(words.dropFirst())
    do {
      switch command {
      case "--help", "-h": return say(Help.program)
      case "help": return say(try rest.first.map { word in try Command.named(word).help } ?? Help.program)
      case "--version", "version": return say("interviewkit \(version)")
      default: return try await Command.named(command).run(rest)
      }
    } catch { return fail(error) }
  }

  /// Prints a text to standard output.
  static func say(_ text: String) -> Int32 {
    Files.write(Array((text + "\n").utf8), to: STDOUT_FILENO)
    return 0
  }

  private static func fail(_ error: any Error) -> Int32 {
    let (message, code): (String, Int32) =
      switch error {
      case let error as UsageError: (error.message, 64)
      case let error as SettingsError: (error.message, error.exitCode)
      default: ("\(error)", 1)
      }
    Files.write(Array("interviewkit: \(message)\n".utf8), to: STDERR_FILENO)
    return code
  }
}
