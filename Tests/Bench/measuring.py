# What the parts of scripts/bench share: a row of the report, processor time, wrk, and what is written and read.

import os
import re
import subprocess

QUIET = ("--log-level", "warning")
ROUNDS, SECONDS = 3, 5
TICK = os.sysconf("SC_CLK_TCK")


def row(name, value, unit, wanted="", holds=True):
    print(f"{name:<66} {value:>10.3f} {unit:<14} {wanted:<12} {'' if holds else 'MISSED'}", flush=True)


def cpu_seconds(*processes):
    total = 0
    for process in processes:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICK


def wrk(url, connections, seconds, script=None):
    """Runs wrk and returns the requests that were answered well, and their rate."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", url]
    if script:
        command[1:1] = ["-s", script]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if bad := re.search(r"Non-2xx or 3xx responses: (\d+)", output):
        raise SystemExit(f"{bad[1]} replies of {url} were refusals")
    return int(re.search(r"(\d+) requests in", output)[1]), float(re.search(r"Requests/sec:\s*([\d.]+)", output)[1])


def kit(identifier, count, text):
    questions = [{"id": f"q{index}", "type": "longText", "text": text.format(index)} for index in range(count)]
    return {
        "id": identifier,
        "title": "Bench",
        "language": "en",
        "sections": [{"id": "s", "title": "All", "questions": questions}],
    }


def together(urls, connections, seconds, script=None, own=False):
    """Requests a second of one wrk for each address, at the same time, the connections shared out among them. With `own`
    the script is told which of them it is, and asks for nothing that the other asks for."""
    words = ["-s", script] if script else []
    commands = [
        ["wrk", *words, "-t1", f"-c{max(1, connections // len(urls))}", f"-d{seconds}s", url, *(["--", str(place)] if own else [])]
        for place, url in enumerate(urls)
    ]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    rate = 0
    for process, url in zip(running, urls):
        output, _ = process.communicate()
        if bad := re.search(r"Non-2xx or 3xx responses: (\d+)", output):
            raise SystemExit(f"{bad[1]} replies of {url} were refusals")
        rate += float(re.search(r"Requests/sec:\s*([\d.]+)", output)[1])
    return rate


WRITES = """
local count, share, step = 0, 0, 1
init = function(words)
  if words[1] then share, step = tonumber(words[1]), 2 end
end
request = function()
  count = count + 1
  local place = count * step + share
  local path = string.format("/v1/evaluations/e%d/answers/q%d", place % 64, math.floor(place / 64) % 100)
  local body = string.format('{"value":"answer number %d, a sentence as long as one that somebody types"}', count)
  return wrk.format("PUT", path, {["Content-Type"] = "application/json", ["If-Match"] = "*"}, body)
end
"""
