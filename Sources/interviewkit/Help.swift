// What `--help` prints for the program and for each command.

enum Help {
  static let program = """
    InterviewKit: interview kits, evaluations and answers by stable IDs, and every row's height beforehand.

    Usage: interviewkit COMMAND [OPTIONS] [OPERANDS]

      serve     run the HTTP service
      import    create or replace a kit from a JSON, Markdown or CSV file; --all: take over a whole export
      export    print a kit as JSON, Markdown or CSV; --all: everything that there is
      backup    copy the database while it is used
      restore   put a backup in the database's place
      verify    check the database, and every rule that its rows must keep
      measure   print the height of a text
      fonts     list the fonts of the configuration, loaded and missing
      token     make, list and revoke the tokens that requests need

    `interviewkit COMMAND --help`, or `interviewkit help COMMAND`, tells more; `interviewkit --version` is one line. Options
    override INTERVIEWKIT_… environment variables, which override Config/interviewkit.json; docs/configuration.md has all
    of them. An option's value may follow it or stand behind `=`; `--` ends the options.

    To begin with:
      interviewkit serve --data data
      interviewkit import Examples/kits/phone-screen.en.md --data data
      interviewkit measure --profile ios --width 343 "How high is this?"

    Exit codes: 0 done; 1 refused or failed, the reason is on standard error; 64 the command line is wrong;
    70 the service can't go on, the log has the cause;
    78 the configuration is wrong, or the data folder or its database can't be used.
    """

  private static let settings = """

    Settings, for every command:
      --config FILE       the configuration, which must be there unless --fonts and --profiles are given
                          (INTERVIEWKIT_CONFIG; default Config/interviewkit.json in the working folder, else in the
                          program's or one above it)
      --data DIR          the folder of the database (INTERVIEWKIT_DATA; default data in the working folder, but the shipped
                          Config/interviewkit.json says ../data: beside Config)
      --database URL      sqlite:PATH, postgres://USER@HOST/NAME or libpq's keywords and values: see docs/postgresql.md
                          (INTERVIEWKIT_DATABASE; default sqlite:DIR/interviewkit.sqlite)
      --fonts FILE        the fonts (INTERVIEWKIT_FONTS; default fonts.json beside the configuration)
      --profiles DIR      the layout profiles (INTERVIEWKIT_PROFILES; default profiles/ beside the configuration)
      --cache-megabytes N the bound of all caches of texts and rows together (INTERVIEWKIT_CACHE_MEGABYTES; default 32)
      --log-level LEVEL   debug, info, warning or error (INTERVIEWKIT_LOG_LEVEL; default info)
    Those of `serve` are taken by every command, too, since they may come from one file or environment.
    """

  static let serve = """
    Usage: interviewkit serve [OPTIONS]

    Serves until SIGTERM or SIGINT, then finishes the requests in flight and exits with 0. When ready it prints one line:
    interviewkit listening on http://HOST:PORT

      --host HOST         the address to bind; loopback only while no token exists (INTERVIEWKIT_HOST; default 127.0.0.1)
      --port PORT         0 picks a free one (INTERVIEWKIT_PORT; default 8080)
      --heartbeat-seconds N  how often an event stream says that it lives (INTERVIEWKIT_HEARTBEAT_SECONDS; default 15)
      --group-writes N    writes committed in one transaction, at most (INTERVIEWKIT_GROUP_WRITES; default 1024)
      --shutdown-grace-seconds N  how long requests in flight may take after SIGTERM
                          (INTERVIEWKIT_SHUTDOWN_GRACE_SECONDS; default 10)
      --bootstrap-token-file FILE  holds the first admin's token; read while no token exists
                          (INTERVIEWKIT_BOOTSTRAP_TOKEN_FILE)
      --trusted-proxies LIST  addresses or ranges, comma-separated, or unix: believed about their clients' addresses
                          (INTERVIEWKIT_TRUSTED_PROXIES)
      --forwarded-field NAME  where they tell: X-Forwarded-For (default) or Forwarded (INTERVIEWKIT_FORWARDED_FIELD)
      --transfer METHOD   io_uring, epoll, or auto: io_uring where the kernel permits it (INTERVIEWKIT_TRANSFER)
      --rate-limit N/S    requests of a member in that many seconds, or off (INTERVIEWKIT_RATE_LIMIT; default 6000/60)
      --address-rate-limit N/S  the same from an address that is not this machine's
                          (INTERVIEWKIT_ADDRESS_RATE_LIMIT; default 12000/60)
      --allowed-origins LIST  pages that may use the API, such as https://app.example, comma-separated
                          (INTERVIEWKIT_ALLOWED_ORIGINS)
      --head-seconds N    how long a request's head may take (INTERVIEWKIT_HEAD_SECONDS; default 10)
      --body-seconds N    how long a body may take that is slower than 500 bytes a second
                          (INTERVIEWKIT_BODY_SECONDS; default 15)
      --idle-seconds N    how long a connection may wait between requests (INTERVIEWKIT_IDLE_SECONDS; default 20)
      --maximum-connections N  at once (INTERVIEWKIT_MAXIMUM_CONNECTIONS; default: the descriptor limit less 64)
      --maximum-connections-per-address N  at once from one address that is neither this machine's nor a trusted proxy's
                          (INTERVIEWKIT_MAXIMUM_CONNECTIONS_PER_ADDRESS; default 256)
    \(settings)

    SIGHUP reads the settings again: the log level and the grace time change at once, and the log names what needs a
    restart. Started by a supervisor with LISTEN_FDS, it serves the sockets that it is given instead of HOST and PORT; with
    NOTIFY_SOCKET, it says there when it is ready, reads its settings and stops. A second SIGTERM ends it at once.

    For example:
      interviewkit serve --port 0 --data /tmp/try
      interviewkit serve --config /etc/interviewkit.json --trusted-proxies 10.0.0.0/8
    """

  static let importKit = """
    Usage: interviewkit import [OPTIONS] FILE
           interviewkit import --all [OPTIONS] FILE

    Creates a kit from FILE (- is standard input), or replaces the kit that --id names. The whole file is checked first;
    all that is wrong is listed by line, and then nothing is stored. Goes through the running server of the data folder if
    there is one. Prints the import's report as JSON. A list without IDs gets new ones each time it is imported. Where the
    text names no title and no language, the file's name does: shift-lead.en.csv.

      --id ID             the kit's ID (default: the file's, else a new one)
      --format FORMAT     json, markdown or csv (default: by the file's ending)
      --dry-run           check and report, store nothing
      --all               FILE holds everything, as follows

    With --all, FILE is what `export --all` wrote. It goes into a database that is empty: IDs, revisions, histories and
    the change feed are then what they were. No server may run. Interrupted, the same command goes on where it stopped,
    and until it is done no server starts; done, it changes nothing any more. Tokens do not come along: make an admin's with
    `token create`, as until then the service is open, on loopback only. Whom FILE.erasures, or interviewkit.sqlite.erasures
    beside FILE or in the data folder, names is erased anew.

    For example:
      interviewkit import --dry-run questions.csv
      interviewkit import --id backend --format markdown - <questions.txt
    \(settings)
    """

  static let exportKit = """
    Usage: interviewkit export [OPTIONS] KIT
           interviewkit export --all [--to FILE [--force]] [OPTIONS]

    Prints the kit with this ID, with all IDs, so that `import --id KIT` of it changes nothing.

      --format FORMAT     json (default), csv or markdown
      --revision N        an older revision
      --all               everything, as follows

    With --all, prints everything that the database holds as it stands, as JSON lines for `import --all`, beside a
    running server or not. It holds text about people, and no tokens.

      --to FILE           into FILE, which gets its name when it is whole
      --force             replace FILE when it is there

    For example:
      interviewkit export backend-engineer --format csv >backend.csv
      interviewkit export --all --to everything.jsonl
    \(settings)
    """

  static let backup = """
    Usage: interviewkit backup --to FILE [OPTIONS]

    Copies the database as it stands, beside a running server or not. The copy is made under another name, checked as
    `verify` does, synchronised, and gets its name only when it is whole. A database whose rows break a rule is copied
    to FILE.faulty, and the exit code is 1.

      --to FILE           the copy
      --force             replace FILE when it is there

    For example:
      interviewkit backup --data data --to "copy-$(date +%F).sqlite"
    \(settings)
    """

  static let restore = """
    Usage: interviewkit restore --from FILE [OPTIONS]

    Checks a copy of FILE as `verify` does, brings it to this program's schema, and puts it in the database's place. The
    database that was there is kept beside under the name that is printed. No server may run; readers of /v1/changes
    begin afresh. Whom a list of erasures names is erased anew: that of the data folder (interviewkit.sqlite.erasures),
    one of this name beside FILE, and FILE.erasures; in a new place, it is said when there is none.

      --from FILE         a file that `backup` has made
      --force             take a backup whose rows break a rule, too; never one that is damaged

    For example:
      interviewkit restore --data data --from copy-2026-11-30.sqlite
    \(settings)
    """

  static let verify = """
    Usage: interviewkit verify [OPTIONS]

    Checks the database's structure and every rule that its rows must keep, beside a running server or not, changes
    nothing, and leaves no file. Prints a line for each fault: where, and what. Exits with 0 when there is none, else with 1.

    For example:
      interviewkit verify --data data
      interviewkit verify --database sqlite:copy-2026-11-30.sqlite
    \(settings)
    """

  static let measure = """
    Usage: interviewkit measure --profile NAME --width WIDTH [OPTIONS] TEXT…

    Prints the height of each text as JSON. Needs no database and no server; with --data or --database it asks that one (the
    running server if there is one), which also knows the profiles that were sent there.

      --profile NAME      ios, ios-zero-padding, android, android-33, web, plain, one that was sent (with --data), or a
                          version such as ios@1
      --mode MODE         label, textView, zeroPaddingTextView, textField or editText (default label)
      --width WIDTH       the view's width in points, dp or CSS pixels
      --family NAME       the font family, as `interviewkit fonts` lists them (default: the profile's)
      --size SIZE         the font size (default: the profile's)
      --weight WEIGHT     100 to 900
      --scale SCALE       device pixels a point (default: the profile's)
      --locale TAG        a language tag

    For example:
      interviewkit measure --profile ios --width 343 --mode textView "One line" "Another"
      interviewkit measure --profile our-app --width 343 --data data "A profile of our own"
    \(settings)
    """

  static let token = """
    Usage: interviewkit token create --role ROLE --name NAME [OPTIONS]
           interviewkit token list [OPTIONS]
           interviewkit token revoke [OPTIONS] ID

    While no token exists the service is open, on loopback only; once one exists every request needs one. `create` prints
    the token alone on its last line, and nobody can read it again. `list` prints a JSON line for each token, with its
    member's role, `revoke` ends one at once. They go through the running server of the data folder if there is one.

      --role ROLE         admin, author, interviewer or observer; the first token of an account is an admin's
      --name NAME         of the token; without --member also of the member, who is made if need be
      --member ID         a member that is there, instead of --role
      --expires TIME      when the token ends, such as 2027-06-30T00:00:00Z (default: never)
      --account ID        another account, which `create` makes if need be (default: default)

    For example:
      interviewkit token create --role admin --name boss --data data
      interviewkit token revoke 019f-… --data data
    \(settings)
    """

  static let fonts = """
    Usage: interviewkit fonts [OPTIONS]

    Lists each font family of the configuration with its files as JSON. A face that is not present says why in `absence`:
    notThere, unreadable, noFont or noSuchFace. Exits with 1 when a family lacks one of its files and has no family that
    stands in for it.

    For example:
      interviewkit fonts | jq -r '.missing[]'
    \(settings)
    """
}
