# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""browsercheck.py ICECORE SCRATCH CHROMEDRIVER [PICTURES]: exported pages in Chromium, with real clicks and keys.  Prints
TAP; leaves screenshots in the folder PICTURES."""
import json
import os
import random
import re
import subprocess
import sys
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mk"))
import driver
import mkheap
import pages

icecore, scratch, program = sys.argv[1:4]
pictures = sys.argv[4] if len(sys.argv) > 4 else None
count = 0

STATE = """return Array.from(document.querySelectorAll('#boxes > g'), g => {
    const r = g.querySelector('rect').getBoundingClientRect(), t = g.querySelector('title').textContent.split('\\n');
    return {name: t[0], tip: t[1], x: r.x, y: r.y, w: r.width, shown: r.width > 0, match: g.classList.contains('match'),
        faint: g.classList.contains('faint'), label: g.getAttribute('aria-label'), level: +g.getAttribute('aria-level'),
        more: g.classList.contains('m'), text: g.querySelector('text') ? g.querySelector('text').textContent : ''};
});"""
FOCUS = "return document.activeElement.getAttribute('aria-label');"
COUNT = "return document.querySelector('output').textContent;"


def ok(name, function, *args):
    global count
    count += 1
    try:
        bad = function(*args)
    except (RuntimeError, OSError, ValueError, KeyError, IndexError, TypeError, AssertionError) as e:
        bad = ["%s: %s" % (type(e).__name__, e)]
    print("%sok %d - %s" % ("not " if bad else "", count, name), flush=True)
    for line in (bad or [])[:8]:
        print("#", str(line).encode("ascii", "backslashreplace").decode()[:300])


def write_folded(name, stacks):
    path = os.path.join(scratch, name)
    with open(path, "wb") as f:
        for names, weight in stacks:
            f.write(";".join(names).encode("utf-8", "surrogateescape") + b" %d\n" % weight)
    return path


def page_of(query, path, how="", kind="html", *more):
    """The file: URL of a page of that answer."""
    to = os.path.join(scratch, "page%d.%s" % (len(os.listdir(scratch)), kind))
    subprocess.run([icecore, "--no-index", "-e", "%s | export! %s %s" % (query, to, how), path, *more], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return "file://" + urllib.parse.quote(to)


def answer(query, path):
    got = subprocess.run([icecore, "--no-index", "-o", "tsv", "-e", query, path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout.decode()
    return [line.split("\t") for line in got.splitlines()[1:]]


def same(one, other):
    return [(a, b) for a, b in zip(one, other) if a["name"] != b["name"] or a["shown"] != b["shown"] or a["text"] != b["text"]
            or abs(a["x"] - b["x"]) + abs(a["w"] - b["w"]) + abs(a["y"] - b["y"]) > 0.2] or \
        (["%d boxes and %d" % (len(one), len(other))] if len(one) != len(other) else [])


def troubles(browser):
    return ["log: %s" % entry["message"] for entry in browser.log()] + \
        ["fetched: %s" % e for e in browser.run("return performance.getEntriesByType('resource').map(e => e.name);")] + \
        (["window.__x is set"] if browser.run("return window.__x !== undefined;") else [])


def box(state, name):
    return next(b for b in state if b["name"] == name)


def click(browser, b):
    browser.click(b["x"] + min(b["w"] / 2, 40), b["y"] + 6)


# ---- one page, by hand and by key

def opens(browser, url):
    browser.open(url)
    state = browser.run(STATE)
    bad = troubles(browser)
    if len(state) < 20 or not all(b["shown"] for b in state if b["w"] > 0.2):
        bad.append("%d boxes" % len(state))
    if browser.run("return document.querySelectorAll('.bar').length;") != 1:
        bad.append("no toolbar")
    if any(b["label"] != b["name"] + ", " + b["tip"] for b in state):
        bad.append("labels are not the tips")
    return bad


def zooms(browser, url, inwards="Down"):
    browser.open(url)
    first = browser.run(STATE)
    whole = first[0]["w"]
    target = [b for b in first if b["level"] == 3 and not b["more"]][1]
    click(browser, target)
    now = browser.run(STATE)
    bad = []
    if abs(box_at(now, first, target)["w"] - whole) > 1:
        bad.append("the box is %r wide" % box_at(now, first, target))
    above = [b for b in now if b["faint"]]
    if len(above) != 2 or any(abs(b["w"] - whole) > 1 for b in above):
        bad.append("above it: %r" % above)
    if "#z=" not in browser.run("return location.hash;"):
        bad.append("no fragment")
    if box_at(now, first, target)["label"] != browser.run(FOCUS):
        bad.append("focus is on %r" % browser.run(FOCUS))
    browser.keys("Escape")
    bad += same(first, browser.run(STATE))
    browser.keys("Backspace")
    bad += same(now, browser.run(STATE))
    browser.call("POST", "back", {})
    bad += same(first, browser.run(STATE))
    browser.keys("Enter")
    bad += same(now, browser.run(STATE))
    click(browser, box_at(browser.run(STATE), first, first[0]))
    bad += same(first, browser.run(STATE))
    browser.keys("Home", inwards, "Enter")
    if browser.run(STATE)[1]["w"] < whole - 1:
        bad.append("Enter does not zoom")
    browser.run("Array.from(document.querySelectorAll('button')).find(b => b.textContent === 'Whole picture').click();")
    bad += same(first, browser.run(STATE))
    return bad + troubles(browser)


def box_at(state, first, b):
    return state[first.index(b)]


def searches(browser, url, path, stacks):
    browser.open(url)
    bad = []
    total = sum(w for _, w in stacks)
    for text, pattern in (("f1", "f1"), ("/^f[12]$/", "^f[12]$"), ("F1", "F1(?!)"), ("nothing", "nothing")):
        browser.run("document.querySelector('input').value = '';")
        browser.keys("/", text)
        told = browser.run(COUNT)
        regex = re.compile(pattern)
        part = sum(w for names, w in stacks if any(regex.search(n) for n in names))
        have = sum(b["match"] for b in browser.run(STATE))
        rows = answer("merged | where method ~ /%s/ | count" % pattern, path)
        if have != int(rows[0][0]) or told != "%d box%s, %.2f%%" % (have, "" if have == 1 else "es", 100 * part / total):
            bad.append("%r: %r, %d marked, %s of the query, %.2f" % (text, told, have, rows, 100 * part / total))
        browser.keys("Escape")
    browser.keys("/", "/f[/")
    if browser.run("return document.querySelector('input').getAttribute('aria-invalid');") != "true" or \
            "xpression" not in browser.run(COUNT):
        bad.append("a bad pattern: %r" % browser.run(COUNT))
    browser.keys("Escape")
    browser.keys("f", held="\ue009")
    browser.keys("f1", "Enter")
    first = browser.run(FOCUS)
    browser.keys("n")
    second = browser.run(FOCUS)
    browser.keys("N")
    if not first.startswith("f1") or not second.startswith("f1") or browser.run(FOCUS) != first:
        bad.append("n and N: %r %r %r" % (first, second, browser.run(FOCUS)))
    return bad + troubles(browser)


def links(browser, url):
    browser.open(url)
    first = browser.run(STATE)
    click(browser, [b for b in first if b["level"] == 4 and not b["more"]][0])
    browser.keys("/", "/^f1|&#%+ /")
    now, link = browser.run(STATE), browser.run("return location.href;")
    browser.open(link)
    bad = same(now, browser.run(STATE)) + [b["name"] for a, b in zip(now, browser.run(STATE)) if a["match"] != b["match"]]
    if browser.run("return document.querySelector('input').value;") != "/^f1|&#%+ /":
        bad.append("searched: %r" % browser.run("return document.querySelector('input').value;"))
    browser.run("""const f = document.querySelector('input');
        f.value = 'y'.repeat(3000);
        f.dispatchEvent(new Event('input'));""")
    if browser.run("return location.hash;") != "":
        bad.append("a link that is too long, or of what was searched before")
    for wrong in ("#z=zz.zz", "#z=-1", "#z=0.0.0.0.0.0.0.0.0.0", "#s=%E0%A4", "#" + "z" * 5000, "#z=constructor"):
        browser.open(url + wrong)
        bad += same(first, browser.run(STATE))
    return bad + troubles(browser)


def walks(browser, url):
    """Every box by arrow keys alone, in the order of a walk."""
    browser.open(url)
    state = browser.run(STATE)
    # Past the field and the buttons that are not disabled.
    browser.keys(*["Tab"] * browser.run("return document.querySelectorAll('.bar > :not(:disabled, output)').length + 1;"))
    bad, at = [], 0
    for i, b in enumerate(state):
        if i > 0:
            last = state[i - 1]
            browser.keys(*(["Down"] if b["level"] > last["level"] else ["Up"] * (last["level"] - b["level"]) + ["Right"]))
        at += browser.run(FOCUS) == b["label"]
        if browser.run(FOCUS) != b["label"]:
            bad.append("%r, not %r" % (browser.run(FOCUS), b["label"]))
    browser.keys("Left")
    tabs = browser.run("return document.querySelectorAll('#boxes [tabindex=\"0\"]').length;")
    return bad + ([] if tabs == 1 else ["%d boxes take Tab" % tabs]) + ([] if at == len(state) else ["%d seen" % at])


CONTRAST = """const part = c => { const v = c / 255; return 0.03928 >= v ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
const light = s => { const c = s.match(/[0-9.]+/g).map(Number); return 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]); };
const out = [], svg = document.querySelector('#boxes');
for (const kind of arguments[0]) {
    const g = svg.appendChild(document.createElementNS(svg.namespaceURI, 'g'));
    g.setAttribute('class', kind);
    const rect = g.appendChild(document.createElementNS(svg.namespaceURI, 'rect'));
    const text = g.appendChild(document.createElementNS(svg.namespaceURI, 'text'));
    const a = light(getComputedStyle(rect).fill), b = light(getComputedStyle(text).fill);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (4.5 > ratio) out.push(kind + ' ' + ratio.toFixed(2));
    g.remove();
}
return out;"""


def themes(browser, url):
    bad, shots = [], []
    kinds = ["e", "t", "k", "j", "i", "w", "p", "m", "g1", "g2", "g3", "s1", "s2", "s3", "m g3", "m s3"] + ["h%d" % i for i in range(8)]
    for theme in ("light", "dark"):
        browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        browser.open(url)
        bad += ["%s: contrast of %s" % (theme, b) for b in browser.run(CONTRAST, kinds)]
        shots.append(browser.screenshot())
        if pictures:
            with open(os.path.join(pictures, theme + ".png"), "wb") as f:
                f.write(shots[-1])
    browser.command("Emulation.setEmulatedMedia", features=[])
    return bad + (["they look the same"] if shots[0] == shots[1] else [])


def sizes(browser, url):
    """Twice the size, as on a page of half the width: nothing is cut at the side."""
    browser.open(url)
    browser.command("Emulation.setDeviceMetricsOverride", width=600, height=450, deviceScaleFactor=2, mobile=False)
    bad = []
    over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth;")
    if over > 0:
        bad.append("%d px too wide" % over)
    state = browser.run(STATE)
    if state[0]["w"] > 600 or state[0]["w"] < 400:
        bad.append("the first box is %d wide" % state[0]["w"])
    browser.command("Emulation.clearDeviceMetricsOverride")
    return bad


def hostile(browser, url):
    browser.open(url)
    state, bad = browser.run(STATE), []
    names = {b["name"] for b in state}
    bad += ["%r is not there" % name for name in pages.HOSTILE if pages.shown(name) not in names]
    for b in state:
        if b["shown"] and b["w"] > 1:
            click(browser, box_at(browser.run(STATE), state, b)) if b["level"] == 2 else None
            browser.keys("Escape")
    for name in pages.HOSTILE[:6]:
        browser.run("document.querySelector('input').value = '';")
        browser.keys("/", name)
        if not browser.run(COUNT).startswith("1 box"):
            bad.append("%r: %r" % (name, browser.run(COUNT)))
        browser.keys("Escape")
    browser.open(url + "#s=" + urllib.parse.quote("<img src=x onerror=window.__x=7>"))
    return bad + troubles(browser)


def shortened(browser):
    """Names without room keep their ends; brackets in the middle do not end them."""
    names = ["github.com/one/two/three.(*Table).Insert", "(anonymous namespace)::Loop::run(int, char const*)", "shop.Cart.add(Item) const"]
    path = write_folded("brackets.txt", [(["main", n], 10 if n != names[0] else 11) for n in names] + [(["main", "rest"], 100)])
    browser.open(page_of("merged", path))
    have = [b["text"] for b in browser.run(STATE)[2:]]
    return ["%r" % text for text, end in zip(have, ("Insert", "run", "add"), strict=True) if not text.endswith(end)]


def hostile_made(browser, url):
    """The same names in the middle, and copied."""
    browser.open(url)
    bad = []
    browser.run(COPIED)
    for name in pages.HOSTILE[::2]:
        browser.run("[...document.querySelectorAll('#boxes > g')].find(g => g.textContent.startsWith(arguments[0] + '\\n')).focus();", pages.shown(name))
        browser.keys("S")
        made = browser.run(MADE)
        if [b["name"] for b in made] != [pages.shown(name), "leaf", "top"]:
            bad.append("%r: %r" % (name, made))
        browser.keys("c", held="\ue009")
        if str(browser.run("return window.__copied.pop();")).split("\n")[0] != pages.shown(name):
            bad.append("%r is not copied" % name)
        browser.keys("Escape")
    return bad + troubles(browser)


def alone(browser, url, n):
    browser.open(url)
    have = browser.run("return document.querySelectorAll('#boxes > g').length;")
    return troubles(browser) + ([] if have == n else ["%d boxes" % have])


def differing(browser, url):
    """Boxes that are only in the first file can be zoomed; signs and the legend appear at each zoom."""
    browser.open(url)
    first, bad = browser.run(STATE), []
    gone = [b for b in first if "of the total before" in b["tip"] and not b["more"] and b["w"] > 2 and b["text"] == ""]
    if not gone:
        return ["no box of what is gone"]
    click(browser, gone[0])
    now = box_at(browser.run(STATE), first, gone[0])
    if now["w"] < first[0]["w"] - 1 or now["text"] != "- " + now["name"]:
        bad.append("zoomed: %r" % now)
    browser.keys("Escape")
    bad += same(first, browser.run(STATE))
    for b in first:
        change = b["tip"].split("change ")[1]
        if b["text"] != "" and b["text"][:2] != change[0] + " " and change[0] in "+-":
            bad.append("%r: %r" % (b["text"], b["tip"]))
    wide = browser.run("""return Array.from(document.querySelectorAll('#boxes > g:not(.off)')).filter(g => g.querySelector('text') &&
        g.querySelector('text').getComputedTextLength() > g.querySelector('rect').getBoundingClientRect().width).length;""")
    if wide > 0 or "\u2026" in "".join(b["text"] for b in first if len(b["text"]) < 5):
        bad.append("%d texts are wider than their boxes" % wide)
    legend = browser.run("""const g = document.querySelectorAll('footer #legend g');
        return [g.length, g[6].getBoundingClientRect().right - g[0].getBoundingClientRect().left, innerWidth];""")
    if legend[0] != 7 or not 300 < legend[1] < legend[2]:
        bad.append("the legend: %r" % legend)
    for theme in ("light", "dark") if pictures else ():
        browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        with open(os.path.join(pictures, "diff-%s-%s.png" % (url[-4:].strip("."), theme)), "wb") as f:
            f.write(browser.screenshot())
    browser.command("Emulation.setEmulatedMedia", features=[])
    return bad + troubles(browser)


def as_image(browser, plain, interactive):
    """As an image of a page both look the same, and no script runs."""
    shots, bad = [], []
    for url in plain, interactive:
        to = os.path.join(scratch, "image.html")
        with open(to, "w", encoding="utf-8") as f:
            f.write("<!DOCTYPE html><title>image</title><img width=1100 src=\"%s\">" % url)
        browser.open("file://" + urllib.parse.quote(to))
        if browser.run("const i = document.querySelector('img'); return i.complete && i.naturalWidth > 0;") is not True:
            bad.append("%s is not an image" % url)
        shots.append(browser.screenshot())
    return bad + (["they look different"] if shots[0] != shots[1] else [])


def settled(browser, url):
    """The picture alone became a page: title and notes once, as text."""
    browser.open(url)
    bad = opens(browser, url)
    for what, n in (("h1", 1), ("header p", 2), ("footer p", 1), (".head, .lead, .note", 0), ("svg", 2), ("p.tip b", 1)):
        have = browser.run("return document.querySelectorAll(arguments[0]).length;", what)
        if have != n:
            bad.append("%d of %s" % (have, what))
    if pictures:
        with open(os.path.join(pictures, "interactive.png"), "wb") as f:
            f.write(browser.screenshot())
    return bad


def without(browser, url, n):
    browser.open(url)
    bad = [] if browser.run("return document.querySelector('.bar') === null;") else ["there is a toolbar"]
    state = browser.run(STATE)
    if len(state) != n or not all(b["shown"] for b in state):
        bad.append("%d boxes of %d" % (len(state), n))
    rows = browser.run("return document.querySelectorAll('details tbody tr').length;")
    if not any(b["text"] for b in state) or rows < (0 if url.endswith(".svg") else 10):
        bad.append("no texts")
    if pictures:
        with open(os.path.join(pictures, "noscript.png"), "wb") as f:
            f.write(browser.screenshot())
    return bad


def many(browser, url):
    """Many boxes: the time is printed, and only an unbearable one is wrong."""
    browser.open(url)
    n = browser.run("return document.querySelectorAll('#boxes > g').length;")
    paint = browser.run("const p = performance.getEntriesByName('first-contentful-paint')[0]; return p ? p.startTime : -1;")
    zoom = browser.run("""const g = document.querySelectorAll('#boxes > g')[2], t = performance.now();
        g.dispatchEvent(new MouseEvent('click', {bubbles: true})); document.body.getBoundingClientRect();
        return performance.now() - t;""")
    print("# %d boxes: first paint after %.0f ms, a zoom in %.0f ms" % (n, paint, zoom))
    return troubles(browser) + (["too slow"] if paint > 20000 or zoom > 5000 else [])


def table(browser, url):
    browser.open(url)
    rows = browser.run("return document.querySelectorAll('table.rows tbody tr').length;")
    return troubles(browser) + ([] if rows > 5 else ["%d rows" % rows])


# ---- callers and callees, threads as one, the stack as text

MADE = """return [...document.querySelectorAll('svg[role="tree"] > g:last-of-type > g')].map(g => {
    const r = g.querySelector('rect').getBoundingClientRect(), t = g.querySelector('title').textContent.split('\\n');
    return {name: t[0], tip: t[1], x: r.x, y: r.y, w: r.width, label: g.getAttribute('aria-label')};
});"""


def ways(boxes, at):
    """{names away from box at, nearest first: width}, of what is above it and of what is below it."""
    out = {}
    for side in (-1, 1):
        todo = [((), boxes[at])]
        for names, b in todo:
            for near in boxes:
                if abs(near["y"] - b["y"] - side * 18) < 2 and b["x"] - 0.6 < near["x"] and near["x"] + near["w"] < b["x"] + b["w"] + 0.6:
                    out[side, names + (near["name"],)] = near["w"]
                    todo.append((names + (near["name"],), near))
    return out


def sandwiched(browser, url, stacks):
    """A function that calls itself counts once; each way to its callers and callees is as wide as its stacks."""
    browser.open(url)
    bad, first = [], browser.run(STATE)
    for name in ("f3", "f7"):
        browser.run("[...document.querySelectorAll('#boxes > g')].find(g => g.textContent.startsWith(arguments[0] + '\\n')).focus();", name)
        browser.keys("S")
        want, total, every = {}, 0, sum(w for _, w in stacks)
        for names, weight in stacks:
            if name in names:
                i = names.index(name)
                total += weight
                for side, way in ((-1, names[:i][::-1]), (1, names[i + 1:])):
                    for n in range(1, len(way) + 1):
                        want[side, tuple(way[:n])] = want.get((side, tuple(way[:n])), 0) + weight
        boxes = browser.run(MADE)
        have = ways(boxes, 0)
        wide = boxes[0]["w"] / total
        bad += ["%s: %r" % (name, key) for key in want.keys() ^ have.keys()]
        bad += ["%s: %r is %.1f wide, not %.1f" % (name, key, have[key], want[key] * wide) for key in want.keys() & have.keys()
                if abs(have[key] - want[key] * wide) > 1.2]
        if boxes[0]["name"] != name or boxes[0]["tip"] != "%.2f%% of the total" % (100 * total / every) or browser.run(FOCUS) != boxes[0]["label"] or \
                any(b["shown"] for b in browser.run(STATE)) or "#f=" + name != browser.run("return location.hash;"):
            bad.append("the middle: %r, %r" % (boxes[0], browser.run(FOCUS)))
        link = browser.run("return location.href;")
        browser.keys("Escape")
        bad += same(first, browser.run(STATE)) + ["boxes stay"] * len(browser.run(MADE)[:1])
    browser.open(link)
    if browser.run(MADE) != boxes:
        bad.append("the link shows another picture")
    # Up leads to the widest caller, which takes the middle; back, and out.
    up = max((w, names[0]) for (side, names), w in have.items() if side == -1 and len(names) == 1)[1]
    browser.run("document.querySelector('svg[role=\"tree\"] > g:last-of-type > g').focus();")
    browser.keys("Up", "Enter")
    if browser.run(MADE)[0]["name"] != up:
        bad.append("%r is in the middle, not %r" % (browser.run(MADE)[0]["name"], up))
    browser.keys("Backspace")
    if browser.run(MADE) != boxes or browser.run("return document.querySelector('[aria-pressed=true]').textContent;") != "Callers and callees":
        bad.append("back shows another picture")
    browser.keys("/", "f", "Escape", "S")
    return bad + same(first, browser.run(STATE)) + troubles(browser)


def merged(browser):
    """Threads as one: the tree that the query merged has."""
    trees = []
    for query in "calls", "merged":
        browser.open(page_of(query, demo("demo.trace.gz"), "min 0"))
        if query == "calls":
            browser.keys("m")
        boxes = browser.run("return [...document.querySelectorAll('svg > g:not(.off) > g')].map(g => { const p = []; "
                            "for (let b = g.box; b; b = b.above) p.push(b.name); return [p.join('\\n'), g.box.w]; });")
        trees.append({path: w for path, w in boxes})
    bad = ["%r in one of them" % path for path in trees[0].keys() ^ trees[1].keys()]
    bad += ["%r is %f wide, not %f" % (path, trees[0][path], trees[1][path]) for path in trees[0].keys() & trees[1].keys()
            if abs(trees[0][path] - trees[1][path]) > 1]
    browser.open(page_of("merged", demo("demo.trace.gz")))
    buttons = browser.run(TEXTS, ".bar button")
    if "Merge threads" in buttons or "Callers and callees" not in buttons:
        bad.append("buttons: %r" % buttons)
    browser.open(page_of("inverted", demo("demo.trace.gz")))
    if "Callers and callees" in browser.run(TEXTS, ".bar button"):
        bad.append("callers of an inverted tree")
    return bad + ["%d boxes" % len(trees[0])] * (len(trees[0]) < 100) + troubles(browser)


COPIED = "window.__copied = []; navigator.clipboard.writeText = t => { window.__copied.push(t); return Promise.resolve(); };"


def copied(browser, url):
    browser.open(url)
    browser.run(COPIED)
    state = browser.run(STATE)
    deep = max((b for b in state if not b["more"]), key=lambda b: b["level"])
    names = [deep["name"]]
    for b in state[:state.index(deep)][::-1]:
        if b["level"] == deep["level"] - len(names):
            names.append(b["name"])
    browser.run("document.querySelectorAll('#boxes > g')[arguments[0]].focus();", state.index(deep))
    browser.keys("c", held="\ue009")
    browser.run("[...document.querySelectorAll('button')].find(b => b.textContent === 'Copy stack').click();")
    have, told = browser.run("return window.__copied;"), browser.run(COUNT)
    want = "\n".join(names + [deep["tip"], ""])
    return ([] if have == [want, want] and told == "Stack copied" else ["%r (%s), not %r" % (have, told, want)]) + troubles(browser)


# ---- icecore page: several pictures

def several(browser, files):
    """Each picture has controls and keys of its own; a link opens the fold that its picture is in."""
    to = os.path.join(scratch, "several%d.html" % len(os.listdir(scratch)))
    subprocess.run([icecore, "page", "--no-index", "--quiet", "-o", to, *files], check=True, stderr=subprocess.DEVNULL)
    url = "file://" + urllib.parse.quote(to)
    browser.open(url)
    shown = "return [...document.querySelectorAll('svg[role=\"tree\"]')].map(s => s.querySelectorAll('g[role]:not(.off)').length);"
    bad, first = [], browser.run(shown)
    # One of a pool with some frames.
    at = next(i for i, n in enumerate(first) if i > 0 and n > 10)
    fold = browser.run("return [...document.querySelectorAll('details.pool')].findIndex(d => d.contains("
                       "document.querySelectorAll('svg[role=\"tree\"]')[arguments[0]]));", at)
    of = "const s = document.querySelectorAll('svg[role=\"tree\"]')[%d]; " % at
    bars, folds = browser.run("return [document.querySelectorAll('.bar').length, document.querySelectorAll('details.pool').length];")
    ordered = browser.run(TEXTS, "h2")
    if bars != len(first) or folds != bars - 1 - sum("in time order" in h for h in ordered) or bars < 3:
        bad.append("%d pictures, %d toolbars, %d folds" % (len(first), bars, folds))
    browser.run(of + "s.closest('details').open = true;")
    browser.call("POST", "execute/async", {"script": "requestAnimationFrame(() => requestAnimationFrame(arguments[0]));", "args": []})
    wide = browser.run(of + "return [s.clientWidth, +s.getAttribute('viewBox').split(' ')[2]];")
    if wide[0] < 100 or abs(wide[0] - wide[1]) > 2:
        bad.append("a picture that was folded is drawn %r wide" % wide)
    browser.run(of + "s.querySelectorAll('g[role]')[0].focus();")
    before = browser.run(shown)
    browser.keys("Down", "Down", "Enter")
    now = browser.run(shown)
    if now[at] >= before[at] or now[:at] + now[at + 1:] != before[:at] + before[at + 1:]:
        bad.append("a zoom in one picture: %r, then %r" % (before, now))
    link = browser.run("return location.href;")
    if "#p=%d&z=" % (at + 1) not in link:
        bad.append("the link is %s" % link)
    browser.open(url + "#")
    browser.open(link)
    folds = browser.run("return [...document.querySelectorAll('details.pool')].map(d => d.open);")
    if browser.run(shown)[at] != now[at] or folds != [i == fold for i in range(len(folds))]:
        bad.append("the link shows %r instead of %r" % (browser.run(shown), now))
    # Keys scroll the page unless a picture has the focus.
    browser.open(url)
    browser.keys("Down", "Enter")
    if browser.run("return location.hash;") != "":
        bad.append("keys of the page zoom a picture")
    for width in 390, 1200, 1920:
        browser.call("POST", "window/rect", {"width": width, "height": 900})
        browser.open(url)
        over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth;")
        if over > 0:
            bad.append("%d px wide: %d px too much" % (width, over))
    browser.call("POST", "window/rect", {"width": 1200, "height": 900})
    return bad + troubles(browser)


def page_about(*files):
    to = os.path.join(scratch, "about%d.html" % len(os.listdir(scratch)))
    subprocess.run([icecore, "page", "--no-index", "--quiet", "-o", to, *files], check=True, stderr=subprocess.DEVNULL)
    return "file://" + urllib.parse.quote(to)


def demo(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "demo", name)


TEXTS = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent);"


def ordered(browser, files):
    """The story, the picture, the findings; facts and the digest last, folded."""
    browser.open(page_about(*files))
    said = json.loads(subprocess.run([icecore, "--report", "--no-index", "--quiet", "-o", "json", *files], stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL).stdout)
    bad, parts = troubles(browser), browser.run(TEXTS, "h2")
    if browser.run(TEXTS, "h1") != [said["story"]] or said["story"] not in browser.run("return document.title;"):
        bad.append("the heading is %r, not %r" % (browser.run(TEXTS, "h1"), said["story"]))
    order = [next((i for i, h in enumerate(parts) if h.startswith(name)), -1) for name in ("Flame graph", "At a glance", "Next steps", "Overview")]
    if order[0] != 0 or order != sorted(order) or "Findings" in parts and not order[1] < parts.index("Findings") < order[2]:
        bad.append("the parts are %r" % parts)
    digest = said["file"]["sha256"]
    if digest not in browser.run("return document.querySelector('details.facts:last-of-type').textContent;") or \
            digest in browser.run("return document.body.innerText;"):
        bad.append("the digest is not folded at the end")
    # Contents by key: the heading has the focus.
    browser.run("[...document.querySelectorAll('nav button')].pop().focus();")
    browser.keys("Enter")
    if browser.run("return document.activeElement.textContent;") != "Next steps":
        bad.append("contents lead to %r" % browser.run("return document.activeElement.textContent;"))
    return bad


def told(browser):
    """Objects of one class are a box; findings have their paths; images are icecore's own."""
    browser.open(page_about(demo("demo.hprof.gz")))
    state = browser.run(STATE.replace("#boxes", "#boxes1"))
    many = [b for b in state if b["name"] == "450 x com.example.tickets.Session"]
    bad = [] if len(many) == 1 and many[0]["w"] > 0.9 * state[0]["w"] and many[0]["text"] == many[0]["name"] else ["450 sessions: %r" % many]
    if len(state) > 300 or "450 objects" not in "".join(b["tip"] for b in many):
        bad.append("%d boxes, %r" % (len(state), many))
    if browser.run("return document.querySelector('meta[http-equiv]').content.replace(/'sha256[^']*'/g, '');") != \
            "default-src 'none'; style-src ; script-src ; img-src data:; base-uri 'none'; form-action 'none'":
        bad.append("another policy")
    browser.open(page_about(demo("phone.hprof.gz")))
    rows = answer("findings | head 15 | leaktrace | where suspect and line = reference | select text", demo("phone.hprof.gz"))
    if browser.run(TEXTS, "mark") != [row[0].strip() for row in rows] or len(rows) < 4:
        bad.append("suspect references: %r, not %r" % (browser.run(TEXTS, "mark"), rows))
    if browser.run(TEXTS, "section.leak h3, section.warning h3")[0][:11] != "1. leak: ac" or \
            "\u2192 com.example.gallery.PhotoActivity$1.this$0 \u2192" not in browser.run(TEXTS, ".path")[0] or \
            max(len(t) for t in browser.run(TEXTS, "section p")) < 100:
        bad.append("findings: %r" % browser.run(TEXTS, ".path"))
    mkheap.write(os.path.join(scratch, "ways.hprof"), mkheap.make("heap"))
    browser.open(page_about(os.path.join(scratch, "ways.hprof")))
    if browser.run(TEXTS, ".path")[0] != "com.example.Plugin.<class> \u2192 com.example.Plugin.<classloader> \u2192 java.lang.ClassLoader":
        bad.append("paths: %r" % browser.run(TEXTS, ".path"))
    browser.open(page_about(demo("phone.hprof.gz")))
    images = browser.run("return [...document.querySelectorAll('img')].map(i => [i.complete && i.naturalWidth, i.naturalHeight, i.src.slice(0, 33), i.src.length]);")
    if len(images) < 8 or any(not 0 < w <= 160 or not 0 < h <= 160 or head != "data:image/png;base64,iVBORw0KGgo" for w, h, head, _ in images) or \
            len(images) > 12 or sum(n for *_, n in images) > 400000:
        bad.append("images: %r" % images)
    return bad + troubles(browser)


def worded(browser):
    """Bars, units, names of columns; a table that is sorted by times; nothing twice."""
    browser.open(page_about(demo("sched.txt.gz")))
    bars, bad = browser.run(TEXTS, ".bars"), []
    if len(bars) != 4 or any(set(b) - set(" \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588") for b in bars):
        bad.append("bars: %r" % bars)
    of = "const t = [...document.querySelectorAll('h2')].find(h => h.textContent === 'Tasks by CPU time').nextElementSibling.querySelector('table'); "
    heads = browser.run(of + "return [...t.querySelectorAll('thead th')].map(e => e.textContent);")
    column = heads.index("max wait")
    for down in (True, False):
        browser.run(of + "const b = t.querySelectorAll('thead button')[arguments[0]]; b.focus();", column)
        browser.keys("Enter")
        times = browser.run(of + "return [...t.tBodies[0].rows].map(r => r.cells[arguments[0]].textContent);", column)
        exact = [float(t.split()[0]) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[t.split()[1]] for t in times]
        if exact != sorted(exact, reverse=not down) or len(exact) < 5:
            bad.append("sorted by time: %r" % times)
    browser.open(page_about(demo("shop.jfr.gz")))
    # A name of a table finds its boxes; its share has a bar.
    browser.run("[...document.querySelectorAll('td button')].find(b => b.textContent === 'org.shop.price.Rule.matches').focus();")
    browser.keys("Enter")
    found = browser.run(TEXTS, "output")[0], browser.run("return document.activeElement.value;"), browser.run(
        "return document.querySelector('td.share').style.backgroundSize;")
    if found != ("6 boxes, 48.93%", "org.shop.price.Rule.matches", "30.8% 2px"):
        bad.append("a name of a table: %r" % (found,))
    heads = browser.run(TEXTS, "h2")
    if "Longest garbage collection pauses" not in heads or any("collections" in h for h in heads):
        bad.append("garbage collections: %r" % heads)
    # Frames of Java are grey, as in the explorer.
    dull = browser.run("return [...document.querySelectorAll('#boxes1 > g')].map(g => [g.classList.contains('p'), g.textContent]);")
    if any(p != name.startswith(("java.", "javax.", "sun.")) for p, name in dull if not name.split("\n")[0].endswith(" more")) or \
            "Java or Android" not in browser.run(TEXTS, ".keys")[0]:
        bad.append("platform: %r" % dull)
    hues = browser.run("return [...new Set([...document.querySelectorAll('#boxes1 > g')].map(g => g.getAttribute('class')))];")
    if len([h for h in hues if h[0] == "h"]) < 3 or "j" in hues:
        bad.append("colours: %r" % hues)
    if {"yes", "no"} - set(browser.run(TEXTS, "td")) or {"true", "false"} & set(browser.run(TEXTS, "td")):
        bad.append("booleans")
    # The page of stack dumps has one tree, that of accounts no legend; charts say what time they span.
    for name, selector, want in (("hang.log.gz", "#boxes1 > .t, nav + h2", ["Flame graph of all threads"]), ("money.ofx.gz", ".keys", []),
                                 ("demo.trace.gz", ".charts", ["Each chart is from 0 to 5.11 s."])):
        browser.open(page_about(demo(name)))
        have = browser.run("return [...document.querySelectorAll(arguments[0])].map(e => (e.className === 'charts' ? e.previousElementSibling : e).textContent);", selector)
        if have != want:
            bad.append("%s: %r, not %r" % (name, have, want))
    browser.open(page_about(demo("demo.hprof.gz")))
    rows = browser.run("return [...[...document.querySelectorAll('h2')].find(h => h.textContent === 'Objects held by stacks of threads')"
                       ".nextElementSibling.querySelectorAll('tbody tr')].map(r => [...r.cells].slice(1).map(c => c.textContent));")
    want = [r for r in answer("locals | where retained > 1000 | select class method thread", demo("demo.hprof.gz")) if r[0] != "java.lang.Thread"]
    if sorted(rows) != sorted(want) or len(rows) < 3:
        bad.append("objects of stacks: %r, not %r" % (rows, want))
    for i, name in enumerate(("heap", "art")):
        mkheap.write(os.path.join(scratch, "pair%d.hprof" % i), mkheap.make(name))
    browser.open(page_about(os.path.join(scratch, "pair0.hprof"), os.path.join(scratch, "pair1.hprof")))
    grown, shrunk = browser.run(TEXTS, "td.more"), browser.run(TEXTS, "td.less")
    if not grown or not shrunk or any(t[0] != "+" for t in grown) or any(t[0] != "-" for t in shrunk) or \
            not all(any(t.endswith("B") for t in side) for side in (grown, shrunk)):
        bad.append("changes: %r %r" % (grown, shrunk))
    bad += ["a column %r" % h for h in browser.run(TEXTS, "thead th") if "_" in h]
    return bad + troubles(browser)


def steady(browser):
    """Names are as wide as their boxes; nothing below a picture moves when a box gets the focus."""
    bad = []
    for width, url in [(w, page_about(demo(n))) for n in ("demo.trace.gz", "recipes.pftrace.gz") for w in (390, 1200, 1920)]:
        browser.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        browser.open(url)
        wide = browser.run("""return [...document.querySelectorAll('#boxes1 > g:not(.off) > text')].filter(t =>
            t.getComputedTextLength() > 1 + t.parentNode.querySelector('rect').getBoundingClientRect().width).map(t => t.textContent);""")
        bad += ["%d px: %r is wider than its box" % (width, t) for t in wide[:3]]
        places = """return [document.querySelector('svg[role="tree"]'), [...document.querySelectorAll('h2')].pop()].map(
            e => e.getBoundingClientRect().y + scrollY);"""
        before = browser.run(places)
        browser.run("const g = [...document.querySelectorAll('#boxes1 > g')]; g.sort((a, b) => b.textContent.length - a.textContent.length)[0].focus();")
        browser.keys("/", "draw")
        if browser.run(places) != before:
            bad.append("%d px: the page moves from %r to %r" % (width, before, browser.run(places)))
        over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth;")
        bad += ["%d px wide: %d px too much" % (width, over)] if over > 0 else []
    browser.command("Emulation.clearDeviceMetricsOverride")
    return bad + troubles(browser)


NARROW = """const wide = document.documentElement.clientWidth, box = e => e.getBoundingClientRect(), bad = [];
for (const cell of document.querySelectorAll('.rows td, .rows th'))
    if (box(cell).right > wide || cell.scrollWidth > cell.clientWidth + 1) bad.push('cut: ' + cell.textContent);
for (const row of document.querySelectorAll('.glance tr')) {
    const [label, value, share, words] = row.cells;
    if (value.textContent && words.textContent && Math.abs(box(value).y - box(words).y) > 2) bad.push('two lines: ' + row.textContent);
}
for (const table of document.querySelectorAll('.wide table'))
    for (const head of table.tHead.rows[0].cells)
        if ([...table.tBodies[0].rows].every(r => r.cells[head.cellIndex].textContent === '')) bad.push('empty: ' + head.textContent);
return bad;"""


def phones(browser):
    """On a phone all columns of tables are in sight; commands are folded; long paths keep their ends."""
    browser.command("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
    bad = []
    deep = write_folded("deep.txt", [(["package.of.frames.f%d" % i for i in range(80)], 7)])
    for path in [demo(n) for n in ("sched.txt.gz", "shop.jfr.gz", "phone.hprof.gz", "hang.log.gz", "profile.txt.gz")] + [deep]:
        browser.open(page_about(path))
        bad += ["%s: %s" % (os.path.basename(path), b) for b in browser.run(NARROW)]
        if "in the explorer: " in browser.run("return document.body.innerText;") or not browser.run(TEXTS, "details.rest"):
            bad.append("%s: commands are not folded" % path)
    path = browser.run(TEXTS, ".glance td.text")[browser.run(TEXTS, ".glance th").index("hottest path")]
    if len(path) > 300 or "f0 > " not in path or not path.endswith("f79"):
        bad.append("the path is %r" % path)
    browser.command("Emulation.clearDeviceMetricsOverride")
    return bad + troubles(browser)


CARDS = "return [...document.querySelectorAll('section')].map(s => [...s.querySelectorAll('h3, a, details span')].map(e => e.textContent));"
LINK = "section a"


def watched(browser):
    """The pages of icecore watch: from the groups to a dump and back, as a reader goes; names are texts."""
    inbox, out = os.path.join(scratch, "inbox"), os.path.join(scratch, "rows")
    os.mkdir(inbox)
    for i, name in enumerate(("leaks", "cursors", "art", "lists")):
        # The last one's name wants to be a script.
        mkheap.write(os.path.join(inbox, name + "<img src=x onerror='window.__x=1'>" * (i == 3) + ".hprof"), mkheap.make(name))
    with open(os.path.join(inbox, "x.folded"), "w") as f:
        f.write("main;work;<b> 30\nmain;idle 4\n")
    # Names with their sizes.
    for n in (900, 2000, 1500000):
        with open(os.path.join(inbox, "size=%d.noise" % n), "wb") as f:
            f.write(b"\xfe" * n)
    subprocess.run([icecore, "watch", "--once", inbox, out], check=True, stderr=subprocess.DEVNULL)
    said = subprocess.run([icecore, "triage", "--groups", out, "-o", "json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    want = [json.loads(line)["hash"] for line in said.splitlines()]
    browser.open("file://" + urllib.parse.quote(os.path.join(out, "page", "index.html")))
    groups, bad = browser.run(CARDS), troubles(browser)
    if [row[-1] for row in groups] != want or len(want) < 20:
        bad.append("groups: %r, not %r" % (groups, want))
    # Numbers are shares of the files that can have it; no page has a path of this machine.
    said = [re.search(r"in \d+ of (\d+ [a-z ]+)", t)[1] for t in browser.run(TEXTS, "section")]
    if said[0] != "4 heap dumps" or set(said) - {"4 heap dumps", "1 other file"}:
        bad.append("in some of %r" % set(said))
    for name in os.listdir(os.path.join(out, "page")):
        with open(os.path.join(out, "page", name), encoding="utf-8") as f:
            text = f.read()
        bad += ["%s has %s" % (name, w) for w in (scratch, "<img") if w in text]
    place = browser.run("const r = document.querySelector('%s').getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2};" % LINK)
    if place["x"] > browser.run("return document.documentElement.clientWidth;"):
        bad.append("the link is out of sight: %r" % place)
    if pictures:
        with open(os.path.join(pictures, "watch.png"), "wb") as f:
            f.write(browser.screenshot())
    browser.click(place["x"], place["y"])
    title, found = browser.run("return document.title;"), browser.run(CARDS)
    if os.path.basename(groups[0][1]) not in title or not any(row[-1] == want[0] for row in found):
        bad.append("the first group leads to %r, %r" % (title, found))
    browser.run("document.querySelector('a[href=\"index.html\"]').click();")
    browser.run("document.querySelector('a[href=\"dumps.html\"]').click();")
    cells = "return [...document.querySelectorAll('table.sort tbody tr')].filter(r => !r.hidden).map(r => [...r.cells].map(c => c.textContent));"
    names = [row[0] for row in browser.run(cells)]
    if sorted(os.path.basename(n) for n in names) != sorted(os.listdir(inbox)):
        bad.append("files: %r" % names)
    if {row[2] for row in browser.run(cells)} - {"with findings", "clean", "unreadable"} or \
            "" in browser.run("return [...document.querySelector('table.sort').tBodies[0].rows[0].cells].map((c, i, r) => "
                              "[...document.querySelectorAll('table.sort tbody tr')].map(t => t.cells[i].textContent).join(''));"):
        bad.append("states, or a column without values: %r" % browser.run(cells)[:2])
    kinds = {os.path.basename(row[0]): row[1] for row in browser.run(cells)}
    if kinds.get("x.folded") != "folded stacks" or not kinds.get("art.hprof", "").startswith("HPROF"):
        bad.append("kinds: %r" % kinds)
    # Sorted by size, as numbers, then down; filtered by words.
    def sizes():
        return [int(re.search(r"size=(\d+)", row[0])[1]) for row in browser.run(cells) if "size=" in row[0]]
    for want in (False, True):
        browser.run("[...document.querySelectorAll('table.sort thead button')].find(b => b.textContent === 'size').click();")
        if sizes() != sorted(sizes(), reverse=want) or len(sizes()) < 3:
            bad.append("sorted by size: %r" % sizes())
    browser.run("const i = document.querySelector('input'); i.value = 'HPROF art'; i.dispatchEvent(new Event('input'));")
    if [os.path.basename(row[0]) for row in browser.run(cells)] != ["art.hprof"]:
        bad.append("filtered: %r" % browser.run(cells))
    browser.run("[...document.querySelectorAll('a')].find(a => a.textContent.endsWith('x.folded')).click();")
    if browser.run("return document.querySelectorAll('svg[role=\"tree\"]').length;") < 1 or "x.folded" not in browser.run("return document.title;"):
        bad.append("no flame graph on the page of a profile")
    return bad + troubles(browser)


rnd = random.Random(4)
stacks = [(["r"] + ["f%d" % rnd.randrange(12) for _ in range(rnd.randint(1, 6))], rnd.randint(1, 90)) for _ in range(60)]
middle = write_folded("middle.txt", stacks)
other = write_folded("other.txt", [([n + "x" * (n == "f3") for n in names], w + rnd.randint(0, 9)) for names, w in stacks])
few = write_folded("few.txt", [(["a", "b", "c"], 5), (["a", "d"], 3), (["e", "f"], 4), (["e", "g", "h", "i"], 2), (["j"], 1)])
bad_names = write_folded("hostile.txt", [(["top", name, "leaf"], 50 + i) for i, name in enumerate(pages.HOSTILE)])
crowd = write_folded("crowd.txt", [(["r%d" % (i % 60), "s%d" % (i % 1980), "t%d" % i], 1) for i in range(5940)])
with driver.Driver(program) as chrome:
    with driver.Browser(chrome) as browser:
        url = page_of("merged", middle, "min 0")
        boxes = len(pages.read_svg(pages.svg_of_page(open(urllib.parse.unquote(url[7:]), encoding="utf-8").read()))[1])
        ok("a page: no error, nothing fetched, a toolbar", opens, browser, url)
        ok("zoom: click, Enter, Escape, Backspace, history, button", zooms, browser, url)
        ok("search: as the query counts, patterns, n and N", searches, browser, url, middle, stacks)
        ok("links: zoom and search, and what fits nothing", links, browser, url)
        ok("flames: zoom", zooms, browser, page_of("merged", middle, "up min 0"), "Up")
        ok("callers and callees", sandwiched, browser, url, stacks)
        ok("threads as one", merged, browser)
        ok("the stack as text", copied, browser, url)
        ok("arrow keys reach every box", walks, browser, page_of("merged", few))
        ok("light and dark, with contrast", themes, browser, url)
        ok("twice the size", sizes, browser, url)
        ok("hostile names are texts", hostile, browser, page_of("merged", bad_names))
        ok("names in boxes", shortened, browser)
        ok("... in the middle, and copied", hostile_made, browser, page_of("merged", bad_names))
        ok("the picture alone", alone, browser, page_of("merged", middle, "min 0", "svg"), boxes)
        live = page_of("merged", middle, "min 0 interactive", "svg")
        plain = page_of("merged", middle, "min 0 title x", "svg")
        ok("the picture alone with its script: a page", settled, browser, live)
        ok("... zoom", zooms, browser, live)
        ok("... search", searches, browser, live, middle, stacks)
        ok("... links", links, browser, live)
        ok("... callers and callees", sandwiched, browser, live, stacks)
        ok("... arrow keys", walks, browser, page_of("merged", few, "interactive", "svg"))
        ok("... light and dark, with contrast", themes, browser, live)
        ok("... twice the size", sizes, browser, live)
        ok("... hostile names", hostile, browser, page_of("merged", bad_names, "interactive", "svg"))
        ok("... flames: zoom", zooms, browser, page_of("merged", middle, "up min 0 interactive", "svg"), "Up")
        ok("... as an image", as_image, browser, plain, page_of("merged", middle, "min 0 interactive title x", "svg"))
        for kind, how in ("html", ""), ("svg", "interactive"):
            ok("two files, %s: what is gone, signs, legend" % kind, differing, browser,
               page_of("merged | diff", middle, "min 0 " + how, kind, other))
        ok("a table", table, browser, page_of("methods", middle))
        ok("icecore page: several pictures", several, browser, [demo("demo.trace.gz")])
        ok("... of a scheduler trace with tracks", several, browser, [demo("recipes.pftrace.gz")])
        for name in "demo.hprof.gz", "demo.trace.gz":
            ok("%s: the story, the picture, findings, facts" % name, ordered, browser, [demo(name)])
        ok("heap dumps: objects of one class, paths, images", told, browser)
        ok("bars, units, names of columns, tables sorted by time", worded, browser)
        ok("nothing moves, and names fit", steady, browser)
        ok("390 px wide", phones, browser)
        ok("pages of icecore watch", watched, browser)
        ok("8000 boxes", many, browser, page_of("merged", crowd, "min 0"))
    with driver.Browser(chrome, scripts=False) as browser:
        ok("without scripts: all boxes, texts and the table, no toolbar", without, browser, url, boxes)
        ok("... the picture alone", without, browser, live, boxes)
print("1..%d" % count)
