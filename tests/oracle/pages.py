# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures that icecore exports: what a slow, independent reader of the same stacks expects to be drawn."""
import base64
import hashlib
import html.parser
import re
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
WIDTH = 1_000_000
BOXES_MAX = 20000
LEVELS_MAX = 800
RAISED = [step * scale for scale in (1e-4, 1e-3, 1e-2, 0.1, 1) for step in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)] + [10]

# Frames of folded stacks that a page may not take for anything but text; lone surrogates stand for bytes.
HOSTILE = [
    "</script><script>window.__x=1</script>",
    "</title><img src=x onerror=window.__x=2>",
    "]]>",
    "<!--",
    "\"onload=\"window.__x=3",
    "'onclick='window.__x=4",
    "javascript:window.__x=5",
    "&#x202e &lt &amp",
    "a\u202eb",
    "a\u2028b\u200fc",
    "bytes\udcff\udc80.x",
    "\\N\\G\\E\\l",
    "#z=1&s=2",
    "com.example.Outer$Inner.<init>",
    "it's",
    "{{7*7}}${7*7}",
    "\u540d\u524d.\u95a2\u6570",
]


def shown(name):
    """The text gate for the names that are used here."""
    return re.sub("[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\udc80-\udcff]", "\ufffd", name)


class Node:
    __slots__ = ("name", "self", "total", "below", "order")

    def __init__(self, name, order):
        self.name, self.self, self.total, self.below, self.order = name, 0, 0, {}, order


def tree(stacks):
    """The root over all; stacks: (names, weight)."""
    root, count = Node("all", 0), 0
    for names, weight in stacks:
        node = root
        for name in names:
            if name not in node.below:
                count += 1
                node.below[name] = Node(name, count)
            node = node.below[name]
        node.self += weight
    order = [root]
    for node in order:
        order.extend(node.below.values())
    for node in reversed(order):
        node.total = node.self + sum(below.total for below in node.below.values())
    return root, count


def is_drawn(node, depth, all_of_it, limit):
    return node.total > 0 and depth < LEVELS_MAX and node.total * 100 >= limit * all_of_it


def limit_of(root, share):
    """The share from which on boxes are drawn, so that there are not too many."""
    limit = share
    for raised in (*RAISED, None):
        queue, joined = [(root, 0)], 0
        for node, depth in queue:
            below = [n for n in node.below.values() if n.total > 0]
            drawn = [(n, depth + 1) for n in below if is_drawn(n, depth + 1, root.total, limit)]
            joined += len(drawn) < len(below)
            queue += drawn
        if len(queue) + joined <= BOXES_MAX or raised is None:
            return limit
        limit = max(limit, raised)


def expected(root, share):
    """Return the boxes to draw, {(key of the box below it, name): width}, where a key is a number; and the limit."""
    limit, out, keys = limit_of(root, share), {}, {}
    tops = [n for n in root.below.values() if n.total > 0]
    alone = len(tops) == 1 and is_drawn(tops[0], 1, root.total, limit)
    todo = [(tops[0], 0, 1) if alone else (root, 0, 0)]
    while todo:
        node, above, depth = todo.pop()
        key = add(out, keys, above, node.name, node.total)
        joined = [n for n in node.below.values() if n.total > 0 and not is_drawn(n, depth + 1, root.total, limit)]
        todo += [(n, key, depth + 1) for n in node.below.values() if is_drawn(n, depth + 1, root.total, limit)]
        if joined:
            add(out, keys, key, "%s more" % group(len(joined)), sum(n.total for n in joined))
    return out, limit


def add(out, keys, above, name, width):
    out[above, shown(name)] = width
    return keys.setdefault((above, shown(name)), len(keys) + 1)


def group(n):
    return "{:,}".format(n).replace(",", " ")


def read_svg(text):
    """Boxes of a picture, in its order: (level, x, width, name, tip, class)."""
    svg = ET.fromstring(text)
    boxes = svg.find(".//%sg[@id='boxes']" % SVG)
    out, top, step = [], None, None
    for g in boxes:
        rect, title = g.find(SVG + "rect"), g.find(SVG + "title").text
        y = float(rect.get("y"))
        top = y if top is None else top
        if step is None and y != top:
            step = abs(y - top)
        name, tip = title.split("\n", 1)
        out.append((round(abs(y - top) / step) if step else 0, float(rect.get("x")), float(rect.get("width")),
                    name, tip, g.get("class")))
    return svg, out


def svg_of_page(page):
    return page[page.index("<svg "):page.index("</svg>") + len("</svg>")]


def compare(boxes, want, total):
    """Return the errors of a picture.  Children tile their caller from the left, by falling width."""
    bad, keys, open_boxes, have = [], {}, [], {}
    for level, x, width, name, tip, kind in boxes:
        del open_boxes[level:]
        if len(open_boxes) != level:
            return ["level %d follows %d" % (level, len(open_boxes))]
        above = open_boxes[-1] if level else [0, 0, None]
        if abs(x - above[1]) > 0.0021 and level:
            bad.append("%r is at %f, not %f" % (name, x, above[1]))
        if kind.split()[0] != "m" and above[2] is not None and width > above[2] + 0.0011:
            bad.append("%r is wider than the text before it" % name)
        above[1], above[2] = x + width, width
        key = keys.setdefault((above[0], name), len(keys) + 1)
        if (above[0], name) in have:
            bad.append("%r is a duplicate" % name)
        have[above[0], name] = width
        open_boxes.append([key, x, None])
    # Keys are numbers of both walks, which come by in another order: what is compared are paths.
    have, want = paths(have, keys), paths(want, None)
    bad += ["%r is not drawn" % (p[-3:],) for p in want.keys() - have.keys()]
    bad += ["%r is drawn" % (p[-3:],) for p in have.keys() - want.keys()]
    bad += ["%r is %f wide, not %f" % (p[-3:], have[p], want[p] * WIDTH / total) for p in want.keys() & have.keys()
            if abs(have[p] - want[p] * WIDTH / total) > 0.0021]
    return bad


def paths(boxes, keys):
    """The same for their paths: hashes of them with the last three names."""
    known, out = {0: (0,)}, {}
    for number, ((above, name), width) in enumerate(boxes.items(), 1):
        path = known[above]
        known[number] = (hash((path[0], name)), *path[1:][-2:], name)
        out[known[number]] = width
    return out


class Page(html.parser.HTMLParser):
    """The parts of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.texts, self.rows = [], [], {}, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, k, v) for k, v in attrs]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_data(self, data):
        tag = self.tags[-1] if self.tags else ""
        self.texts[tag] = self.texts.get(tag, "") + data
        if self.rows and tag in ("td", "th") and self.rows[-1] and data != "\n":
            self.rows[-1][-1] += data

    def policy(self):
        return next(v for t, k, v in self.attributes if t == "meta" and k == "content" and "default-src" in v)


def element(page, name):
    start = page.index("<%s>" % name) + len(name) + 2
    return page[start:page.index("</%s>" % name, start)]


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
