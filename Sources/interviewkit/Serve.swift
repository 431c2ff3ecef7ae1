// `serve`: the HTTP service until a signal ends it.

import API
import Glibc
import HTTP
import HTTPServer
import InterviewKits
import JSON
import Sockets
import Store

enum Serve {
  static func run(_ arguments: Arguments) async throws -> Int32 {
    guard arguments.operands.isEmpty else { throw UsageError("serve takes no operands: '\(arguments.operands[0])'") }
    let settings = try Settings.load(flags: arguments.flags)
    guard Descriptor.softLimit >= ServerLimits.descriptors else { throw tooFewDescriptors() }
    let log = Log(level: settings.logLevel)
    let manager = ServiceManager.take()
    let inherited = try inheritedListeners()
    let addresses = inherited.isEmpty ? try addresses(of: settings) : []
    let signals = Termination.shared.signals()
    let service = try Service.open(settings, log: log)
    do {
      return try await serve(
        service, settings, log, flags: arguments.flags, on: (addresses, inherited), manager, signals)
    } catch {
      // It never ran.
      for path in [settings.socketPath, settings.keyPath] { _ = unsafe unlink(path) }
      await service.undo()
      throw error
    }
  }

  /// - Throws: before the first request is taken only.
  private static func serve(
    _ service: Service, _ settings: Settings, _ log: Log, flags: [String: String],
    on listeners: (addresses: [SocketAddress], inherited: [Listener]), _ manager: ServiceManager,
    _ signals: AsyncStream<Int32>
  ) async throws -> Int32 {
    let (addresses, inherited) = listeners
    try await bootstrap(service, settings, log)
    // Without tokens everyone may do everything, so only this machine may connect.
    let isOpen = !service.store.access.hasTokens
    if isOpen, !(addresses.allSatisfy(\.isLocal) && inherited.allSatisfy(\.address.isLocal)) {
      throw SettingsError(
        "without tokens the service is open to everyone who can connect, so it binds loopback only"
          + (inherited.isEmpty ? ", not '\(settings.host)'" : "")
          + "; make the first with interviewkit token create --role admin --name NAME")
    }
    service.engine.report(to: log)
    do { try Files.writePrivate(Array(service.key.utf8), to: settings.keyPath) } catch {
      throw SettingsError("\(error)")
    }
    let server = try makeServer(of: service, settings, log)
    server.logRequests(log.writes(.info))
    service.addMetrics(of: server, log)
    log.output.start()
    // The folder is ours, so a socket that is there was left by a process that is gone.
    _ = unsafe unlink(settings.socketPath)
    let bound: [SocketAddress]
    do {
      bound = try server.start(listening: addresses + [.unix(path: settings.socketPath)], inherited: inherited)
    } catch { throw refusal(of: error) }
    guard let address = bound.first else { preconditionFailure("a started server has an address") }
    _ = InterviewKitCommand.say("interviewkit listening on http://\(address)")
    manager.ready(status: "listening on http://\(address)")
    logStart(of: server, at: address, log)
    async let warmedUp: Void = service.engine.warmUp()
    // Cancelled at the end.
    async let _: Void = service.keepTime(log, heartbeatSeconds: settings.heartbeatSeconds)
    async let layouts: Void = service.api.layoutsAhead.run()
    var grace = settings.shutdownGraceSeconds
    for await signal in signals {
      guard signal != SIGHUP else {
        manager.reloading()
        if let changed = reload(settings, flags: flags, log) {
          log.change(to: changed.logLevel)
          server.logRequests(log.writes(.info))
          grace = changed.shutdownGraceSeconds
        }
        manager.ready(status: "listening on http://\(address)")
        continue
      }
      log(.info, "server.stopping") { $0.member("signal", Int(signal)) }
      break
    }
    manager.stopping()
    await server.shutdown(grace: .seconds(grace))
    service.api.layoutsAhead.stop()
    await layouts
    try? await service.store.writeTokenUses()
    await service.store.close()
    _ = unsafe unlink(settings.socketPath)
    _ = unsafe unlink(settings.keyPath)
    await warmedUp
    log(.info, "server.stopped")
    log.output.finish(milliseconds: lastLinesMilliseconds)
    return 0
  }

  /// How long the process's last lines may take.
  private static let lastLinesMilliseconds = 250

  private static func makeServer(
    of service: Service, _ settings: Settings, _ log: Log
  ) throws(SocketError) -> HTTPServer {
    let access = service.store.access
    return try HTTPServer(
      handler: service.api, limits: settings.limits, hosts: { access.hasTokens ? .any : .loopback },
      trustedProxies: TrustedProxies(settings.trustedProxies, field: settings.forwardedField),
      method: settings.transfer, accessLog: { log.access($0) },
      whenBroken: { error in
        log(.error, "server.failed") { $0.member("error", "\(error)") }
        log.output.finish(milliseconds: lastLinesMilliseconds)
        // What was written is durable; a supervisor starts the service again.
        _exit(70)
      })
  }

  private static func logStart(of server: HTTPServer, at address: SocketAddress, _ log: Log) {
    log(.info, "server.started") { line in
      line.member("address", "\(address)")
      guard let transfer = server.transfer else { return }
      line.member("transfer", transfer.method.rawValue)
      if let reason = transfer.reason { line.member("transferReason", reason) }
    }
  }

  private static func refusal(of error: SocketError) -> SettingsError {
    if error.call.hasPrefix("io_uring") {
      return SettingsError("the kernel refuses io_uring (\(error)); --transfer epoll, or auto, does without")
    }
    if error.isOutOfDescriptors { return tooFewDescriptors() }
    return SettingsError("can't listen: \(error); choose another --port (0 picks a free one)")
  }

  private static func tooFewDescriptors() -> SettingsError {
    SettingsError(
      "the limit of open files is \(Descriptor.softLimit), which is too low: serve needs at least"
        + " \(ServerLimits.descriptors); raise it with ulimit -n, or LimitNOFILE= of systemd")
  }

  /// The sockets that a supervisor opened for us.
  private static func inheritedListeners() throws(SettingsError) -> [Listener] {
    do { return try InheritedSockets.take() } catch { throw SettingsError("LISTEN_FDS: \(error)") }
  }

  /// Takes the first admin's token from the file that the settings name, unless there is any token.
  private static func bootstrap(_ service: Service, _ settings: Settings, _ log: Log) async throws(SettingsError) {
    if settings.bootstrapTokenFile.isEmpty || service.store.access.hasTokens { return }
    let source = "the bootstrap token file \(settings.bootstrapTokenFile)"
    var bytes: [UInt8]
    do { bytes = try Files.read(settings.bootstrapTokenFile) } catch { throw SettingsError("\(source): \(error)") }
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    guard (32...256).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw SettingsError("\(source) holds no token: 32 to 256 visible ASCII characters")
    }
    do {
      if try await service.api.bootstrap(String(decoding: bytes, as: UTF8.self)) {
        log(.info, "token.bootstrapped")
      }
    } catch { throw SettingsError("\(source): \(error)") }
  }

  /// Reads the settings again; says what changed and what needs a restart. Nil when they cannot be read.
  private static func reload(_ old: Settings, flags: [String: String], _ log: Log) -> Settings? {
    do {
      let new = try Settings.load(flags: flags)
      let changed = Settings.names.filter { new.given[$0] != old.given[$0] }
      let waiting = changed.filter { !Settings.changeable.contains($0) }
      log.always(.info, "settings.read") { line in
        line.member("needRestart") { list in list.array { list in for name in waiting { list.string(name) } } }
      }
      return new
    } catch {
      log(.error, "settings.refused") { $0.member("error", error.message) }
      return nil
    }
  }

  /// The addresses to bind.
  private static func addresses(of settings: Settings) throws(SettingsError) -> [SocketAddress] {
    let port = UInt16(settings.port)
    let resolved: [SocketAddress]
    do { resolved = try SocketAddress.resolve(host: settings.host, port: port) } catch {
      throw SettingsError("the host '\(settings.host)' has no address")
    }
    guard let first = resolved.first else { throw SettingsError("the host '\(settings.host)' has no address") }
    // A name with an address of another machine's network too is not this machine alone.
    return [resolved.first { !$0.isLocal } ?? first]
  }
}
