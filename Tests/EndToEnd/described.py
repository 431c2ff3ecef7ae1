# Holds requests and replies to the service's own description, /openapi.json: JSON Schema as far as it is used there.

import json
import re
from urllib.parse import parse_qsl, unquote, urlsplit

TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")
TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
KEYWORDS = {
    "$ref", "additionalProperties", "anyOf", "const", "default", "description", "enum", "examples", "exclusiveMinimum",
    "format", "items", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "oneOf", "pattern",
    "properties", "required", "type",
}  # fmt: skip


def same(left, right):
    """Equality of JSON: true is not 1."""
    return isinstance(left, bool) == isinstance(right, bool) and left == right


class Described:
    """The description of a running service."""

    def __init__(self, document):
        self.document = document
        self.operations = {
            (method.upper(), template): operation
            for template, path in document["paths"].items()
            for method, operation in path.items()
        }

    def resolve(self, node):
        while "$ref" in node:
            found = self.document
            for step in node["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            node = {**found, **{name: value for name, value in node.items() if name != "$ref"}}
        return node

    def operation(self, method, path):
        """The template and the operation of a path; literal segments go before parameters."""
        segments = path.split("/")
        for template in sorted({template for _, template in self.operations}, key=lambda text: text.count("{")):
            steps = template.split("/")
            if len(steps) == len(segments) and all(a[:1] == "{" or a == b for a, b in zip(steps, segments)):
                names = {a[1:-1]: unquote(b) for a, b in zip(steps, segments) if a[:1] == "{"}
                return template, names, self.operations.get((method, template))
        return None, {}, None

    # Schemas

    def faults(self, schema, value, where=""):
        """All that is wrong with a value; an empty list when it is as described."""
        if "$ref" in schema:
            rest = {name: part for name, part in schema.items() if name != "$ref"}
            return self.faults(self.resolve({"$ref": schema["$ref"]}), value, where) + self.faults(rest, value, where)
        faults = [f"{where}: the keyword {name} is unknown here" for name in schema.keys() - KEYWORDS]
        kinds = schema.get("type", list(TYPES))
        if not any(TYPES[kind](value) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
            return [f"{where}: {json.dumps(value)[:60]} is not of type {kinds}"]
        if "enum" in schema and not any(same(value, word) for word in schema["enum"]):
            faults.append(f"{where}: {value!r} is none of {schema['enum']}")
        if "const" in schema and not same(value, schema["const"]):
            faults.append(f"{where}: {value!r} is not {schema['const']!r}")
        for name, wanted in (("anyOf", lambda count: count > 0), ("oneOf", lambda count: count == 1)):
            if name in schema:
                choices = [self.faults(choice, value, where) for choice in schema[name]]
                if not wanted(sum(not choice for choice in choices)):
                    faults.append(f"{where}: {name} of {min(choices, key=len) or 'several'}")
        if isinstance(value, str):
            faults += self.string_faults(schema, value, where)
        elif isinstance(value, list):
            faults += self.list_faults(schema, value, where)
        elif isinstance(value, dict):
            faults += self.object_faults(schema, value, where)
        elif TYPES["number"](value):
            low, above, high = (schema.get(name) for name in ("minimum", "exclusiveMinimum", "maximum"))
            if (low is not None and value < low) or (above is not None and value <= above):
                faults.append(f"{where}: {value} is too small")
            if high is not None and value > high:
                faults.append(f"{where}: {value} is too large")
        return faults

    def string_faults(self, schema, value, where):
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            return [f"{where}: a string of {len(value)} characters"]
        if "pattern" in schema and not re.search(schema["pattern"].replace("$", r"\Z"), value):
            return [f"{where}: {value!r} does not match {schema['pattern']}"]
        if schema.get("format") == "date-time" and not TIME.match(value):
            return [f"{where}: {value!r} is no time"]
        return []

    def list_faults(self, schema, value, where):
        faults = []
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            faults.append(f"{where}: a list of {len(value)}")
        for place, item in enumerate(value):
            faults += self.faults(schema.get("items", {}), item, f"{where}/{place}")
        return faults

    def object_faults(self, schema, value, where):
        faults = [f"{where}: {name} is missing" for name in schema.get("required", []) if name not in value]
        declared, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        for name, item in value.items():
            if name in declared:
                faults += self.faults(declared[name], item, f"{where}/{name}")
            elif others is False:
                faults.append(f"{where}: {name} is not declared")
            else:
                faults += self.faults(others, item, f"{where}/{name}")
        return faults

    # Requests

    def request_faults(self, method, target, body, headers):
        """What the description has against a request."""
        url = urlsplit(target)
        _, names, operation = self.operation(method, url.path)
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        given = {"path": names, "query": query, "header": {name.lower(): value for name, value in headers.items()}}
        faults = []
        for parameter in operation["parameters"]:
            name, place = parameter["name"], parameter["in"]
            value = given[place].get(name.lower() if place == "header" else name)
            if value is not None:
                faults += self.faults(
                    parameter["schema"], self.parameter(parameter["schema"], value), f"{place} {name}"
                )
            elif parameter["required"]:
                faults.append(f"{place} {name} is missing")
        declared = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "query"}
        faults += [f"query {name} is not declared" for name in query.keys() - declared]
        conditions = {"if-match", "if-none-match"} & given["header"].keys()
        known = {parameter["name"].lower() for parameter in operation["parameters"]}
        faults += [f"header {name} is not declared" for name in conditions - known]
        return faults + self.body_faults(operation, body, given["header"])

    def parameter(self, schema, text):
        """The value that a parameter's text stands for."""
        schema = self.resolve(schema)
        if schema.get("type") == "array":
            return [self.parameter(schema["items"], part) for part in text.split(",")]
        if schema.get("type") in ("integer", "number", "boolean"):
            try:
                return json.loads(text)
            except ValueError:
                return text
        return text

    def body_faults(self, operation, body, headers):
        wanted = operation.get("requestBody")
        if body is None:
            return ["the body is missing"] if wanted and wanted["required"] else []
        if not wanted:
            return ["there is a body"]
        kind = headers.get("content-type", "application/json").split(";")[0]
        if kind not in wanted["content"]:
            return [f"{kind} is not declared"]
        if isinstance(body, bytes):
            return []
        return self.faults(wanted["content"][kind]["schema"], body, "body")

    # Replies

    def reply_faults(self, method, target, reply):
        """What is in a reply and not in the description."""
        _, _, operation = self.operation(method, urlsplit(target).path)
        described = operation["responses"].get(str(reply.status))
        if described is None:
            return [f"the status {reply.status} is not declared"]
        described = self.resolve(described)
        faults = []
        headers = described.get("headers", {})
        for name in ("ETag", "Location"):
            if reply.status < 400 and (name in headers) != (name.lower() in reply.headers):
                faults.append(f"{name} is {'declared and absent' if name in headers else 'not declared'}")
        content = {kind.split(";")[0]: part for kind, part in described.get("content", {}).items()}
        if not content:
            return faults + (["there is a body"] if reply.body else [])
        kind = reply.headers.get("content-type", "").split(";")[0]
        if kind not in content:
            return faults + [f"{kind} is not declared"]
        value = reply.json if kind.endswith("json") else reply.body.decode()
        return faults + self.faults(content[kind]["schema"], value)
