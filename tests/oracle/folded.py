# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""A slow, independent reader of folded stacks: what icecore must say about them.

Follows the description of the format in icecore-formats.5 line by line, with regular
expressions and exact fractions; shares no code with the program.
"""
import collections
import fractions
import functools
import re

BLANK = " \t\r\v\f"
COUNT = re.compile(r"^(.*?)[ \t\r\v\f]+([0-9]+(?:\.[0-9]*)?)[ \t\r\v\f]*$", re.S)
ASYNC = re.compile(r"^\[(?: *|(.*?) *)tid=([0-9]+)\]$", re.S)
PY_SPY = re.compile(r"^thread \(([0-9]+|0x[0-9A-Fa-f]+)\)(?:: (.*))?$", re.S)
PROCESS = re.compile(r'^process ([0-9]+|0x[0-9A-Fa-f]+):"(.*?)"(?:;|$)', re.S)
AUSTIN_ID = r"([0-9]+|0x[0-9A-Fa-f]+)"
TACHYON = re.compile(r"tid:(\d+|0x[0-9a-fA-F]+)$")
AUSTIN = re.compile(r"^P%s;T%s(?::%s)?(?:;|$)" % (AUSTIN_ID, AUSTIN_ID, AUSTIN_ID))
KIND = re.compile(r"^(.+)_\[([kjiw01])\]$", re.S)
MODE = re.compile(r"^# mode: (.*?)[ \t\r\v\f]*$")

Weight = collections.namedtuple("Weight", "samples after before")
NONE = Weight(0, 0, 0)


def add(a, b):
    return Weight(a.samples + b.samples, a.after + b.after, a.before + b.before)


def decode(data):
    if data[:2] == b"\xff\xfe":
        return data[2:].decode("utf-16-le")
    if data[:2] == b"\xfe\xff":
        return data[2:].decode("utf-16-be")
    if data[:3] == b"\xef\xbb\xbf":
        data = data[3:]
    return data.decode("utf-8", "surrogateescape")


def number(digits):
    """At most six decimals are kept."""
    if "." not in digits:
        return int(digits)
    value = fractions.Fraction(digits.rstrip("."))
    return fractions.Fraction((value * 10 ** 6 + fractions.Fraction(1, 2)).__floor__(), 10 ** 6)


def naive(data):
    """The facts of MANIFEST.tsv, which take every line with a number for a stack."""
    facts = collections.Counter()
    seen = set()
    total = fractions.Fraction(0)
    for line in decode(data).split("\n"):
        line = line.rstrip("\r")
        if line == "":
            continue
        facts["hash_lines"] += line[0] == "#"
        m = COUNT.match(line)
        if not m:
            facts["no_number"] += 1
            continue
        facts["lines"] += 1
        stack = re.sub(r"[ \t]+[0-9]+(\.[0-9]*)?$", "", m.group(1))
        seen.add(stack)
        facts["max_depth"] = max(facts["max_depth"], stack.count(";") + 1)
        total += fractions.Fraction(m.group(2).rstrip("."))
    facts["distinct"] = len(seen)
    return dict(facts, total=total)


def system_id(text):
    v = int(text, 0)
    return v if v < 2 ** 32 else 0


def thread_of(stack):
    """(pid, tid, name) and the frames after it; None: the stack has no thread."""
    pid = tid = 0
    name, told, rest = "", False, stack
    while PROCESS.match(rest):
        m = PROCESS.match(rest)
        pid, name, told, rest = system_id(m.group(1)), m.group(2), True, rest[m.end():]
    frames = rest.split(";") if rest else []
    if frames and ASYNC.match(frames[0]):
        m = ASYNC.match(frames.pop(0))
        return (pid, system_id(m.group(2)), (m.group(1) or "").strip(" ")), frames
    if frames and PY_SPY.match(frames[0]):
        m = PY_SPY.match(frames.pop(0))
        return (pid, system_id(m.group(1)), m.group(2) or ""), frames
    if frames and TACHYON.match(frames[0]):
        return (pid, system_id(TACHYON.match(frames.pop(0)).group(1)), name), frames
    m = AUSTIN.match(rest)
    if m:
        return (system_id(m.group(1)), system_id(m.group(3) or m.group(2)), name), frames[2:]
    return ((pid, tid, name), frames) if told else None


class Profile:
    def __init__(self, data):
        self.comments = self.ignored = self.ones = self.twos = 0
        self.mode = None
        self.lines = []
        for line in decode(data).split("\n"):
            self.look(line)
        self.differs = self.twos > 0 and self.twos >= self.ones
        told = [thread_of(s) for stack, with_number, _, _ in self.lines for s in (with_number, stack)]
        self.threaded = bool(told) and all(told)
        self.names = {}
        for (pid, tid, name), _ in filter(None, told):
            if name:
                self.names.setdefault((pid, tid), name)
        numbers = [last for _, _, _, last in self.lines]
        self.counted = not self.differs and self.mode not in ("wall", "cpu", "memory") and any(map(number, numbers)) and \
            not any(re.search(r"\.0*[1-9]", n) for n in numbers)     # each is a number of samples
        self.self = collections.defaultdict(lambda: NONE)       # by thread and stack of (name, kind)
        for line in self.lines:
            self.take(*line)

    def look(self, line):
        if line.startswith("#"):
            self.comments += 1
            m = MODE.match(line)
            self.mode = self.mode or (m and m.group(1))
            return
        m = COUNT.match(line)
        if not m:
            self.ignored += line.strip(BLANK) != ""
            return
        two = COUNT.match(m.group(1)) if m.group(1) else None
        self.ones += not two
        self.twos += bool(two)
        if two:
            self.lines.append((two.group(1), m.group(1), two.group(2), m.group(2)))
        else:
            self.lines.append((m.group(1), m.group(1), None, m.group(2)))

    def take(self, stack, with_number, first, last):
        if not self.differs:
            weight = Weight(number(last) if self.counted else 1, number(last), 0)
            stack = with_number
        elif first is None:
            weight = Weight(1, 0, number(last))
        else:
            weight = Weight(1, number(last), number(first))
        frames = stack.split(";")
        thread = None
        if self.threaded:
            (pid, tid, name), frames = thread_of(stack)
            thread = (pid, tid, name or self.names.get((pid, tid), ""))
        while frames and frames[0] == "" and (self.threaded or len(frames) > 1):
            frames.pop(0)
        key = (thread, self.kinds(frames))
        self.self[key] = add(self.self[key], weight)

    @staticmethod
    def kinds(frames):
        out, waker = [], False
        for f in frames:
            m = KIND.match(f)
            if f == "":
                out.append(("[unnamed]", ""))
            elif m:
                out.append(m.groups())
            else:
                out.append((f, "w" if waker else ""))
            waker = waker or f == "--"
        return tuple(out)

    # ---- answers -----------------------------------------------------------------

    def total(self):
        out = NONE
        for w in self.self.values():
            out = add(out, w)
        return out

    def threads(self):
        out = collections.defaultdict(lambda: NONE)
        for (thread, _), w in self.self.items():
            out[thread] = add(out[thread], w)
        return out

    @functools.lru_cache(maxsize=1)
    def tree(self):
        """By thread and path: own weight, and that of all below."""
        own, below = collections.defaultdict(lambda: NONE), collections.defaultdict(lambda: NONE)
        for (thread, frames), w in self.self.items():
            frames = frames or (("[no stack]", ""),)
            own[thread, frames] = add(own[thread, frames], w)
            for n in range(1, len(frames) + 1):
                below[thread, frames[:n]] = add(below[thread, frames[:n]], w)
        return {k: (own[k], below[k]) for k in below}

    @functools.lru_cache(maxsize=1)
    def methods(self):
        own, whole = collections.defaultdict(lambda: NONE), collections.defaultdict(lambda: NONE)
        for (_, frames), w in self.self.items():
            frames = frames or (("[no stack]", ""),)
            own[frames[-1]] = add(own[frames[-1]], w)
            for f in set(frames):
                whole[f] = add(whole[f], w)
        return {f: (own[f], whole[f]) for f in whole}

    def depth(self):
        return max([len(frames) for _, frames in self.self] or [0])
