#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# TAP tests of undo and redo: undocheck.py BUILD DIRECTORY
# Random keys that change what is shown, in each pane; then all of it undone and done again.  The frames are their own
# oracle: the first comes back, then the last, and on the way up each frame of the way down.  A view that is undone in
# another pane than the one with the next keys might not have been there at all.
import os, random, re, sys

import answers
import made

build, scratch = os.path.abspath(sys.argv[1]), sys.argv[2]
program, W, H = answers.Program(os.path.join(build, "icecore")), 100, 30
ROUNDS, STEPS, MOST = 3, 12, 70
count = 0


def ok(good, name, why=""):
    global count
    count += 1
    print(("ok" if good else "not ok"), count, "-", name)
    if not good:
        print("# " + why.replace("\n", "\n# "))
    sys.stdout.flush()


def play(script, *files):
    keys = os.path.join(scratch, "keys")
    open(keys, "w").write("size %dx%d\n" % (W, H) + script)
    run = program.run(["--no-index", "--keys", keys, *files], timeout=300)
    assert run.code == 0, run.err
    lines = run.out.split("\n")
    assert lines[-1] == "" and len(lines) % H == 1, (len(lines), lines[:2])
    return [lines[i:i + H] for i in range(0, len(lines) - 1, H)]


def shown(frame):
    # The last two lines show the selection and the message; a pane may say that it was shown by the undoing.
    # Columns are as wide as their shown cells.  The title shows sizes as soon as they are known.
    return "\n".join(re.sub(" +", " ", line) for line in frame[1:-2])


def said(frame, text):
    return any(text in line for line in frame[-2:])


def press(keys):
    out = []
    for key in keys:
        out.append("type " + key[1:] if key[0] == "=" else "key " + key)
    return "\n".join(out) + "\n"


def check(name, files, tab, sure, steps, rng, n=STEPS):
    # The selection before the first step is not a part of it: the first key is one.
    script = "key %s\n" % tab + (press(rng.choice(ROWS)) if steps[:len(ROWS)] == ROWS else "") + "frame\n" + press(sure)
    for i in range(n):
        script += press(rng.choice(steps))
    script += "key %s\nframe\n" % tab
    # A key is a step at most.
    most = script.count("\n")
    script += "key u\nframe\n" * most + "key %s\nframe\n" % tab
    script += "key U\nframe\n" * most + "key %s\nframe\n" % tab
    frames = play(script, *files)
    first, last, down, undone, up = frames[0], frames[1], frames[2:2 + most], frames[2 + most], frames[3 + most:]
    steps_down = next(i for i, f in enumerate(down) if said(f, "nothing to undo"))
    again = frames[-1]
    steps_up = next(i for i, f in enumerate(up) if said(f, "nothing to redo"))
    why = ""
    if steps_down == 0 or steps_down != steps_up:
        why = "%d steps undone, %d done again" % (steps_down, steps_up)
    elif shown(undone) != shown(first):
        why = "the first\n" + shown(first) + "\nall undone\n" + shown(undone)
    elif shown(again) != shown(last):
        why = "the last\n" + shown(last) + "\nall done again\n" + shown(again)
    # Steps of another pane are shown there.
    one = not any(said(f, " in ") for f in down[:steps_down] + up[:steps_up])
    for i in range(steps_down - 1):
        if why == "" and one and shown(down[i]) != shown(up[steps_up - 2 - i]):
            why = "step %d: undone\n%s\ndone again\n%s" % (i, shown(down[i]), shown(up[steps_up - 2 - i]))
    ok(why == "", "%s: %d steps" % (name, steps_down), why + "\n" + script)


def elsewhere(files, tabs, rng):
    """A view that was undone at once, in another pane, leaves no trace of itself in what is done next, anywhere."""
    before = press([tabs[rng.choice(sorted(PLACES))]]) + "".join(press(rng.choice(PLACES_MOVES)) for _ in range(rng.randint(0, 2)))
    before += press([tabs[rng.choice(sorted(PLACES))], "Down", tabs["Methods"]])
    view = press([rng.choice("xfp"), "u"])
    after = press([tabs[rng.choice(("Threads", "Methods", "Icicle"))], rng.choice(("Enter", "o"))]) + "frame\n"
    with_view, without = play(before + view + after, *files)[-1], play(before + after, *files)[-1]
    ok(shown(with_view) == shown(without), "a view undone elsewhere", before + view + after + "with it\n" + shown(with_view) +
       "\nwithout\n" + shown(without))


PLACES = ("Icicle", "Threads", "Methods", "Stack chart")
PLACES_MOVES = [["Down"], ["Down", "Down"], ["Right"], ["PgDn"], ["Down", "Enter"], ["i"], ["m"]]
MOVES = [["Down"], ["Down", "Down"], ["Up"], ["Right"], ["Left"], ["PgDn"]]
ICICLE = MOVES + [["Enter"], ["Down", "Enter"], ["Down", "Right", "Enter"], ["i"], ["m"], ["x"], ["f"], ["p"], ["0"],
                  ["X", "C-u", "=java", "Enter"], ["z", "C-u", "=^a", "Enter"], ["C"]]
ROWS = [["Down"], ["Down", "Down"], ["Up"], ["PgDn"]]
LIST = ROWS + [["s"], ["r"], ["&", "=a", "Enter"], ["&", "=e", "Enter"], ["&", "Enter"], ["C"]]
METHODS = LIST + [["x"], ["f"], ["p"]]
CHART = MOVES + [["+"], ["-"], ["Enter"], ["z"], ["0"], ["v", "Right", "v"], ["V"], ["]"], ["l"]]
TIMELINE = MOVES + [["+"], ["-"], ["z"], ["0"], ["m"], ["s"], ["e"], ["v", "Right", "Right", "v"], ["l"]]
HEAP_ICICLE = MOVES + [["Enter"], ["Down", "Enter"], ["m"], ["0"]]


def main():
    rng = random.Random(7)
    trace = str(made.files("gentrace", *"-s 1 -n 20000 -t 5 -m 30 -o app.trace".split()) / "app.trace")
    sched = str(made.files("schedmake.py", *"sched.txt seed=5 n=1500 style=atrace cpus=4 tasks=12".split()) / "sched.txt")
    heap = os.path.join(build, "tests/data/heap.hprof")
    other = os.path.join(build, "tests/data/leaks.hprof")
    a, b = os.path.join(scratch, "a.folded"), os.path.join(scratch, "b.folded")
    open(a, "w").write("main;run;work 40\nmain;run;load 30\nmain;draw;text 20\nmain;draw;java 3\n")
    open(b, "w").write("main;run;work 10\nmain;run;store 60\nmain;draw;text 25\nmain;draw;java 9\n")
    tabs = names(trace)
    two = names(a, b)
    scheds = names(sched)
    heaps = names(heap)
    for i in range(ROUNDS):
        check("icicle", [trace], tabs["Icicle"], ["i"], ICICLE, rng)
        check("methods", [trace], tabs["Methods"], ["r"], METHODS, rng)
        check("threads", [trace], tabs["Threads"], ["p"], LIST + [["p"]], rng)
        check("chart", [trace], tabs["Stack chart"], ["+"], CHART, rng)
        check("timeline", [sched], scheds["Timeline"], ["+"], TIMELINE, rng)
        check("tasks", [sched], scheds["Tasks"], ["r"], LIST, rng)
        check("waits", [sched], scheds["Waits"], ["s"], LIST + [["G", "Enter"]], rng)
        check("two files", [a, b], two["Icicle"], ["D"], ICICLE + [["D"], ["%"], ["b"]], rng)
        check("two dumps", [heap, other], heaps["Classes"], ["D"], LIST + [["D"], ["b"]], rng)
        check("classes", [heap], heaps["Classes"], ["s"], LIST, rng)
        check("strings", [heap], heaps["Strings"], ["m"], LIST + [["m"]], rng)
        check("retained", [heap], heaps["Icicle"], ["m"], HEAP_ICICLE, rng)
        check("all panes", [trace], tabs["Methods"], ["x"], METHODS + ICICLE + [[tabs["Icicle"]], [tabs["Methods"]], [tabs["Stack chart"]]], rng, 20)
    for i in range(8 * ROUNDS):
        elsewhere([trace], tabs, rng)
    # As many as are kept, and no more.
    script = "key %s\n" % tabs["Stack chart"] + "key + -\n" * 35 + "frame\n" + "key u\nframe\n" * MOST
    frames = play(script, trace)
    ok(next(i for i, f in enumerate(frames) if said(f, "nothing to undo")) == 65, "64 steps are kept")
    print("1..%d" % count)


def names(*files):
    frame = play("frame\n", *files)[0]
    # If there are many, number and name have no blank between them.
    return {name: number for number, name in re.findall(r"(\d+) ?([A-Z]\w*(?: [a-z]{2,})?)", frame[1])}


main()
