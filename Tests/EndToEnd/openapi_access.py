# The part of the walk over /openapi.json that is about members, tokens and what is refused to whom.

from service import Server, require


def members(walk):
    """From here on the walk has an admin's token, and one of each other role beside it."""
    issued = walk.good("POST", "/v1/tokens", {"name": "boss", "role": "admin"})
    walk.token = issued.json["token"]
    walk.good("GET", "/v1/me")
    for role in ("author", "interviewer", "observer"):
        walk.others[role] = walk.good("POST", "/v1/tokens", {"name": role, "role": role}).json["token"]
    body = {"id": "lee", "name": "Lee \U0010fffd", "role": "observer"}
    walk.good("POST", "/v1/members", body)
    walk.send("POST", "/v1/members", body)
    walk.good("POST", "/v1/members", {"role": "author"})
    walk.good("GET", "/v1/members/lee")
    walk.conditional("PATCH", "/v1/members/lee", {"name": None, "role": "interviewer", "active": True})
    walk.send("PATCH", "/v1/members/boss", {"active": False}, {"If-Match": "*"})
    walk.good("GET", "/v1/members?limit=1")
    token = walk.good("POST", "/v1/tokens", {"name": "T", "memberId": "lee", "expiresAt": "2100-01-01T00:00:00Z"})
    walk.send("POST", "/v1/tokens", {"name": "T", "memberId": "nobody"})
    walk.send("GET", "/v1/members?account=other")
    walk.good("GET", "/v1/tokens")
    walk.good("POST", "/v1/tickets")
    others = {"kitId": "k", "candidate": {"id": "c"}, "interviewer": {"id": "lee"}}
    asked = walk.send("POST", "/v1/evaluations", others, {"Authorization": f"Bearer {walk.others['interviewer']}"})
    walk.tally.equal("an evaluation in another's name", (asked.status, asked.json["code"]), (403, "notYours"))
    walk.good("GET", "/v1/candidates/c")
    walk.good("PUT", "/v1/evaluations/gone", {"kitId": "k", "candidate": {"id": "gone", "name": "G"}})
    walk.good("POST", "/v1/candidates/gone/erase")
    walk.good("GET", "/v1/audit?member=boss&limit=2")
    walk.good("GET", "/v1/audit")
    walk.good("DELETE", f"/v1/tokens/{token.json['id']}")


def strangers(walk):
    """Every operation that is not everybody's, without a token that is taken, and in a role that it is not for."""
    for (method, template), (target, body, headers) in sorted(walk.last.items()):
        operation = walk.described.operations[(method, template)]
        if "401" in operation["responses"]:
            wrong = {**(headers or {}), "Authorization": "Bearer wrong"}
            walk.tally.equal(f"{method} {target} with a wrong token", walk.send(method, target, body, wrong).status, 401)
        for role, token in walk.others.items():
            if "403" not in operation["responses"] or role in operation.get("description", role):
                continue
            foreign = {**(headers or {}), "Authorization": f"Bearer {token}"}
            walk.tally.equal(f"{method} {target} by an {role}", walk.send(method, target, body, foreign).status, 403)


def throttled(walk):
    """Every operation asked by a page of another origin, and those that are not everybody's beyond what a member may ask."""
    client, token = walk.client, walk.token
    with Server(arguments=("--rate-limit", "1/3600")) as server:
        walk.client, walk.token = server.client(), None
        for (method, template), (target, body, headers) in sorted(walk.last.items()):
            reply = walk.send(method, target, body, {**(headers or {}), "Origin": "http://elsewhere.example"})
            walk.tally.equal(f"{method} {target} from another origin", reply.status, 403)
        walk.client.close()
        walk.token = token
        made = require(server.request("POST", "/v1/tokens", {"name": "boss", "role": "admin"}), 201)
        bearer = {"Authorization": f"Bearer {made.json['token']}"}
        require(server.request("GET", "/v1/me", headers=bearer), 200)
        walk.client = server.client()
        for (method, template), (target, body, headers) in sorted(walk.last.items()):
            if "429" in walk.described.operations[(method, template)]["responses"]:
                reply = walk.send(method, target, body, {**(headers or {}), **bearer})
                told = (reply.status, reply.headers.get("retry-after", "").isdigit())
                walk.tally.equal(f"{method} {target} once too often", told, (429, True))
        walk.client.close()
    walk.client = client
