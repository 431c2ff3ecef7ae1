// Figures of the running service in the text format of Prometheus (exposition format 0.0.4).

import HTTP

/// Samples under one name.
public struct MetricFamily: Sendable {
  public enum Kind: String, Sendable {
    case counter, gauge, histogram
  }

  public struct Sample: Sendable {
    /// What the family's name is followed by, such as `_bucket`.
    public var suffix = ""
    public var labels: [(name: String, value: String)]
    public var value: Double

    public init(_ value: Double, _ labels: [(name: String, value: String)] = [], suffix: String = "") {
      (self.value, self.labels, self.suffix) = (value, labels, suffix)
    }
  }

  /// Such as `interviewkit_connections_open`.
  public var name: String
  public var help: String
  public var kind: Kind
  public var samples: [Sample]

  public init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    (self.name, self.kind, self.help, self.samples) = (name, kind, help, samples)
  }

  static let mediaType = MediaType("text", "plain", parameters: [Field("version", "0.0.4")])

  func write(to text: inout String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      text += name + sample.suffix
      if !sample.labels.isEmpty {
        text += "{" + sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
      }
      text += " " + Self.number(sample.value) + "\n"
    }
  }

  private static func escaped(_ value: String) -> String {
    value.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func number(_ value: Double) -> String {
    if value == .infinity { return "+Inf" }
    return value == value.rounded() && value.magnitude < 1e15 ? String(Int(value)) : String(value)
  }
}

extension Call {
  func readMetrics() async throws(Problem) -> Response {
    var text = ""
    for family in api.currentMetrics() where !family.samples.isEmpty { family.write(to: &text) }
    let type = Field("Content-Type", "\(MetricFamily.mediaType); charset=utf-8")
    return Response(status: 200, fields: [type, Field("Cache-Control", "no-store")], body: Array(text.utf8))
  }
}
