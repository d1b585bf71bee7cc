#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""redacttrace.py BUILD SCRATCH - Perfetto traces that icecore redact wrote, as TAP.

Every text of a made trace that is personal is looked for in the output, and answers about its structure are compared.
"""
import os
import random
import re
import sys
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import perfettomake as pm  # noqa: E402
import redactfields  # noqa: E402
from check import Tap, attempt  # noqa: E402

T0 = 100 * 10 ** 9
# Always masked; and names, that are masked if names become letters.
SECRETS = ("com.bank.private", "--token=hunter2", "bank.privat", "secret worker", "user alice logged in", "https://alice.example/?q=1", "alice@example",
           "AliceLayer", "alice-laptop", "fingerprint/alice", "free text of alice", "dict secret", "nested secret", "json secret", "arg secret",
           "log body secret", "unknown secret", "config secret", "qnx.private", "qnx command secret", "evdev secret", "uid secret", "extension secret", "track about alice", "kernel file secret", "correlated secret",
           "argument secret", "more of the secret", "line of the secret", "another of the secret",
           "ludowig", "gundula", "4507-6562-4018-5446", "49976520747", "alice@key", "nested key of", "interned key of", "log key of", "4111111111111111")
NAMES = ("loadAccount", "category.private", "Queue of alice", "annotation_key", "nested_key", "plain-Key.$of_it", "privateFunction", "/data/app/private.so", "private.cc", "TagOfBank",
         "atrace private", "counter private", "inlinePrivate", "/src/inline/private.py", "sampler.private", "fiber private")
# Answers that do not depend on texts; by groups of equal names where they do.
SAME = ("info | where field !~ /^(index|sha|path|file|data_sources)/", "switches | select time cpu state from_id to_id", "wakeups | select time cpu task_id",
        "calls | select thread_id depth method_id calls total_wall", "async_spans | select start_wall wall open pid points",
        "marks | select time scope pid letter", "counters | select points min max last pid", "threads | select tid calls wall",
        "tasks | select tid pid cpu", "events | select samples weight", "states | select state start_wall wall thread_id")


def texts(*fields):
    return b"".join(pm.B(f, t) for f, t in fields)


def event(at, *parts):
    return pm.pkt(pm.I(8, at), pm.I(10, 3), pm.B(11, b"".join(parts)))


def annotations():
    nested = pm.B(2, "nested_key") + pm.B(2, "nested key of alice") + pm.B(3, pm.B(8, "nested secret") + pm.I(5, 77777))
    return b"".join(pm.B(4, a) for a in (
        pm.B(10, "annotation_key") + pm.B(6, "https://alice.example/?q=1"), pm.I(1, 1) + pm.I(3, 987654321),
        pm.B(10, "in") + pm.B(11, pm.B(10, "annotation_key") + pm.B(6, "dict secret")), pm.B(10, "n") + pm.B(8, nested),
        pm.B(10, "zufuwowqz alice@key") + pm.I(4, 5), pm.B(10, "4111111111111111") + pm.I(4, 5), pm.I(1, 2) + pm.I(4, 5), pm.B(10, "plain-Key.$of_it") + pm.I(4, 5),
        pm.B(10, "j") + pm.B(9, '{"a": "json secret"}'), pm.B(10, "i") + pm.I(17, 5)))


def trace():
    """One of each kind of field that holds texts."""
    out = [pm.clocks(T0), pm.sync(T0)]
    out.append(pm.pkt(pm.I(10, 1), pm.B(33, pm.B(2, pm.B(1, pm.B(1, "config secret"))))))
    out.append(pm.pkt(pm.I(10, 1), pm.B(45, pm.B(1, texts((1, "Linux"), (2, "#1 alice-laptop"), (3, "5.15.1"), (4, "aarch64"))) +
                                        pm.B(2, "fingerprint/alice"))))
    out.append(pm.ptree(T0, [(1000, 1, ["com.bank.private", "--token=hunter2"], 10001), (1, 0, ["system_server"], 0)],
                        [(1001, "secret worker", 1000), (1000, "bank.privat", 1000), (1, "system_server", 1)]))
    out.append(pm.pkt(pm.I(8, T0), pm.I(10, 2), pm.B(47, pm.B(1, pm.B(1, "com.bank.private") + pm.I(2, 10001)))))
    out.append(pm.bundle(0, [pm.switch(T0 + 10, 0, "swapper/0", 0, 1001, "secret worker"), pm.waking(T0 + 20, 1001, 1000, "bank.privat"),
                             pm.mark(T0 + 21, 1001, "B|1000|atrace private"), pm.mark(T0 + 22, 1001, "B|1000|start:com.bank.private"),
                             pm.mark(T0 + 22, 1001, "B|1000|load /data/app/com.bank.private/base.apk"), pm.mark(T0 + 22, 1001, "I|1000|com.bank.private.Main.run"),
                             pm.mark(T0 + 23, 1001, "E|1000"), pm.mark(T0 + 23, 1001, "E|1000"), pm.mark(T0 + 24, 1001, "C|1000|counter private|5"),
                             pm.mark(T0 + 25, 1001, "free text of alice"), pm.mark(T0 + 25, 1001, "I|1000|call+49976520747"),
                             pm.mark(T0 + 25, 1001, "B|1000|atrace private|user=argument secret|more of the secret"), pm.mark(T0 + 25, 1001, "E|1000|pw=argument secret"),
                             pm.mark(T0 + 25, 1001, "B|1000|atrace private\nline of the secret\nanother of the secret\n"), pm.mark(T0 + 25, 1001, "E|1000"),
                             pm.mark(T0 + 29, 1001, "E|1000"),
                             pm.mark(T0 + 26, 1001, "B|1000|queue of ludowig"), pm.mark(T0 + 26, 1001, "B|1000|open /home/ludowig/x"), pm.mark(T0 + 26, 1001, "E|1000"),
                             pm.mark(T0 + 26, 1001, "E|1000"), pm.fe(T0 + 27, 1001, 55, pm.I(1, 3) + pm.B(2, "kernel file secret")),
                             pm.switch(T0 + 30, 1001, "secret worker", 1, 1000, "bank.privat")]))
    out.append(pm.pkt(pm.I(10, 2), pm.B(1, pm.I(1, 1) + pm.compact([(T0 + 12, 0, 1000, 120, "bank.privat"), (T0 + 44, 1, 0, 120, "swapper/1")],
                                                                   [(T0 + 33, 1001, 1, 120, "secret worker", 0)]))))
    interned = pm.B(1, pm.I(1, 1) + pm.B(2, "category.private")) + pm.B(2, pm.I(1, 1) + pm.B(2, "loadAccount")) + \
        pm.B(3, pm.I(1, 1) + pm.B(2, "annotation_key")) + pm.B(3, pm.I(1, 2) + pm.B(2, "interned key of alice")) + pm.B(4, pm.I(1, 1) + pm.B(2, "private.cc") + pm.B(3, "privateFunction")) + \
        pm.B(5, pm.I(1, 1) + pm.B(2, "privateFunction")) + pm.B(17, pm.I(1, 1) + pm.B(2, "/data/app/private.so")) + \
        pm.B(20, pm.I(1, 1) + pm.B(2, "log body secret")) + pm.B(29, pm.I(1, 5) + pm.B(2, "alice@example"))
    out.append(pm.pkt(pm.I(10, 3), pm.I(13, 1), pm.B(12, interned), pm.B(60, pm.I(1, 7) + pm.B(3, pm.I(1, 1000) + pm.B(6, "com.bank.private")))))
    out.append(pm.pkt(pm.I(10, 3), pm.B(60, pm.I(1, 8) + pm.I(5, 7) + pm.B(2, "Queue of alice") + pm.B(14, "track about alice"))))
    out.append(pm.pkt(pm.I(10, 3), pm.B(60, pm.I(1, 9) + pm.B(4, pm.I(1, 1000) + pm.I(2, 1001) + pm.B(5, "secret worker")))))
    out.append(event(T0 + 40, pm.I(9, 1), pm.I(11, 8), pm.I(10, 1), pm.I(3, 1), annotations(), pm.B(53, "correlated secret")))
    out.append(event(T0 + 60, pm.I(9, 2), pm.I(11, 8), pm.B(1100, "extension secret")))
    out.append(event(T0 + 70, pm.I(9, 3), pm.I(11, 9), pm.B(23, "loadAccount of C:\\Users\\gundula\\y"), pm.B(21, pm.I(1, 1) + pm.I(2, 1))))
    out.append(event(T0 + 71, pm.I(9, 3), pm.I(11, 9), pm.B(23, "loadAccount 4507-6562-4018-5446")))
    line = pm.I(2, 1000) + pm.I(3, 1001) + pm.I(5, 1700000000000000000 + T0 + 50) + texts((6, "TagOfBank"), (8, "user alice logged in")) + \
        pm.B(9, pm.B(1, "arg") + pm.B(4, "arg secret")) + pm.B(9, pm.B(1, "log key of alice") + pm.B(4, "arg secret"))
    out.append(pm.pkt(pm.I(8, T0 + 50), pm.I(10, 4), pm.B(39, pm.B(1, line))))
    surface = pm.I(1, 1) + pm.I(2, 3) + pm.I(3, 4) + pm.I(4, 1000) + pm.B(5, "AliceLayer")
    out.append(pm.pkt(pm.I(8, T0 + 51), pm.I(10, 4), pm.B(76, pm.B(3, surface))))
    out.append(pm.pkt(pm.I(8, T0 + 59), pm.I(10, 4), pm.B(76, pm.B(5, pm.I(1, 1)))))
    out.append(pm.pkt(pm.I(8, T0 + 52), pm.I(10, 4), pm.B(900, pm.B(2, "unknown secret"))))
    return out + kernel_of_another() + samples()


def kernel_of_another():
    """Packets 117 to 122: tasks that QNX names, and data of users that icecore does not read."""
    tree = pm.B(1, pm.I(1, 3000) + pm.I(2, 1) + pm.B(3, "qnx.private --key qnx command secret")) + pm.B(2, pm.I(1, 3001) + pm.I(2, 3000) + pm.B(3, "qnx.private"))
    task = lambda at, tid, state: pm.pkt(pm.I(8, T0 + at), pm.I(10, 6), pm.B(117, pm.I(1, 2) + pm.B(2, "qnx.private") + pm.I(3, tid) + pm.I(4, state)))
    return [pm.pkt(pm.I(8, T0 + 53), pm.I(10, 6), pm.B(122, tree)), task(54, 3001, 3), task(57, 3001, 4),
            pm.pkt(pm.I(8, T0 + 58), pm.I(10, 6), pm.B(120, pm.I(1, 3001) + pm.B(2, "qnx.private"))),
            pm.pkt(pm.I(8, T0 + 58), pm.I(10, 6), pm.B(118, pm.I(1, 2) + pm.I(2, 1800000))),
            pm.pkt(pm.I(8, T0 + 58), pm.I(10, 6), pm.B(119, pm.B(3, "uid secret"))), pm.pkt(pm.I(8, T0 + 58), pm.I(10, 6), pm.B(121, pm.B(1, "evdev secret")))]


def samples():
    """Samples with the names of functions in them."""
    frame = pm.B(1, pm.B(1, "inlinePrivate") + pm.B(2, "/src/inline/private.py") + pm.I(3, 10))
    fiber = pm.B(12, pm.B(51, pm.I(1, 7) + pm.B(2, "fiber private")))
    return [pm.pkt(pm.I(10, 7), pm.I(13, 1), pm.B(59, pm.B(100, pm.B(1, "sampler.private") + pm.B(2, pm.B(2, "sampler.private") + pm.I(3, 1))))),
            pm.pkt(pm.I(8, T0 + 56), pm.I(10, 7), fiber, pm.B(135, pm.B(1, pm.I(2, 1000) + pm.I(3, 1001)) + pm.B(5, frame) + pm.I(11, 5)))]


def nested(depth, most, path):
    """A text with its path in every field of all messages down to a depth."""
    texts = lambda at: nested(depth - 1, most, at) if depth > 1 else "swept<%s>" % at
    return b"".join(pm.B(f, texts("%s.%d" % (path, f))) for f in range(1, most + 1))


# Fields that hold packed numbers, which bytes of a text can be as well; nothing writes texts there.
KEPT = {"1.4", "2.1", "7.11", "7.17", "11.3", "11.12", "11.31", "11.36", "11.42", "11.45", "12.7", "12.19", "35.11", "35.17", "35.18", "37.3", "37.4", "52.1",
        "54.1", "54.2", "59.11", "66.7", "135.14"}


def check_numbers(build, scratch, path):
    """Numbers of annotations stay if they are asked for, and --check sees the difference."""
    out, number, bad = os.path.join(scratch, "numbers.pftrace"), pm.I(3, 987654321), []
    for asked, stays in ((), False), (("--numbers", "mask"), False), (("--numbers", "keep"), True):
        p = run(build, *asked, path, out)
        bad += ["%s: status %d" % (asked, p.returncode)] * (p.returncode != 0) + ["%s: %s" % (asked, "lost" if stays else "left")] * ((number in read(out)) != stays)
        bad += ["%s is passed as %s" % (asked, words) for words in ("mask", "keep")
                if (run(build, "--check", "--numbers", words, path, out).returncode == 0) != (stays == (words == "keep"))]
    return bad + ["not in the input"] * (number not in read(path))


def check_sweep(build, scratch):
    """A text in every place of every kind of packet."""
    path, out = os.path.join(scratch, "sweep.pftrace"), os.path.join(scratch, "swept.pftrace")
    with open(path, "wb") as f:
        f.write(pm.clocks(T0) + pm.sync(T0))
        for n in range(1, 151):
            # Not those whose fields are numbers, and not compressed ones.
            if n not in (3, 8, 10, 13, 41, 42, 50, 58, 79, 87, 98, 133):
                f.write(b"".join(pm.pkt(pm.I(8, T0), pm.I(10, 5), pm.B(n, nested(depth, most, str(n)))) for depth, most in ((1, 60), (2, 24), (3, 12))))
    p = run(build, "--names", "hash-all", "--quiet", path, out)
    found = {tuple(m.decode().split(".")) for m in re.findall(rb"swept<([0-9.]+)>", read(out))}
    kept = {".".join(f[:2]) for f in found}
    return ["%d: %s" % (p.returncode, p.stderr)] * (p.returncode not in (0, 3)) + ["survives, or does no more: %s" % sorted(kept ^ KEPT)] * (kept != KEPT)


# Names of tasks, as they are without hash-all; a capital letter for each that must be masked.
TASKS = (("swapper/0", ""), ("kworker/u16:3", ""), ("kworker/0:1H", ""), ("kworker/0:1-events", ""), ("rcu_sched", ""), ("rcuop/3", ""), ("migration/11", ""),
         ("Binder:123_4", ""), ("HwBinder:99_1F", ""), ("binder:1_2", ""), ("system_server", ""), ("/system/bin/surfaceflinger", ""), ("init", ""), ("main", ""),
         ("com.android.systemui", ""), ("ndroid.systemui", ""), ("Jit thread pool", ""), ("ReferenceQueueD", ""), ("zygote64", ""), ("<idle>", ""),
         ("irq/45-alice", "alice"), ("kworker/0:1-alice", "alice"), ("initech-payroll", "initech-payroll"), ("rcuAlice", "rcuAlice"), ("swapper_alice", "swapper_alice"),
         ("swapper/0alice", "swapper/0alice"), ("irq/alice", "irq/alice"), ("<alice@corp>", "<alice@corp>"), ("Binder:hunter2", "Binder:hunter2"),
         ("Binder:12_hunter2", "Binder:12_hunter2"), ("com.android.alice", "com.android.alice"), ("com.android.phone.alice", "com.android.phone.alice"),
         ("/system/bin/alice", "/system/bin/alice"), ("system_server_alice", "system_server_alice"), ("zygote-alice", "zygote-alice"), ("main2", "main2"),
         ("kworker/u8:alice", "kworker/u8:alice"), ("migration/4111111111111111", "migration/4111111111111111"), ("4111111111111111", "4111111111111111"),
         ("RenderThreadAlice", "RenderThreadAlice"), ("kthreadd.alice", "kthreadd.alice"), ("android.alice.io", "android.alice.io"))


def check_tasks(build, scratch):
    """Only what is the name of a task of the kernel or of Android to its end stays, and with hash-all nothing; so do all that --list-kept lists."""
    listed = [line[1:-1] for line in run(build, "--list-kept").stdout.decode().split("# Names of tasks")[1].split("\n")[1:] if line.startswith('"')]
    tasks = TASKS + tuple((name, "") for name in listed if "%" not in name)
    path, out, key = (os.path.join(scratch, name) for name in ("tasks.pftrace", "tasks.out", "tasks.key"))
    data = pm.clocks(T0) + b"".join(pm.ptree(T0, [], [(1001 + i, name, 1000)]) for i, (name, _) in enumerate(tasks))
    with open(path, "wb") as f:
        f.write(data)
    with open(key, "wb") as f:
        f.write(b"t" * 32)
    os.chmod(key, 0o600)
    bad = ["few names are listed"] * (len(listed) < 100)
    for names in redactfields.MODES:
        # The letters of every run are the same: a short name is never its own by chance.
        run(build, "--quiet", "--names", names, *(["--key-file", key] if names != "keep" else []), path, out)
        safe = read(out)
        for i, (name, private) in enumerate(tasks):
            field = pm.I(1, 1001 + i) + pm.B(2, name)
            end = data.index(field) + len(field)
            left = safe[end - len(name):end].decode()
            kept = name[:len(name) - len(private)] if names != "hash-all" or len(name) < 3 else ""
            if (private and private in left) or not left.startswith(kept) or (names == "hash-all" and name == left and len(name) > 2):
                bad.append("%s: %s: %s" % (names, name, left))
    return bad


def check_fields(build, scratch, names, mode):
    """A text in each field of the published messages that holds texts: only those that redact_kept.tsv lists are left."""
    path, out = os.path.join(scratch, "fields.pftrace"), os.path.join(scratch, "fields.out")
    data, texts = redactfields.planted()
    with open(path, "wb") as f:
        f.write(data)
    p = run(build, "--names", names, "--mode", mode, "--quiet", path, out)
    left = redactfields.left(read(out), texts)
    bad = ["%d: %s" % (p.returncode, p.stderr)] * (p.returncode != 3) + ["too few fields"] * (len(texts) < 1500)
    bad += ["survives: " + x for x in sorted(left - redactfields.kept(names))]
    return bad + ["is listed and does not stay: " + x for x in sorted(redactfields.kept(names) - left)]


def run(build, *args):
    program = os.environ.get("ICECORE", os.path.join(build, "icecore"))
    return answers.quick(program).result(["redact", "--force", *args])


def read(path):
    with open(path, "rb") as f:
        return f.read()


def check_secrets(build, scratch, path, options, names):
    out, words = os.path.join(scratch, "safe.pftrace"), os.path.join(scratch, "words")
    data = read(path)
    want = SECRETS + (NAMES if names else ())
    bad = ["not in the input: " + s for s in want if s.encode() not in data and path.endswith("one.pftrace")]
    p = run(build, *options, path, out)
    if p.returncode != 0:
        bad.append("%d: %s" % (p.returncode, p.stderr))
    safe = read(out)
    bad += ["survives: " + s for s in want if s.encode() in safe]
    if not names:
        bad += ["is lost: " + s for s in NAMES if s.encode() not in safe]
    with open(words, "w", encoding="utf-8") as f:
        f.write("\n".join(want) + "\n")
    p = run(build, "--check", *options, "--words", words, path, out)
    if p.returncode != 0 or run(build, "--check", *options, "--words", words, path, path).returncode not in ((3,) if path.endswith("one.pftrace") else (0, 3)):
        bad.append("--check: %s" % p.stderr)
    return bad


def check_archive(build, scratch, packets):
    """Two traces in a zip are written as one."""
    path, out = os.path.join(scratch, "two.zip"), os.path.join(scratch, "two.pftrace")
    half = len(packets) // 2
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("a.pftrace", b"".join(packets[:half]))
        z.writestr("alice.txt", "user alice logged in")
        z.writestr("b.pftrace", b"".join(packets[half:]))
    p, safe = run(build, path, out), os.path.join(scratch, "one-safe.pftrace")
    bad = ["%d: %s" % (p.returncode, p.stderr)] * (p.returncode != 0) + ["survives: " + s for s in SECRETS if s.encode() in read(out)]
    run(build, os.path.join(scratch, "one.pftrace"), safe)
    return bad + ["%d bytes, not %d" % (len(read(out)), len(read(safe)))] * (len(read(out)) != len(read(safe)))


def check_answers(build, program, scratch, path, options):
    out = os.path.join(scratch, "safe.pftrace")
    p = run(build, *options, path, out)
    bad = [] if p.returncode in (0, 3) else ["%d: %s" % (p.returncode, p.stderr)]
    for q in SAME:
        a, b = [program.ask(f, q, options=("--no-index", "--clock", "wall")).out.split("\n") for f in (path, out)]
        # Rows are in the order of names here and there.
        if sorted(a) != sorted(b):
            bad.append("%s: %s" % (q, [x for x in zip(sorted(a), sorted(b)) if x[0] != x[1]][:2]))
    return bad


def check_same_letters(build, program, scratch, path):
    """A name becomes the same letters wherever it stands, and with a key in every run."""
    key, outs = os.path.join(scratch, "key"), [os.path.join(scratch, "k%d" % i) for i in range(2)]
    with open(key, "wb") as f:
        f.write(b"k" * 32)
    os.chmod(key, 0o600)
    bad = []
    for out in outs:
        p = run(build, "--mode", "stable", "--names", "hash", "--key-file", key, path, out)
        bad += [] if p.returncode == 0 else [p.stderr]
    if read(outs[0]) != read(outs[1]):
        bad.append("two runs differ")
    if len(read(outs[0])) > len(read(path)):
        bad.append("it is longer")
    rows = program.ask(outs[0], "marks | where cat = log", "tasks", options=("--no-index",)).tables()
    names = {r["tid"]: r["name"] for r in rows[1].rows}
    if not names["1001"].islower() or len(names["1001"]) != len("secret worker"):
        bad.append(names)
    return bad


def check_check(build, scratch, path):
    """--check accepts what redact wrote with these options, also packed, and finds every byte that is another one."""
    key, out, other = (os.path.join(scratch, n) for n in ("check.key", "check.out", "check.other"))
    with open(key, "wb") as f:
        f.write(b"k" * 32)
    os.chmod(key, 0o600)
    r, bad, data = random.Random(68), [], read(path)
    for options in ((), ("--mode", "stable"), ("--names", "hash"), ("--names", "hash-all", "--mode", "stable"), ("--names", "hash", "--key-file", key)):
        for end in ("", ".gz"):
            run(build, *options, path, out + end)
            p = run(build, "--check", *options, path, out + end)
            if p.returncode != 0 or b"check passed" not in p.stderr:
                bad.append("%s: %s" % (options, p.stderr))
        safe = read(out)
        for i in range(25):
            b = bytearray(safe)
            at = r.randrange(len(b))
            # Without the key, another letter may be right; not the text of the input, an x too many, or another number.
            b[at] = r.choice([x for x in range(256) if x != b[at] and (key in options or not chr(x).islower())])
            with open(other, "wb") as f:
                f.write(b)
            if run(build, "--check", "--quiet", *options, path, other).returncode != 3:
                bad.append("%s: byte %d is %d" % (options, at, b[at]))
        for text in (b"secret worker", b"com.bank.private"):
            at = data.index(text)
            with open(other, "wb") as f:
                f.write(safe[:at] + text + safe[at + len(text):])
            p = run(build, "--check", "--quiet", *options, path, other)
            if p.returncode != 3 or b"check failed at byte" not in p.stderr:
                bad.append("%s: %s is back: %s" % (options, text, p.stderr))
        for cut in (safe[:-1], safe + b"\n\0", b""):
            with open(other, "wb") as f:
                f.write(cut)
            if run(build, "--check", "--quiet", *options, path, other).returncode not in (3, 5):
                bad.append("%s: %d bytes" % (options, len(cut)))
    # Equal texts of the input, and other letters for one of them.
    run(build, path, out)
    safe = read(out)
    at = [m.start() for m in re.finditer(b"secret worker", data)]
    with open(other, "wb") as f:
        f.write(safe[:at[1]] + b"anotherworker" + safe[at[1] + 13:])
    p = run(build, "--check", "--quiet", path, other)
    return bad + ["equal texts: %s" % p.stderr] * (p.returncode != 3 or b"equal texts" not in p.stderr)


def check_listed(build, scratch, path):
    """--list-text lists each text once with its field, the rarest first, and of a redacted trace no text that is masked."""
    out, bad = os.path.join(scratch, "listed.out"), []

    def listed(file):
        rows = [line.split("\t") for line in run(build, "--list-text", file).stdout.decode().split("\n")[1:-1]]
        parts = [[int(r[0]) for r in rows[a:b] if len(r) == 3] for at in [[r[0][:1] for r in rows].index("#")] for a, b in ((0, at), (at + 1, None))]
        bad.extend(["%s: not by counts" % file] if any(p != sorted(p) for p in parts) else [])
        return {tuple(r[1:]): int(r[0]) for r in rows if len(r) == 3}

    before = listed(path)
    run(build, "--names", "hash", path, out)
    after = listed(out)
    for s in SECRETS + NAMES:
        bad += ["is not listed: " + s] * (not any(s in text for _, text in before)) + ["is listed: " + s] * any(s in text for _, text in after)
    want = (("1.2.4.1", "secret worker", 1), ("1.2.3.2 print text", "free text of alice", 1), ("117.2", "qnx.private", 2), ("45.1.1", "Linux", 1))
    bad += ["%s: %s" % (w, before.get(w[:2])) for w in want if before.get(w[:2]) != w[2]]
    return bad + ["%s: %s" % x for x in after if x not in before and not re.fullmatch("[a-z]+", x[1].replace("/", "")) and "mark name" not in x[0]
                  and not x[0].startswith("45.1.")]


def check_mutants(build, scratch, path):
    data, r = read(path), random.Random(54)
    out, bad = os.path.join(scratch, "mutant.out"), []
    for i in range(60):
        b = bytearray(data)
        # Damage can make numbers of a text, which stay: of what is only cut no text does.
        for _ in range(r.randrange(1, 5) if i % 3 else 0):
            b[r.randrange(40, len(b))] = r.randrange(256)
        mutant = os.path.join(scratch, "mutant")
        with open(mutant, "wb") as f:
            f.write(b if i % 3 else b[:r.randrange(200, len(b))])
        p = run(build, "--quiet", mutant, out)
        if p.returncode not in (0, 3):
            bad.append("%d: %d %s" % (i, p.returncode, p.stderr[-300:]))
        elif i % 3 == 0 and any(s.encode() in read(out) for s in SECRETS if s.encode() in read(mutant)):
            bad.append("%d: a secret survives" % i)
    return bad


# What is only hidden where another name of the trace has it.
REPEATED = ("ludowig", "gundula", "com.bank.private", "bank.privat", "qnx.private")
# Bytes of the text of marks: if these change, another part is the name of the mark.
MARKS = ("B|1000|atrace private|user=argument secret|", "B|1000|atrace private\nline of the secret\nanother of the secret\n", "E|1000|pw=argument secret")


def check_damaged(build, scratch, path):
    """No secret of a damaged trace survives: what cannot be attributed is masked."""
    data, r, bad = read(path), random.Random(1), []
    # By chance one of these becomes a field of packed numbers, which text can be as well (KEPT).
    mutant, secrets = os.path.join(scratch, "damaged"), [s.encode() for s in SECRETS if s not in (*REPEATED, "nested secret")]
    for i in range(300):
        b = bytearray(data)
        for _ in range(r.randrange(1, 8)):
            b[r.randrange(len(b))] = r.randrange(256)
        if r.random() < .2:
            del b[r.randrange(200, len(b)):]
        elif r.random() < .1:
            at = r.randrange(40, len(b))
            del b[at:at + r.randrange(1, 64)]
        with open(mutant, "wb") as f:
            f.write(b)
        p = run(build, "--quiet", mutant, mutant + ".out")
        bad += ["%d: %d: %s" % (i, p.returncode, p.stderr[-300:])] * (p.returncode not in (0, 3, 5))
        if p.returncode in (0, 3) and all(m.encode() in b for m in MARKS):
            safe = read(mutant + ".out")
            bad += ["%d: survives: %s" % (i, s.decode()) for s in secrets if s in safe]
    return bad


def check_refused(build, scratch, path):
    bad, out = [], os.path.join(scratch, "refused")
    for options, text in ((("--keep-field", "a.b"), b"for heap dumps"), (("--names", "hash", "--write-mapping", out + ".map"), b"for heap dumps"),
                          (("--check", "--keep-field", "a.b"), b"for heap dumps")):
        p = run(build, *options, path, path if options[0] == "--check" else out)
        if p.returncode != 2 or text not in p.stderr or (options[0] != "--check" and os.path.exists(out)):
            bad.append("%s: %d %s" % (options, p.returncode, p.stderr))
    return bad


def main():
    build, scratch = sys.argv[1:3]
    program = answers.program_of(build)
    tap = Tap()
    one, big, packed = (os.path.join(scratch, n) for n in ("one.pftrace", "big.pftrace", "packed.pftrace"))
    packets = trace()
    with open(one, "wb") as f:
        f.write(b"".join(packets))
    with open(packed, "wb") as f:
        f.write(pm.pkt(pm.B(50, zlib.compress(b"".join(packets)))))
    pm.big(0.2, big, 3)
    for options, names in (((), False), (("--mode", "stable"), False), (("--names", "hash"), True), (("--names", "hash-all"), True)):
        attempt(tap, "no secret survives: " + " ".join(options), lambda: check_secrets(build, scratch, one, options, names))
    attempt(tap, "numbers of annotations", lambda: check_numbers(build, scratch, one))
    attempt(tap, "nor one in any field of a packet", lambda: check_sweep(build, scratch))
    attempt(tap, "names of tasks of the platform have an end", lambda: check_tasks(build, scratch))
    for names in redactfields.MODES:
        for mode in ("shape", "stable"):
            attempt(tap, "nor one in a field that the format has for texts: %s, %s" % (names, mode), lambda: check_fields(build, scratch, names, mode))
    attempt(tap, "these fields are all of the package", lambda: redactfields.stale())
    attempt(tap, "nor one in an archive", lambda: check_archive(build, scratch, packets))
    attempt(tap, "nor one that is packed", lambda: check_secrets(build, scratch, packed, ("--names", "hash"), True))
    attempt(tap, "answers stay", lambda: check_answers(build, program, scratch, one, ()))
    attempt(tap, "answers about a larger trace stay", lambda: check_answers(build, program, scratch, big, ()))
    attempt(tap, "letters depend on the key alone", lambda: check_same_letters(build, program, scratch, one))
    attempt(tap, "--check finds each change", lambda: check_check(build, scratch, one))
    attempt(tap, "the texts that are left are listed", lambda: check_listed(build, scratch, one))
    attempt(tap, "mutants", lambda: check_mutants(build, scratch, one))
    attempt(tap, "damage", lambda: check_damaged(build, scratch, one))
    attempt(tap, "what is for heap dumps is refused", lambda: check_refused(build, scratch, one))
    tap.end()


main()
