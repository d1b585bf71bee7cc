# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Views against a slow model of them.

usage: views.py ICECORE SCRATCH: random traces and profiles, random view stages; the answers of calls
behind them must be those of naive code over the answers without them.  Exit 1 where they differ.
"""
import collections
import fnmatch
import os
import random
import re
import subprocess
import sys

import answers
import madenames

FIELDS = ("calls", "self_wall", "total_wall", "self_cpu", "total_cpu")


def ask(program, files, *queries, options=()):
    args = ["--no-index", "-o", "tsv", *options]
    for q in queries:
        args += ["-e", q]
    answer = program.run(args + list(files))
    if answer.code not in (0, 1, 3):
        sys.exit("%s: %s" % (queries, answer.err))
    tables = answer.out[:-1].split("\n\n") if answer.out else []
    return [[dict(zip(columns.split("\t"), row.split("\t"))) for row in rows if row] for columns, *rows in (t.split("\n") for t in tables)]


# ---- trees: a list of (thread, frames, numbers) ----------------------------------------------------

def stacks(rows, fields):
    """Rows of calls as (thread id, tuple of frames from the top, numbers)."""
    path, out = {}, []
    for r in rows:
        up = path[r["parent"]] if r["parent"] != "0" else ()
        path[r["id"]] = up + ((int(r["id"]), r["method"]),)
        out.append((r["thread"], path[r["id"]], {f: float(r[f]) if "." in r[f] else int(r[f]) for f in fields}))
    return out


def table(rows, fields):
    """Rows by thread and names of the frames; frames of one name below one caller are one here."""
    out = collections.defaultdict(lambda: dict.fromkeys(fields, 0))
    for thread, frames, numbers in stacks(rows, fields):
        key = (thread,) + tuple(name for _, name in frames)
        for f in fields:
            out[key][f] += numbers[f]
    return dict(out)


# ---- rules -------------------------------------------------------------------------------------------

def before(name):
    """The part before the last separator outside of <>, and that separator."""
    depth = 0
    for i in range(len(name) - 1, 0, -1):
        depth = depth + 1 if name[i] == ">" else max(0, depth - 1) if name[i] == "<" else depth
        if depth == 0 and name[i] in "./":
            return name[:i], name[i]
        if depth == 0 and i > 1 and name[i - 1:i + 1] == "::":
            return name[:i - 1], "::"
    return "", ""


made = {}       # names that were built here, and their classes


def group_of(name, group, trace):
    if group == "method" or name == "":
        return name
    if group == "class" and name in made:
        return made[name] or "(no class)"
    found = re.fullmatch(r"(?s)(.+) \(([^,]+?)(?::\d+)*\)", name) or re.fullmatch(r"(?s)(.+) - ([^,]+?):\d+", name)
    folder = ""
    if found:
        name, folder = found.group(1), os.path.dirname(found.group(2))
    if name[0] in "[<" and not found:
        return name
    name = re.split(r"(?<=[^.:])\(", name, maxsplit=1)[0]
    cls, sep = before(name)
    if group == "class":
        return cls or "(no class)"
    package, above = before(cls)
    if cls and not trace:
        if sep == "::" and above in ("", "::"):
            return cls
        if re.match("[a-z]", re.split(r"[./]|::", cls)[-1]):
            return cls
    return package or folder or "(no package)"


def shown(frames, rules, group, trace):
    """The frames that are left of a stack, as (their first id, name); None: the stack does not count."""
    left = list(frames)
    counts = True
    for kind, test in rules:
        if kind == "hide":
            left = [f for f in left if not test(f[1])]
        elif kind == "keep":
            counts = counts and any(test(f[1]) for f in left)
        elif kind == "drop":
            counts = counts and not any(test(f[1]) for f in left)
        else:
            left = [f for i, f in enumerate(left)
                    if not (i > 0 and test(f[1]) and test(left[i - 1][1]))]
    grouped = [(i, group_of(name, group, trace)) for i, name in left]
    if group != "method":
        grouped = [f for i, f in enumerate(grouped) if i == 0 or f[1] != grouped[i - 1][1]]
    return grouped if counts else None


def apply(rows, rules, group, samples):
    """The same as table() of what the program shows: counted stack by stack."""
    pairs = ([("self", "total")] if samples else [("self_wall", "total_wall"), ("self_cpu", "total_cpu")])
    count = "samples" if samples else "calls"
    fields = [count] + [f for p in pairs for f in p]
    own = {}
    out = collections.defaultdict(lambda: dict.fromkeys(fields, 0))
    counted = set()
    threads = collections.defaultdict(int)
    data = stacks(rows, fields)
    for thread, frames, numbers in data:
        own[frames[-1][0]] = numbers[count]
    for thread, frames, numbers in data:
        left = shown(frames, rules, group, not samples)
        if left is None or (samples and not numbers[count]):
            continue
        threads[thread] += numbers[pairs[0][0]]
        key = (thread,)
        for i, name in left:
            key += (name,)
            out[key]
            for own_field, total in pairs:
                out[key][total] += numbers[own_field]
            if not samples and i not in counted:
                counted.add(i)
                out[key][count] += own[i]
        if left:
            for own_field, _ in pairs:
                out[key][own_field] += numbers[own_field]
            if samples:
                out[key][count] += numbers[count]
    return dict(out), dict(threads)


# ---- time ----------------------------------------------------------------------------------------------

def clipped(spans, start, end, tick):
    """The tree of a piece of time, from all calls in the order they were entered."""
    fields = FIELDS
    out = collections.defaultdict(lambda: dict.fromkeys(fields, 0))
    by_thread = collections.defaultdict(list)
    for s in spans:
        by_thread[s["thread"], s["thread_id"]].append(s)
    start, end = start // tick * tick, end // tick * tick
    for (thread, _), calls in by_thread.items():
        # Every enter and every exit is a point of the thread's two clocks.
        points, open_calls = [], []
        for n, s in enumerate(calls):
            a, b = int(s["start_wall"]), int(s["start_wall"]) + int(s["wall"])
            ca, cb = int(s["start_cpu"]), int(s["start_cpu"]) + int(s["cpu"])
            depth = int(s["depth"])
            while len(open_calls) > depth:
                points.append(open_calls.pop())
            points.append((a, ca, "in", n))
            open_calls.append((b, cb, "out", n))
        while open_calls:
            points.append(open_calls.pop())
        stack, last, seen = [], None, set()

        def key():
            return (thread,) + tuple(calls[n]["method"] for n in stack)

        def know():
            for i, n in enumerate(stack):
                if n not in seen:
                    seen.add(n)
                    out[(thread,) + tuple(calls[m]["method"] for m in stack[:i + 1])]["calls"] += 1
        for time, cpu, what, n in points:
            if last is not None and stack:
                t0, c0 = last
                a, b = max(t0, start), min(time, end)
                if a < b:
                    know()
                    wall = b - a
                    used = ((cpu - c0) // tick * (b - t0) // (time - t0) -
                            (cpu - c0) // tick * (a - t0) // (time - t0)) * tick
                elif t0 == time and start <= time < end:
                    know()
                    wall, used = 0, cpu - c0
                else:
                    wall = used = 0
                if wall or used:
                    out[key()]["self_wall"] += wall
                    out[key()]["self_cpu"] += used
                    for i in range(1, len(stack) + 1):
                        k = (thread,) + tuple(calls[m]["method"] for m in stack[:i])
                        out[k]["total_wall"] += wall
                        out[k]["total_cpu"] += used
            last = (time, cpu)
            if what == "in":
                stack.append(n)
                if start <= time < end:
                    know()
            else:
                assert stack.pop() == n
    return dict(out)


# ---- what is asked ------------------------------------------------------------------------------------------

def random_pattern(rng, names):
    name = rng.choice(names)
    kind = rng.randrange(4)
    if kind == 0:
        word = name.split(".")[rng.randrange(len(name.split(".")))]
        word = re.sub(r"[^A-Za-z0-9]", "", word) or "a"
        return "/%s/" % word, lambda s, r=re.compile(word): r.search(s) is not None
    if kind == 1:
        word = name.split(".")[0] + ".*"
        if re.search(r"[^A-Za-z0-9_.*$]", word):
            word = "*a*"
        return word, lambda s, w=word: fnmatch.fnmatchcase(s, w)
    if kind == 2:
        return "'%s'" % name.replace("\\", "\\\\").replace("'", "\\'"), lambda s, n=name: s == n
    letter = rng.choice("abcdefg")
    return "/^[%s]/i" % letter, lambda s, c=letter: s[:1].lower() == c


def random_view(rng, names, groups):
    stages, rules, group = [], [], "method"
    for _ in range(rng.randrange(1, 4)):
        kind = rng.choice(["hide", "keep", "drop", "fold", "by"])
        if kind == "by":
            group = rng.choice(groups)
            stages.append("by " + group)
            continue
        text, test = random_pattern(rng, names)
        stages.append("%s %s" % (kind, text))
        rules.append((kind, test))
    return " | ".join(stages), rules, group


def differences(what, want, got):
    bad = []
    for key in sorted(set(want) | set(got)):
        if want.get(key) != got.get(key):
            bad.append("%s: %s: want %s, got %s" % (what, ";".join(key), want.get(key), got.get(key)))
    return bad[:3]


def check_rules(program, path, rng, samples, rounds, groups=("class", "package", "method")):
    rows = ask(program, [path], "calls | sort id")[0]
    fields = ["samples", "self", "total"] if samples else list(FIELDS)
    names = sorted({r["method"] for r in rows})
    bad = []
    for _ in range(rounds):
        text, rules, group = random_view(rng, names, groups)
        want, threads = apply(rows, rules, group, samples)
        got, *rest = ask(program, [path], "calls | %s | sort id" % text, "threads | " + text)
        got = table(got, fields)
        bad += differences("%s: %s" % (path, text), want, got)
        weight = "total" if samples else "wall"
        sums = collections.defaultdict(int)
        for r in rest[0]:
            sums[r["name"]] += int(r[weight])
        for name, total in threads.items():
            if sums[name] != total:
                bad.append("%s: %s: thread %s: want %d, got %d" % (path, text, name, total, sums[name]))
    return bad


def check_ranges(program, path, rng, rounds, tick=1000):
    threads = ask(program, [path], "threads")[0]
    quoted = " ".join("@" + t["id"] for t in threads)
    spans = ask(program, [path], "spans " + quoted)[0]
    last = max(int(s["start_wall"]) + int(s["wall"]) for s in spans)
    whole = table(ask(program, [path], "calls")[0], FIELDS)
    bad = differences(path + ": range of all", whole,
                      table(ask(program, [path], "calls | range 0 10000s")[0], FIELDS))
    for _ in range(rounds):
        a, b = sorted((rng.randrange(last + 1), rng.randrange(last + 1)))
        got = ask(program, [path], "calls | range %dns %dns" % (a, b))
        got = table(got[0], FIELDS) if got else {}
        bad += differences("%s: range %d %d" % (path, a, b), clipped(spans, a, b, tick), got)
    # Pieces side by side add up, in both clocks.
    cuts = sorted({0, last + tick} | {rng.randrange(last) // tick * tick for _ in range(4)})
    total = collections.defaultdict(int)
    for a, b in zip(cuts, cuts[1:]):
        for r in (ask(program, [path], "calls | range %dns %dns" % (a, b)) or [[]])[0]:
            total["wall"] += int(r["self_wall"])
            total["cpu"] += int(r["self_cpu"])
    for clock in ("wall", "cpu"):
        want = sum(v["self_" + clock] for v in whole.values())
        if total[clock] != want:
            bad.append("%s: pieces add up to %d, not %d, of %s" % (path, total[clock], want, clock))
    return bad


def check_diff(program, before, after, samples):
    own, total = ("self", "total") if samples else ("self_cpu", "total_cpu")
    sides = []
    for path in (after, before):
        rows = ask(program, [path], "calls")[0]
        sides.append({k: v for k, v in table(rows, [own, total]).items()})
    want = {}
    for key in set(sides[0]) | set(sides[1]):
        a, b = (s.get(key, {own: 0, total: 0}) for s in sides)
        want[key] = {"self": a[own], "total": a[total], "self_before": b[own], "total_before": b[total],
                     "self_delta": a[own] - b[own], "total_delta": a[total] - b[total]}
    got = table(ask(program, [before, after], "calls | diff | select id parent thread method self "
                    "total self_before total_before self_delta total_delta")[0],
                ["self", "total", "self_before", "total_before", "self_delta", "total_delta"])
    bad = differences("diff %s %s" % (before, after), want, got)
    # Scaled to the total of the other side: each to less than a tick, all together exactly.
    a, b = (sum(v[own] for v in s.values()) for s in sides)
    tick = 1 if samples else 1000
    got = table(ask(program, [before, after], "calls | diff normalised")[0], ["self_before"])
    for key, numbers in got.items():
        want = sides[1].get(key, {own: 0})[own] * a / b
        if abs(numbers["self_before"] - want) >= tick:
            bad.append("diff normalised: %s: want %s, got %s" % (";".join(key), want, numbers["self_before"]))
    if round(sum(v["self_before"] for v in got.values()), 3) != a:
        bad.append("diff normalised: not %d together" % a)
    return bad


def write_folded(path, rng, lines):
    frames = ["java.util.HashMap.get", "java.util.HashMap.put", "java.io.File.open", "a.b.C.run", "a.b.C.walk",
              "a.c.D.<init>", "main", "std::vector<a::B>::push_back(int)", "[unknown]", "logback.Logger.info",
              "github.com/x/y.(*T).Do", "github.com/x/y.Func", "org/app/Main.run", "org.app.Log::info",
              "dumps (json/__init__.py:231)", "Thread.run (threading.py:982)", "each - lib/a.rb:7",
              "<module> (a/b.py:1)", "<frozen x>"]
    with open(path, "w") as f:
        for _ in range(lines):
            stack = [rng.choice(frames) for _ in range(rng.randrange(1, 9))]
            f.write("%s %d\n" % (";".join(stack), rng.randrange(1, 1000)))


def write_made(path, rng, lines):
    """Frames whose classes are known, because they were built from them."""
    made.update(madenames.name_and_class(rng) for _ in range(lines // 3))
    names = list(made)
    with open(path, "w") as f:
        for _ in range(lines):
            stack = [rng.choice(names) for _ in range(rng.randrange(1, 9))]
            f.write("%s %d\n" % (";".join(stack), rng.randrange(1, 1000)))


def main():
    program, scratch = answers.Program(sys.argv[1]), sys.argv[2]
    seed = int(os.environ.get("VIEWS_SEED", "1"))
    rounds = int(os.environ.get("VIEWS_ROUNDS", "6"))
    rng = random.Random(seed)
    bad, paths = [], []
    for i, options in enumerate((["-n", "300", "-t", "3", "-d", "6", "-x", "2"],
                                 ["-n", "3000", "-t", "4", "-d", "12", "-m", "60", "-r", "4"],
                                 ["-n", "2000", "-t", "2", "-d", "8", "-S", "-x", "3"])):
        path = os.path.join(scratch, "views%d.trace" % i)
        subprocess.run([os.environ.get("GENTRACE", "tests/mk/gentrace"), "-s", str(seed + i), *options,
                        "-o", path], check=True)
        paths.append(path)
        bad += check_rules(program, path, rng, False, rounds)
        bad += check_ranges(program, path, rng, rounds)
    bad += check_diff(program, paths[0], paths[1], False)
    folded = [os.path.join(scratch, "views%d.folded" % i) for i in range(2)]
    for path in folded:
        write_folded(path, rng, 300)
        bad += check_rules(program, path, rng, True, rounds)
    bad += check_diff(program, folded[0], folded[1], True)
    path = os.path.join(scratch, "views.made.folded")
    write_made(path, rng, 300)
    bad += check_rules(program, path, rng, True, 2 * rounds, ("class", "method"))
    for line in bad[:20]:
        print("# " + line)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
