# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""jobstext FOLDER: folded stacks, output of perf script, scheduler traces and tables, each some MiB, with what makes reading them in parts hard.

Rare things are near the end, so that their part is not the first.
"""
import os
import random
import sys

import schedmake

SIZE = 3 << 20
STACKS = 3000                 # of a file: most are in each of its parts, some first in the last one
folder = sys.argv[1]


def write(name, text):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def stack(rng, depth=30):
    at, out = rng.randrange(4), []
    for _ in range(rng.randrange(1, depth)):
        out.append("f%d%s" % (at, rng.choice(["", "", "_[k]", "_[j]"])))
        at = (at * 7 + rng.randrange(3)) % 997
    return ";".join(out)


def lines(seed, size=SIZE, weight=lambda rng: str(rng.randrange(1, 99)), first=""):
    rng, out, n = random.Random(seed), [], 0
    stacks = [stack(rng) for _ in range(STACKS)]
    while n < size:
        out.append("%s%s %s" % (first, rng.choice(stacks), weight(rng)))
        n += len(out[-1]) + 1
    return out


def late(out, *more):
    """Puts lines into the last part, and those before the end of the others."""
    for k, line in enumerate(more):
        out.insert(len(out) * (k + 3) // (len(more) + 3), line)
    return out


def folded():
    text = "\n".join(late(lines(1), "# a comment", "# mode: cpu", "no count", " 7", ";;a;;b 3", "a;;b 2", "# mode: wall", "--;w 1")) + "\n"
    write("plain.folded", text)
    write("crlf.folded", text.replace("\n", "\r\n"))
    write("cut.folded", text[:len(text) * 4 // 5 + 3])
    write("decimals.folded", "\n".join(late(lines(2), "a;b 1.5", "a 2.1234567", "c 3.25")))
    # Sums that are clipped, and decimals that do not fit any more.
    write("clipped.folded", "\n".join(late(lines(3), "a;b 9223372036854775000", "c 1.5", "a 9223372036854775000", "c 7")))
    write("tight.folded", "\n".join(late(lines(4), "a;b 922337203685477", "c 0.123456", "d 1.5")))
    write("near.folded", "\n".join(late(lines(4), "a;b 4611686018427387000", "c;d 4611686018427387000", "e 4611686018427387000")))
    write("two.folded", "\n".join(late(lines(5, weight=lambda r: "%d %d" % (r.randrange(9), r.randrange(99))), "a;b 4", "x 0.5 1.25")))
    rng = random.Random(6)
    told = lines(6, first="[tid=3]")
    told = [line.replace("tid=3", "tid=%d" % rng.randrange(9)) for line in told]
    told = [line.replace("[tid", "[name%d tid" % rng.randrange(3)) if rng.randrange(99) == 0 else line for line in told]
    write("threads.folded", "\n".join(told) + "\n")
    write("unthreaded.folded", "\n".join(late(told, "a;b 1")) + "\n")
    giant = ";".join("g%d" % (i % 1000) for i in range(400000)) + " 5"
    write("giant.folded", "\n".join(lines(7, SIZE // 2) + [giant] + lines(8, SIZE // 2)))
    write("one_line.folded", giant)
    blob = bytearray(text.encode())
    for _ in range(2000):
        blob[rng.randrange(1 << 17, len(blob))] = rng.choice(b"\0\n;  \xff9")
    write("damaged.folded", bytes(blob))


def record(rng, i):
    key = rng.choice(("a", "b c", "", '"q, x"', '"two\nlines, 1"', '"say ""hi"""')) if rng.randrange(9) == 0 else "key%d" % rng.randrange(300)
    return "%s,%d,%s,%d.%02d" % (key, rng.randrange(2000), "w%d" % rng.randrange(99), rng.randrange(99), rng.randrange(100))


def records(seed, size=SIZE + (2 << 20)):
    rng, out, n = random.Random(seed), ["key,n,word,price"], 0
    while n < size:
        out.append(record(rng, len(out)))
        n += len(out[-1]) + 1
    return out


def tables():
    """Records are counted in pieces of 2 MiB, which are thought to begin behind a line."""
    odd = ("x,1", "x,1,y,2,z", "", "   ", 'un"quoted,3,"st"ray,4', "k,n/a,w,-5.25", "k,007,w,1e3", "\0k,1,w\0,2", "caf\u00e9,1,w,2")
    text = "\n".join(late(records(1), *odd)) + "\n"
    write("plain.csv", text)
    write("crlf.csv", text.replace("\n", "\r\n"))
    write("cr.csv", "\r".join(records(2, SIZE)))
    write("latin.csv", text.encode("cp1252"))
    write("cut.csv", text[:len(text) * 4 // 5 + 3])
    write("unclosed.csv", "\n".join(late(records(3), 'k,1,"w,2', "k,1,w,2")))
    # A field of many lines that look like records: a part may seem to begin inside it.
    long = "\n".join(records(4)[1:]).replace('"', "'")
    write("long.csv", "\n".join(records(5, 1 << 20)) + '\n"%s",1,w,2\n' % long + "\n".join(records(6, 1 << 20)[1:]))
    write("blank.csv", "key,n,word,price\n" + "\n" * (3 << 20) + "\n".join(records(7, 1 << 20)[1:]))
    write("wide.csv", "a note\n" * 300 + "\n".join(records(8)))
    rng = random.Random(9)
    lines = ['{"key":"k%d","n":%d,"in":{"w":"x%d\\n"}}' % (rng.randrange(99), rng.randrange(999), rng.randrange(9)) for _ in range(120000)]
    write("lines.jsonl", "\n".join(late(lines, "no object", '{"key":', '{"new":1,"n":2.5}')) + "\n")


def frame(f):
    name = "[unknown]" if f % 31 == 0 else "f%d::h%016x" % (f, f) if f % 17 == 0 else "f%d" % f
    return "\t%16x %s+0x%x (/usr/lib/lib%d.so)\n" % (0x400000 + f * 16, name, f % 9, f % 3)


FRAMES = [frame(f) for f in range(400)]


def sample(rng, i, comm=None, event="cycles:u", time=True):
    comm = comm or "worker %d" % (i % 5)
    head = "%s %5d/%d [000] %s%s%s:\n" % (comm, 100, 100 + i % 5, "%d.%06d: " % (i // 1000, i % 1000 * 7) if time else "",
                                         "%d " % rng.randrange(1, 999), event)
    return head + "".join(rng.choices(FRAMES, k=rng.randrange(1, 30))) + "\n"


def samples(seed, size=SIZE, **how):
    rng, out, n, i = random.Random(seed), [], 0, 0
    while n < size:
        out.append(sample(rng, i, **how))
        n += len(out[-1])
        i += 1
    return out


def perf():
    rng = random.Random(10)
    more = [sample(rng, 7, comm="renamed"), sample(rng, 9, comm="renamed"), sample(rng, 11, event="page-faults"),
            "worker 1   100/101 [000] 9.000001: PERF_RECORD_LOST lost 12\n\n", "stray line\n\n", "\tno frame at all\n \r\n",
            sample(rng, 8, event="branches:u")]
    text = "".join(late(samples(11), *more))
    write("plain.perf", text)
    write("crlf.perf", text.replace("\n", "\r\n"))
    write("cut.perf", text[:len(text) * 4 // 5 + 3])
    write("timeless.perf", "".join(late(samples(12), sample(rng, 3, time=False))))
    write("close.perf", text.replace("\n\n", "\n"))
    # Who leaves in one part and comes back in another one.
    switch = ("worker 1   100/101 [000] %d.000001: sched:sched_switch: prev_comm=w prev_pid=%d prev_prio=1 prev_state=S ==> "
              "next_comm=v next_pid=%d next_prio=1\n\t%16x f (/bin/x)\n\n")
    write("switches.perf", "".join(late(samples(13), switch % (1, 101, 102, 64), switch % (30, 102, 101, 64))))
    blob = bytearray(text.encode())
    for _ in range(2000):
        blob[rng.randrange(len(blob))] = rng.choice(b"\0\n\n\n (\xff9")
    write("damaged.perf", bytes(blob))


def events(style, n):
    return schedmake.made({"seed": 14, "n": n, "cpus": 4, "tasks": 40, "style": style, "plain": 0, "start": 0, "lost": 1})


def sched():
    rng = random.Random(15)
    text = events("atrace", 60000)
    lines = late(text.split("\n"), "# entries-in-buffer/entries-written: 116/120   #P:1", "CPU:1 [LOST 7 EVENTS]", "", "stray line",
                 "CPU:2 [LOST EVENTS]")
    write("plain.sched", "\n".join(lines).encode("latin-1"))
    text = text[:SIZE]
    write("cut.sched", text.encode("latin-1"))
    write("crlf.sched", text.replace("\n", "\r\n").encode("latin-1"))
    # Far more lines than a block should have, and one that is several blocks long.
    write("short.sched", (text[:SIZE // 3] + "x\n" * (SIZE // 3) + text[SIZE // 3:]).encode("latin-1"))
    write("giant.sched", (text[:SIZE // 3] + "x" * SIZE + text[SIZE // 3:]).encode("latin-1"))
    write("old.sched", events("old", 30000).encode("latin-1"))
    blob, at = bytearray(text.encode("latin-1")), len(text) // 9
    for _ in range(4000):
        blob[rng.randrange(at, len(blob))] = rng.choice(b"\0\n: \t0(=>-[]\xff")
    write("damaged.sched", bytes(blob))
    rows = text.split("\n")
    for i in range(len(rows) // 9, len(rows), 7):
        rows[i - 1], rows[i] = rows[i], rows[i - 1]
    write("order.sched", "\n".join(rows).encode("latin-1"))
    ran = "%15.6f [%04d]  worker %d[%d/%d]   %9.3f  %9.3f  %9.3f \n"
    write("timehist.sched", "".join(ran % (1 + i / 1000, i % 4, i % 9, 100 + i % 9, 100, i % 3, i % 7 / 10, 0.9) for i in range(50000)))


tables()
folded()
perf()
sched()
