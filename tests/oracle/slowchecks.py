#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of --checks on programs made at random, by reachability in the graph of their statements.

The programs branch only on what calls return, so that every path can be taken; the stack is empty between statements."""
import random

RULES = """after call demo.Db.a needs-after demo.Db.b
after-throw call a needs-after b throw
before call demo.Db.a needs-before b c
enter enter demo.Random.m1 demo.Random.m2 demo.Random.m3 demo.Random.m4 demo.Random.m5 needs-after b
catch catch java.lang.IllegalStateException needs-after b
inside call a inside java.lang.IllegalStateException
outside call a outside java.lang.OutOfMemoryError
"""
CATCHES = [None, "java/lang/Throwable", "java/lang/Exception", "java/lang/IllegalStateException", "java/lang/IllegalStateException"]
STATE = "java/lang/IllegalStateException"
BROAD = {None, "java/lang/Throwable", "java/lang/Exception", "java/lang/RuntimeException"}


def program(r):
    """Statements, and handlers: (first, last + 1, statement of the handler, type)."""
    n = r.randrange(3, 12)
    end = n + 2

    def statement(at):
        k = r.randrange(16)
        if k < 4:
            return ("do", "a")
        if k < 6:
            return ("do", "b")
        if k < 8:
            return ("do", "c")
        if k < 11:
            return ("ifdo", "test", r.randrange(end))
        if k == 11:
            return ("goto", r.randrange(end))
        if k == 12:
            return ("switch", [at + 1] + [r.randrange(end) for _ in range(r.randrange(3))])
        if k == 13:
            return ("run", r.choice(("helps", "idles")))
        return (r.choice(("return", "throw", "log")),)
    body = [("flag", 2)] + [statement(1 + i) for i in range(n)] + [("return",)]
    tries = []
    for _ in range(r.randrange(4)):
        start = r.randrange(1, end - 1)
        tries.append((start, r.randrange(start + 1, end), len(body), r.choice(CATCHES)))
        body.append(("handler",))
        body += [statement(len(body) + i) for i in range(r.randrange(3))]
        body.append(r.choice((("rethrow",), ("goto", r.randrange(1, end)), ("return",))))
    return body, tries


def methods(seed, count):
    """(name, descriptor, static, statements, tries)"""
    r, out = random.Random(seed), []
    out.append(("helps", "()V", True, [("run", "helper"), ("return",)], []))
    out.append(("helper", "()V", True, [("run", "b"), ("return",)], []))
    out.append(("b", "()V", True, [("return",)], []))
    out.append(("idles", "()V", True, [("return",)], []))
    for i in range(count):
        body, tries = program(r)
        out.append(("m%d" % i, "()Landroid/database/Cursor;", False, body, tries))
    return out


def is_needed(s, names):
    """The statement calls one of them, of which "h" is a method of the class with the name "b"."""
    return s[0] == "do" and s[1] in names or s == ("run", "helps") and "h" in names


def may_throw(s):
    return s[0] in ("do", "ifdo", "log")


def after(body, at):
    """The statements that follow without an exception."""
    s = body[at]
    if s[0] in ("return", "throw", "rethrow", "give"):
        return []
    if s[0] == "goto":
        return [s[1]]
    if s[0] == "switch":
        return s[1]
    return [at + 1] + ([s[2]] if s[0] == "ifdo" else [])


def thrown(tries, at):
    """The handlers that an exception there may reach, and whether it may leave the method."""
    out = []
    for start, end, handler, kind in tries:
        if start <= at < end:
            out.append((handler, kind))
            if kind in BROAD:
                return out, False
    return out, True


def explore(body, tries, starts, names, until=None, throws=False):
    """The worst way out of the method, or to a statement, without a call of names: "high", "low" or None."""
    todo, seen, worst = [(s, False) for s in starts], set(), None
    while todo:
        at, unlikely = todo.pop()
        if (at, unlikely) in seen:
            continue
        seen.add((at, unlikely))
        s, ends = body[at], None
        if at == until:
            return "high"
        if is_needed(s, names):
            continue
        if s[0] == "return":
            ends = "high"
        todo += [(x, unlikely) for x in after(body, at)]
        by_itself = s[0] in ("throw", "rethrow")
        if may_throw(s) or by_itself and not throws:
            handlers, leaves = thrown(tries, at)
            todo += [(h, unlikely or until is None and kind is None and not by_itself) for h, kind in handlers]
            if by_itself:
                ends = None if handlers else "high"
            elif leaves:
                ends = "low"
        if ends and until is None:
            worst = "low" if worst != "high" and (unlikely or ends == "low") else "high"
    return worst


def reachable(body, tries):
    todo, seen = [0], set()
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            s = body[at]
            todo += after(body, at)
            if may_throw(s) or s[0] in ("run", "throw", "rethrow"):
                todo += [h for h, _ in thrown(tries, at)[0]]
    return seen


def covered(tries, at, names, dex):
    """None: a finally block of a dex file hides it."""
    for start, end, _, kind in tries:
        if start <= at < end and kind in names:
            return True
        if start <= at < end and kind is None and dex:
            return None
    return False


def found(ms, dex):
    """(rule, method, line, severity) of all methods."""
    out = []
    for name, _, static, body, tries in ms:
        if static:
            continue
        alive = reachable(body, tries)

        def add(rule, at, severity):
            if severity:
                out.append((rule, name, str(10 + at), severity))
        if name in ("m1", "m2", "m3", "m4", "m5"):
            add("enter", 0, explore(body, tries, [0], "bh"))
        for handler in {h for _, _, h, kind in tries if kind == STATE}:
            add("catch", handler, handler in alive and explore(body, tries, [handler], "bh"))
        for at, s in enumerate(body):
            if s != ("do", "a"):
                continue
            add("before", at, explore(body, tries, [0], "bch", until=at))
            if at in alive:
                add("after", at, explore(body, tries, after(body, at), "b"))
                add("after-throw", at, explore(body, tries, after(body, at), "bh", throws=True))
            add("inside", at, "high" if covered(tries, at, (STATE, "java/lang/Exception", "java/lang/Throwable"), dex) is False else "")
            add("outside", at, "high" if covered(tries, at, ("java/lang/Throwable",), dex) else "")
    return out
