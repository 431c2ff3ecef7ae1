// Measures one part in process and prints what it found as one JSON object: `Bench layouts`, `Bench texts`.

import Glibc
import JSON

let parts: [String: () async throws -> [(name: String, value: Double)]] = [
  "databases": {
    guard let url = unsafe getenv("INTERVIEWKIT_BENCH_POSTGRES") else {
      print("INTERVIEWKIT_BENCH_POSTGRES names a PostgreSQL with the schemas b1 to b36: scripts/bench starts one")
      exit(64)
    }
    return try await WriteBench.compare(unsafe String(cString: url))
  },
  "answers": { try await AnswerBench.run() },
  "layouts": { try LayoutBench.run() },
  "puts": { try await PutBench.run() },
  "texts": { try TextBench.run() },
  "writes": { try await WriteBench.run() },
]

guard CommandLine.arguments.count == 2, let part = parts[CommandLine.arguments[1]] else {
  print("usage: Bench PART, which is one of \(parts.keys.sorted().joined(separator: ", "))")
  exit(64)
}

let found: [(name: String, value: Double)]
do {
  found = try await part()
} catch {
  print("Bench \(CommandLine.arguments[1]) failed: \(error)")
  exit(1)
}
var writer = JSONWriter()
writer.object { object in
  for (name, value) in found {
    object.name(name)
    object.double(value)
  }
}
print(String(decoding: writer.bytes, as: UTF8.self))
