# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""questions.py - what people ask about the demos, answered by the text of the answers of icecore mcp alone.

Each question knows its answer from somewhere else: from the text of the demo, its generator, a slow reader of tests/oracle, or
from icecore -e.  The client may be any: ask(tool, arguments) awaits the text.
"""
import collections
import gzip
import os
import re
import subprocess
import sys
import zipfile
from decimal import Decimal

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..", "oracle"), os.path.join(here, "..", "mk")]
import answers  # noqa: E402
import heap  # noqa: E402
import perfettostory  # noqa: E402
from client import Table  # noqa: E402

ALL = []


def question(text):
    return lambda f: ALL.append((text, f))


class World:
    """The demos, the one who is asked, and what is known of the demos without it."""
    def __init__(self, program, demo, ask):
        self.program, self.demo, self.ask, self.heaps = program, demo, ask, {}

    def path(self, name):
        return os.path.join(self.demo, name)

    def data(self, name):
        with gzip.open(self.path(name)) as f:
            return f.read()

    def text(self, name):
        return self.data(name).decode()

    def heap(self, name):
        """Classes: objects and bytes of their own."""
        if name not in self.heaps:
            self.heaps[name] = {n: (count, size) for n, count, size in heap.histogram(heap.Heap(self.data(name)))}
        return self.heaps[name]

    def trace(self, what, name):
        out = subprocess.run([sys.executable, "-B", os.path.join(here, "../oracle/trace.py"), what, self.path(name)], stdout=subprocess.PIPE, check=True).stdout
        head, *rows = [line.split("\t") for line in out.decode().splitlines()]
        return [dict(zip(head, row)) for row in rows]

    def said(self, form, query, *names):
        done = answers.quick(self.program).result(["--no-index", "-o", form, "-e", query, *map(self.path, names)])
        done.check_returncode()
        return done.stdout.decode()

    def rows(self, query, *names):
        """Rows that icecore -e prints."""
        head, *rows = [line.split("\t") for line in self.said("tsv", query, *names).splitlines()]
        return [dict(zip(head, row)) for row in rows]

    async def table(self, file, query, **more):
        return Table(await self.ask("query", dict(more, file=file, query=query)))

    async def dicts(self, file, query, **more):
        return (await self.table(file, query, **more)).dicts()


# ---- which files

@question("Which files can I ask about, and how large are they?")
async def _(w):
    others = (".java", ".keys", ".state", ".timer")
    want = {name: str(os.path.getsize(w.path(name))) for name in os.listdir(w.demo) if not name.endswith(others) and name[0] != "."}
    return want, {row["file"]: row["size"] for row in Table(await w.ask("files", {})).dicts()}


@question("Page by page, which files are there?")
async def _(w):
    names, cursor = [], {}
    while cursor is not None:
        page = Table(await w.ask("files", dict(cursor, limit=4)))
        names += [row["file"] for row in page.dicts()]
        cursor = {"cursor": page.cursor} if page.cursor else None
    return [row["file"] for row in Table(await w.ask("files", {})).dicts()], names


# ---- traces of methods

@question("Which method takes the most CPU time itself?")
async def _(w):
    want = max(w.trace("methods", "demo.trace.gz"), key=lambda m: int(m["self_cpu"]))
    got = await w.dicts("demo.trace.gz", "methods | top 1 self_cpu | select class name self_cpu calls")
    return [want["name"].split("(")[0], int(want["self_cpu"]) * 1000, want["calls"]], [got[0]["class"] + "." + got[0]["name"], int(got[0]["self_cpu"]), got[0]["calls"]]


@question("In which unit are those times?")
async def _(w):
    table = await w.table("demo.trace.gz", "methods | select name self calls")
    return {"name": None, "self_cpu": "ns", "calls": None}, dict(zip(table.columns, table.units))


@question("Which thread uses the most CPU time?")
async def _(w):
    want = max(w.trace("threads", "demo.trace.gz"), key=lambda t: int(t["top_cpu"]))
    got = (await w.dicts("demo.trace.gz", "threads | top 1 cpu"))[0]
    return (want["name"], int(want["top_cpu"]) * 1000), (got["name"], int(got["cpu"]))


@question("What does the overview call busiest?")
async def _(w):
    want = sorted(w.trace("threads", "demo.trace.gz"), key=lambda t: -int(t["top_cpu"]))[:3]
    rows = [r for r in Table(await w.ask("overview", {"file": "demo.trace.gz"})).dicts() if r["line"] == "busiest"]
    return [(t["name"], str(int(t["top_cpu"]) * 1000), "ns") for t in want], [(r["subject"], r["value"], r["unit"]) for r in rows]


@question("Does the query of a line of the overview lead to its subject?")
async def _(w):
    line = [r for r in Table(await w.ask("overview", {"file": "demo.trace.gz"})).dicts() if r["line"] == "top self time"][0]
    return line["subject"].split(".")[-1], (await w.dicts("demo.trace.gz", line["opens"]))[0]["name"]


# ---- profiles

@question("Where is the CPU time of the ticket server spent?")
async def _(w):
    weights, frames = collections.Counter(), re.findall(r"(\d+) cpu-clock: \n\t *[0-9a-f]+ (\S+)\+0x", w.text("profile.txt.gz"))
    for weight, name in frames:
        weights[name.split("->")[-1]] += int(weight)
    want = weights.most_common(3)
    return want, [(r["name"], int(r["self"])) for r in await w.dicts("profile.txt.gz", "methods | where kind != k | top 3 self | select name self")]


@question("How many samples does each event have?")
async def _(w):
    want = collections.Counter(re.findall(r": +\d+ (\S+): \n", w.text("profile.txt.gz")))
    return dict(want), {r["name"]: int(r["samples"]) for r in await w.dicts("profile.txt.gz", "events | select name samples")}


@question("How long did the profile of the ticket server take, and in which unit is that?")
async def _(w):
    times = [int(Decimal(t) * 10 ** 9) for t in re.findall(r"\] (\d+\.\d+): +\d+ cpu-clock: \n", w.text("profile.txt.gz"))]
    got = [(int(r["value"]), r["unit"]) for r in Table(await w.ask("info", {"file": "profile.txt.gz"})).dicts() if r["field"] == "elapsed"]
    return [(max(times) - min(times), "ns")], got


@question("Which method of the shop is hot?")
async def _(w):
    leaves = collections.Counter()
    for line in w.said("folded", "calls", "shop.jfr.gz").splitlines():
        stack, count = line.rsplit(" ", 1)
        leaves[stack.split(";")[-1]] += int(count)
    return leaves.most_common(1), [(r["name"], int(r["self"])) for r in await w.dicts("shop.jfr.gz", "methods | top 1 self | select name self")]


@question("For which lock do the requests of the shop wait, and how often?")
async def _(w):
    want = collections.Counter(r["what"] for r in w.rows("intervals jdk.JavaMonitorEnter | select what", "shop.jfr.gz"))
    got = await w.dicts("shop.jfr.gz", "intervals jdk.JavaMonitorEnter | group what : count as times")
    return dict(want), {r["what"]: int(r["times"]) for r in got}


@question("What happened in the shop, in one sentence?")
async def _(w):
    story = [r["subject"] for r in Table(await w.ask("overview", {"file": "shop.jfr.gz"})).dicts() if r["line"] == "story"]
    return [True], ["org.shop.store.Seats" in s and "571 times" in s for s in story]


# ---- dumps of stacks

def last_dump(w):
    """Threads of the last stack dump: (state, locks held, lock wanted)."""
    found = {}
    for block in w.text("hang.log.gz").split("Full thread dump")[-1].split("\n\n"):
        name = re.match(r'\n*"([^"]+)" #', block)
        if name:
            state = re.search(r"Thread.State: (\w+)", block)
            found[name[1]] = (state[1] if state else "", re.findall(r"- locked <(\w+)>", block), re.findall(r"- waiting to lock <(\w+)>", block))
    return found


def blocked_by(threads, name):
    """Threads that wait for it, or for one that does."""
    some, more = set(), {name}
    while more:
        held = {lock for t in more for lock in threads[t][1]}
        more = {t for t, (_, _, wants) in threads.items() if held & set(wants)} - some - {name}
        some |= more
    return some


@question("The service hangs: who blocks the most threads, and how many?")
async def _(w):
    threads = last_dump(w)
    running = [t for t, (state, _, _) in threads.items() if state == "RUNNABLE"]
    want = max((len(blocked_by(threads, t)), t) for t in running)
    got = (await w.dicts("hang.log.gz", "blocked | where newest and depth = 0 | top 1 waiters | select thread waiters"))[0]
    return want, (int(got["waiters"]), got["thread"])


@question("Which threads are in a deadlock?")
async def _(w):
    names = set(re.findall(r'^"([^"]+)":$', w.text("hang.log.gz"), re.M))
    text = await w.ask("report", {"file": "hang.log.gz"})
    return (names, True), ({r["thread"] for r in await w.dicts("hang.log.gz", "deadlocks | where newest | select thread")}, "transfer -> monthly-report" in text)


@question("How many threads are blocked in the last dump?")
async def _(w):
    want = sum(state == "BLOCKED" for state, _, _ in last_dump(w).values())
    return [want], [int(r["count"]) for r in await w.dicts("hang.log.gz", "threads | where latest and state = blocked | count")]


@question("Which lock do most threads want?")
async def _(w):
    wanted = collections.Counter(lock for _, _, wants in last_dump(w).values() for lock in wants)
    got = (await w.dicts("hang.log.gz", "locks | where latest | top 1 waiters | select lock waiters"))[0]
    return wanted.most_common(1), [(got["lock"], int(got["waiters"]))]


# ---- heap dumps

@question("Which objects leak in the ticket shop, and how many are there?")
async def _(w):
    objects = w.heap("demo.hprof.gz")["com.example.tickets.Session"][0]
    line = [r for r in Table(await w.ask("overview", {"file": "demo.hprof.gz"})).dicts() if r["line"] == "story"][0]["subject"]
    return True, "Sessions.open: %d Session" % objects in line


@question("Which class has the largest objects in all?")
async def _(w):
    want = sorted(((size, count, name) for name, (count, size) in w.heap("demo.hprof.gz").items()), reverse=True)[:5]
    got = await w.dicts("demo.hprof.gz", "classes | top 5 shallow | select shallow objects name")
    return want, [(int(r["shallow"]), int(r["objects"]), r["name"]) for r in got]


@question("How many classes are loaded?")
async def _(w):
    return len(w.rows("classes", "demo.hprof.gz")), int(re.search(r" of (\d+)", (await w.table("demo.hprof.gz", "classes", limit=1)).head)[1])


@question("All classes, page by page")
async def _(w):
    got, cursor, pages = [], {}, 0
    while cursor is not None:
        page = await w.table("demo.hprof.gz", "classes | sort name | select name shallow", limit=90, **cursor)
        got += [(r["name"], r["shallow"]) for r in page.dicts()]
        cursor, pages = {"cursor": page.cursor} if page.cursor else None, pages + 1
    return ([(r["name"], r["shallow"]) for r in w.rows("classes | sort name", "demo.hprof.gz")], 6), (got, pages)


@question("What keeps a session in memory?")
async def _(w):
    got = await w.dicts("demo.hprof.gz", "objects com.example.tickets.Session | head 1 | leaktrace")
    return True, any("com.example.tickets.Sessions" in str(r) for r in got)


@question("Which activity of the phone leaks, and how many of them are held?")
async def _(w):
    name = "com.example.gallery.PhotoActivity"
    found = await w.dicts("phone.hprof.gz", "findings | where kind = activity | select class")
    return ([name], w.heap("phone.hprof.gz")[name][0]), ([r["class"] for r in found], len(await w.dicts("phone.hprof.gz", "objects " + name)))


@question("Which classes differ most between the two dumps?")
async def _(w):
    before, after = w.heap("phone.hprof.gz"), w.heap("demo.hprof.gz")
    want = {name: after.get(name, (0, 0))[0] - before.get(name, (0, 0))[0] for name in ("byte[]", "java.lang.String", "java.lang.Object[]")}
    got = await w.dicts("phone.hprof.gz", "classes | diff | where name in ('byte[]', 'java.lang.String', 'java.lang.Object[]') | select name objects_delta",
                        other="demo.hprof.gz")
    return want, {r["name"]: int(r["objects_delta"]) for r in got}


@question("Are the contents of objects hidden, and does the answer say so?")
async def _(w):
    table = await w.table("demo.hprof.gz", "strings | head 3 | select value")
    return (True, True), ("note: contents of objects are masked" in table.notes, all(re.match("\u2039(text \\d+ bytes #|short text)", row[0]) for row in table.rows))


# ---- phones: frames, waits, CPUs

@question("How many frames of the app were late, and which by how much?")
async def _(w):
    want = w.rows("frames | where on_time = false and process = com.example.recipes and kind = app | sort -overrun | select token overrun", "recipes.pftrace.gz")
    late = [n for n, why in perfettostory.LATE.items() if why != "flinger"]
    got = await w.dicts("recipes.pftrace.gz", "frames | where on_time = false and process = com.example.recipes and kind = app | sort -overrun | select token overrun")
    return (want, True), (got, len(got) >= len(late))


@question("For whom does the main thread of the app wait longest when it starts?")
async def _(w):
    got = [r for r in Table(await w.ask("overview", {"file": "recipes.pftrace.gz"})).dicts() if r["line"] == "main blocked"][0]
    return (True, True, "ns"), (got["subject"].endswith("waker DiskCache"), "DiskCache.rebuild" in got["subject"], got["unit"])


@question("How much CPU time has each encoder?")
async def _(w):
    cpu, since = collections.Counter(), {}
    for on, us, event in re.findall(r"\[(\d+)\] \S+ (\d+\.\d+): sched_switch: (.*)", w.text("sched.txt.gz")):
        now = int(Decimal(us) * 10 ** 6)
        before, after = re.search(r"prev_comm=(.*) prev_pid=.* next_comm=(.*) next_pid", event).groups()
        if on in since:
            cpu[before] += now - since[on][0]
        since[on] = now, after
    for start, name in since.values():
        cpu[name] += now - start        # until the last event
    want = {name: us * 1000 for name, us in cpu.items() if name in ("Encoder 1", "Encoder 2", "Encoder 3")}
    got = await w.dicts("sched.txt.gz", "tasks | where name ~ /^Encoder [1-3]$/ | select name cpu")
    return want, {r["name"]: int(r["cpu"]) for r in got}


# ---- tables of money, bytecode

def payments(w, name):
    """(payee, amount) of each transaction."""
    found = []
    for t in w.text(name).split("<STMTTRN>")[1:]:
        payee, check = re.search(r"<NAME>([^\r\n<]*)", t), re.search(r"<CHECKNUM>(\d+)", t)
        found.append((payee[1].replace("&amp;", "&") if payee else "check " + check[1], Decimal(re.search(r"<TRNAMT>([-.\d]+)", t)[1])))
    return found


@question("How much was paid in the year, and to whom most?")
async def _(w):
    paid = collections.Counter()
    for payee, amount in payments(w, "money.ofx.gz"):
        paid[payee] += amount if amount < 0 else 0
    want = min(paid.items(), key=lambda p: p[1])
    got = await w.dicts("money.ofx.gz", "transactions | where amount < 0 | group payee : sum amount as paid | sort paid")
    return (want, sum(paid.values())), ((got[0]["payee"], Decimal(got[0]["paid"])), sum(Decimal(r["paid"]) for r in got))


@question("Who got more than in the year before?")
async def _(w):
    change = collections.Counter()
    for name, sign in (("money_before.ofx.gz", -1), ("money.ofx.gz", 1)):
        for payee, amount in payments(w, name):
            change[payee] += amount * sign
    got = await w.dicts("money_before.ofx.gz", "transactions | group payee : sum amount | diff payee", other="money.ofx.gz", limit=200)
    return {p: a for p, a in change.items() if a}, {r["payee"]: Decimal(r["sum_amount_delta"]) for r in got if Decimal(r["sum_amount_delta"])}


@question("Which class files are in the archive, and which bugs are certain?")
async def _(w):
    with zipfile.ZipFile(w.path("notes.jar")) as z:
        classes = sorted(n[:-6].replace("/", ".") for n in z.namelist() if n.endswith(".class"))
    bugs = collections.Counter(r["kind"] for r in w.rows("bugs", "notes.jar"))
    return (classes, dict(bugs)), (sorted(r["class"] for r in await w.dicts("notes.jar", "classes")),
                                   {r["kind"]: int(r["count"]) for r in await w.dicts("notes.jar", "bugs | group kind : count")})


# ---- mistakes, limits

@question("A source is misspelt: what is its name?")
async def _(w):
    text = await w.ask("query", {"file": "demo.hprof.gz", "query": "clases | top 3 retained"})
    return ["unknown source 'clases'; did you mean 'classes'?", "clases | top 3 retained", "^"], text.splitlines()


@question("A column is misspelt: where, and what is its name?")
async def _(w):
    head, query, caret = (await w.ask("query", {"file": "demo.hprof.gz", "query": "classes | top 3 retaned"})).splitlines()
    return ("retaned", True), (query[caret.index("^"):], "retained" in head)


@question("Which columns do classes have?")
async def _(w):
    text = await w.ask("help", {"word": "classes", "file": "demo.hprof.gz"})
    return [], [c for c in w.rows("classes | head 1", "demo.hprof.gz")[0] if not re.search(r"(column|hidden) %s \(" % c, text)]


@question("May I have 5000 rows at once?")
async def _(w):
    return "limit must be a number from 1 to 500", await w.ask("query", {"file": "demo.hprof.gz", "query": "strings", "limit": 5000})


@question("How large is an answer at most, and is the rest lost?")
async def _(w):
    got, cursor, largest, pages = [], {}, 0, 0
    while cursor is not None and pages < 100:
        page = await w.table("demo.hprof.gz", "objects | head 700 | select id class shallow", limit=500, **cursor)
        largest, pages = max(largest, sum(len(line) + 2 for line in page.lines)), pages + 1
        got += [(r["id"], r["class"], r["shallow"]) for r in page.dicts()]
        cursor = {"cursor": page.cursor} if page.cursor else None
    want = [(r["id"], r["class"], r["shallow"]) for r in w.rows("objects | head 700", "demo.hprof.gz")]
    return (want, True, True), (got, largest < 16384, pages > 1)


@question("May a query write a file?")
async def _(w):
    return True, "'export' cannot be used here" in await w.ask("query", {"file": "demo.hprof.gz", "query": "classes | export /tmp/x.csv"})


@question("May I see a file outside?")
async def _(w):
    return "no such file below the root: '../../etc/passwd'", await w.ask("info", {"file": "../../etc/passwd"})


@question("Nobody matches: does the answer have no rows, and the columns?")
async def _(w):
    table = await w.table("demo.hprof.gz", "classes | where name = nobody | select name retained")
    return ("query: 0 rows of 0", ["name", "retained"], []), (table.head, table.columns, table.rows)


async def run(program, demo, ask, tell):
    """tell(good, what) for each question."""
    w = World(program, demo, ask)
    for text, answer in ALL:
        try:
            want, got = await answer(w)
            tell(want == got, text if want == got else "%s wanted %s, got %s" % (text, str(want)[:500], str(got)[:500]))
        except Exception as e:
            tell(False, "%s %s: %s" % (text, type(e).__name__, str(e)[:500]))
