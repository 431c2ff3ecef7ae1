# Makes good JSON documents bad in every place: unreadable, wrong types, unknown and doubled members.

import copy
import json

CONTENT_TYPES = [
    ("no content type", None),
    ("an empty content type", ""),
    ("plain text", "text/plain"),
    ("a form", "application/x-www-form-urlencoded"),
    ("XML", "application/xml"),
    ("JSON in Latin-1", "application/json; charset=iso-8859-1"),
    ("no media type at all", "json"),
]


def unreadable(valid):
    """Bodies that are no JSON document that we read: name, bytes, the statuses that are right."""
    inside = valid[:-1] or b"{"
    comma = b"," if len(valid) > 2 else b""
    return [
        ("an empty body", b"", {400}),
        ("spaces only", b"  \n", {400}),
        ("half a document", valid[: len(valid) // 2], {400}),
        ("a trailing comma", inside + b",}", {400}),
        ("two documents", valid + valid, {400}),
        ("a byte order mark", b"\xef\xbb\xbf" + valid, {400}),
        ("a comment", b"/* */" + valid, {400}),
        ("single quotes", valid.replace(b'"', b"'"), {400}),
        ("NaN", inside + comma + b'"bogus":NaN}', {400}),
        ("a leading plus", inside + comma + b'"bogus":+1}', {400}),
        ("a leading zero", inside + comma + b'"bogus":01}', {400}),
        ("invalid UTF-8", inside + comma + b'"bogus":"\xff\xfe"}', {400}),
        ("an overlong encoding", inside + comma + b'"bogus":"\xc0\xaf"}', {400}),
        ("an encoded surrogate", inside + comma + b'"bogus":"\xed\xa0\x80"}', {400}),
        ("a lone surrogate", inside + comma + b'"bogus":"\\ud800"}', {400}),
        ("surrogates in the wrong order", inside + comma + b'"bogus":"\\udc00\\ud800"}', {400}),
        ("a raw line break in a string", inside + comma + b'"bogus":"a\nb"}', {400}),
        ("an unknown escape", inside + comma + b'"bogus":"\\x41"}', {400}),
        ("UTF-16", valid.decode().encode("utf-16"), {400}),
        ("arrays 100 deep", b"[" * 100 + b"]" * 100, {400}),
        ("arrays 100,000 deep", b"[" * 100_000, {400}),
        ("objects 100,000 deep", b'{"a":' * 100_000, {400}),
        ("a deep unknown member", inside + comma + b'"bogus":' + b"[" * 70 + b"]" * 70 + b"}", {400}),
        ("an array", b"[]", {422}),
        ("a string", b'"text"', {422}),
        ("a number", b"1", {422}),
        ("null", b"null", {422}),
        ("true", b"true", {422}),
    ]


# Members whose value may be of many types, or whose wrong type is answered per operation: bad_values.py looks after them.
FREE = {"value", "equals"}
# Lists and objects by name: what is inside `values` are item IDs.
KEYED = {"values"}


def wrong_types(value):
    """Values of other types than this one's."""
    if isinstance(value, bool):
        return ["true", 1, [], {}]
    if isinstance(value, (int, float)):
        return ["12", True, [], {}]
    if isinstance(value, str):
        return [5, True, [], {}]
    if isinstance(value, list):
        return ["text", 5, True, {}]
    if isinstance(value, dict):
        return ["text", 5, True, []]
    return [5, True, [], {}]


def places(value, pointer=""):
    """Every object and every member in a document: pointer, the path of keys."""

    def walk(node, pointer, path):
        if isinstance(node, dict):
            for name, child in node.items():
                yield f"{pointer}/{name}", [*path, name], child
                yield from walk(child, f"{pointer}/{name}", [*path, name])
        elif isinstance(node, list):
            for index, child in enumerate(node):
                yield f"{pointer}/{index}", [*path, index], child
                yield from walk(child, f"{pointer}/{index}", [*path, index])

    return list(walk(value, pointer, []))


def replaced(document, path, value):
    result = copy.deepcopy(document)
    node = result
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return result


def spoilt(document):
    """One wrong type or one unknown member at a time: name, pointer, document, statuses."""
    for pointer, path, value in places(document):
        if path[-1] in FREE or len(path) > 1 and path[-2] in FREE:
            continue
        for wrong in wrong_types(value):
            yield f"{pointer} is {json.dumps(wrong)}", pointer, replaced(document, path, wrong), {422}
        if isinstance(value, str):
            yield f"{pointer} holds NUL", pointer, replaced(document, path, "a\u0000b"), {422}
    for pointer, path, value in [("", [], document), *places(document)]:
        if isinstance(value, dict) and not (path and path[-1] in KEYED):
            worse = {**value, "bogus": 1}
            changed = replaced(document, path, worse) if path else worse
            yield f"an unknown member in {pointer or 'the document'}", f"{pointer}/bogus", changed, {422}
            cased = {name.upper() if name.islower() else name: member for name, member in value.items()}
            if cased != value and path:
                yield f"members in capitals in {pointer}", pointer, replaced(document, path, cased), {422}


def doubled(document):
    """The first member of each object doubled, as bytes, since no dictionary can hold it."""
    marker = "doubled\u2603"
    for pointer, path, value in [("", [], document), *places(document)]:
        if isinstance(value, dict) and value:
            name = next(iter(value))
            worse = {**value, marker: value[name]}
            changed = replaced(document, path, worse) if path else worse
            text = json.dumps(changed, ensure_ascii=False)
            yield f"a doubled member in {pointer or 'the document'}", text.replace(marker, name).encode(), {400}
            escaped = "".join(f"\\u{ord(letter):04x}" for letter in name)
            yield f"a doubled member in {pointer or 'the document'}, escaped", text.replace(marker, escaped).encode(), {
                400
            }
