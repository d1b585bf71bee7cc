# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""check.py BUILD SCRATCH SRCDIR: icecore mcp from the outside, by a client of our own.  Speaks TAP.

RENEW=1 writes the transcripts again; what differs between runs (hashes, the version, times) is masked in them.
"""
import asyncio
import contextlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import hidden  # noqa: E402
import questions  # noqa: E402
from client import MODERN, META, WAIT, Client, Gone, Table  # noqa: E402

build, scratch, srcdir = (os.path.abspath(a) for a in sys.argv[1:4])
program, hurt = os.path.join(build, "icecore"), os.path.join(build, "tests/hurt/sandboxed")
root, outside = os.path.join(scratch, "root"), os.path.join(scratch, "outside")
env = {"XDG_CACHE_HOME": os.path.join(scratch, "cache"), "TMPDIR": os.path.join(scratch, "tmp")}
sandboxed = []        # options of a build whose sandbox is not whole
count = 0


def test(what):
    def run(f):
        global count
        count += 1
        try:
            f()
            print("ok %d - %s" % (count, what), flush=True)
        except Exception as e:
            at = e.__traceback__.tb_next
            print("not ok %d - %s\n# line %d: %s: %s" % (count, what, at.tb_lineno, type(e).__name__,
                                                        str(e)[:1500].replace("\n", "\n# ")), flush=True)
        return f
    return run


@contextlib.contextmanager
def client(*options, binary=program, folder=root, begin="2025-11-25", log=None, **more):
    c = Client(binary, folder, *sandboxed, *options, env=dict(env, **more), log=log)
    try:
        if begin:
            c.begin(begin)
        yield c
    finally:
        c.kill()


def same(want, got):
    assert want == got, "wanted %s, got %s" % (str(want)[:600], str(got)[:600])


def answer_of(query, *files):
    out = subprocess.run([program, "--no-index", "-o", "json", "-e", query, *files], stdout=subprocess.PIPE, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


# ---- files to ask for

for d in (root + "/sub/deep", outside, env["TMPDIR"], root + "/.hidden"):
    os.makedirs(d)
demo = os.path.join(srcdir, "demo")
for name, to in (("demo.hprof.gz", "heap.hprof.gz"), ("profile.txt.gz", "sub/profile.txt.gz"), ("notes.jar", "notes.jar"),
                 ("demo.trace.gz", "sub/deep/calls.trace.gz"), ("phone.hprof.gz", "phone.hprof.gz")):
    shutil.copy(os.path.join(demo, name), os.path.join(root, to))
    os.utime(os.path.join(root, to), (1700000000, 1700000000))
with open(root + "/text.txt", "w") as f:
    f.write("nothing that is known\n")
with open(outside + "/secret.hprof", "wb") as f:
    f.write(hidden.dump())
shutil.copy(outside + "/secret.hprof", root + "/secret.hprof")
os.utime(root + "/secret.hprof", (1700000000, 1700000000))
os.symlink(outside + "/secret.hprof", root + "/out.hprof")
os.symlink("heap.hprof.gz", root + "/in.hprof.gz")
os.symlink(outside, root + "/outside")
os.mkfifo(root + "/fifo")
names = ["heap.hprof.gz", "notes.jar", "phone.hprof.gz", "secret.hprof", "sub/deep/calls.trace.gz", "sub/profile.txt.gz"]

with subprocess.Popen([program, "mcp", "--root", root], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                      stderr=subprocess.PIPE, env=dict(os.environ, **env)) as p:
    if "the sandbox is incomplete" in p.stderr.read().decode():
        sandboxed = ["--no-sandbox"]
print("# %s" % (" ".join(sandboxed) or "with its sandbox"))
# The sanitizers' programs have no filter of system calls, and read what they need.
full = b"seccomp" in subprocess.run([program, "--no-index", "-o", "tsv", "-e", "info | where field = sandbox", root + "/notes.jar"],
                                    stdout=subprocess.PIPE, env=dict(os.environ, **env)).stdout

# ---- transcripts: the same lines give the same answers


def masked(line):
    line = re.sub(r'"version":"[^"]*"', '"version":"*"', line)
    line = re.sub(r"(icecore report: [^ ]+(?: [^ ]+)*) +icecore [^ \\]+", r"\1 icecore *", line)
    line = re.sub(r"#[0-9a-f]{6}\b", "#******", line)
    line = re.sub(r"\b([0-9a-f]+)-[0-9a-f]{16}\b", r"\1-*", line)
    line = re.sub(r"\\nsandbox\\t[^\\]*", r"\\nsandbox\\t*", line)
    return re.sub(r'\["sandbox","[^"]*"', '["sandbox","*"', line)


def replay(name, steps):
    """steps(client) says what is sent; the lines of both sides are compared with those that are kept."""
    path, log = os.path.join(srcdir, "tests/mcp", name + ".txt"), []
    with client(begin=None, log=log) as c:
        steps(c)
    text = "".join(masked(line) + "\n" for line in log)
    if os.environ.get("RENEW") == "1":
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    with open(path, encoding="utf-8") as f:
        want = f.read().splitlines()
    for i, line in enumerate(text.splitlines()):
        same(want[i] if i < len(want) else "the end", line)
    same(len(want), len(log))


def steps_of(modern):
    def steps(c):
        if modern:
            c.ask("server/discover", {}, True)
        else:
            c.begin()
            c.ask("ping")
        c.ask("tools/list", None, modern)
        for tool, a in (("files", {}), ("files", {"limit": 2}), ("files", {"under": "sub"}), ("info", {"file": "sub/profile.txt.gz"}),
                        ("query", {"file": "heap.hprof.gz", "query": "classes | sort -retained | select name retained", "limit": 3}),
                        ("query", {"file": "heap.hprof.gz", "query": "strings | select value length", "limit": 2}),
                        ("query", {"file": "heap.hprof.gz", "other": "phone.hprof.gz", "query": "classes | diff", "limit": 1}),
                        ("query", {"file": "sub/profile.txt.gz", "other": "notes.jar", "query": "methods", "limit": 1}),
                        ("query", {"file": "heap.hprof.gz", "query": "clases"}),
                        ("query", {"file": "heap.hprof.gz", "query": "classes | export /tmp/x.csv"}),
                        ("query", {"file": "heap.hprof.gz", "query": "classes | where name = nobody"}),
                        ("query", {"file": "heap.hprof.gz", "query": "classes", "cursor": "1-0123456789abcdef"}),
                        ("info", {"file": "../../etc/passwd"}), ("info", {}), ("info", {"path": "x"}), ("info", {"file": "text.txt"}),
                        ("help", {"word": "sort"}), ("help", {"word": "sotr"}), ("report", {"file": "sub/profile.txt.gz"})):
            c.call(tool, modern, **a)
        c.ask("tools/call", {"name": "shell", "arguments": {}}, modern)
        c.ask("resources/list", None, modern)
    return steps


@test("the transcript of a handshake is repeated")
def _():
    replay("handshake", steps_of(False))


@test("the transcript of the stateless era is repeated")
def _():
    replay("modern", steps_of(True))


HOSTILE = [b"", b"{", b"nothing", b"[]", b"[1,2]", b"1", b'"text"', b"null", b"{}", b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
           b'{"jsonrpc":"2.0","id":1}', b'{"jsonrpc":"2.0","id":null,"method":"ping"}', b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
           b'{"jsonrpc":"2.0","id":[],"method":"ping"}', b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}',
           b'{"jsonrpc":"2.0","id":1e400,"method":"ping"}', b'{"jsonrpc":"2.0","id":-0,"method":"ping"}',
           b'{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}', b'{"jsonrpc":"2.0","id":9223372036854775807,"method":"ping"}',
           b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', b'{"jsonrpc":"2.0","id":"a\\u0000b","method":"ping"}',
           b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', b'{"jsonrpc":"2.0","id":3,"method":"ping","__proto__":{"x":1}}',
           b'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":[]}', b'{"jsonrpc":"2.0","id":4,"method":"tools/call"}',
           b'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":1}}',
           b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"info","arguments":[]}}',
           b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"info","arguments":{"file":"a\\u0000b"}}}',
           b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"info","arguments":{"file":7}}}',
           b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"files","arguments":{"limit":501}}}',
           b'{"jsonrpc":"2.0","id":6,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01"}}}',
           b'{"jsonrpc":"2.0","id":6,"method":"ping","params":{"_meta":7}}', b'{"jsonrpc":"2.0","id":7,"method":7}',
           b'{"jsonrpc":"2.0","id":8,"method":"initialize","params":{}}',
           b'{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{"cursor":"x"}}',
           b'{"jsonrpc":"2.0","id":9,"method":"ping"}\x00', b"[" * 100000, b'{"a":' * 100000,
           b'\xef\xbb\xbf{"jsonrpc":"2.0","id":10,"method":"ping"}',
           b'{"jsonrpc":"2.0","id":"' + b"x" * 5000 + b'","method":"ping"}']
SILENT = [b"  ", b"\r", b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","id":1,"error":{}}',
          b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}', b'{"jsonrpc":"2.0","method":"unknown"}',
          b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"files"}}',
          b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}']


def is_silent(line):
    return line.strip() == b"" or line in SILENT


@test("the transcript of messages that are none is repeated")
def _():
    def steps(c):
        for line in HOSTILE[1:-5] + SILENT + HOSTILE[-5:]:
            if len(line) < 300:
                c.send(line)
                if not is_silent(line):
                    c.take()
        c.ask("ping")
    replay("hostile", steps)


@test("1000 hostile lines: as many answers as requests")
def _():
    r = random.Random(7)
    lines = []
    while len(lines) < 1000:
        line = r.choice(HOSTILE + SILENT)
        if len(line) < 200 and r.random() < 0.5:
            at = r.randrange(len(line) + 1)
            line = line[:at] + bytes([r.choice(b'{}[]",:\\\x00\x80\xff0')]) + line[at + r.randrange(3):]
        lines.append(line.replace(b"\n", b" "))
    lines[500] = b'{"jsonrpc":"2.0","id":11,"method":"ping","params":{"x":"' + b"y" * (10 << 20) + b'"}}'
    with client(begin=None) as c:
        writer = threading.Thread(target=lambda: ([c.send(line) for line in lines],
                                                  c.send({"jsonrpc": "2.0", "id": "last", "method": "ping"})))
        writer.start()
        answers = []
        while not answers or answers[-1].get("id") != "last":
            answers.append(c.take())
        writer.join()
        # Calls are answered in their order, behind it: one that is not refused is the last of them.
        help, end = {"name": "help", "arguments": {"word": "sort"}}, None
        while end is None or "result" not in end:
            c.post("tools/call", help, id="end")
            while (end := c.take()).get("id") != "end":
                answers.append(end)
        for a in answers:
            assert a["jsonrpc"] == "2.0" and ("result" in a) != ("error" in a), a
        # A line without an answer is one without an id that counts: all others have one.
        silent = 0
        for line in lines:
            try:
                m = json.loads(line.decode("utf-8"))
            except (ValueError, RecursionError):
                m = None
            silent += line.strip(b" \t\r") == b"" or (isinstance(m, dict) and m.get("jsonrpc") == "2.0" and "id" not in m and
                                                  isinstance(m.get("method"), str))
            silent += isinstance(m, dict) and m.get("jsonrpc") == "2.0" and "method" not in m and ("result" in m or "error" in m)
        same(1000 - silent, len(answers) - 1)
        same(0, c.end())


@test("500 requests are answered though nobody reads for a while")
def _():
    with client() as c:
        ids = [c.post("tools/list") for _ in range(500)]
        ids += [c.post("tools/call", {"name": "help", "arguments": {}}) for _ in range(100)]
        got = [c.take() for _ in ids]
        same(sorted(ids), sorted(m["id"] for m in got))
        assert all("result" in m or m["error"]["code"] == -32000 for m in got)


# ---- answers

@test("every revision gets the rows as text, new ones beside structured content")
def _():
    texts = []
    for version, old in (("2024-11-05", True), ("2025-06-18", False), ("2025-11-25", False)):
        with client(begin=version) as c:
            r = c.call("query", file="heap.hprof.gz", query="classes | sort -retained | select name retained", limit=2)
            same(old, "structuredContent" not in r)
            table = Table(r["content"][0]["text"])
            same(["java.lang.Class", "byte[]"], [row[0] for row in table.rows])
            same((["name", "retained"], [None, "bytes"]), (table.columns, table.units))
            assert table.head.startswith("query: 2 rows of 509, more with cursor 2-"), table.head
            texts.append(table.lines)
    assert texts[0] == texts[1] == texts[2]


def cell_text(v):
    return "" if v is None else str(v).lower() if isinstance(v, bool) else v if isinstance(v, str) else float(v)


def same_forms(r):
    """The text of an answer has what its structured content has: rows, units, notes, the cursor."""
    s, table = r["structuredContent"], Table(r["content"][0]["text"])
    same([(c["name"], c.get("unit")) for c in s["columns"]], list(zip(table.columns, table.units)))
    same(len(s["rows"]), len(table.rows))
    for want, got in zip(s["rows"], table.rows):
        same([cell_text(v) for v in want], [g if isinstance(v, (str, bool, type(None))) else float(g) for v, g in zip(want, got)])
    same(["note: " + n for n in s.get("notes", [])], table.notes)
    same((s.get("cursor"), s["more"]), (table.cursor, table.cursor is not None))
    same("%d" % s["total"] if "total" in s else None, (re.search(r" of (\d+)", table.head) or [None, None])[1])


@test("an answer has the address that opens its rows in the explorer")
def _():
    keys = os.path.join(scratch, "keys")
    with open(keys, "w") as f:
        f.write("size 100x30\nframe\n")
    with client() as c:
        r = c.call("query", file="sub/profile.txt.gz", query="methods | sort -self | top 3 self")["structuredContent"]
    address = re.search("icecore '(icecore://.*)'$", r["notes"][-1]).group(1)
    shown = subprocess.run([program, "--no-index", "--keys", keys, address], cwd=root, stdout=subprocess.PIPE, check=True).stdout.decode()
    at = [c["name"] for c in r["columns"]].index("name")
    assert len(r["rows"]) == 3 and all(row[at][:12] in shown for row in r["rows"]), (r["rows"], shown)


@test("the text of an answer has the rows that are structured")
def _():
    odd = "a\tb\\n\nc\rd\u202e\u3164,1"
    with open(root + "/odd.jsonl", "w") as f:
        f.write("".join(json.dumps({"key": k, "number": n}) + "\n" for k, n in ((odd, 1), ("plain", 2.5), ("", 3))))
    with client("--values") as c:
        for name, a in (("files", {}), ("files", {"limit": 2}), ("info", {"file": "heap.hprof.gz"}), ("overview", {"file": "heap.hprof.gz"}),
                        ("overview", {"file": "sub/deep/calls.trace.gz", "limit": 3}), ("query", {"file": "odd.jsonl", "query": "records"}),
                        ("query", {"file": "heap.hprof.gz", "query": "strings | select value length"}),
                        ("query", {"file": "heap.hprof.gz", "query": "objects | select id addr class content reachable"}),
                        ("query", {"file": "heap.hprof.gz", "query": "classes | where name = nobody"}),
                        ("query", {"file": "sub/profile.txt.gz", "query": "methods | sort -self"})):
            same_forms(c.call(name, **a))
        cells = [row[0] for row in Table(c.call("query", file="odd.jsonl", query="records | select key")["content"][0]["text"]).rows]
        assert "a\tb\\n\nc\rd\ufffd\ufffd,1" in cells, cells
    os.unlink(root + "/odd.jsonl")


@test("what people ask about the demos is answered by the text alone")
def _():
    told = []
    with client(folder=demo) as c:
        async def ask(tool, arguments):
            return c.call(tool, **arguments)["content"][0]["text"]
        asyncio.run(questions.run(program, demo, ask, lambda good, what: told.append((good, what))))
    same([], [what for good, what in told if not good])
    assert len(told) >= 30, len(told)


@test("a value of the overview has a unit")
def _():
    shutil.copy(os.path.join(demo, "money.ofx.gz"), root + "/money.ofx.gz")
    with client() as c:
        for file, line, unit in (("heap.hprof.gz", "largest owner", "bytes"), ("heap.hprof.gz", "classes", ""), ("sub/deep/calls.trace.gz", "duration", "ns"),
                                 ("money.ofx.gz", "paid", "EUR"), ("heap.hprof.gz", "repairs", "")):
            rows = Table(c.call("overview", file=file)["content"][0]["text"]).dicts()
            same({unit}, {row["unit"] for row in rows if row["line"] == line})
    os.unlink(root + "/money.ofx.gz")


@test("of unknown revisions the next older one is offered, and none that has batches")
def _():
    for asked, got in (("2025-03-26", "2024-11-05"), ("2025-07-01", "2025-06-18"), ("2030-01-01", "2025-11-25"), ("1", "2025-11-25"),
                       ("", "2025-11-25"), ("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18")):
        with client(begin=None) as c:
            m = c.ask("initialize", {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}})
            same(got, m["result"]["protocolVersion"])
            m = c.ask("ping", {"_meta": {META + "protocolVersion": "2025-03-26"}})
            assert "2025-03-26" not in m["error"]["data"]["supported"], m
            c.send(b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]')
            same(-32600, c.take()["error"]["code"])


@test("results of the stateless era say so, those of the other do not")
def _():
    with client() as c:
        r = c.call("files", True)
        same(("complete", "icecore"), (r["resultType"], r["_meta"][META + "serverInfo"]["name"]))
        assert "resultType" not in c.call("files")
        r = c.ask("tools/list", None, True)["result"]
        assert r["ttlMs"] >= 0 and r["cacheScope"] == "private"
        m = c.ask("ping", {"_meta": {META + "protocolVersion": "2030-01-01"}})
        same((-32022, "2030-01-01"), (m["error"]["code"], m["error"]["data"]["requested"]))
        assert MODERN in m["error"]["data"]["supported"]


@test("files lists what can be opened, by page as well")
def _():
    with client() as c:
        r = c.rows("files")
        same(names, [row[0] for row in r["rows"]])
        same(["hprof", "classes", "hprof", "hprof", "trace", "perf"], [row[2] for row in r["rows"]])
        got, cursor = [], {}
        while cursor is not None:
            page = c.rows("files", limit=2, **cursor)
            got += [row[0] for row in page["rows"]]
            cursor = {"cursor": page["cursor"]} if page["more"] else None
        same(names, got)
        same(["sub/deep/calls.trace.gz"], [row[0] for row in c.rows("files", under="sub/deep")["rows"]])
        assert "no such directory" in c.error("files", under="..")
        odd = {b"odd\xfe.hprof": "odd\\xfe.hprof", b"odd\xff.hprof": "odd\\xff.hprof", b"odd\\xff.hprof": "odd\\x5cxff.hprof",
               "odd\u202e\n.hprof".encode(): "odd\\xe2\\x80\\xae\\x0a.hprof", b"od\xff/a.hprof": "od\\xff/a.hprof"}
        for i, name in enumerate([*odd, b"n" * 200 + b"/" + b"n" * 200 + b"/" + b"n" * 200 + b"/x.hprof"]):
            path = os.fsencode(root) + b"/odd/" + name
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copy(root + ("/secret.hprof" if i % 2 else "/heap.hprof.gz"), path)
        page = c.rows("files", under="odd")
        same((sorted("odd/" + x for x in odd.values()), ["names that cannot be shown: 1"]), (sorted(r[0] for r in page["rows"]), page["notes"]))
        same(["odd/od\\xff/a.hprof"], [r[0] for r in c.rows("files", under="odd/od\\xff")["rows"]])
        for i, shown in enumerate(odd.values()):
            got = c.rows("query", file="odd/" + shown, query="classes | count")["rows"]
            same(c.rows("query", file="secret.hprof" if i % 2 else "heap.hprof.gz", query="classes | count")["rows"], got)
        assert c.error("info", file="odd/odd\\x00.hprof").startswith("no such file below the root: 'odd/odd\\x00.hprof'")
        shutil.rmtree(root + "/odd")


def all_pages(c, **arguments):
    rows, cursor, pages = [], {}, 0
    while cursor is not None:
        page = c.rows("query", **arguments, **cursor)
        assert len(json.dumps(page, ensure_ascii=False, separators=(",", ":")).encode()) <= 16384
        columns = [column["name"] for column in page["columns"]]
        rows += [dict(zip(columns, row)) for row in page["rows"]]
        cursor = {"cursor": page["cursor"]} if page["more"] else None
        pages += 1
    return rows, pages, columns


def plain(v):
    return int(v) if isinstance(v, str) and re.fullmatch(r"-?\d{16,}", v) else v


@test("pages together are the rows that -e prints")
def _():
    for file, query in (("heap.hprof.gz", "classes"), ("heap.hprof.gz", "objects | sort -shallow | head 600"),
                        ("sub/profile.txt.gz", "methods"), ("sub/deep/calls.trace.gz", "methods | sort -self"),
                        ("notes.jar", "methods"), ("secret.hprof", "strings | where length > 400 | select length value")):
        with client("--values") as c:
            rows, pages, columns = all_pages(c, file=file, query=query, limit=500)
        want = answer_of(query, os.path.join(root, file))
        same(len(want), len(rows))
        for a, b in zip(want, rows):
            for name in columns:
                x, y = a[name], plain(b[name])
                if isinstance(x, str):
                    y = str(b[name])
                    x = x if len(x.encode()) <= 512 else x.encode()[:len(y.encode()) - 3].decode("utf-8", "ignore") + "\u2026"
                same(x, y)


@contextlib.contextmanager
def stacks(**files):
    """Folded stacks below the root, for a while."""
    for name, lines in files.items():
        with open(os.path.join(root, name + ".txt"), "w") as f:
            f.write("".join("main;%s %d\n" % line for line in lines))
    try:
        yield
    finally:
        for name in files:
            os.unlink(os.path.join(root, name + ".txt"))


@test("stack dumps: an overview, findings, groups, one dump, and the sources that work on them")
def _():
    shutil.copy(os.path.join(srcdir, "demo", "hang.log.gz"), root + "/hang.log.gz")
    try:
        with client() as c:
            lines = c.rows("overview", file="hang.log.gz")["rows"]
            assert any("transfer -> monthly-report" in str(line) for line in lines), lines
            found = c.rows("query", file="hang.log.gz", query="findings | where latest and severity = warning | select kind threads")["rows"]
            same([["deadlock", 2], ["convoy", 14]], found)
            same([["http-worker-*", 16]], c.rows("query", file="hang.log.gz", query="pools | where latest | select pool threads | head 1")["rows"])
            same([["blocked", 17]], c.rows("query", file="hang.log.gz", query="calls | dump 2 | per state | where thread = blocked | group thread : sum self")["rows"])
            words = c.call("help", file="hang.log.gz")
            assert all(w in str(words) for w in ("findings", "pools", "identical_stacks", "deadlocks")), words
    finally:
        os.unlink(root + "/hang.log.gz")


@test("numbers that readers of JSON would round are texts")
def _():
    with stacks(few=[("a", 1), ("b", 1)], many=[("a", 2 ** 53 + 2), ("b", 1)]), client() as c:
        for file, other, more in (("few.txt", "many.txt", 2 ** 53 + 1), ("many.txt", "few.txt", -2 ** 53 - 1)):
            got = c.rows("query", file=file, other=other, query="methods | diff | sort name | select self_delta")["rows"]
            same([[str(more)], [0], [0]], got)


@test("a text of 512 bytes is whole, the start of a longer one is shown")
def _():
    with stacks(long=[("a" * n, 1) for n in (511, 512, 513)]), client() as c:
        got = c.rows("query", file="long.txt", query="methods | sort name | select name")["rows"]
        same([["a" * 511], ["a" * 512], ["a" * 512 + "\u2026"], ["main"]], got)


@test("an answer stays within the budget, in every revision")
def _():
    for version, modern in (("2024-11-05", False), ("2025-11-25", False), ("2025-11-25", True)):
        for budget in (4096, 16384, 65536):
            with client("--values", "--budget", str(budget), begin=version) as c:
                for query in ("strings", "objects | select id class content", "classes | select name content package super"):
                    c.post("tools/call", {"name": "query", "arguments": {"file": "heap.hprof.gz", "query": query, "limit": 500}}, modern)
                    line = c.raw()
                    assert 2048 < len(line) <= budget, (version, budget, query, len(line))
                c.post("tools/call", {"name": "report", "arguments": {"file": "heap.hprof.gz"}})
                assert len(c.raw()) <= budget
                c.post("tools/call", {"name": "help", "arguments": {"word": "objects"}})
                assert len(c.raw()) <= budget


@test("a cursor is of its query and its file, as they were")
def _():
    with client() as c:
        shutil.copy(root + "/heap.hprof.gz", root + "/changes.hprof.gz")
        a = {"file": "changes.hprof.gz", "query": "classes", "limit": 5}
        first = c.rows("query", **a)
        again = c.rows("query", cursor=first["cursor"], **a)
        assert again["rows"] != first["rows"]
        same(again["rows"], c.rows("query", cursor=first["cursor"], **a)["rows"])
        for changed in (dict(a, query="objects"), dict(a, file="phone.hprof.gz"), dict(a, query="classes ")):
            assert "repeat the call without the cursor" in c.error("query", cursor=first["cursor"], **changed)
        forged = "%x" % 400 + first["cursor"][first["cursor"].index("-"):]
        assert "repeat the call without the cursor" in c.error("query", cursor=forged, **a)
        shutil.copy(root + "/phone.hprof.gz", root + "/changes.hprof.gz")
        assert "repeat the call without the cursor" in c.error("query", cursor=first["cursor"], **a)
        same([], [x for x in c.rows("query", **a)["rows"] if x in first["rows"][1:]])
        os.unlink(root + "/changes.hprof.gz")
    with client() as c:
        assert "repeat the call without the cursor" in c.error("query", cursor=first["cursor"], **dict(a, file="heap.hprof.gz"))


@test("a thread dump answers: what is stuck, and who holds it")
def _():
    path = shutil.copy(os.path.join(demo, "hang.log.gz"), root)
    want = answer_of("blocked | head 3 | select thread waits_for how", path)
    assert want, "the dump has blocked threads"
    with client() as c:
        same([list(row.values()) for row in want], c.rows("query", file="hang.log.gz", query="blocked | head 3 | select thread waits_for how")["rows"])
        assert "transfer -> monthly-report" in str(c.call("report", file="hang.log.gz"))
    os.unlink(path)


@test("no query writes, and nothing is left beside the files")
def _():
    before = sorted(os.listdir(root))
    with client() as c:
        for query in ("classes | export x.csv", "classes | export! x.csv", "bitmaps | png x", "classes | format csv",
                      "objects | where id in (objects | export x.csv)"):
            e = c.error("query", file="phone.hprof.gz", query=query)
            assert "cannot" in e or "not allowed" in e, query
        c.rows("query", file="phone.hprof.gz", query="objects | sort -retained")
    same(before, sorted(os.listdir(root)))
    same([], os.listdir(env["TMPDIR"]))


@test("answers name no directory of this machine")
def _():
    with client() as c:
        text = "".join(json.dumps(c.call(*t, **a)) for t, a in ((("info",), {"file": "heap.hprof.gz"}), (("report",), {"file": "heap.hprof.gz"}),
                       (("info",), {"file": "nobody"}), (("files",), {}), (("query",), {"file": "heap.hprof.gz", "query": "info"})))
        for word in (scratch, build, os.path.expanduser("~") + "/", env["TMPDIR"]):
            assert word not in text, word


@test("help explains a word, and of a file what fits it")
def _():
    with client() as c:
        text = c.call("help")["content"][0]["text"]
        assert len(text.splitlines()) <= 40 and " classes," in text and " methods," in text
        text = c.call("help", file="sub/profile.txt.gz")["content"][0]["text"]
        assert " methods," in text and " strings," not in text
        assert "retained (size)" in c.call("help", word="classes")["content"][0]["text"]
        assert "did you mean 'classes'" in c.error("help", word="clases")
        for word in "sort | export x", "sort{", "{", "sort`", "":
            assert "one word of the query language" in c.error("help", word=word), word


# ---- masking

def queries_of_all():
    sources = [row["item"] for row in answer_of("help all | where kind = source | select item", root + "/secret.hprof")]
    with_object = "dominator dominated retained refs referrers entries fields path paths chains leaktrace raw copies".split()
    some = [s for s in dict.fromkeys(sources) if s not in with_object] + ["objects com.example.Account | %s" % s for s in with_object
                                                                         if s not in ("raw", "chains")]
    some += ["%s @%d" % (s, i) for s in ("fields", "raw", "refs", "leaktrace") for i in range(1, 60, 4)]
    some += ["objects com.example.Account | select %s" % p for p in ("owner", "token", "card", "balance", "grade", "blob[0]", "pass[1]",
             "nums[0]", "content", "owner.value[0]", "owner content pass blob nums")]
    some += ["objects | select id class content", "strings | select value content", "duplicates | select value content",
             "objects com.example.Account | group owner: count", "strings | sort value | head 20", "classes com.example.Bank | fields",
             "objects byte[] | fields", "objects char[] | fields", "objects int[] | fields", "objects java.util.HashMap | entries",
             "strings | select value + 'x'", "objects byte[] | raw", "objects java.lang.String | select value hash",
             "objects java.util.HashMap$Node | select hash", "objects java.util.HashMap$Node | head 3 | fields",
             "objects java.lang.String | where hash != 0 | fields", "objects java.lang.String | where hash != 0 | raw",
             "objects java.lang.String | group hash: count", "objects java.util.HashMap | select table[3].hash"]
    return some


def leaked(c):
    """Words that must be hidden but are in some answer, and how many were given."""
    seen, answers = set(), 0
    for query in queries_of_all():
        for limit in (5, 500):
            text = json.dumps(c.call("query", file="secret.hprof", query=query, limit=limit), ensure_ascii=False)
            answers += '"isError": false' in text
            # Words of the query do not count as an answer.
            seen |= {w for w in hidden.WORDS if w in text.replace("key-of-alice-", "key-of-alice")}
    text = json.dumps([c.call("report", file="secret.hprof"), c.call("info", file="secret.hprof")], ensure_ascii=False)
    return seen | {w for w in hidden.WORDS if w in text}, answers


@test("what objects hold is masked, in 200 answers")
def _():
    with client() as c:
        seen, answers = leaked(c)
        same(set(), seen)
        assert answers >= 150, answers
        assert "\u2039text 16 bytes #" in json.dumps(c.call("query", file="secret.hprof", query="strings"), ensure_ascii=False)


@test("and is not to be read character by character")
def _():
    with client() as c:
        for kind in "char[]", "byte[]":
            shown = {row[0] for row in c.rows("query", file="secret.hprof", query="objects %s | entries | select value" % kind, limit=500)["rows"]}
            assert shown <= {"\u2039short text\u203a"}, (kind, shown)
        assert shown


@test("and is not to be guessed by conditions")
def _():
    with client() as c:
        for query in ("strings | where value ~ /hunter/ | count", "strings | where value = 'hunter2-password' | count",
                      "objects com.example.Account | where card = %d | count" % hidden.CARD,
                      "objects com.example.Account | where owner ~ /Zoe/ | count",
                      "objects java.lang.String | where hash = %d | count" % hidden.string_hash("470815")):
            same([[0]], c.rows("query", file="secret.hprof", query=query)["rows"])


@test("with --values it is shown")
def _():
    with client("--values") as c:
        seen, _ = leaked(c)
        assert len(seen) >= 10, seen
        same([[1]], c.rows("query", file="secret.hprof", query="strings | where value ~ /hunter/ | count")["rows"])


@test("texts pass the gate")
def _():
    with client() as c:
        text = c.error("query", file="heap.hprof.gz", query="classes | where name = '\u202e\u3164\u200b\U000e0041\x1b[2J' nonsense")
        for bad in "\u202e\u3164\u200b\U000e0041\x1b":
            assert bad not in text
        c.post("tools/call", {"name": "info", "arguments": {"file": "\u202e\x07" + "a" * 500}})
        line = c.raw().decode()
        assert "\u202e" not in line and "a" * 70 not in line


# ---- confinement

def one_error(c, path):
    text = c.error("info", file=path)
    assert text.startswith("no such file below the root: '"), text


ESCAPES = ["..", "../outside/secret.hprof", "sub/../../outside/secret.hprof", outside + "/secret.hprof", "/etc/passwd", "out.hprof",
           "outside/secret.hprof", "/proc/self/environ", "fifo", "sub", "", ".", "/", "nobody", "a" * 1024, "heap.hprof.gz/",
           "heap.hprof.gz/x", "a\0b", "\udcff", "//heap.hprof.gz"]


@test("no path escapes: all fail in the same way")
def _():
    with client() as c:
        for path in ESCAPES[:-2] + ["sub//../../outside"]:
            one_error(c, path)
        one_error(c, "in.hprof.gz")
        same([["objects"]], [[r[0] for r in c.rows("query", file="sub/../heap.hprof.gz", query="info | where field = objects")["rows"][0:1]]])


@test("--follow follows links that stay below the root, and no others")
def _():
    with client("--follow") as c:
        assert c.rows("info", file="in.hprof.gz")["rows"]
        assert "in.hprof.gz" in [row[0] for row in c.rows("files")["rows"]]
        for path in ESCAPES[:-2]:
            one_error(c, path)
        os.symlink(root + "/heap.hprof.gz", root + "/absolute.hprof.gz")
        one_error(c, "absolute.hprof.gz")
        assert "absolute.hprof.gz" not in [row[0] for row in c.rows("files")["rows"]]
        os.unlink(root + "/absolute.hprof.gz")
    assert "follow relative symbolic links" in subprocess.run([program, "mcp", "--help"], stdout=subprocess.PIPE, text=True).stdout


MOUNTS = """#!/bin/sh
# The server, with other file systems and devices below its root.
exec unshare -rm sh -c 'mount --bind "{out}" "{at}/bound" && mount --rbind /proc "{at}/proc" && mount --bind /dev/zero "{at}/zero.hprof" &&
    mount -t tmpfs tmpfs "{at}/small" && cp "{out}/secret.hprof" "{at}/small" && mount --bind "{out}/secret.hprof" "{at}/one.hprof" || exit 77
exec "{program}" "$@"' sh "$@"
"""


def check_mounts():
    """A mount is another place, like a link: nothing in it is opened or listed."""
    at, script = os.path.join(scratch, "mounts"), os.path.join(scratch, "mounted")
    for folder in ("bound", "proc", "small"):
        os.makedirs(os.path.join(at, folder))
    for name in ("zero.hprof", "one.hprof"):
        open(os.path.join(at, name), "wb").close()
    shutil.copy(root + "/phone.hprof.gz", at)
    with open(script, "w") as f:
        f.write(MOUNTS.format(out=outside, at=at, program=program))
    os.chmod(script, 0o700)
    for options in ([], ["--follow"]):
        with client(*options, binary=script, folder=at) as c:
            for path in ("bound/secret.hprof", "small/secret.hprof", "one.hprof", "zero.hprof", "proc/self/environ", "proc/self/maps",
                         "proc/self/exe", "proc/self/fd/0", "proc/self/root/etc/passwd", "bound", "proc/self/cwd/phone.hprof.gz"):
                one_error(c, path)
            same(["phone.hprof.gz"], [row[0] for row in c.rows("files")["rows"]])
            for folder in ("bound", "small", "proc"):
                assert "no such directory below the root" in c.error("files", under=folder)


if subprocess.run(["unshare", "-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"], stderr=subprocess.DEVNULL).returncode == 0:
    test("mounts and devices below the root are not of it")(check_mounts)
else:
    count += 1
    print("ok %d - mounts and devices below the root are not of it # SKIP no file system can be mounted here" % count)


@test("a link that comes and goes gives no access")
def _():
    folder, stop = root + "/swap", threading.Event()
    os.mkdir(folder)
    shutil.copy(root + "/phone.hprof.gz", root + "/sub/x.hprof")

    def swap():
        while not stop.is_set():
            for target in ("../sub/x.hprof", "../../outside/secret.hprof"):
                os.symlink(target, folder + "/new")
                os.rename(folder + "/new", folder + "/x.hprof")
            shutil.copy(root + "/sub/x.hprof", folder + "/new")
            os.rename(folder + "/new", folder + "/x.hprof")

    thread = threading.Thread(target=swap)
    thread.start()
    opened = 0
    try:
        for options in ([], ["--follow"]):
            with client(*options) as c:
                for _ in range(int(os.environ.get("MCP_SWAPS", "200"))):
                    r = c.call("query", file="swap/x.hprof", query="classes com.example.Account | count")
                    text = json.dumps(r)
                    if r["isError"]:
                        assert "no such file below" in text or "unknown class" in text, text
                    else:
                        same([[0]], r["structuredContent"]["rows"])
                    opened += "no such file" not in text
    finally:
        stop.set()
        thread.join()
        shutil.rmtree(folder)
        os.unlink(root + "/sub/x.hprof")
    assert opened > 0


if os.path.exists(hurt) and not sandboxed:
    @test("without a sandbox it does not start, and says what to do")
    def _():
        for forbid in ("landlock:38", "seccomp:38 prctl:1")[:1 + full]:
            p = subprocess.run([hurt, "mcp", "--root", root], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                               env=dict(os.environ, FORBID=forbid, **env), timeout=WAIT)
            same((4, b"", True), (p.returncode, p.stdout, b"--no-sandbox" in p.stderr))
        with client("--no-sandbox", binary=hurt, FORBID="landlock:38") as c:
            assert c.rows("files")["rows"]

    @test("a kernel without openat2 confines paths, too")
    def _():
        with client(binary=hurt, FORBID="openat2:38") as c:
            for path in ESCAPES[:-3] + ["in.hprof.gz"]:
                one_error(c, path)
            same(names, [row[0] for row in c.rows("files")["rows"]])
            assert c.rows("info", file="sub/profile.txt.gz")["rows"]

    @test("a server that was taken over reaches nothing")
    def _():
        tries, told = "write create unlink mkdir fork", b"write EACCES\ncreate EACCES\nunlink EACCES\nmkdir EACCES\nfork ENOSYS\n"
        if full:
            tries, told = "read list " + tries, b"read EACCES\nlist EACCES\n" + told
        os.makedirs(scratch + "/there")
        with open(scratch + "/there/there", "w"), open(scratch + "/there/script", "w"):
            pass
        os.chmod(scratch + "/there/script", 0o700)
        p = subprocess.run([hurt, "mcp", "--root", root], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=WAIT, env=dict(
            os.environ, FOLDER=scratch + "/there", MISBEHAVE=tries, **env))
        same(told, re.sub(rb"fork \w+", b"fork ENOSYS", p.stdout))


# ---- while a query runs

LONG = "objects | where id in (objects | where retained > 8 | select id) | group class: count, sum retained | sort -count"
big = os.path.join(root, "big.hprof")
with open(big, "wb") as f:
    subprocess.run([os.path.join(build, "tests/mk/heapshape"), "mesh", os.environ.get("MCP_OBJECTS", "1000000")], stdout=f, check=True)


@test("ping is answered while a query runs, and a cancelled one never")
def _():
    with client("--no-index") as c:
        slow = c.post("tools/call", {"name": "query", "arguments": {"file": "big.hprof", "query": LONG}})
        waiting = c.post("tools/call", {"name": "query", "arguments": {"file": "big.hprof", "query": "classes"}})
        ping = c.post("ping")
        same(ping, c.take()["id"])
        for id in (waiting, slow, 12345):
            c.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "test"}})
        same(c.post("ping"), c.take()["id"])
        r = c.call("query", file="big.hprof", query="classes | count")
        assert not r["isError"], r
        # None of them is left: a sanitizer would say so.
        same(0, c.end())


@test("progress is reported on request, and grows")
def _():
    with client("--no-index") as c:
        id = c.post("tools/call", {"name": "query", "arguments": {"file": "big.hprof", "query": LONG}, "_meta": {"progressToken": "t"}})
        told = []
        while True:
            m = c.take()
            if m.get("id") == id:
                break
            same(("notifications/progress", "t"), (m["method"], m["params"]["progressToken"]))
            told.append(m["params"]["progress"])
        same(sorted(set(told)), told)
        assert not m["result"]["isError"], m


@test("a call that takes too long says so, and the next one works")
def _():
    with client("--no-index", "--timeout", "1ms") as c:
        text = c.error("query", file="big.hprof", query=LONG)
        assert text.startswith("out of time after 1 ms at ") or text.startswith("out of time after 1.00 ms at "), text
        same(c.post("ping"), c.take()["id"])
        c.error("info", file="nobody")


@test("the overview continues after a line that takes too long, and says so")
def _():
    with client("--no-index", "--values") as c:
        page = c.rows("overview", file="heap.hprof.gz")
        same(["line", "value", "unit", "share", "subject", "opens"], [column["name"] for column in page["columns"]])
        want = answer_of("overview | select line subject", root + "/heap.hprof.gz")
        same([(r["line"], r["subject"]) for r in want], [(r[0], r[4]) for r in page["rows"]])
        assert not any("too long" in note for note in page.get("notes", [])), page
    seen = []
    # One of these times is enough for some lines, and too short for dominators: on a busy machine a long one.  Each begins again.
    base = scratch + "/index-base"
    os.makedirs(base)
    with client("--index", base) as c:
        c.rows("info", file="big.hprof")
    for time in ("%dms" % (30 * 1.35 ** i) for i in range(24)):
        index = scratch + "/index-" + time
        shutil.copytree(base, index)
        with client("--index", index, "--timeout", time) as c:
            r = c.call("overview", file="big.hprof")
            if r["isError"]:
                continue
            rows, notes = r["structuredContent"]["rows"], r["structuredContent"].get("notes", [])
            late = [row for row in rows if str(row[4]).startswith("not computed: timed out after ")]
            seen.append((time, len(late), len(rows)))
            if 0 < len(late) < len(rows):
                assert any("lines took too long" in note for note in notes), notes
                assert all("incomplete" not in row[4] for row in late), late
                break
    else:
        raise AssertionError(seen)
    # Whoever asks again with time enough gets all lines.
    with client("--index", index) as c:
        rows = c.rows("overview", file="big.hprof")["rows"]
        assert not any(str(row[4]).startswith("not computed") for row in rows), rows


if os.environ.get("SANITIZE") != "yes":
    @test("a call that finds no memory says so, and the next one works")
    def _():
        with client("--no-index") as c:
            status = open("/proc/%d/status" % c.process.pid).read()
            least = (int(re.search(r"VmData:\s+(\d+) kB", status)[1]) << 10) + (4 << 20)
            resource.prlimit(c.process.pid, resource.RLIMIT_DATA, (least, least))
            text = c.error("query", file="big.hprof", query=LONG)
            assert "out of memory" in text, text
            assert c.rows("info", file="sub/profile.txt.gz")["rows"]


@test("it ends with its client in the middle of a query, and leaves nothing")
def _():
    for how in ("closed", "killed", "reader gone"):
        with client("--no-index") as c:
            c.post("tools/call", {"name": "query", "arguments": {"file": "big.hprof", "query": LONG}})
            same(c.post("ping"), c.take()["id"])
            if how == "killed":
                c.process.send_signal(signal.SIGTERM)
                same(0, c.gone())
            elif how == "closed":
                same(0, c.end())
            else:
                c.process.stdout.close()
                c.process.stdout = open(os.devnull, "rb")
                same(0, c.process.wait(WAIT))
        same([], os.listdir(env["TMPDIR"]))


@test("an output that fails: exit 4 and a message")
def _():
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\n"
    for how, to, why in (("full", "/dev/full", b"No space left on device"), ("closed", None, b"Bad file descriptor")):
        for wait in True, False:
            out = open(to, "wb") if to else None
            p = subprocess.Popen([program, "mcp", "--root", root, *sandboxed], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE,
                                 env=dict(os.environ, **env), preexec_fn=None if to else lambda: os.close(1))
            p.stdin.write(line)
            p.stdin.flush()
            if not wait:
                p.stdin.close()
            same((how, wait, 4), (how, wait, p.wait(WAIT)))
            told = p.stderr.read()
            assert b"icecore: cannot write output: " + why in told, told
            for f in (p.stdin, p.stderr, out):
                f is None or f.close()


os.unlink(big)

# ---- the command line


@test("mistakes on the command line are reported")
def _():
    for words, status, text in ((["mcp"], 2, "needs --root"), (["mcp", "--root", root, "x"], 2, "takes no FILE"),
                                (["mcp", "--root", root + "/nobody"], 4, "nobody"), (["mcp", "--root", root, "-e", "info"], 2, "unknown option"),
                                (["mcp", "--root", root, "--budget", "1k"], 2, "4k to 256k"), (["--root", root, "x"], 2, "unknown option")):
        p = subprocess.run([program] + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        same((status, True), (p.returncode, text in p.stderr.decode()))
    p = subprocess.run([program, "mcp", "--help"], stdout=subprocess.PIPE, check=True)
    assert b"--root DIR" in p.stdout and b"--stop-on-error" not in p.stdout


@test("a file of the name of the subcommand is opened by its path")
def _():
    shutil.copy(root + "/phone.hprof.gz", scratch + "/mcp")
    p = subprocess.run([program, "--no-index", "-e", "classes | count", "./mcp"], cwd=scratch, stdout=subprocess.PIPE, check=True)
    assert p.stdout


@test("a table has records without a path to make a tree of")
def _():
    path = os.path.join(root, "sales.csv")
    with open(path, "w") as f:
        f.write("region,item,sold\n" + "".join("north,part %d,%d\n" % (i, i) for i in range(40)))
    os.utime(path, (1700000000, 1700000000))
    with client() as c:
        got = c.call("query", file="sales.csv", query="records | count")
        assert "40" in json.dumps(got) and not got.get("isError"), got
    os.unlink(path)


@test("a file that is rewritten between two calls, its size and its time kept, is read again")
def _():
    path = os.path.join(root, "rewritten.csv")
    line = "north,part%d,%05d\n"
    with client() as c:
        for first in (10000, 20000, 30000):
            with open(path, "w") as f:
                f.write("region,item,sold\n" + "".join(line % (first + i, first) for i in range(9999)))
            os.utime(path, (1700000000, 1700000000))
            got = c.call("query", file="rewritten.csv", query="records | max sold")
            assert str(first) in json.dumps(got) and not got.get("isError"), got
            # The middle alone, where no sample of the index is.
            with open(path, "r+") as f:
                f.seek(os.path.getsize(path) // 17 * 8 + 9000)
                f.readline()
                f.seek(f.tell())
                f.write("north,part00000,99999\n")
            os.utime(path, (1700000000, 1700000000))
            got = c.call("query", file="rewritten.csv", query="records | max sold")
            assert "99999" in json.dumps(got) and not got.get("isError"), got
    os.unlink(path)


@contextlib.contextmanager
def fake_jvm(log, *how):
    """A process that answers as a JVM (tests/mk/fakejvm.py)."""
    with open(log, "w"):
        pass
    p = subprocess.Popen([sys.executable, os.path.join(srcdir, "tests/mk/fakejvm.py"), log, demo, *how])
    until = time.monotonic() + WAIT
    while "ready\n" not in open(log).readlines() and time.monotonic() < until:
        time.sleep(0.02)
    try:
        yield p.pid
    finally:
        p.terminate()
        p.wait()


@test("without --record nothing is recorded: the tools are neither listed nor accepted")
def _():
    with client() as c, fake_jvm(root + ".jvm") as pid:
        same(["files", "help", "info", "overview", "query", "report"], [t["name"] for t in c.ask("tools/list")["result"]["tools"]])
        for name in ("record", "processes"):
            m = c.ask("tools/call", {"name": name, "arguments": {"kind": "threads", "pid": pid} if name == "record" else {}})
            same(-32602, m["error"]["code"])
        same(["ready\n"], open(root + ".jvm").readlines())


@test("with --record a client records a process, and chooses nothing else")
def _():
    folder = root + ".recorded"
    os.mkdir(folder)
    with client("--record", folder=folder) as c, fake_jvm(root + ".jvm", "slow") as pid:
        tools = {t["name"]: t["annotations"]["readOnlyHint"] for t in c.ask("tools/list")["result"]["tools"]}
        same((False, True), (tools["record"], tools["processes"]))
        text = c.call("processes")["content"][0]["text"]
        assert re.search(r"\b%d .*com.example.Main" % pid, text), text
        text = c.call("record", kind="threads", pid=pid)["content"][0]["text"]
        name = re.search(r"wrote \./(Main-\S+\.threads\.txt) ", text)
        assert name, text
        same([[2]], c.rows("query", file=name.group(1), query="deadlocks | count")["rows"])
        assert "com.example.Leak" in c.call("record", kind="histogram", pid=pid)["content"][0]["text"]
        for arguments, text in (({"kind": "heap"}, "takes a pid"), ({"kind": "x", "pid": pid}, "use heap, histogram"), ({"kind": "-o", "pid": pid}, "use heap"),
                                ({"kind": "threads", "pid": pid, "seconds": 1}, "takes no seconds"), ({"kind": "sched", "pid": pid, "seconds": 1}, "takes no pid"),
                                ({"kind": "heap", "pid": 999999999}, "no process"), ({"kind": "heap", "pid": 0}, "number from 1"),
                                ({"kind": "heap", "pid": pid, "o": "/tmp/x"}, "no argument"), ({"pid": pid}, "needs kind"), ({"kind": "sched"}, "with a time")):
            got = c.error("record", **arguments)
            assert text in got, (arguments, got)
        same([name.group(1)], [n for n in os.listdir(folder) if not n.endswith(".icx")])
        # A cancelled dump and one whose client is gone leave nothing.
        id = c.post("tools/call", {"name": "record", "arguments": {"kind": "heap", "pid": pid}})
        until = time.monotonic() + WAIT
        while "dumpheap" not in open(root + ".jvm").read() and time.monotonic() < until:
            time.sleep(0.02)
        c.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "test"}})
        c.call("processes")
        same([name.group(1)], [n for n in os.listdir(folder) if not n.endswith(".icx")])
        c.post("tools/call", {"name": "record", "arguments": {"kind": "heap", "pid": pid}})
        while open(root + ".jvm").read().count("dumpheap") < 2 and time.monotonic() < until:
            time.sleep(0.02)
        same(0, c.end())
        while len(os.listdir(folder)) > 1 and time.monotonic() < until:
            time.sleep(0.02)
        same([name.group(1)], [n for n in os.listdir(folder) if not n.endswith(".icx")])


@test("each call is logged, with arguments where that is wanted, and nobody has to read it")
def _():
    for options, there in (([], False), (["--log-arguments"], True)):
        with client(*options) as c:
            c.call("info", file="notes.jar")
            c.process.stdin.close()
            log = c.process.stderr.read().decode()
            assert re.match(r"\d{4}-\d\d-\d\dT\S+Z info \d+ ms \d+ bytes ok", log), log
            same(there, "notes.jar" in log)
            c.process.wait(WAIT)
    with client("--log-arguments") as c:
        for _ in range(300):
            c.call("info", file="x" * 300)


print("1..%d" % count)
