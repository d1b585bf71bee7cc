# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""asked.py: the questions people ask, by number: each a query, and what python makes of the sources of the same file.

The subject of a question (a thread, a method, a class, a field, a length of time) is chosen from the file, so that any file will do.
"""
import collections
import os
import re

import answers
import mergecheck
import slowrows

NOTHING = object()      # the file has no data of that kind
SAFE = re.compile(r"[\w.$<>:/-]{2,80}")


class Asker:
    """Rows of queries on one file, or on two."""

    def __init__(self, program, *paths):
        self.program, self.paths, self.options = program, paths, ("--no-index",)

    def __call__(self, query, *which):
        a = self.program.run([*self.options, "-o", "tsv", "-e", query] + [self.paths[i] for i in which or (0,)])
        if a.code not in (0, 1, 3):
            raise ValueError("%s: exit status %d: %s" % (query, a.code, a.err.strip()))
        return answers.Table(a.out).rows

    def has(self, query):
        return self.program.run([*self.options, "-e", query, self.paths[0]]).code != 2


# ---- sums ------------------------------------------------------------------------------


def total(rows, column):
    return sum(slowrows.values(rows, column))


def top(rows, n, column):
    return sorted(rows, key=lambda r: -float(r[column] or -1))[:n]


def sums(rows, key, *columns):
    """Rows of a key, how many it has, sums."""
    return [k + (len(p),) + tuple(total(p, c) for c in columns) for k, p in slowrows.groups(rows, [key]).items()]


def percentile(rows, n, column, *keys):
    return [k[:-1] + (k[-1],) for k in slowrows.pct(rows, n, column, list(keys))]


# ---- what is asked about -----------------------------------------------------------------


def piece(rows, start, length):
    """The second quarter of the time that rows take."""
    a = min(int(r[start]) for r in rows)
    b = max(int(r[start]) + int(r[length]) for r in rows)
    return a + (b - a) // 4, a + (b - a) // 2


def busy_method(q, calls=4):
    """The thread with most calls, the method of it that takes longest and is called several times, all calls of the thread."""
    if not q.has("spans | head 1"):
        return None
    rows = q("spans | select thread method start_wall wall depth thread_id")
    ids = {n: {r["thread_id"] for r in p} for (n,), p in slowrows.groups(rows, ["thread"]).items()}
    threads = collections.Counter(r["thread"] for r in rows if len(ids[r["thread"]]) == 1 and SAFE.fullmatch(r["thread"]))
    for thread, _ in threads.most_common():
        own = [r for r in rows if r["thread"] == thread]
        methods = [s for s in sums(own, "method", "wall") if s[1] >= calls and s[2] > 0 and SAFE.fullmatch(s[0])]
        if methods:
            return thread, max(methods, key=lambda s: s[2])[0], own
    return None


def middle(values):
    return sorted(values)[len(values) // 2]


def numeric_field(q):
    """A class, an integer field of it, (object, value) of all its objects."""
    columns = {r["name"] for r in q("columns objects")}
    classes = [r["name"] for r in q("classes | where objects >= 5 and objects <= 3000 | sort -objects | select name")]
    for name in [n for n in classes if SAFE.fullmatch(n) and "[" not in n][:40]:
        rows = [r for r in q("objects '%s' | fields | select owner name value" % name) if re.fullmatch(r"-?\d+", r["value"])]
        for (field,), part in slowrows.groups(rows, ["name"]).items():
            values = [int(r["value"]) for r in part]
            if re.fullmatch(r"[a-z]\w{3,}", field) and field not in columns and min(values) >= 0 and len(set(values)) > 2 and len({r["owner"] for r in part}) == len(part):
                return name, field, [(r["owner"], int(r["value"])) for r in part]
    return None


# ---- times ---------------------------------------------------------------------------------


def busiest(q, rows, start, length, key, amount):
    """The thread with most CPU time in a piece of time."""
    a, b = piece(rows, start, length)
    part = amount(a, b)
    threads = q("threads | select id name")
    if not any(part.values()):
        return NOTHING
    best = max(part.values())
    names = [r["name"] for r in threads if part.get(r[key], 0) == best]
    return "threads | range %dns %dns | sort -cpu | head 1 | select cpu name" % (a, b), [(best, names[0])]


def busiest_of_trace(q):
    """1: the thread with most CPU time in a piece of time, method trace"""
    rows = q("spans | select start_wall wall")
    return busiest(q, rows, "start_wall", "wall", "id", lambda a, b: {
        k[0]: k[2] for k in sums(q("calls | range %dns %dns | select thread_id self_cpu" % (a, b)), "thread_id", "self_cpu")}) if rows else NOTHING


def busiest_of_sched(q):
    """2: the same, scheduler trace"""
    rows = [r for r in q("states | select thread class start_wall wall") if r["class"] == "running"]

    def amount(a, b):
        part = collections.Counter()
        for r in rows:
            s, e = int(r["start_wall"]), int(r["start_wall"]) + int(r["wall"])
            part[r["thread"]] += max(0, min(e, b) - max(s, a))
        return part
    return busiest(q, rows, "start_wall", "wall", "name", amount) if rows else NOTHING


def pieces(spans):
    """Calls of one thread, as (calls that are open, how long)."""
    open_, now = [], 0
    for s in sorted(spans, key=lambda s: (int(s["start_wall"]), int(s["depth"]))) + [None]:
        start = int(s["start_wall"]) if s else None
        while open_ and (s is None or end_of(open_[-1]) <= start):
            yield open_, end_of(open_[-1]) - now
            now = end_of(open_.pop())
        if s:
            yield open_, start - now
            open_.append(s)
            now = start


def end_of(span):
    return int(span["start_wall"]) + int(span["wall"])


def call(r):
    return r["start_wall"], r["wall"], r["depth"], r["method"]


def nested(q):
    """7: what ran in slow calls: each instant of such a call counts for the innermost call"""
    found = busy_method(q)
    if not found:
        return NOTHING
    thread, method, spans = found
    limit = middle([int(s["wall"]) for s in spans if s["method"] == method]) - 1
    query = "spans '%s' | where method = '%s' and wall > %dns" % (thread, method, limit)
    slow = [call(r) for r in q(query + " | select start_wall wall depth method")]
    want, got = collections.Counter(), collections.Counter()
    for open_, length in pieces(spans):
        for s in open_ if length > 0 else ():
            if s["method"] == method and int(s["wall"]) > limit:
                want[call(s) + call(open_[-1])] += length
    for r in q(query + " | during | select row start_wall wall depth method overlap"):
        if r["overlap"] != "0":
            got[slow[int(r["row"]) - 1] + call(r)] += int(r["overlap"])
    return None, ["%r" % (x,) for x in (want - got) + (got - want)][:3] + ([] if want else ["nothing"])


def off_cpu(q):
    """8: 99th percentile of the time off CPU, per thread"""
    rows = [r for r in q("states | select thread class wall") if r["class"] != "running"]
    return "states | where class != running | group thread: p99 wall", percentile(rows, 99, "wall", "thread")


def of_states(q):
    """9: what a thread did while a method ran: pieces of its states"""
    found = busy_method(q, 1)
    if not found:
        return NOTHING
    thread, method, spans = found
    part = collections.Counter()
    calls = [s for s in spans if s["method"] == method]
    for r in q("states '%s' | select state start_wall wall" % thread):
        a, b = int(r["start_wall"]), end_of(r)
        for c in calls:
            if min(b, end_of(c)) > max(a, int(c["start_wall"])):
                part[r["state"]] += min(b, end_of(c)) - max(a, int(c["start_wall"]))
    return "spans '%s' | where method = '%s' | during states | group state: sum overlap | sort state" % (thread, method), sorted(part.items())


def by_package(q):
    """10: time by package: the part before the class"""
    rows = q("methods | select class self_wall")
    for r in rows:
        r["package"] = r["class"].rpartition(".")[0]
    if not total(rows, "self_wall"):
        return NOTHING
    known = {r["class"]: r["package"] for r in q("methods | select class package")}
    bad = ["%s is of %s" % (c, p) for c, p in known.items() if "." in c and p != c.rpartition(".")[0]]
    if bad:
        return None, bad[:3]
    for r in rows:
        r["package"] = known[r["class"]]
    part = sorted((-s, n) for n, _, s in sums(rows, "package", "self_wall"))[:10]
    return "methods | group package: sum self_wall, share self_wall | top 10 sum_self_wall | select sum_self_wall share_self_wall", [
        (-s, -100 * s / total(rows, "self_wall")) for s, _ in part]


def top_methods(q):
    """11: the call path with most self time of each thread"""
    rows = q("calls | select thread_id self_wall")
    return "calls | top 1 self_wall per thread_id | select thread_id self_wall", [
        (r["thread_id"], r["self_wall"]) for r in slowrows.top(rows, 1, "self_wall", ["thread_id"])] or NOTHING


def of_method(q):
    """12: 99th percentile of the duration of a method"""
    found = busy_method(q)
    if not found:
        return NOTHING
    rows = [r for r in q("spans | select method wall") if r["method"] == found[1]]
    return "spans | where method = '%s' | p99 wall" % found[1], percentile(rows, 99, "wall")


def share(q):
    """13: share of the total"""
    rows = q("methods | select self_wall")
    whole = total(rows, "self_wall")
    return "methods | select self_wall share(self_wall)", [(r["self_wall"], 100 * int(r["self_wall"]) / whole) for r in rows] if whole else NOTHING


def by_time(q):
    """14: CPU time per piece of time"""
    rows = [r for r in q("states | select class start_wall wall") if r["class"] == "running"]
    if not rows:
        return NOTHING
    width = max(1000, (piece(rows, "start_wall", "wall")[1] - piece(rows, "start_wall", "wall")[0]) // 5)
    part = collections.Counter()
    for r in rows:
        at = int(r["start_wall"])
        while True:
            end = min(end_of(r), (at // width + 1) * width)
            part[at // width * width] += end - at
            at = end
            if at == end_of(r):
                break
    return "states | where class = running | split %dns | group start_wall by %dns: sum wall | sort start_wall" % (width, width), sorted(part.items())


def slow_share(q):
    """15: how many calls took longer"""
    found = busy_method(q)
    if not found:
        return NOTHING
    rows = [r for r in found[2] if r["method"] == found[1]]
    limit = middle([int(r["wall"]) for r in rows])
    part = [str(int(r["wall"]) > limit).lower() for r in q("spans '%s' | where method = '%s' | select wall" % found[:2])]
    return "spans '%s' | where method = '%s' | group (wall > %dns) as slow: share" % (found[0], found[1], limit), [
        (k, 100 * part.count(k) / len(part)) for k in dict.fromkeys(part)]


# ---- waits -----------------------------------------------------------------------------------


def wakers(q):
    """18: who woke a task"""
    rows = q("wakeups | select task waker latency")
    names = collections.Counter(r["task"] for r in rows if SAFE.fullmatch(r["task"]))
    if not names:
        return NOTHING
    task = names.most_common(1)[0][0]
    want = [k + (len(p),) + slowrows.pct(p, 99, "latency", [])[0]
            for k, p in slowrows.groups([r for r in rows if r["task"] == task], ["waker"]).items()]
    return "wakeups | where task = '%s' | group waker: count, p99 latency" % task, want


def runnable(q):
    """19: longest waits for a CPU"""
    rows = [r for r in q("waits | select thread state start_wall wall") if r["state"] == "runnable"]
    return "waits | where state = runnable | top 5 wall | select thread start_wall wall", [
        (r["thread"], r["start_wall"], r["wall"]) for r in top(rows, 5, "wall")] or NOTHING


def waiting(q):
    """20: where threads wait in the state that costs most"""
    rows = q("waits | select state waiting_in wall")
    if not rows:
        return NOTHING
    state = max(sums(rows, "state", "wall"), key=lambda s: s[2])[0]
    return "waits | where state = '%s' | group waiting_in: count, sum wall" % state, sums([r for r in rows if r["state"] == state], "waiting_in", "wall")


def collectors(q):
    """21: CPU time of the garbage collector and the compiler"""
    rows = [r for r in q("tasks | select name cpu") if re.search("GC|Jit|HeapTask", r["name"])]
    return "tasks | where name ~ /GC|Jit|HeapTask/ | sum cpu", [(total(rows, "cpu"),)] if rows else NOTHING


# ---- objects ------------------------------------------------------------------------------------


def grew(q):
    """3: which classes grew"""
    if len(q.paths) < 2:
        return NOTHING

    def sizes(which):
        rows = [(r["name"], int(r["retained"])) for r in q("classes | select name retained", which)]
        count = collections.Counter(n for n, _ in rows)
        return {n: s for n, s in rows if count[n] == 1}
    before, after = sizes(0), sizes(1)
    want = sorted((after[n] - before[n] for n in after if n in before), reverse=True)[:20]
    rows = [r for r in q("classes | diff | where change = kept | sort -retained_delta | select name retained_delta", 0, 1)
            if r["name"] in before and r["name"] in after]
    return None, [] if want and [int(r["retained_delta"]) for r in rows][:20] == want else ["other classes grew: %r" % rows[:3]]


def components(q):
    """4: what packages retain, each byte once: those of their objects that have none of the package above them"""
    rows = {r["id"]: r for r in q("objects | select id dominator retained package reachable")}
    sizes, above = collections.Counter(), {"": frozenset()}
    for start in rows:
        way, at = [], start
        while at not in above:
            way.append(at)
            at = rows[at]["dominator"]
        for o in reversed(way):
            d = rows[o]["dominator"]
            above[o] = above[d] | {rows[d]["package"]} if d and rows[d]["package"] not in above[d] else above[d]
    for o, r in rows.items():
        if r["reachable"] in ("strong", "soft") and r["package"] not in above[o]:
            sizes[r["package"]] += int(r["retained"])
    return "components | where objects > 0 | select component retained | sort component", sorted(sizes.items(), key=lambda s: s[0].encode())


def leaks(q):
    """5: an activity that leaks, and why: a trace for each"""
    found, trace = q("findings activity | select object"), q("findings activity | leaktrace | select finding line object")
    heads = {r["finding"] for r in trace}
    if not found:
        return NOTHING
    return None, [] if len(heads) == len(found) and {r["object"] for r in found} <= {r["object"] for r in trace} else ["%r" % heads]


def sites(q):
    """6: who made the strings"""
    rows = q("objects java.lang.String | select alloc_site shallow")
    want = sorted(((k, n, s) for k, n, s in sums(rows, "alloc_site", "shallow")), key=lambda r: -r[-1])[:10]
    return "objects java.lang.String | group alloc_site: count, sum shallow | top 10 sum_shallow", want or NOTHING


def by_field(q):
    """16: objects by the value of a field"""
    found = numeric_field(q)
    if not found:
        return NOTHING
    name, field, values = found
    limit = middle([v for _, v in values])
    return "objects '%s' | where %s > %d | select id" % (name, field, limit), [(o,) for o, v in values if v > limit]


def dominators(q):
    """17: who holds the strings with a text"""
    rows = {r["id"]: r for r in q("objects | select id dominator label")}
    strings = q("strings | select object value")
    words = collections.Counter(w for r in strings for w in set(re.findall(r"[a-z]{4,}", r["value"])))
    if not words:
        return NOTHING
    word = words.most_common(1)[0][0]
    holders = {rows[r["object"]]["dominator"] for r in strings if word in r["value"]} & set(rows)
    names = collections.Counter(rows[o]["label"] for o in holders)
    if not names:
        return NOTHING
    return "strings | where value ~ '%s' | dominator | group label: count | sort label" % word, sorted(names.items(), key=lambda n: n[0].encode())


NODES = "java.util.HashMap$Node", "java.util.HashMap$TreeNode", "java.util.HashMap$Entry", "java.util.HashMap$HashMapEntry"


def biggest_map(q):
    """22: the largest map: its entries are those of the nodes that its table has, and of those that follow them"""
    maps = [r for r in q("collections java.util.HashMap | select object size") if int(r["size"])]
    if not maps:
        return NOTHING
    biggest, found, refs = top(maps, 1, "size")[0], [], {}
    owner = {r["id"]: r for r in q("objects | select id retained class")}
    nodes = [r["object"] for r in q("objects @%s | refs | where name = table | refs" % biggest["object"])
             if r["object"] and owner[r["object"]]["class"] in NODES]
    some = [n for n in NODES if any(r["class"] == n for r in owner.values())]
    for r in q("objects %s | refs | select owner name object" % " ".join("'%s'" % n for n in some)):
        refs.setdefault(r["owner"], {})[r["name"]] = r["object"]
    while nodes:
        n = nodes.pop()
        found.append(refs[n].get("value", ""))
        nodes += [refs[n]["next"]] if refs[n].get("next") else []
    if len(found) != int(biggest["size"]):
        return None, ["%d entries of %s" % (len(found), biggest["size"])]
    want = sorted((int(owner[o]["retained"]) for o in found if o), reverse=True)[:10]
    return "collections java.util.HashMap | top 1 size | entries | top %d retained | select retained" % len(want), [
        (x,) for x in want] or NOTHING


def stack_of(q):
    """23: locals of the thread that retains most"""
    thread = "".join(r["id"] for r in top(q("threads | select id retained"), 1, "retained"))
    if not thread:
        return NOTHING
    rows = [r for r in q("locals | select object retained thread_id") if r["thread_id"] == thread]
    return "threads | top 1 retained | locals | top 10 retained | select object retained", [
        (r["object"], r["retained"]) for r in top(rows, 10, "retained")] or NOTHING


def common_path(q):
    """24: the common path of many objects"""
    classes = [r["name"] for r in q("classes | where objects >= 20 | sort -objects | select name") if SAFE.fullmatch(r["name"])]
    if not classes:
        return NOTHING
    return None, mergecheck.compare(mergecheck.Dump(q.program, q.paths[0]), "objects '%s'" % classes[min(3, len(classes) - 1)], "soft")


def of_findings(q):
    """25: objects that findings name"""
    found = {r["object"] for r in q("findings | select object")} - {""}
    return "objects | where id in (findings | select object) | select id", sorted(((o,) for o in found), key=lambda t: int(t[0])) or NOTHING


QUESTIONS = {
    "trace": (busiest_of_trace, nested, by_package, top_methods, of_method, share, slow_share),
    "sched": (busiest_of_sched, off_cpu, of_states, by_time, wakers, runnable, waiting, collectors),
    "heap": (grew, components, leaks, sites, by_field, dominators, biggest_map, stack_of, common_path, of_findings)}
STAGES = 4


def name_of(question):
    return question.__doc__.split("\n")[0]


def number_of(question):
    return int(name_of(question).split(":")[0])


def ask(q, question, differ):
    """Differences; NOTHING where the file has nothing of the kind."""
    answer = question(q)
    if answer is NOTHING or answer[1] is NOTHING:
        return NOTHING
    query, want = answer
    if query is None:
        return want
    rows = q(query)
    bad = differ(query, want, [tuple(r.values()) for r in rows])
    stages = re.sub(r"\(.*?\)", "", query).count(" | ")
    return bad + ([] if want else ["no rows: " + query]) + ([] if stages <= STAGES else ["%s: %d stages" % (query, stages)])


def ask_all(tap, attempt, program, differ, kind, paths, told):
    """All questions of a kind on a file, or on two; the last argument collects the numbers of those with an answer."""
    q = Asker(program, *paths)

    def one(question):
        bad = ask(q, question, differ)
        if bad is NOTHING:
            return []
        told.add(number_of(question))
        return bad
    for question in QUESTIONS[kind]:
        attempt(tap, "%s: question %s" % (os.path.basename(paths[0]), name_of(question)), one, question)
