// The command line: its mistakes, and that the help of each command names all that it takes.

import Testing

@testable import interviewkit

@Suite struct CommandLineTests {
  @Test(arguments: [
    (Command.serve, "--prot 80", "there is no option --prot; did you mean --port?"),
    (.serve, "--profile x", "there is no option --profile; did you mean --profiles?"),
    (.serve, "--loglevel x", "there is no option --loglevel; did you mean --log-level?"),
    (.serve, "--bogus x", "there is no option --bogus; interviewkit serve --help lists them"),
    (.importKit, "--dryrun a", "there is no option --dryrun; did you mean --dry-run?"),
    (.token, "--rol admin", "there is no option --rol; did you mean --role?"),
    (.backup, "--tto x", "there is no option --tto; did you mean --to?"),
    (.backup, "--force=yes", "--force takes no value"),
    (.measure, "--width", "--width needs a value"),
    (.measure, "--width 3 --width 4", "--width is given twice"),
    (.serve, "-p 3", "there is no option -p; interviewkit serve --help lists them"),
    (.verify, "--hepl", "there is no option --hepl; did you mean --help?"),
  ])
  func `a wrong option is told, and what may have been meant`(command: Command, line: String, message: String) {
    let error = #expect(throws: UsageError.self) {
      try Arguments(line.split(separator: " ").map(String.init), of: command)
    }
    #expect(error?.message == message)
  }

  @Test func `options, switches and operands are told apart`() throws {
    let words = ["--id=a=b", "file", "--dry-run", "--log-level", "debug", "--", "--id"]
    let arguments = try Arguments(words, of: .importKit)
    #expect(arguments.flags == ["id": "a=b", "dryRun": "true", "logLevel": "debug"])
    #expect(arguments.operands == ["file", "--id"])
    #expect(!arguments.wantsHelp)
    #expect(try Arguments(["-h"], of: .serve).wantsHelp)
  }

  @Test(arguments: [
    ("--account acme --data d", "--account acme --data d"), ("--data=/var/my^data", "--data '/var/my^data'"),
    ("--config it's.json --database sqlite:a.db", "--config 'it'\\''s.json' --database sqlite:a.db"),
    ("--name x", ""),
  ])
  func `another command for the same database is told as a shell takes it`(line: String, end: String) throws {
    let arguments = try Arguments(line.split(separator: " ").map(String.init), of: .token)
    #expect(arguments.sameDatabase("verify") == "interviewkit verify" + (end.isEmpty ? "" : " " + end))
  }

  @Test(arguments: [
    ("serv", "; did you mean 'serve'?"), ("halp", "; did you mean 'help'?"), ("x", "; --help lists them"),
  ])
  func `a wrong command is told`(word: String, end: String) {
    let error = #expect(throws: UsageError.self) { try Command.named(word) }
    #expect(error?.message == "there is no command '\(word)'\(end)")
  }

  @Test(arguments: Command.allCases)
  func `the help of a command names every option of its own, and shows one use`(command: Command) {
    for option in command.options + command.switches {
      #expect(command.help.contains("\n  \(Settings.flag(for: option)) "), "\(command): \(option)")
    }
    #expect(command.help.contains("\n  interviewkit \(command.rawValue)"), "\(command) has no example")
    #expect(command.help.hasPrefix("Usage: interviewkit \(command.rawValue) "))
    #expect(Help.program.contains("\n  \(command.rawValue) "))
    for line in command.help.split(separator: "\n") { #expect(line.count <= 124, "\(command): \(line)") }
  }

  @Test(arguments: Settings.names)
  func `the help of serve names every setting with its variable`(name: String) {
    #expect(Help.serve.contains("\n  \(Settings.flag(for: name)) "), "\(name)")
    #expect(Help.serve.contains(Settings.variable(for: name)), "\(name)")
  }

  @Test(arguments: [
    ("shift-lead.en.csv", "shift-lead", "en"), ("/a/b.c/kit.pt-BR.md", "kit", "pt-BR"), ("list.csv", "list", nil),
    ("kit.zh-Hant.markdown", "kit", "zh-Hant"), ("my.own.kit.csv", "my.own.kit", nil), ("plan.v2.csv", "plan.v2", nil),
    ("en.csv", "en", nil), (".en.csv", "Imported kit", "en"), ("list", "list", nil), ("-", "Imported kit", nil),
    ("a.en", "a", nil), ("x.e1.csv", "x.e1", nil),
  ])
  func `a file's name is a title and a language`(path: String, title: String, language: String?) {
    let name = KitFileName(path)
    #expect(name.title == title && name.language == language, "\(name)")
  }
}
