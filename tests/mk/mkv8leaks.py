# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""mkv8leaks.py NAME OUT - a heap snapshot of a page with one trouble, or without; demo: of Node.js, with several.

CASES: the first finding of each, kind and a pattern of its reason; None: there is none.
"""
import random
import sys
from types import SimpleNamespace

import mkv8

CASES = {
    "page": None,
    "element": ("detached element", "removed from the page, but still held by Dialogs.open;*3 elements in all"),
    "elements": ("detached element", "removed from the page, but still held by context of open().panel;*"),
    "listeners": ("listeners", "*holds * 40 listeners, onScroll() in app.js*"),
    "sessions": ("accumulation", "Store.sessions holds * 60 Session in a Map*"),
    "few sessions": None,
    "own sessions": ("accumulation", "module app.js.sessions holds * 60 Session in a Map*"),
    "runtime": None,
    "node sessions": None,
    "demo": ("accumulation", "module app.js.sessions holds * 60 Session in a Map*"),
    "timers": ("timers", "timers that wait hold * tick() in app.js*"),
    "promises": ("pending promises", "module app.js.replies holds * promises that were never settled keep 60 suspended ask() in app.js*"),
    "settled": ("accumulation", "module app.js.replies holds * 60 *"),
}


class Heap:
    """An empty heap; window: its global object."""

    def __init__(self, window, script):
        self.nodes, self.out = [], []
        self.node("synthetic", "", 0)
        roots = self.held(0, "element", 1, "synthetic", "(GC roots)", 0)
        self.window = self.held(0, "shortcut", 1, "object", window, 200)
        self.native = self.held(roots, "element", 1, "hidden", "system / NativeContext", 100000)
        self.script = self.held(self.native, "internal", "script", "code", script, 200)

    def node(self, kind, name, size, state=0):
        self.nodes.append([kind, name, 2 * len(self.nodes) + 1, size, state])
        self.out.append([])
        return len(self.nodes) - 1

    def edge(self, a, kind, name, b):
        self.out[a].append([kind, name, b])

    def held(self, by, kind, name, *node):
        self.edge(by, kind, name, self.node(*node))
        return len(self.nodes) - 1

    def context(self, function, names, up=None):
        """The context of a function, or of a module; names: its variables."""
        c = self.node("object", "system / Context", 48)
        scope = self.held(c, "internal", "scope_info", "code", "system / ScopeInfo", 40)
        for i, name in enumerate([*names, function]):
            self.held(scope, "hidden", i, "string", name, 24)
        self.edge(scope, "hidden", len(names) + 2, self.native)
        self.edge(c, "internal", "previous", self.native if up is None else up)
        return c

    def closure(self, by, kind, name, function, context, script=None):
        f = self.held(by, kind, name, "closure", function, 64)
        shared = self.held(f, "internal", "shared", "code", function, 56)
        self.edge(shared, "internal", "script", self.script if script is None else script)
        self.edge(f, "internal", "context", context)
        return f

    def sessions(self, by, kind, name, n, of="Session"):
        table = self.held(self.held(by, kind, name, "object", "Map", 32), "internal", "table", "array", "", 16 * n)
        for i in range(n):
            self.held(table, "internal", str(i), "object", of, 4000)


class Page(Heap):
    """A page of 300 kB with a body of 20 elements."""

    def __init__(self):
        super().__init__("Window / shop.example", "https://shop.example/js/app.js")
        trees = self.held(0, "element", 1, "synthetic", "(Document DOM trees)", 0)
        self.document = self.held(trees, "element", 1, "native", "HTMLDocument", 200, 1)
        self.edge(self.window, "property", "document", self.document)
        body = self.held(self.document, "internal", "1", "native", "HTMLBodyElement", 100, 1)
        for _ in range(20):
            self.held(body, "element", 1, "native", "<div class=\"row\">", 10000, 1)


def server():
    """A server that keeps sessions, listeners of its catalog, and timers."""
    p = made("timers", made("own sessions", Heap("global", "/srv/shop/app.js")))
    catalog = p.held(p.window, "property", "catalog", "object", "Catalog", 400)
    p.held(catalog, "property", "items", "object", "Array", 90000)
    update = p.held(p.held(catalog, "property", "_events", "object", "Object", 40), "property", "update", "object", "Array", 400)
    for i in range(40):
        c = p.context("subscribe", ["cart"])
        p.held(c, "context", "cart", "object", "Cart", 3000)
        p.closure(update, "element", i, "onUpdate", c)
    return p


def made(name, p):
    if name == "element":
        dialogs = p.held(p.window, "property", "dialogs", "object", "Dialogs", 40)
        top = p.held(dialogs, "property", "open", "native", "<div id=\"dialog\">", 5000, 2)
        for _ in range(2):
            p.edge(p.held(top, "element", 1, "native", "<span>", 500, 2), "internal", "parent", top)
    elif name == "elements":
        c = p.context("open", ["panel"])
        p.closure(p.window, "property", "onresize", "resized", c)
        p.held(c, "context", "panel", "native", "<table>", 9000, 2)
    elif name == "listeners":
        row = p.held(p.document, "element", 3, "native", "<div id=\"list\">", 100, 1)
        for i in range(40):
            c = p.context("show", ["rows"])
            p.held(c, "context", "rows", "object", "Array", 3000)
            listener = p.held(row, "internal", str(i + 1), "native", "EventListener", 60)
            p.closure(listener, "internal", "1", "onScroll", c)
    elif name in ("sessions", "few sessions"):
        store = p.held(p.window, "property", "store", "object", "Store", 40)
        p.sessions(store, "property", "sessions", 60 if name == "sessions" else 15)
    elif name in ("own sessions", "runtime", "node sessions"):
        internal = p.node("code", "node:internal/store", 100)
        p.edge(p.native, "internal", "other", internal)
        c = p.context("", ["sessions"])
        p.closure(p.window, "property", "onload", "load", c, None if name == "own sessions" else internal)
        p.sessions(c, "context", "sessions", 60, "Session" if name == "own sessions" else "IncomingMessage" if name == "runtime" else "Timeout")
    elif name in ("promises", "settled"):
        # A promise that waits has reactions with functions, a settled one its value.
        c = p.context("", ["replies"])
        p.closure(p.window, "property", "onmessage", "receive", c)
        ask = p.closure(p.window, "property", "ask", "ask", c)
        table = p.held(p.held(c, "context", "replies", "object", "Map", 32), "internal", "table", "array", "", 1000)
        for i in range(60):
            promise = p.held(table, "internal", str(i), "object", "Promise", 48)
            if name == "settled":
                p.held(promise, "internal", "reactions_or_result", "object", "Reply", 3000)
                continue
            # An async function is suspended in a generator, which both functions of the reaction have.
            reaction = p.held(promise, "internal", "reactions_or_result", "hidden", "system / PromiseReaction", 48)
            asked = p.node("object", "system / Context", 40)
            p.held(asked, "internal", "scope_info", "code", "system / ScopeInfo", 48)
            p.edge(asked, "internal", "previous", p.native)
            for n in range(2):
                p.edge(p.held(reaction, "hidden", n, "closure", "", 56), "internal", "context", asked)
            generator = p.held(asked, "internal", "extension", "object", "Generator", 88)
            p.edge(generator, "internal", "function", ask)
            registers = p.held(generator, "internal", "parameters_and_registers", "array", "", 80)
            p.edge(registers, "internal", "1", generator)
            p.held(registers, "internal", "2", "object", "Array", 3000)
            p.edge(registers, "internal", "3", promise)
            p.edge(generator, "hidden", 2, promise)
    elif name == "timers":
        last = p.held(p.window, "property", "<symbol lists>", "object", "TimersList", 72)
        for _ in range(60):
            last = p.held(last, "property", "_idleNext", "object", "Timeout", 150)
            c = p.context("poll", ["state"])
            p.held(c, "context", "state", "object", "Array", 3000)
            p.closure(last, "property", "_onTimeout", "tick", c)
    return p


def leak_text(name):
    r = random.Random(len(name))
    p = server() if name == "demo" else made(name, Page())
    return mkv8.text(mkv8.document(SimpleNamespace(nodes=p.nodes, out=p.out, locations=[], root=0), r, odd=name != "demo"), 1)


if __name__ == "__main__":
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write(leak_text(sys.argv[1]))
