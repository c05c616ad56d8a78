"""A studio in a process of its own, as people run it, and plain calls of its JSON interface."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from urllib.parse import parse_qs, urlsplit

import prepared

START_SECONDS = 400
ENDED = ("done", "failed", "cancelled", "interrupted")


class Running:
    """`levelsmith studio` on a free port; `call` asks it, `stop` ends it as Ctrl-C does."""

    def __init__(self, store, *options, fresh=False, **environment):
        command = [sys.executable, "-m", "levelsmith", "studio", "--no-browser", "--port", "0"]
        self.process = prepared.Popen(
            [*command, "--store", str(store), *map(str, options)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | environment,
            fresh=fresh,
        )
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        if found is None:
            self.process.wait(30)
            with self.process.stdout:
                raise RuntimeError(line + self.process.stdout.read())
        self.address = found[0]
        parts = urlsplit(self.address)
        self.host, self.port = parts.hostname, parts.port
        self.token = parse_qs(parts.query).get("token", [None])[0]

    @property
    def entry(self):
        """The header that lets a request in."""
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    def request(self, method, path, body=None, headers=(), timeout=START_SECONDS):
        """Status, headers and bytes of an answer."""
        given = {"Content-Type": "application/json"} | self.entry | dict(headers)
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            connection.request(method, path, data, given)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def call(self, method, path, body=None, expect=None, **headers):
        """The answer as an object; with `expect` its status is checked."""
        status, _, data = self.request(method, f"/api/{path}", body, headers)
        if expect is not None:
            assert status == expect, (status, data)
        return json.loads(data)

    def get(self, path):
        return self.call("GET", path, expect=200)

    def post(self, path, body=None, expect=200):
        return self.call("POST", path, body or {}, expect=expect)

    def job(self, **setting):
        return self.post("jobs", setting, expect=201)["id"]

    def events(self, number, last=None):
        """The events of a job to its end, as (id, name, data)."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=START_SECONDS)
        headers = self.entry | ({} if last is None else {"Last-Event-ID": str(last)})
        connection.request("GET", f"/api/jobs/{number}/events", headers=headers)
        answer = connection.getresponse()
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        told = {}
        with contextlib.closing(connection):
            for line in answer:
                key, _, value = line.decode().rstrip("\n").partition(": ")
                if key in ("id", "event", "data"):
                    told[key] = value
                elif not key and told.get("event"):
                    yield int(told["id"]), told["event"], json.loads(told["data"])
                    told = {}

    def until(self, number, wanted, seconds=START_SECONDS):
        """The job, once `wanted(job)` holds."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            job = self.get(f"jobs/{number}")
            if wanted(job):
                return job
            time.sleep(0.05)
        raise AssertionError(f"job {number} did not get there: {job}")

    def finished(self, **setting):
        number = self.job(**setting)
        return self.until(number, lambda job: job["state"] in ENDED)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
        left = self.process.stdout.read()
        self.process.stdout.close()
        return left

    def kill(self):
        self.process.kill()
        self.process.wait(30)
        self.process.stdout.close()


def children(number):
    """The processes that a process has started, and those that they have."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as file:
                parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
    found = [number]
    for parent in found:
        found += [pid for pid, its_parent in parents.items() if its_parent == parent]
    return found[1:]
