# Profiles that are sent: kept over a restart, with the layouts of every version byte for byte as they were.

from service import Server, require

STAR = {"If-Match": "*"}
VIEW = "width=375&scale=3&parts=true"


def layouts(server, names):
    """The layout of the kit in each profile, as bytes."""
    return {name: require(server.request("GET", f"/v1/kits/k/layout?{VIEW}&profile={name}"), 200).body for name in names}


def prepare(server):
    questions = [
        {"id": "q1", "type": "longText", "text": "What did you build, and what would you build in another way?"},
        {"id": "q2", "type": "rating", "text": "Hire?", "scale": "fourPoint"},
    ]
    kit = {"id": "k", "title": "K", "language": "pt-BR", "sections": [{"id": "s", "title": "S", "questions": questions}]}
    require(server.request("POST", "/v1/kits", kit), 201)
    own = {"extends": "ios@1", "slots": {"counter": {"height": 18, "gapAbove": 4}}}
    own["rows"] = {"longText": {"parts": ["text", "help", "answer", "counter", "comment"]}}
    own["strings"] = {"pt": {"yes": "Sim", "point.fourPoint.strongYes": "Com certeza absoluta, sem dúvida nenhuma"}}
    require(server.request("PUT", "/v1/profiles/own", own), 201)
    require(server.request("PUT", "/v1/profiles/own", {**own, "scale": 2}, STAR), 200)
    require(server.request("PUT", "/v1/profiles/ios", {**own, "extends": "ios@1"}, STAR), 200)


def run(tally):
    names = ["ios@1", "ios@2", "ios", "own@1", "own@2", "own", "web@1"]
    with Server() as server:
        prepare(server)
        before = layouts(server, names)
        listed = server.request("GET", "/v1/profiles").body
        server.kill()
        with Server(data=server.data) as again:
            tally.equal("every version gives the same bytes after a restart", layouts(again, names), before)
            tally.equal("and is listed as before", again.request("GET", "/v1/profiles").body, listed)
            tag = again.request("GET", "/v1/profiles/own").tag
            reply = again.request("PUT", "/v1/profiles/own", {"extends": "own@2", "scale": 3}, {"If-Match": tag})
            tally.equal("a stored version can be extended", (reply.status, reply.json["id"]), (200, "own@3"))
            tally.equal("the older ones stay", layouts(again, names[:5]), {name: before[name] for name in names[:5]})
            again.kill()
    tally.check("the newest answers to the plain name", before["ios"] == before["ios@2"] != before["ios@1"])
