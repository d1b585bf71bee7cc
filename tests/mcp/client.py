# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""client.py - a client of icecore mcp, in as few lines as that takes; every wait is bounded."""
import json
import os
import re
import select
import subprocess
import time

WAIT = 300       # seconds; a test that takes so long has failed
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
ESCAPES = {"t": "\t", "n": "\n", "r": "\r"}


class Gone(Exception):
    pass


class Table:
    """The rows of an answer, of its text alone: a head, notes, an empty line, the columns with their units, a line for each row."""
    def __init__(self, text):
        head, lines = text.split("\n\n", 1)
        self.head, *self.notes = head.split("\n")
        columns, *self.lines = lines.rstrip("\n").split("\n")
        heads = [re.fullmatch(r"(.*?)(?: \((bytes|ns|%)\))?", c).groups() for c in columns.split("\t")]
        self.columns, self.units = [h[0] for h in heads], [h[1] for h in heads]
        self.rows = [[re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), cell) for cell in line.split("\t")] for line in self.lines]
        self.cursor = (re.search(r", more with cursor (\S+)$", self.head) or [None, None])[1]

    def dicts(self):
        return [dict(zip(self.columns, row)) for row in self.rows]


class Client:
    def __init__(self, program, root, *options, env=None, log=None):
        self.log = log
        self.process = subprocess.Popen([program, "mcp", "--root", root, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=dict(os.environ, **(env or {})), bufsize=0)
        self.out, self.last = b"", 0

    def send(self, message):
        line = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode()
        if self.log is not None:
            self.log.append("> " + line.decode("utf-8", "replace"))
        line += b"\n"
        while line:
            line = line[self.process.stdin.write(line):]

    def raw(self, wait=WAIT):
        """The next line."""
        until = time.monotonic() + wait
        while b"\n" not in self.out:
            if not select.select([self.process.stdout], [], [], max(0, until - time.monotonic()))[0]:
                raise Gone("no answer in %s s" % wait)
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                raise Gone("the output ended")
            self.out += more
        line, self.out = self.out.split(b"\n", 1)
        if self.log is not None:
            self.log.append("< " + line.decode("utf-8"))
        return line

    def take(self, wait=WAIT):
        return json.loads(self.raw(wait))

    def post(self, method, params=None, modern=False, id=None):
        """Sends a request; its id."""
        self.last += 1
        m = {"jsonrpc": "2.0", "id": self.last if id is None else id, "method": method}
        if modern:
            params = dict(params or {}, _meta={META + "protocolVersion": MODERN, META + "clientInfo": {"name": "t", "version": "1"},
                                               META + "clientCapabilities": {}})
        if params is not None:
            m["params"] = params
        self.send(m)
        return m["id"]

    def ask(self, method, params=None, modern=False):
        """Its answer; messages of progress in front of it are dropped."""
        id = self.post(method, params, modern)
        while True:
            m = self.take()
            if "method" not in m:
                assert m["id"] == id, m
                return m

    def begin(self, version="2025-11-25"):
        m = self.ask("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return m["result"]

    def call(self, name, modern=False, **arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments}, modern)["result"]

    def rows(self, name, **arguments):
        r = self.call(name, **arguments)
        assert not r["isError"], r
        return r["structuredContent"]

    def error(self, name, **arguments):
        r = self.call(name, **arguments)
        assert r["isError"], r
        return r["content"][0]["text"]

    def end(self, wait=WAIT):
        """Closes its input; the status."""
        self.process.stdin.close()
        return self.gone(wait)

    def gone(self, wait=WAIT):
        """Wait for the end and return the status.  The output is read meanwhile, as a full pipe would block the process."""
        until = time.monotonic() + wait
        while self.process.poll() is None and time.monotonic() < until:
            for f in select.select([self.process.stdout, self.process.stderr], [], [], 0.05)[0]:
                os.read(f.fileno(), 1 << 20)
        return self.process.poll()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for f in (self.process.stdin, self.process.stdout, self.process.stderr):
            f.close()
