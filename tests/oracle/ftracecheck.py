#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""ftracecheck.py BUILD SCRATCH - random calls, drawn as ftrace, trace-cmd and uftrace do, against the answers of icecore, as TAP."""
import collections
import gzip
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import answers  # noqa: E402
import sampled  # noqa: E402
import textscheck  # noqa: E402
from check import Tap, attempt  # noqa: E402

SEEDS = 25
NAMES = ["vfs_read", "schedule", "ext4_get_block [ext4]", "do_IRQ", "__alloc_fd", "a.isra.24", "x"]
TASKS = [(4242, "cat"), (57, "kworker"), (31, "my app-x"), (7, "a (b) 3")]
MARKS = [(1000000000, "$"), (100000000, "@"), (10000000, "*"), (1000000, "#"), (100000, "!"), (10000, "+"), (0, " ")]
FORMS = ["default", "proc", "rich", "bare", "trace-cmd", "raw", "uftrace"]


class Call:
    def __init__(self, name, start):
        self.name, self.start, self.end, self.children, self.interrupt = name, start, start, [], False


def grow(rng, start, depth):
    call = Call(rng.choice(NAMES), start)
    at = start + rng.randrange(1000, 9000)
    for _ in range(rng.randrange(4) if depth < 6 else 0):
        child = grow(rng, at, depth + 1)
        child.interrupt = rng.random() < 0.1
        call.children.append(child)
        at = child.end + rng.randrange(1000, 3000)
    call.end = at + rng.randrange(1000, 9000)
    return call


def printed(ns):
    """Seven digits, as the kernel prints microseconds."""
    us, part = divmod(ns, 1000)
    digits = max(0, min(3, 7 - len(str(us))))
    return ("%d.%03d" % (us, part))[:len(str(us)) + 1 + digits].rstrip("." if not digits else "")


class Drawing:
    """Lines of the calls of a task on a CPU in one form."""

    def __init__(self, rng, form, cpu, tid, task):
        self.rng, self.form, self.cpu, self.tid, self.task = rng, form, cpu, tid, task
        self.lines = []

    def line(self, time, length, text, depth, ends=False):
        body = "  " * depth + text
        mark = next(m for least, m in MARKS if (length or 0) >= least)
        column = "%s %-10s |" % (mark, "" if length is None else printed(length) + " us")
        second = "%d.%06d" % (time // 10**9, time // 1000 % 10**6)
        if self.form == "default":
            return " %d) %s  %s" % (self.cpu, column, body)
        if self.form == "bare":
            return " %d) %s" % (self.cpu, body)
        if self.form == "proc":
            return " %d)  %s-%d  | %s  %s" % (self.cpu, self.task, self.tid, column, body)
        if self.form == "rich":
            return " %s |  %d)  %s-%d |  d..1. | %s  %s" % (second, self.cpu, self.task, self.tid, column, body)
        if self.form == "uftrace":
            return "%s [%6d] | %s" % ("%8s us" % printed(length) if length is not None else " " * 11, self.tid, body)
        event = "funcgraph_exit: " if ends else "funcgraph_entry:"
        if self.form == "raw":
            name = text.split("(")[0]
            if ends:
                body = "<-- %s (%d) (start: %x  end: %x) over: 0" % (self.names.pop(), depth, time - length, time)
            else:
                body = "--> %s (%d)" % (name, depth)
                self.names.append(name)
            return "  %s-%d  [%03d] %s: %s %s" % (self.task, self.tid, self.cpu, second, event, body)
        return "  %s-%d  [%03d] d..1. %s: %s  %s  %s" % (self.task, self.tid, self.cpu, second, event, column, body)

    def between(self, mark, time):
        """The line of an interrupt has no function."""
        return self.line(time, None, "", 0).rsplit("|", 1)[0].rstrip() + "   %s |" % mark

    def draw(self, call, depth=0):
        if depth == 0:
            self.names = []
        irq = call.interrupt and self.form in ("default", "proc", "rich")
        if irq:
            self.lines.append(self.between("==========>", call.start))
        arguments = self.rng.choice(["", "", "file=0x1f, count=3"]) if self.form == "rich" else ""
        name = call.name.split(" ")[0] if self.form == "raw" else call.name
        length = call.end - call.start
        if not call.children and self.form != "raw":
            self.lines.append(self.line(call.start, length if self.form != "bare" else None, "%s(%s);" % (name, arguments), depth))
        else:
            self.lines.append(self.line(call.start, None, "%s(%s) {" % (name, arguments), depth))
            for child in call.children:
                if self.form != "raw" and self.rng.random() < 0.1:
                    self.lines.append(self.line(child.start, None, "/* a note | here */", depth + 1))
                self.draw(child, depth + 1)
            tail = self.rng.choice(["", " /* %s */" % name.split(" ")[0], " /* ret=0x0 */"]) if self.form != "raw" else ""
            self.lines.append(self.line(call.end, length, "}" + tail, depth, True))
        if irq:
            self.lines.append(self.between("<==========", call.end))


def rows_of(call, depth, form, out):
    """Depth, name and length of a call and those in it; the interrupts around them are calls, too."""
    total = call.end - call.start if form != "bare" else 0
    if call.interrupt and form in ("default", "proc", "rich"):
        out.append((depth, "[interrupt]", total))
        depth += 1
    out.append((depth, call.name.split(" ")[0] if form == "raw" else call.name, total))
    for child in call.children:
        rows_of(child, depth + 1, form, out)


def make(rng, form):
    """A text, and what it says by task."""
    text = ["# tracer: function_graph", "#"] if form in ("default", "proc", "rich", "bare") else []
    want = collections.defaultdict(list)
    running, at = {}, 10**9
    for _ in range(rng.randrange(1, 12)):
        cpu = rng.randrange(2)
        tid, task = rng.choice([t for t in TASKS if running.get(1 - cpu) != t])
        if form in ("default", "bare") and running.get(cpu) not in (None, (tid, task)):
            old = running[cpu]
            text += [" " + "-" * 42, " %d)  %s-%d  =>  %s-%d " % (cpu, old[1], old[0], task, tid), " " + "-" * 42, ""]
        if form in ("default", "bare") and cpu not in running:
            text.append(" %d)  <idle>-0  =>  %s-%d " % (cpu, task, tid))
        running[cpu] = (tid, task)
        call = grow(rng, at // 1000 * 1000, 0)
        at = call.end + 5000
        drawing = Drawing(rng, form, cpu, tid, task)
        drawing.draw(call)
        text += drawing.lines
        rows_of(call, 0, form, want[tid])
    return "\n".join(text) + "\n", want


def spans(program, path):
    """Depth, name, length and start of calls by task."""
    a = program.ask(path, "threads | select id tid name", "spans | select thread_id depth method wall start_wall", options=("--no-index",))
    if a.code not in (0, 3):
        raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
    threads, calls = (t.rows for t in a.tables())
    names = {t["id"]: t for t in threads}
    out = collections.defaultdict(list)
    for c in calls:
        out[names[c["thread_id"]]["tid"], names[c["thread_id"]]["name"]].append(
            (int(c["depth"]), c["method"], int(c["wall"]), int(c["start_wall"])))
    return out


def exact(form, rows):
    """Interrupts have no length but between printed times."""
    return [(depth, name, 0 if form == "rich" and name == "[interrupt]" else wall) for depth, name, wall in rows]


def check_made(program, scratch, form):
    bad = []
    for seed in sampled.seeds(SEEDS):
        text, want = make(random.Random("%s %d" % (form, seed)), form)
        path = os.path.join(scratch, "made.txt")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        got = {int(tid): exact(form, [row[:3] for row in rows]) for (tid, _), rows in spans(program, path).items()}
        for tid, rows in want.items():
            rows = exact(form, rows)
            if sorted(rows) != sorted(got.get(tid, ())):
                bad.append("seed %d, task %d: %s, not %s" % (seed, tid, got.get(tid), rows))
    return bad


def check_cuts(program, scratch, form):
    """Each whole line counts, wherever the text ends."""
    text, _ = make(random.Random(form + " cut"), form)
    text = text[:600]
    path = os.path.join(scratch, "cut.txt")
    bad, before = [], 0
    for n in sampled.sampled(range(len(text) + 1), min(5, sampled.STEP)):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text[:n])
        a = program.ask(path, "spans | count", options=("--no-index", "--as", "graph"))
        calls = int(a.out.split("\n")[1]) if a.code in (0, 3) else 0
        if a.code not in (0, 3, 5) or calls < before:
            bad.append("%d bytes: status %d, %d calls after %d" % (n, a.code, calls, before))
        before = calls
    return bad


def check_functions(program, scratch):
    bad = []
    for seed in sampled.seeds(SEEDS):
        rng = random.Random("functions %d" % seed)
        lines, want = ["# tracer: function", "#"], collections.Counter()
        for i in range(rng.randrange(1, 60)):
            tid, task = rng.choice(TASKS)
            stack = [rng.choice(NAMES).split(" ")[0] for _ in range(rng.randrange(2, 6))]
            head = "  %s-%d  [%03d] d..1. %d.%06d: " % (task, tid, rng.randrange(4), 100 + i, rng.randrange(10**6))
            form = rng.choice(["%s <-%s", "function:  %s <-- %s", "%s(a=1, b=2) <-%s"])
            lines.append(head + form % (stack[-1], stack[-2]))
            if rng.random() < 0.5:
                lines += [head + "<stack trace>"] + [" => %s" % name for name in reversed(stack)]
            else:
                stack = stack[-2:]
            want[(task + ";" if task else "") + ";".join(stack)] += 1
        path = os.path.join(scratch, "functions.txt")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        got = textscheck.stacks(program, path, None)
        bad += ["seed %d: %s" % (seed, line) for line in answers.differences("stacks", want, answers.as_counts(want, got))]
    return bad


# ---- the corpus -----------------------------------------------------------------------------------

def flat(rows):
    """Without interrupts, which the slow reader only marks."""
    outer, out = [], []
    for depth, name, wall, start in rows:
        outer = [d for d in outer if d < depth]
        if name == "[interrupt]":
            outer.append(depth)
        else:
            out.append((depth - len(outer), name, wall, start))
    return out


def check_graph(program, path, rows):
    """The table of a slow reader: spans TRACK DEPTH START LENGTH NAME."""
    want, got = collections.defaultdict(list), collections.defaultdict(list)
    spans_ = [r for r in rows if r[0] == "span"]
    made_up = ["info", "times", "made up"] in rows
    first = 0 if made_up else min(int(r[3]) for r in spans_)
    for _, track, depth, start, wall, name, _ in spans_:
        want["<idle>" if track.startswith("<idle>") else track].append((int(depth), name, int(wall), int(start) - first))
    for (tid, name), calls in spans(program, path).items():
        task = "<idle>" if name.startswith("idle, ") else name if name.startswith("CPU ") else \
            tid if name in ("", "thread " + tid) else "%s %s" % (name, tid)
        got[task] += flat(calls)
    bad = ["tasks %s, not %s" % (sorted(got), sorted(want))] * (set(want) != set(got))
    moved = "repair.moved" in program.ask(path, "info", options=("--no-index",)).out
    for task, calls in want.items():
        if not made_up:
            calls, got[task] = without_open(calls, got[task], [(int(r[2]), r[5], int(r[4])) for r in spans_ if r[6] == "open"])
        if sorted(c[:3] for c in calls) != sorted(c[:3] for c in got[task]):
            bad += ["%s: %s" % (task, c) for c in sorted(set(calls) ^ set(got[task]))]
        elif not moved and any(abs(a[3] - b[3]) > (0 if made_up else 5000) for a, b in zip(sorted(calls), sorted(got[task]))):
            bad.append("%s: other starts" % task)
    return bad


def without_open(want, got, opened):
    """An open call lasts at least as long as the slow reader says, which adds only its calls."""
    for depth, name, wall in opened:
        like = [c for c in got if c[:2] == (depth, name) and c[2] >= wall and c[:3] not in [w[:3] for w in want if w[2] != wall]]
        want = [c for c in want if c[:3] != (depth, name, wall)]
        got = [c for c in got if c not in like[-1:]]
    return want, got


def check_counts(program, path, rows):
    want = collections.Counter()
    for r in rows:
        if r[0] == "stack":
            want[r[3] + ";" + r[4]] += int(r[6])
    return answers.differences("stacks", want, answers.as_counts(want, textscheck.stacks(program, path, None)))


def check_corpus(tap, program, corpus):
    folder = os.path.join(corpus, "profiles", "more")
    manifest = os.path.join(folder, "MANIFEST.tsv")
    if not os.path.exists(manifest):
        return
    with open(manifest, encoding="utf-8") as f:
        files = [line.split("\t")[:3] for line in f]
    for name, kind, table in files:
        if kind in ("fgraph", "function") and os.path.exists(os.path.join(folder, name)):
            with (gzip.open if table.endswith(".gz") else open)(os.path.join(folder, table), "rt", encoding="utf-8") as f:
                rows = [line.rstrip("\n").split("\t") for line in f]
            attempt(tap, "profiles/more/%s" % name, check_graph if kind == "fgraph" else check_counts, program, os.path.join(folder, name), rows)


def main(argv):
    tap = Tap()
    program = answers.program_of(argv[1])
    for form in FORMS:
        attempt(tap, "calls as %s draws them" % form, check_made, program, argv[2], form)
        attempt(tap, "%s: truncated at each byte" % form, check_cuts, program, argv[2], form)
    attempt(tap, "function traces", check_functions, program, argv[2])
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
