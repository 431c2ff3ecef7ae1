// What `/metrics` tells: the figures that each layer hands up, under Prometheus' names.

import API
import Glibc
import HTTPServer
import InterviewKits
import RowLayout
import Sockets
import Store
import TextLayout

enum Metrics {
  /// What the server counts, and how it moves bytes.
  static func families(of server: HTTPServer, _ log: Log) -> [MetricFamily] {
    let method = server.transfer?.method.rawValue ?? ""
    var metrics = server.metrics
    metrics.droppedAccessRecords += log.output.lost
    return families(of: metrics) + [
      MetricFamily(
        "interviewkit_transfer_info", .gauge, "How bytes get from and to sockets.", [.init(1, [("method", method)])])
    ]
  }

  /// Connections, requests and latencies of the server.
  static func families(of server: ServerMetrics) -> [MetricFamily] {
    func one(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Int) -> MetricFamily {
      MetricFamily("interviewkit_" + name, kind, help, [.init(Double(value))])
    }
    let requests = server.requests.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }
      .map { key, count in
        MetricFamily.Sample(Double(count), labels(of: key.route) + [("status", String(key.status))])
      }
    return [
      MetricFamily("interviewkit_requests_total", .counter, "Answered requests by route and status.", requests),
      latencies(of: server),
      one("requests_in_flight", .gauge, "Requests whose handler is at work.", server.requestsInFlight),
      one("connections_open", .gauge, "Open connections.", server.connectionsOpen),
      one("connections_accepted_total", .counter, "Accepted connections.", server.connectionsAccepted),
      one("connections_refused_total", .counter, "Connections refused for a limit.", server.connectionsRefused),
      one("timeouts_total", .counter, "Connections ended by a deadline.", server.timeouts),
      one("unsent_bytes", .gauge, "Answers in memory that peers have not taken.", server.heldOutputBytes),
      one(
        "connections_shed_total", .counter, "Connections ended because too many answers waited in memory.",
        server.connectionsShed),
      one("received_bytes_total", .counter, "Bytes received.", server.bytesReceived),
      one("sent_bytes_total", .counter, "Bytes sent.", server.bytesSent),
      one("log_queue_depth", .gauge, "Log records that wait for the log's thread.", server.pendingAccessRecords),
      one(
        "log_dropped_total", .counter, "Log records dropped, or that could not be written.", server.droppedAccessRecords
      ),
    ]
  }

  private static func labels(of route: Int) -> [(name: String, value: String)] {
    guard route > 0, route <= InterviewKitAPI.routeNames.count else { return [("method", ""), ("route", "")] }
    let name = InterviewKitAPI.routeNames[route - 1]
    return [("method", name.method), ("route", name.path)]
  }

  private static func latencies(of server: ServerMetrics) -> MetricFamily {
    var samples: [MetricFamily.Sample] = []
    for (route, histogram) in server.latencies.sorted(by: { $0.key < $1.key }) {
      var sum = 0
      for (bucket, count) in histogram.counts.enumerated() {
        sum += count
        let bounds = LatencyHistogram.boundsMicroseconds
        let bound = bucket < bounds.count ? String(Double(bounds[bucket]) / 1_000_000) : "+Inf"
        samples.append(.init(Double(sum), labels(of: route) + [("le", bound)], suffix: "_bucket"))
      }
      samples.append(.init(Double(histogram.sumMicroseconds) / 1_000_000, labels(of: route), suffix: "_sum"))
      samples.append(.init(Double(sum), labels(of: route), suffix: "_count"))
    }
    return MetricFamily(
      "interviewkit_request_seconds", .histogram, "From the end of the head to the finished answer.", samples)
  }

  /// The writer, the readers, and what is in memory.
  static func families(of store: Store) -> [MetricFamily] {
    func one(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Double) -> MetricFamily {
      MetricFamily("interviewkit_" + name, kind, help, [.init(value)])
    }
    let (writes, reads, caches) = (store.writeFigures, store.readConnections, store.cacheFigures)
    let state: Double =
      switch store.databaseState {
      case .sound: 0
      case .full: 1
      case .failing: 2
      case .damaged: 3
      }
    return [
      one("write_queue_depth", .gauge, "Writes that wait for the writer.", Double(store.waitingWrites)),
      histogram("write_group_size", "Writes committed in one transaction.", writes.groupSizes, unit: 1),
      histogram(
        "commit_seconds", "From a group's commit to its return: written to disk and synchronised.",
        writes.commitMicroseconds, unit: 1_000_000),
      one("write_groups_failed_total", .counter, "Groups of which nothing was stored.", Double(writes.failedGroups)),
      one("read_connections", .gauge, "Database connections for reading that are open.", Double(reads.open)),
      one("read_waits_total", .counter, "Reads that waited for a database connection.", Double(reads.waits)),
      one(
        "read_refusals_total", .counter, "Reads refused because no database connection was free in time.",
        Double(reads.refusals)),
      MetricFamily(
        "interviewkit_cache_hits_total", .counter, "Look-ups that memory answered.",
        caches.map { .init(Double($0.hits), [("cache", $0.name)]) }),
      MetricFamily(
        "interviewkit_cache_misses_total", .counter, "Look-ups that memory did not answer.",
        caches.map { .init(Double($0.misses), [("cache", $0.name)]) }),
      one("database_state", .gauge, "0 sound, 1 full, 2 failing, 3 damaged.", state),
      one("database_log_bytes", .gauge, "The database's write-ahead log.", Double(store.logBytes)),
    ]
  }

  /// What the caches of texts and rows hold, and their bounds.
  static func families(of engine: Engine) -> [MetricFamily] {
    let (caches, counts) = (engine.caches, engine.layouts.counts)
    let texts = engine.layouts.measurer.cacheStatistics
    return [
      MetricFamily(
        "interviewkit_text_cache_paragraphs", .gauge, "Shaped paragraphs that are kept.",
        [.init(Double(texts.paragraphs))]),
      MetricFamily(
        "interviewkit_text_cache_lookups_total", .counter,
        "Paragraphs that were asked for, by whether they were there.",
        [.init(Double(texts.hits), [("found", "true")]), .init(Double(texts.misses), [("found", "false")])]),
      MetricFamily(
        "interviewkit_layout_cache_bytes", .gauge, "Bytes that a cache of texts or rows holds, about.",
        caches.map { .init(Double($0.bytes), [("cache", $0.name)]) }),
      MetricFamily(
        "interviewkit_layout_cache_limit_bytes", .gauge, "The most that it may hold: shares of cacheMegabytes.",
        caches.map { .init(Double($0.limitBytes), [("cache", $0.name)]) }),
      MetricFamily(
        "interviewkit_layouts_total", .counter, "Layouts computed, and documents encoded from one or copied.",
        [
          .init(Double(counts.computed), [("work", "computed")]), .init(Double(counts.encoded), [("work", "encoded")]),
          .init(Double(counts.copied), [("work", "copied")]),
        ]),
    ]
  }

  /// The layouts that are computed ahead of their reads.
  static func families(of layouts: LayoutsAhead) -> [MetricFamily] {
    let figures = layouts.figures
    return [
      MetricFamily(
        "interviewkit_layout_queue_depth", .gauge, "Kits and evaluations that wait to be laid out ahead.",
        [.init(Double(figures.waiting))]),
      MetricFamily(
        "interviewkit_layouts_prepared_total", .counter, "Layouts computed ahead of their reads.",
        [.init(Double(figures.prepared))]),
      MetricFamily(
        "interviewkit_layout_queue_dropped_total", .counter, "Kits and evaluations that fell out of the queue.",
        [.init(Double(figures.dropped))]),
    ]
  }

  private static func histogram(_ name: String, _ help: String, _ histogram: Histogram, unit: Double) -> MetricFamily {
    var samples: [MetricFamily.Sample] = []
    var sum = 0
    for (bucket, count) in histogram.counts.enumerated() {
      sum += count
      let isLast = bucket == histogram.bounds.count
      let bound = isLast ? "+Inf" : String(Double(histogram.bounds[bucket]) / unit)
      samples.append(.init(Double(sum), [("le", bound)], suffix: "_bucket"))
    }
    samples.append(.init(Double(histogram.sum) / unit, suffix: "_sum"))
    samples.append(.init(Double(sum), suffix: "_count"))
    return MetricFamily("interviewkit_" + name, .histogram, help, samples)
  }

  private static let started = Clock.now()

  static func noteStart() { _ = started }

  /// Nil where `/proc` is hidden.
  private static func openDescriptors() -> Int? {
    guard let folder = unsafe opendir("/proc/self/fd") else { return nil }
    defer { unsafe closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    // Itself, the folder above it, and the descriptor that reads it.
    return count - 3
  }

  /// Memory, processor time, descriptors and start of the process, under the names that every exporter gives them.
  static func process() -> [MetricFamily] {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    let microseconds = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    var families = [
      MetricFamily(
        "process_cpu_seconds_total", .counter, "Processor time, user and system.",
        [.init(seconds + microseconds / 1_000_000)])
    ]
    func gauge(_ name: String, _ help: String, _ value: Double) {
      families.append(MetricFamily("process_" + name, .gauge, help, [.init(value)]))
    }
    gauge("start_time_seconds", "When the service started, since 1970.", Double(started.milliseconds) / 1_000)
    if let open = openDescriptors() { gauge("open_fds", "Open descriptors.", Double(open)) }
    gauge("max_fds", "The most descriptors that may be open.", Double(Descriptor.softLimit))
    families.append(
      MetricFamily(
        "interviewkit_build_info", .gauge, "1; the program's version is a label.",
        [.init(1, [("version", InterviewKitCommand.version)])]))
    if let text = try? Files.read("/proc/self/statm") {
      let pages = String(decoding: text, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
      let bytes = Double((pages ?? 0) * sysconf(Int32(_SC_PAGESIZE)))
      families.append(MetricFamily("process_resident_memory_bytes", .gauge, "Resident memory.", [.init(bytes)]))
    }
    return families
  }
}

extension Service {
  /// Every layer's figures for `/metrics`.
  func addMetrics(of server: HTTPServer, _ log: Log) {
    Metrics.noteStart()
    api.addMetrics { Metrics.families(of: server, log) + Metrics.families(of: store) }
    api.addMetrics { Metrics.families(of: engine) + Metrics.families(of: api.layoutsAhead) }
    api.addMetrics { Metrics.process() }
  }
}
