"""asked.py: questions people ask, each a query and what python makes of the sources."""
import re

import slowrows


def total(rows, column):
    return sum(slowrows.values(rows, column))


def top(rows, n, column):
    return sorted(rows, key=lambda r: -float(r[column] or -1))[:n]


def sums(rows, key, *columns):
    """Rows of a key, how many it has, sums."""
    return [k + (len(p),) + tuple(total(p, c) for c in columns) for k, p in slowrows.groups(rows, [key]).items()]


def busiest(q, kind):
    """1, 2: the thread with most CPU time in a piece of time."""
    if kind == "trace":
        use = sums(q("calls | range 500ms 900ms | select thread self_cpu"), "thread", "self_cpu")
        want = max((s, n) for n, _, s in use)
    else:
        part = {}
        for r in q("states | where class = running | select thread start_wall wall"):
            a, b = int(r["start_wall"]), int(r["start_wall"]) + int(r["wall"])
            part[r["thread"]] = part.get(r["thread"], 0) + max(0, min(b, 900000000) - max(a, 500000000))
        want = max((s, n) for n, s in part.items())
    return "threads | range 500ms 900ms | sort -cpu | head 1 | select cpu name", [want]


def components(q):
    """4: what packages retain, each byte once: those of their objects that have none of the package above them."""
    rows = {r["id"]: r for r in q("objects | select id dominator retained package reachable")}
    sizes, above = {}, {}

    def packages(start):
        way = []
        at = start
        while at not in above and at in rows:
            way.append(at)
            at = rows[at]["dominator"]
        for o in reversed(way):
            d = rows[o]["dominator"]
            above[o] = above.get(d, frozenset()) | ({rows[d]["package"]} if d in rows else set())
        return above.get(start, frozenset())

    for o, r in rows.items():
        if r["reachable"] != "unreachable" and r["package"] not in packages(o):
            sizes[r["package"]] = sizes.get(r["package"], 0) + int(r["retained"])
    return "components | select component retained", sorted(sizes.items())


def nested(q):
    """7: what ran in slow calls lies within one of them."""
    slow = q("spans main | where method ~ draw and wall > 16ms | select start_wall wall depth")
    inner = q("spans main | where method ~ draw and wall > 16ms | during | select row start_wall wall depth method overlap")
    bad = [r for r in inner if not any(int(s["start_wall"]) < int(r["start_wall"]) + int(r["wall"]) and
                                       int(r["start_wall"]) < int(s["start_wall"]) + int(s["wall"]) for s in slow)]
    return None, ["%r" % r for r in bad][:3] + ([] if slow and inner else ["nothing"])


def of_states(q):
    """9: what a thread did while a method ran: pieces of its states."""
    calls = q("spans RenderThread | where method = DrawFrame | select start_wall wall")
    part = {}
    for r in q("states RenderThread | select state start_wall wall"):
        a, b = int(r["start_wall"]), int(r["start_wall"]) + int(r["wall"])
        for c in calls:
            s, e = int(c["start_wall"]), int(c["start_wall"]) + int(c["wall"])
            if min(b, e) > max(a, s):
                part[r["state"]] = part.get(r["state"], 0) + min(b, e) - max(a, s)
    return "spans RenderThread | where method = DrawFrame | during states | group state: sum overlap | sort state", sorted(part.items())


def slow_share(q):
    """15: how many calls took longer."""
    rows = q("spans main | where method ~ draw | select wall")
    part = [str(int(r["wall"]) > 1000000).lower() for r in rows]
    return "spans main | where method ~ draw | group (wall > 1ms) as slow: share", [
        (k, 100 * part.count(k) / len(part)) for k in dict.fromkeys(part)]


def by_field(q):
    """16: objects by the value of a field."""
    ages = q("objects com.example.tickets.Customer | fields | where name = age | select owner value")
    return "objects com.example.tickets.Customer | where age > 60 | select id", [(r["owner"],) for r in ages if int(r["value"]) > 60]


def dominators(q):
    """17: who holds the strings with a text."""
    rows = {r["id"]: r for r in q("objects | select id dominator label")}
    found = [r["object"] for r in q("strings | select object value") if "example" in r["value"]]
    holders = {rows[o]["dominator"] for o in found} & set(rows)
    names = [rows[o]["label"] for o in holders]
    return "strings | where value ~ example | dominator | group class: count | sort class", sorted((n, names.count(n)) for n in set(names))


def wakers(q):
    rows = [r for r in q("wakeups | select task waker latency") if r["task"] == "main"]
    want = [k + (len(p),) + slowrows.pct(p, 99, "latency", [])[0] for k, p in slowrows.groups(rows, ["waker"]).items()]
    return "wakeups | where task = main | group waker: count, p99 latency", want


def runnable(q):
    """19: longest waits for a CPU."""
    rows = [r for r in q("waits | select thread state start_wall wall") if r["state"] == "runnable"]
    return "waits | where state = runnable | top 5 wall | select thread start_wall wall", [
        (r["thread"], r["start_wall"], r["wall"]) for r in top(rows, 5, "wall")]


def waiting(q):
    rows = [r for r in q("waits | select state waiting_in wall") if r["state"] == "disk"]
    return "waits | where state = disk | group waiting_in: count, sum wall", sums(rows, "waiting_in", "wall")


def collectors(q):
    rows = [r for r in q("tasks | select name cpu") if re.search("GC|Jit|HeapTask", r["name"])]
    return "tasks | where name ~ /GC|Jit|HeapTask/ | sum cpu", [(total(rows, "cpu"),)]


def biggest_map(q):
    """22: its entries are those of the nodes that its table has, and of those that follow them."""
    biggest = top(q("collections java.util.HashMap | select object size"), 1, "size")[0]
    owner = {r["id"]: r for r in q("objects | select id retained label")}
    nodes, found = [r["object"] for r in q("objects @%s | refs | where name = table | refs" % biggest["object"])
                    if r["class"] == "java.util.HashMap$Node"], []
    refs = {}
    for r in q("objects java.util.HashMap$Node | refs | select owner name object"):
        refs.setdefault(r["owner"], {})[r["name"]] = r["object"]
    while nodes:
        n = nodes.pop()
        found.append(refs[n]["value"])
        nodes += [refs[n]["next"]] if "next" in refs[n] else []
    if len(found) != int(biggest["size"]):
        return None, ["%d entries of %s" % (len(found), biggest["size"])]
    want = sorted((int(owner[o]["retained"]) for o in found), reverse=True)[:10]
    return "collections java.util.HashMap | top 1 size | entries | top 10 retained | select retained", [(x,) for x in want]


def stack_of(q):
    """23: locals of the thread that retains most."""
    thread = top(q("threads | select id retained"), 1, "retained")[0]["id"]
    rows = [r for r in q("locals | select object retained thread_id") if r["thread_id"] == thread]
    return "threads | top 1 retained | locals | top 10 retained | select object retained", [
        (r["object"], r["retained"]) for r in top(rows, 10, "retained")]


def of_findings(q):
    found = {r["object"] for r in q("findings | select object")} - {""}
    return "objects | where id in (findings | select object) | select id", sorted(((o,) for o in found), key=lambda t: int(t[0]))


def grew(q):
    """3: classes of two dumps; these are two different ones."""
    def sizes(file):
        rows = [(r["name"], int(r["retained"])) for r in q("classes | select name retained", file)]
        return {n: s for n, s in rows if [x for x, _ in rows].count(n) == 1}
    a, b = sizes("heap"), sizes("phone")
    deltas = sorted((b[n] - a[n] for n in b if n in a), reverse=True)[:5]
    both = [r for r in q("classes | diff name | where found = both or change = both | sort -retained_delta", "heap", "phone")]
    return None, [] if [int(r["retained_delta"]) for r in both if r["name"] in a and r["name"] in b][:5] == deltas else ["other classes grew"]


def leaks(q):
    """5: an activity that leaks, and why: a trace for each."""
    found, trace = q("findings activity | select object", "phone"), q("findings activity | leaktrace | select finding line object", "phone")
    heads = {r["finding"] for r in trace}
    return None, [] if found and len(heads) == len(found) and {r["object"] for r in found} <= {r["object"] for r in trace} else ["%r" % heads]


def sites(q):
    """6: who made the strings; this dump does not tell."""
    rows = q("objects java.lang.String | select alloc_site shallow")
    want = [k + (n, s) for *k, n, s in sums(rows, "alloc_site", "shallow") for k in [tuple(k)]]
    return "objects java.lang.String | group alloc_site: count, sum shallow | top 10 sum_shallow", sorted(want, key=lambda r: -r[-1])[:10]


# Kind of file and question; the numbers not here are checked with the words they are about.
QUESTIONS = (
    ("trace", lambda q: busiest(q, "trace")), ("sched", lambda q: busiest(q, "sched")), ("heap", grew), ("heap", components), ("heap", leaks),
    ("heap", sites), ("trace", nested), ("sched", of_states), ("trace", slow_share), ("heap", by_field), ("heap", dominators), ("sched", wakers),
    ("sched", runnable), ("sched", waiting), ("sched", collectors), ("heap", biggest_map), ("heap", stack_of), ("heap", of_findings))
