// What `--help` prints for the program and for each command.

enum Help {
  static let program = """
    InterviewKit: interview kits, evaluations and answers by stable IDs, and every row's height beforehand.

    Usage: interviewkit COMMAND [FLAGS] [OPERANDS]

      serve     run the HTTP service
      import    create or replace a kit from a JSON, Markdown or CSV file; --all: take over a whole export
      export    print a kit as JSON, Markdown or CSV; --all: everything that there is
      backup    copy the database while it is used
      restore   put a backup in the database's place
      verify    check the database, and every rule that its rows must keep
      measure   print the height of a text
      fonts     list the fonts of the configuration, loaded and missing
      token     make, list and revoke the tokens that requests need

    `interviewkit COMMAND --help` tells more. Flags override INTERVIEWKIT_… environment variables, which override
    Config/interviewkit.json.

    Exit codes: 0 done; 1 refused or failed, the reason is on standard error; 64 the command line is wrong;
    78 the configuration is wrong, or the data folder or its database can't be used.
    """

  private static let settings = """
      --config FILE       the configuration (INTERVIEWKIT_CONFIG; default Config/interviewkit.json in the working
                          folder or in a folder above the program)
      --data DIR          the folder of the database (INTERVIEWKIT_DATA)
      --database URL      sqlite:PATH, postgres://USER@HOST/NAME or libpq's keywords and values: see docs/postgresql.md
                          (INTERVIEWKIT_DATABASE; default sqlite:DIR/interviewkit.sqlite)
      --fonts FILE        the fonts (INTERVIEWKIT_FONTS)
      --profiles DIR      the layout profiles (INTERVIEWKIT_PROFILES)
      --cache-megabytes N the bound of all caches of texts and rows together (INTERVIEWKIT_CACHE_MEGABYTES)
      --log-level LEVEL   debug, info, warning or error (INTERVIEWKIT_LOG_LEVEL)
    """

  static let serve = """
    Usage: interviewkit serve [FLAGS]

    Serves until SIGTERM or SIGINT, then finishes the requests in flight and exits with 0. When ready it prints one line:
    interviewkit listening on http://HOST:PORT

      --host HOST         the address to bind; loopback only while no token exists (INTERVIEWKIT_HOST)
      --port PORT         0 picks a free one (INTERVIEWKIT_PORT)
      --heartbeat-seconds N  how often an event stream says that it lives (INTERVIEWKIT_HEARTBEAT_SECONDS; default 15)
      --group-writes N    writes committed in one transaction, at most (INTERVIEWKIT_GROUP_WRITES; default 1024)
      --shutdown-grace-seconds N  how long requests in flight may take after SIGTERM (INTERVIEWKIT_SHUTDOWN_GRACE_SECONDS)
      --bootstrap-token-file FILE  holds the first admin's token; read while no token exists
                          (INTERVIEWKIT_BOOTSTRAP_TOKEN_FILE)
      --trusted-proxies LIST  addresses or ranges, comma-separated, or unix: believed about their clients' addresses
                          (INTERVIEWKIT_TRUSTED_PROXIES)
      --forwarded-field NAME  where they tell: X-Forwarded-For or Forwarded (INTERVIEWKIT_FORWARDED_FIELD)
      --rate-limit N/S    requests of a member in that many seconds, or off (INTERVIEWKIT_RATE_LIMIT; default 6000/60)
      --address-rate-limit N/S  the same from an address that is not this machine's
                          (INTERVIEWKIT_ADDRESS_RATE_LIMIT; default 12000/60)
      --allowed-origins LIST  pages that may use the API, such as https://app.example, comma-separated
                          (INTERVIEWKIT_ALLOWED_ORIGINS)
      --head-seconds N, --body-seconds N, --idle-seconds N  how long a head, a body and a pause may take
      --maximum-connections N, --maximum-connections-per-address N
    \(settings)

    SIGHUP reads the settings again: the log level and the grace time change at once, and the log names what needs a
    restart. Started by a supervisor with LISTEN_FDS, it serves the sockets that it is given instead of HOST and PORT.
    """

  static let importKit = """
    Usage: interviewkit import [FLAGS] FILE
           interviewkit import --all [FLAGS] FILE

    Creates a kit from FILE (- is standard input), or replaces the kit that --id names. The whole file is checked first;
    all that is wrong is listed by line, and then nothing is stored. Goes through the running server of the data folder if
    there is one. Prints the import's report as JSON. A list without IDs gets new ones each time it is imported.

      --id ID             the kit's ID (default: the file's, else a new one)
      --format FORMAT     json, markdown or csv (default: by the file's ending)
      --dry-run           check and report, store nothing

    With --all, FILE is what `export --all` wrote. It goes into a database that is empty: IDs, revisions, histories and
    the change feed are then what they were. No server may run. Interrupted, the same command goes on where it stopped,
    and until it is done no server starts; done, it changes nothing any more. Tokens do not come along.
    \(settings)
    """

  static let exportKit = """
    Usage: interviewkit export --format json|csv|markdown [FLAGS] KIT
           interviewkit export --all [--to FILE [--force]] [FLAGS]

    Prints the kit with this ID, with all IDs, so that `import --id KIT` of it changes nothing.

      --format FORMAT     json (default), csv or markdown
      --revision N        an older revision

    With --all, prints everything that the database holds as it stands, as JSON lines for `import --all`, beside a
    running server or not. It holds text about people, and no tokens.

      --to FILE           into FILE, which gets its name when it is whole; --force replaces one that is there
    \(settings)
    """

  static let backup = """
    Usage: interviewkit backup --data DIR --to FILE [FLAGS]

    Copies the database as it stands, beside a running server or not. The copy is made under another name, checked as
    `verify` does, synchronised, and gets its name only when it is whole. A database whose rows break a rule is copied
    to FILE.faulty, and the exit code is 1.

      --to FILE           the copy
      --force             replace FILE when it is there
    \(settings)
    """

  static let restore = """
    Usage: interviewkit restore --data DIR --from FILE [FLAGS]

    Checks a copy of FILE as `verify` does, brings it to this program's schema, and puts it in the database's place. The
    database that was there is kept beside under the name that is printed. No server may run; readers of /v1/changes
    begin afresh.

      --from FILE         a file that `backup` has made
      --force             take a backup whose rows break a rule, too; never one that is damaged
    \(settings)
    """

  static let verify = """
    Usage: interviewkit verify --data DIR [FLAGS]

    Checks the database's structure and every rule that its rows must keep, beside a running server or not, and changes
    nothing. Prints a line for each fault: where, and what. Exits with 0 when there is none, else with 1.

    \(settings)
    """

  static let measure = """
    Usage: interviewkit measure --profile PROFILE --width WIDTH [FLAGS] TEXT…

    Prints the height of each text as JSON.

      --profile NAME      ios, ios-zero-padding, android, android-33, web, plain, or a version such as ios@1
      --mode MODE         label, textView, zeroPaddingTextView, textField or editText (default label)
      --width WIDTH       the view's width in points, dp or CSS pixels
      --family NAME       the font family (default: the profile's)
      --size SIZE         the font size (default: the profile's)
      --weight WEIGHT     100 to 900
      --scale SCALE       device pixels a point (default: the profile's)
      --locale TAG        a language tag
    \(settings)
    """

  static let token = """
    Usage: interviewkit token create --role ROLE --name NAME [FLAGS]
           interviewkit token list [FLAGS]
           interviewkit token revoke [FLAGS] ID

    While no token exists the service is open, on loopback only; once one exists every request needs one. `create` prints
    the token alone on its last line, and nobody can read it again. `list` prints a JSON line for each token, `revoke` ends
    one at once. They go through the running server of the data folder if there is one.

      --role ROLE         admin, author, interviewer or observer; the first token is an admin's
      --name NAME         of the token; without --member also of the member, who is made if need be
      --member ID         a member that is there, instead of --role
      --expires TIME      when the token ends, such as 2027-06-30T00:00:00Z (default: never)
      --account ID        another account, which `create` makes if need be (default: default)
    \(settings)
    """

  static let fonts = """
    Usage: interviewkit fonts [FLAGS]

    Lists each font family of the configuration with its files as JSON. Exits with 1 when a family lacks one of its files
    and has no family that stands in for it.

    \(settings)
    """
}
