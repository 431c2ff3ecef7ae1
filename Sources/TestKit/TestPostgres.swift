// A PostgreSQL of the tests' own, started once in a process and gone with it.
import Glibc

/// The server that `Tests/EndToEnd/postgres.py` starts in a temporary folder, as a user that is not root.
public enum TestPostgres {
  /// The connection string of an empty database: every test makes a schema of its own in it.
  ///
  /// Stops the process with a readable line when PostgreSQL can't be started.
  public static let url: String = start()

  /// The connection string with a schema that everything unqualified is in.
  public static func url(schema: String) -> String { url + "&options=-csearch_path%3D\(schema)" }

  private static func start() -> String {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    var (input, output): ([Int32], [Int32]) = ([0, 0], [0, 0])
    // Our ends are closed in every child: the script ends when this process does, however it does.
    let made = unsafe pipe(&input) == 0 && pipe(&output) == 0
    precondition(made, "no pipe: errno \(errno)")
    for end in [input[1], output[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_adddup2(&actions, input[0], 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    for end in [input[0], output[1]] { unsafe posix_spawn_file_actions_addclose(&actions, end) }
    var process = pid_t()
    var words: [UnsafeMutablePointer<CChar>?] = unsafe []
    for word in ["python3", "-B", "\(root)/Tests/EndToEnd/postgres.py"] { unsafe words.append(strdup(word)) }
    unsafe words.append(nil)
    let failure = unsafe posix_spawnp(&process, "python3", &actions, nil, words, environ)
    unsafe words.forEach { unsafe free($0) }
    unsafe posix_spawn_file_actions_destroy(&actions)
    precondition(failure == 0, "python3 can't be started: run scripts/setup test")
    for end in [input[0], output[1]] { close(end) }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(output[0], &byte, 1) == 1, byte != 0x0A { line.append(byte) }
    close(output[0])
    precondition(!line.isEmpty, "no PostgreSQL to test with: run scripts/setup test")
    return String(decoding: line, as: UTF8.self)
  }
}
