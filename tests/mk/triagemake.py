# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""triagemake.py N [TRACES]: the rows of a triage of N dumps, on standard output: leaks that some of them have, and dumps that were not read;
and of as many traces of two builds, the later of which is slower in one method.
triagemake.py FOLDER: rows.jsonl there, and app.hprof, the dump where the first leak retains most."""
import hashlib
import json
import os
import sys

import mkheap

STATES = ("ok", "ok", "clean", "ok", "salvaged", "unreadable", "ok", "timeout", "ok", "empty")
LEAKS = (("activity", "static com.example.Leaky.activity > com.example.MainActivity", None, "com.example.MainActivity"),
         ("accumulation", "v2 static com.example.Sessions.open[] > com.example.Session", "com.example.Sessions.open", "com.example.Session"),
         ("view", "static com.example.Menu.last > com.example.BadgeView", None, "com.example.BadgeView"))


def digest(text, n):
    return hashlib.sha256(text.encode()).hexdigest()[:n]


def rows_of(n):
    for i in range(n):
        state = STATES[i % len(STATES)]
        read = state in ("ok", "clean", "salvaged")
        found = [leak for k, leak in enumerate(LEAKS) if state == "ok" and i % (k + 2) == 0] or ([LEAKS[0]] if state == "ok" else [])
        key = digest("key %d" % i, 32)
        rows = [dict(row="dump", schema=1, key=key, path="dumps/shop/%d/web-%06d.hprof.gz" % (400 + i % 3, i), bytes=81000 + i,
                     sum=digest("sum %d" % i, 32), state=state, exit=0 if read else None, signal=None,
                     reason=None if read else "because of %s" % state, lost_bytes=0 if read else None, format="HPROF 1.0.2" if read else None,
                     unpacked=990000 + i if read else None, objects=1000 + i if read else None, live_objects=900 + i if read else None,
                     live_bytes=600000 + 8 * i if read else None,
                     dumped_at="2026-11-%02dT%02d:00:00Z" % (i % 28 + 1, i % 24) if read else None,
                     app="shop", build=str(400 + i % 3), process="web", findings=len(found), attempt=1, seconds=0.012, rss=9216000,
                     version="0.1.0", rule=2)]
        for rank, (kind, signature, holder, content) in enumerate(found, 1):
            rows.append(dict(row="finding", schema=1, key=key, rank=rank, severity="leak" if kind != "accumulation" else "warning", kind=kind,
                             sig=digest(signature, 16), rule=2 if signature.startswith("v2") else 1, holder=holder, content=content,
                             retained=5000 * rank + i % 1000, percent=round(1 + i % 70 + rank / 8, 3), count=1 + i % 5, signature=signature,
                             why="it is one of %d" % (i % 7)))
        yield rows


def traces_of(n):
    for i in range(n):
        key, slow = digest("trace %d" % i, 32), i % 2
        shares = (("shop.Rule.matches", 4 + 8 * slow + i % 3), ("shop.Text.append", 20 + i % 5), ("shop.Store.query", 9 - i % 4))
        shares = sorted(shares, key=lambda m: -m[1])
        rows = [dict(row="dump", schema=1, key=key, path="traces/shop/2.%d/start-%02d.trace" % (slow, i), bytes=70000 + i, sum=digest("t %d" % i, 32),
                     state="ok" if i % 3 == 0 else "clean", exit=0, signal=None, reason=None, lost_bytes=0, format="Android method trace",
                     app="shop", build="2.%d" % slow, process="start", findings=int(i % 3 == 0), attempt=1, seconds=0.02, rss=9216000, version="0.1.0",
                     rule=2, weight="cpu", elapsed=1000000000 + i, hot_path="Main.run > Page.show", hot_share=50.5 + i, wait=120000000 + i,
                     wait_in="main in shop.Store.query", story="shop.Rule.matches takes %d%% of the CPU time" % (20 + i) if i % 2 else None, main_blocks=int(i % 3 == 0), main_longest=120000000 + i if i % 3 == 0 else None, methods=3)]
        if i % 3 == 0:
            rows.append(dict(row="finding", schema=1, key=key, rank=1, severity="jank", kind="main blocked", sig=digest("blocked", 16), rule=1,
                             holder="main", content="shop.Store.query", count=1, signature="main blocked > main > shop.Store.query",
                             wall=120000000 + i))
        yield rows + [dict(row="method", schema=1, key=key, rank=k, method=m, self=s, total=s + 1.5) for k, (m, s) in enumerate(shares, 1)]


def main():
    folder = sys.argv[1] if os.path.isdir(sys.argv[1]) else None
    out = open(os.path.join(folder, "rows.jsonl"), "w") if folder else sys.stdout
    made = [*rows_of(12 if folder else int(sys.argv[1])), *traces_of(int(sys.argv[2]) if len(sys.argv) > 2 else 0)]
    for i, rows in enumerate(made):
        if folder and i == 0:
            with open(os.path.join(folder, "app.hprof"), "wb") as f:
                f.write(mkheap.make("art"))
            rows[0]["path"], rows[1]["retained"] = "app.hprof", 20032
        for row in rows:
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
    if folder:
        out.close()


main()
