# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""pagescheck.py ICECORE SCRATCH DATA: what exported pictures are, without a browser.  Prints TAP."""
import json
import os
import random
import re
import shutil
import subprocess
import sys

import answers
import pages

icecore, scratch, data = sys.argv[1:4]
count = 0


def ok(name, bad=()):
    global count
    count += 1
    bad = [str(b) for b in bad] if bad else []
    print("%sok %d - %s" % ("not " if bad else "", count, name))
    for line in bad[:8]:
        print("#", line.encode("ascii", "backslashreplace").decode()[:300])


def run(*args, status=0):
    got = answers.quick(icecore).result(["--no-index", *args])
    if got.returncode != status and (status, got.returncode) != (0, 1):
        raise SystemExit("%r: status %d: %s" % (args, got.returncode, got.stderr.decode("utf-8", "replace")))
    return got.stdout


def text(*args):
    return run(*args).decode("utf-8")


def write_folded(name, stacks):
    path = os.path.join(scratch, name)
    with open(path, "wb") as f:
        for names, weight in stacks:
            f.write(";".join(names).encode("utf-8", "surrogateescape") + b" %d\n" % weight)
    return path


def random_stacks(seed, n, names, depth):
    rnd = random.Random(seed)
    return [(["r"] + ["f%d" % rnd.randrange(names) for _ in range(rnd.randint(1, depth))],
             1 + int(rnd.paretovariate(0.7)) % 100000) for _ in range(n)]


def guard(name, function, *args):
    try:
        bad = function(*args)
    except (SystemExit, ValueError, KeyError, IndexError, AttributeError, StopIteration, pages.ET.ParseError,
            UnicodeDecodeError) as e:
        bad = ["%s: %s" % (type(e).__name__, e)]
    ok(name, bad)


# ---- pictures of stacks

FORBIDDEN = re.compile(r"""\b(src|href|srcdoc|action|style|on[a-z]+)\s*=\s*["']|@import|url\(|\bfetch\b|XMLHttpRequest|"""
                       r"""WebSocket|sendBeacon|Worker|EventSource|localStorage|sessionStorage|indexedDB|\.cookie|"""
                       r"""innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|import\(""")


NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"}


def harmless(page):
    bad = ["it has %r" % m.group(0) for m in FORBIDDEN.finditer(page)]
    links = set(re.findall(r"\w+:" + "//[^\"' <]*", page)) - NAMESPACES
    return bad + ["it has %r" % link for link in links]


def stacks_right(path, stacks, share, *how):
    root, _ = pages.tree(stacks)
    want, limit = pages.expected(root, share)
    svg = text("-o", "svg", "-e", "merged", path) if not how else exported(path, "svg", *how)
    boxes = pages.read_svg(svg)[1]
    bad = pages.compare(boxes, want, root.total)
    page = text("-o", "html", "-e", "merged", path) if not how else exported(path, "html", *how)
    if pages.read_svg(pages.svg_of_page(page))[1] != [
            b for b in boxes]:
        bad.append("the page has another picture")
    if len(boxes) > pages.BOXES_MAX:
        bad.append("%d boxes" % len(boxes))
    if limit != share and ("under %g%%" % limit) not in svg:
        bad.append("the limit %g is not shown" % limit)
    return bad


def exported(path, kind, *how):
    to = os.path.join(scratch, "out." + kind)
    run("-e", "merged | export! '%s' %s" % (to, " ".join(how)), path)
    with open(to, encoding="utf-8") as f:
        return f.read()


def same_bytes(path):
    return [kind for kind in ("svg", "html", "dot")
            if run("-o", kind, "-e", "merged", path) != run("-o", kind, "-e", "merged", path)]


def bounded(path):
    bad = []
    for kind in ("svg", "html"):
        made = run("-o", kind, "-e", "merged", path)
        boxes = made.count(b"<rect ")
        if len(made) > boxes * 230 + 40 * 1024 or len(made) > 4 << 20:
            bad.append("%s: %d boxes, %d bytes" % (kind, boxes, len(made)))
    return bad


def page_right(path):
    page = text("-o", "html", "-e", "merged", path)
    parsed, bad = pages.Page(page), []
    bad += harmless(page)
    for name, kind in (("style", "style-src"), ("script", "script-src")):
        if page.count("<%s" % name) != 1:
            bad.append("%d elements %s" % (page.count("<%s" % name), name))
        if "%s 'sha256-%s'" % (kind, pages.digest(pages.element(page, name))) not in parsed.policy():
            bad.append("the hash of %s is another" % name)
    for rule in ("default-src 'none'", "base-uri 'none'", "form-action 'none'"):
        if rule not in parsed.policy():
            bad.append("no %s" % rule)
    if not re.match(r"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    r"<meta http-equiv=\"Content-Security-Policy\"", page):
        bad.append("it begins otherwise")
    if scratch in page:
        bad.append("it names a folder")
    return bad


def interactive_right(path):
    """The picture alone with the script of the page; without it, and without a part of the style, it is as it is without."""
    plain, page = exported(path, "svg"), exported(path, "html")
    with_script = exported(path, "svg", "interactive")
    svg, boxes = pages.read_svg(with_script)
    bad = harmless(with_script)
    scripts = svg.findall(".//%sscript" % pages.SVG)
    if [s.text for s in scripts] != [pages.element(page, "script")] or scripts[0].attrib:
        bad.append("the script is not the one of the page")
    if boxes != pages.read_svg(plain)[1]:
        bad.append("it is another picture")
    if svg.find(pages.SVG + "style").text.strip() != pages.element(page, "style").strip():
        bad.append("the style is not the one of the page")
    rest = [re.sub(r"(?s)<style>.*</style>|<script>.*</script>\n", "", t) for t in (plain, with_script)]
    if rest[0] != rest[1] or "<script" in plain:
        bad.append("more than script and style are others")
    for kind in "html", "dot", "csv":
        run("-e", "merged | export! '%s' interactive" % os.path.join(scratch, "none." + kind), path, status=2)
    return bad


def percent(part, whole):
    share = 100 * part / whole if whole else 0
    return "%.2f%%" % share if 0 < share < 0.995 else "%.1f%%" % share


def filtered_right(path, stacks):
    """Boxes of filtered rows have the shares of the table, and what the filter left out is a box."""
    root, _ = pages.tree(stacks)
    query = "merged | where total_pct > 15 and depth < 3"
    lines = text("-o", "tsv", "-e", query + " | select method total total_pct", path).split("\n")
    rows = [r.split("\t") for r in lines[1:] if r]
    page = text("-o", "html", "-e", query, path)
    svg, boxes = pages.read_svg(text("-o", "svg", "-e", query, path))
    named = sorted((b[3], b[2]) for b in boxes if b[3] not in ("all", "filtered out"))
    left = sum(b[2] for b in boxes if b[3] == "filtered out") * root.total / pages.WIDTH
    bad = ["%r, not %r" % (b, r) for b, r in zip(named, sorted((r[0], float(r[2]) * pages.WIDTH / 100) for r in rows)) if
           b[0] != r[0] or abs(b[1] - r[1]) > 0.01]
    bad += ["%d boxes of %d rows" % (len(named), len(rows))] * (len(named) != len(rows) or len(rows) < 3)
    bad += [b for b in boxes if b[3] == "filtered out" and b[5] != "e"]
    said = "of which filtered out by the query %s (%s)" % (pages.group(round(left)), percent(round(left), root.total))
    head = page[page.index("<header>"):page.index("</header>")]
    bad += ["%r is not said" % s for s in (said, "total %s samples" % pages.group(root.total), "Query: merged | where") if s not in head]
    bad += ["%r is not in the picture" % said] * (said not in "".join(svg.itertext()))
    return bad + ["the table has what was filtered out"] * ("<th scope=\"row\">filtered out" in page)


def table_right(path, stacks):
    root, _ = pages.tree(stacks)
    selves, totals = {}, {}
    for names, weight in stacks:
        selves[names[-1]] = selves.get(names[-1], 0) + weight
        for name in set(names):
            totals[name] = totals.get(name, 0) + weight
    page = pages.Page(text("-o", "html", "-e", "merged", path))
    rows = [r for r in page.rows if r and r[0] != "self"]
    bad = []
    by_self = sorted(totals, key=lambda n: -selves.get(n, 0))[:50]
    by_total = sorted(totals, key=lambda n: -totals[n])[:50]
    want = [len(by_self), len(by_total)]
    if len(rows) != sum(want):
        bad.append("%d rows, not %d" % (len(rows), sum(want)))
    for part, order, which in ((rows[:want[0]], by_self, selves), (rows[want[0]:], by_total, totals)):
        for row, name in zip(part, order):
            got = row[4]
            if which.get(got, 0) != which.get(name, 0):
                bad.append("%r is where %r must be" % (got, name))
            if row[0] != pages.group(selves.get(got, 0)) or row[2] != pages.group(totals[got]):
                bad.append("%r, not %d and %d" % (row, selves.get(got, 0), totals[got]))
            if abs(float(row[3].rstrip("%")) - 100 * totals[got] / root.total) > 0.051:
                bad.append("share of %r" % row)
    return bad


def hostile_right(path):
    bad = []
    page = text("-o", "html", "-e", "merged", path)
    svg = text("-o", "svg", "-e", "merged", path)
    names = {b[3] for b in pages.read_svg(svg)[1]}
    for name in pages.HOSTILE:
        if pages.shown(name) not in names:
            bad.append("%r is not there" % name)
    parsed = pages.Page(page)
    bad += ["attribute %r" % (a,) for a in parsed.attributes if a[1].startswith("on") or a[1] in ("src", "href", "style")]
    for tag in ("script", "style"):
        if parsed.tags.count(tag) != 1:
            bad.append("%d of %s" % (parsed.tags.count(tag), tag))
    if "img" in parsed.tags:
        bad.append("a name became an element")
    long = [n for n in names if n.startswith("LLLL")]
    if len(long) != 1 or not 100 < len(long[0]) <= 400:
        bad.append("the long name has %r" % [len(n) for n in long])
    return bad


stacks = random_stacks(1, 10, 6, 4)
small = write_folded("small.txt", stacks)
guard("10 stacks: boxes", stacks_right, small, stacks, 0.1)
guard("10 stacks: all of them", stacks_right, small, stacks, 0, "min", "0")
guard("10 stacks: less than 5 % joined", stacks_right, small, stacks, 5, "min", "5%")
guard("10 stacks: flames", stacks_right, small, stacks, 0.1, "up")
guard("10 stacks: the page", page_right, small)
guard("10 stacks: the picture alone with its script", interactive_right, small)
guard("10 stacks: the table", table_right, small, stacks)
guard("10 stacks: filtered rows keep the totals", filtered_right, small, stacks)
guard("10 stacks: the same bytes again", same_bytes, small)
stacks = random_stacks(2, 4000, 300, 12)
middle = write_folded("middle.txt", stacks)
guard("20000 frames: boxes", stacks_right, middle, stacks, 0.1)
guard("20000 frames: all that fit", stacks_right, middle, stacks, 0, "min", "0")
guard("20000 frames: the table", table_right, middle, stacks)
guard("20000 frames: size", bounded, middle)
stacks = random_stacks(3, 40000, 3000, 18)
large = write_folded("large.txt", stacks)
guard("350000 frames: boxes", stacks_right, large, stacks, 0.1)
guard("350000 frames: size", bounded, large)
stacks = [(["deep"] * n, 1) for n in (1, 2000)] + [(["wide"] + ["w%d" % i], 1) for i in range(3000)]
deep = write_folded("deep.txt", stacks)
guard("2000 levels, 3000 siblings: boxes", stacks_right, deep, stacks, 0.01, "min", "0.01")
stacks = [(["top", name, "leaf"], 5 + i) for i, name in enumerate(pages.HOSTILE)] + [(["top", "L" * 65000], 7)]
hostile = write_folded("hostile \"><svg onload=window.__x=9>.txt", stacks)
guard("hostile names: they are texts", hostile_right, hostile)
guard("hostile names: the picture alone with its script", interactive_right, hostile)
guard("hostile names: the same bytes again", same_bytes, hostile)


# ---- heap dumps: dominators, field paths

def rows_of(query, path, *args):
    lines = text("-o", "json", *args, "-e", query, path).splitlines()
    return [json.loads(line) for line in lines]


def dominators_right(path):
    rows = {r["id"]: r for r in rows_of("objects *", path) if r["retained"] > 0}
    below = {}
    for i, r in rows.items():
        below.setdefault(r["dominator"], []).append(i)
    root, order = pages.Node("all", 0), 0
    todo = [(root, i) for i in below.get(None, [])]
    while todo:
        above, i = todo.pop(0)
        order += 1
        node = pages.Node("%s @%d" % (rows[i]["label"], i), i)
        node.total = rows[i]["retained"]
        above.below[node.name] = node
        todo += [(node, b) for b in below.get(i, [])]
    root.total = sum(n.total for n in root.below.values())
    want, _ = pages.expected(root, 0.1)
    return pages.compare(pages.read_svg(text("-o", "svg", "-e", "dominators", path))[1], want, root.total)


def alike_right(path):
    """The picture of a page: small objects of one class below one object are one box, links of a chain too."""
    rows = {r["id"]: r for r in rows_of("objects *", path) if r["retained"] > 0}
    below = {}
    for i, r in rows.items():
        below.setdefault(r["dominator"], []).append(i)
    root = pages.Node("all", 0)
    root.total = sum(rows[i]["retained"] for i in below.get(None, []))
    named, least = int(root.total * 0.02), int(root.total * 0.001)
    todo = [(root, below.get(None, []))]
    while todo:
        above, children = todo.pop()
        classes = {}
        for i in children:
            r = rows[i]
            alone = r["retained"] >= (least if r["class"] == "java.lang.Class" else named)
            classes.setdefault((i,) if alone else r["class"], []).append(i)
        for few in classes.values():
            total = sum(rows[i]["retained"] for i in few)
            if total < least and len(few) > 1:
                # These are joined one by one.
                for i in few:
                    above.below["joined @%d" % i] = node = pages.Node("joined @%d" % i, i)
                    node.total = rows[i]["retained"]
                continue
            first = rows[few[0]]
            link = first["kind"] == "instance" and first["class"] != "java.lang.Class"
            one = " @%d" % few[0] if len(few) == 1 else ""
            for i in few:
                few += [b for b in below.get(i, []) if link and rows[b]["class"] == first["class"]]
            node = pages.Node(("%s x %s" % (pages.group(len(few)), first["class"]) if len(few) > 1 else first["label"]) + one, few[0])
            node.total = total
            above.below[node.name] = node
            if total >= least:
                todo.append((node, [b for i in few for b in below.get(i, []) if not link or rows[b]["class"] != first["class"]]))
    page = subprocess.run([icecore, "page", "--no-index", "--quiet", "-o", "-", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    want, _ = pages.expected(root, 0.1)
    return pages.compare(pages.read_svg(pages.svg_of_page(page).replace('"boxes1"', '"boxes"'))[1], want, root.total)


def names_right(path):
    root, ids, order = pages.Node("all", 0), {}, 0
    for r in rows_of("names", path):
        order += 1
        name = r["name"] + (" " + r["class"] if r["class"] else "")
        above = ids.get(r["parent"], root)
        # Nodes that read the same are one.
        ids[r["id"]] = above.below.setdefault(name, pages.Node(name, order))
        ids[r["id"]].total += r["bytes"]
    root.total = sum(n.total for n in root.below.values())
    want, _ = pages.expected(root, 0.1)
    return pages.compare(pages.read_svg(text("-o", "svg", "-e", "names", path))[1], want, root.total)


for name in ("heap", "art", "leaks"):
    dump = os.path.join(data, name + ".hprof")
    guard("%s: dominators are as wide as they retain" % name, dominators_right, dump)
    guard("%s: a page joins objects of one class" % name, alike_right, dump)
    guard("%s: field paths" % name, names_right, dump)


# ---- other views

def inverted_right(path):
    want, have = {}, {}
    for line in text("-o", "folded", "-e", "inverted", path).splitlines():
        names, weight = line.rsplit(" ", 1)
        want[names.split(";")[0]] = want.get(names.split(";")[0], 0) + int(weight)
    total = sum(want.values())
    for level, _, width, name, tip, _ in pages.read_svg(text("-o", "svg", "-e", "inverted", path))[1]:
        if level == 1 and not name.endswith(" more"):
            have[name] = width * total / pages.WIDTH
    return [n for n in have if abs(have[n] - want[n]) > 0.01]


def timed_right(path):
    """Calls of a thread are where their times are, each on the calls that it is in."""
    rows = sorted((r["start_wall"], -r["wall"], r["depth"], r["method"]) for r in rows_of("spans main | top 300 wall", path))
    begin, end = rows[0][0], max(s - w for s, w, *_ in rows)
    unit = pages.WIDTH / (end - begin)
    want = [(0, 0, pages.WIDTH, "main")]
    for i, (start, wall, _, name) in enumerate(rows):
        around = sum(s - w >= start - wall for s, w, *_ in rows[:i] if s - w > start)
        want.append((1 + around, (start - begin) * unit, -wall * unit, name))
    boxes = pages.read_svg(text("-o", "svg", "-e", "spans main | top 300 wall", path))[1]
    have = sorted(b[:4] for b in boxes)
    bad = ["%r, not %r" % (h, w) for h, w in zip(have, sorted(want))
           if h[0] != w[0] or abs(h[1] - w[1]) > 0.01 or abs(h[2] - w[2]) > 0.01 or h[3] != w[3]]
    bad += ["%d boxes of %d" % (len(have), len(want))] * (len(have) != len(want) or len(have) < 250)
    bad += [b for b in boxes if not re.search(r", [0-9. ]+ [mun]?s at [0-9.]+ [mun]?s(, thread)?$", b[4])]
    run("-o", "svg", "-e", "spans | top 300 wall", path, status=2)
    return bad


def differences_right(before, after):
    svg = text("-o", "svg", "-e", "merged | diff", before, after)
    boxes = pages.read_svg(svg)[1]
    shades = {b[5] for b in boxes if not b[3].endswith(" more")}
    bad = [] if {"e", "g3", "s2"} <= shades else ["shades are %r" % sorted(shades)]
    if "after.txt compared with before.txt" not in svg:
        bad.append("the title is another")
    if ">Query: merged | diff</text>" not in svg:
        bad.append("the query is not shown")
    grew = [b for b in boxes if b[3] == "grew"]
    if len(grew) != 1 or "30, before 10" not in grew[0][4] or grew[0][5] != "g3":
        bad.append("what grew is %r" % grew)
    return bad


def shade(after, before):
    most = max(after, before)
    if after == before:
        return "e"
    by = abs(after - before) / most
    return ("g" if after > before else "s") + ("3" if by >= 0.5 else "2" if by >= 0.1 else "1")


def change(after, before):
    sign = "" if after == before else "+" if after > before else "-"
    rate = " (%+.1f%%)" % (100 * (after - before) / before) if before and after != before else ""
    return sign + pages.group(abs(after - before)) + rate


def folded_of(path):
    lines = text("-o", "folded", "-e", "merged", path).splitlines()
    return [(names.split(";"), int(weight)) for names, weight in (line.rsplit(" ", 1) for line in lines)]


def totals_of(stacks):
    """By path: of it and all above it, its own."""
    totals, selves = {}, {}
    for names, weight in stacks:
        selves[tuple(names)] = weight
        for i in range(len(names)):
            totals[tuple(names[:i + 1])] = totals.get(tuple(names[:i + 1]), 0) + weight
    return totals, selves


def differing_box(box, place, after, before, alls):
    _, _, width, name, tip, kind = box
    a, b = after[0].get(place, 0), before[0].get(place, 0)
    removed = a == 0
    side, whole = ((before, alls[1]) if removed else (after, alls[0]))
    want = percent(side[0][place], whole) + (" of the total before" if removed else " of the total")
    if len(place) > 2:
        want += ", %s of its caller" % percent(side[0][place], side[0][place[:-1]])
    if side[1].get(place, 0) > 0:
        want += ", self " + percent(side[1][place], whole)
    want += ", %s, before %s, change %s" % (pages.group(a), pages.group(b), change(a, b))
    return [(place, tip, want)] * (tip != want) + [(place, kind, a, b)] * (kind != shade(a, b))


def sums_of_both(before, after, share, *how):
    """Widths, tips, colours and tables of what differs, against the folded stacks of each file."""
    sides = folded_of(after), folded_of(before)
    root, _ = pages.tree(sides[0] + sides[1])
    want, _ = pages.expected(root, share)
    to = os.path.join(scratch, "diff.")
    for kind in "svg", "html":
        run("-e", "merged | diff | export! '%s' %s" % (to + kind, " ".join(how)), before, after)
    svg, boxes = pages.read_svg(open(to + "svg", encoding="utf-8").read())
    page = open(to + "html", encoding="utf-8").read()
    bad = pages.compare(boxes, want, root.total)
    if boxes != pages.read_svg(pages.svg_of_page(page))[1]:
        bad.append("the page has another picture")
    a, b = (totals_of(s) for s in sides)
    alls, place, removed = [sum(w for _, w in s) for s in sides], [], 0
    for g, box in zip(svg.find(".//%sg[@id='boxes']" % pages.SVG), boxes):
        del place[box[0]:]
        place.append(box[3])
        removed += tuple(place) not in a[0] and tuple(place) in b[0]
        label = g.find(pages.SVG + "text")
        m = re.search(r"([\d ]+), before ([\d ]+), change", box[4])
        both = [int(n.replace(" ", "")) for n in m.groups()]
        if abs(sum(both) - box[2] * root.total / pages.WIDTH) > 0.01:
            bad.append("width of %r" % (box,))
        if label is not None and label.text[:2] != ("+ " if both[0] > both[1] else "- ") and both[0] != both[1]:
            bad.append("no sign: %r" % label.text)
        if label is not None and len(label.text.rstrip()) * LETTER > box[2]:
            bad.append("%r is wider than its box" % label.text)
        if box[3].endswith(" more"):
            bad += [box] * (box[5] != "m " + shade(*both))
        else:
            bad += differing_box(box, tuple(place), a, b, alls)
    if removed < 3:
        bad.append("%d frames that are gone" % removed)
    return bad + differing_tables(page, sides) + legend_right(svg, page)


def differing_tables(page, sides):
    both = []
    for stacks in sides:
        selves, totals = {}, {}
        for names, weight in stacks:
            selves[names[-1]] = selves.get(names[-1], 0) + weight
            for name in set(names):
                totals[name] = totals.get(name, 0) + weight
        both.append((selves, totals))
    rows = [r for r in pages.Page(page).rows if r and r[0] != "self"]
    names = both[0][1].keys() | both[1][1].keys()
    bad = [] if len(rows) == 2 * min(50, len(names)) else ["%d rows" % len(rows)]
    for what in 0, 1:
        deltas = {n: abs(both[0][what].get(n, 0) - both[1][what].get(n, 0)) for n in names}
        order = sorted(deltas.values(), reverse=True)
        for row, delta in zip(rows[what * len(rows) // 2:], order[:len(rows) // 2]):
            cells = [x for kind in (0, 1) for a, b in [(both[0][kind].get(row[6], 0), both[1][kind].get(row[6], 0))]
                     for x in (pages.group(a), pages.group(b), change(a, b))]
            if row[:6] != cells or deltas[row[6]] != delta:
                bad.append("%r, not %r" % (row, cells))
    return bad


LETTER = 6020  # as wide as a letter is


def legend_right(svg, page):
    kinds = ["s3", "s2", "s1", "e", "g1", "g2", "g3"]
    bad = []
    for of in (svg, pages.ET.fromstring(re.search(r'(?s)<footer>\n(<svg id="legend".*?</svg>)', page)[1].replace(
            "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))):
        legend = of if of.get("id") == "legend" else of.find(".//%ssvg[@id='legend']" % pages.SVG)
        have = [(g.get("class"), g.find(pages.SVG + "text").text[0]) for g in legend]
        if have != list(zip(kinds, "---u+++")):
            bad.append("the legend is %r" % have)
    return bad


def table_of_rows(path):
    page = pages.Page(text("-o", "html", "-e", "methods", path))
    rows = rows_of("methods | select name self", path)
    column = page.rows[0].index("name")
    names = [r[column] for r in page.rows[1:]]
    return [] if names == [pages.shown(r["name"]) for r in rows] else ["names are %r" % names[:5]]


guard("calls in time order", timed_right, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "demo", "demo.trace.gz"))
guard("callees first: as in folded stacks", inverted_right, middle)
before = write_folded("before.txt", [(["m", "same"], 20), (["m", "grew"], 10), (["m", "fell"], 30)])
after = write_folded("after.txt", [(["m", "same"], 20), (["m", "grew"], 30), (["m", "fell"], 20)])
guard("two files: what grew, what fell", differences_right, before, after)
stacks = random_stacks(5, 600, 30, 6), random_stacks(6, 600, 34, 6)
before = write_folded("before.txt", stacks[0])
after = write_folded("after.txt", [([{"f3": "g3"}.get(n, n) for n in names], w) for names, w in stacks[1]] +
                     [(names, w) for names, w in stacks[0] if "f4" in names])
guard("two files: widths, tips, colours and tables", sums_of_both, before, after, 0, "min", "0")
guard("two files: small ones joined", sums_of_both, before, after, 0.3, "min", "0.3")
guard("two files: flames", sums_of_both, before, after, 0.1, "up")
guard("two files the other way", sums_of_both, after, before, 0, "min", "0")
guard("rows that are not a tree: a table", table_of_rows, middle)


def damaged_told(path):
    with open(path, "rb") as f:
        whole = f.read()
    cut = os.path.join(scratch, "cut.hprof")
    with open(cut, "wb") as f:
        f.write(whole[:len(whole) * 3 // 4])
    got = run("-o", "svg", "-e", "dominators", cut, status=3).decode()
    return [] if "DAMAGED FILE: " in got else ["it is not reported"]


def choices_told(path):
    bad = []
    for refs, sizes in ("soft", "vm"), ("strong", "mat"), ("all", "vm"):
        got = text("-o", "svg", "--refs", refs, "--sizes", sizes, "-e", "dominators", path)
        if "Widths: retained size, %s references, %s sizes; total " % (refs, sizes) not in got:
            bad.append("%s, %s: not shown" % (refs, sizes))
    return bad


guard("a picture of dominators shows which references and sizes count", choices_told, os.path.join(data, "heap.hprof"))
guard("a picture of a damaged file says so", damaged_told, os.path.join(data, "heap.hprof"))


# ---- files

def files_right(path):
    to, bad = os.path.join(scratch, "file.html"), []
    umask = os.umask(0o022)
    run("-e", "merged | export '%s' title 'a & <b>'" % to, path)
    os.umask(umask)
    if os.stat(to).st_mode & 0o777 != 0o600:
        bad.append("mode %o" % os.stat(to).st_mode)
    first = open(to, "rb").read()
    if b"<h1>a &amp; &lt;b&gt;</h1>" not in first:
        bad.append("the title is another")
    run("-e", "merged | export '%s'" % to, path, status=2)
    if open(to, "rb").read() != first:
        bad.append("it was touched")
    run("-e", "merged | export! '%s'" % to, path)
    if open(to, "rb").read() == first:
        bad.append("it was not replaced")
    # Rows that cannot be drawn leave no file.
    run("-e", "threads | export '%s'" % os.path.join(scratch, "none.svg"), path, status=2)
    run("-e", "merged | tail 2 | export '%s'" % os.path.join(scratch, "none.html"), path, status=2)
    return bad + [f for f in os.listdir(scratch) if f.startswith(("none", ".", "file.html."))]


guard("files: readable only by their owner, replaced when that is asked for, whole or not there", files_right, middle)


# ---- graphs

def dot(kind, source):
    got = subprocess.run(["dot", "-T" + kind], input=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if got.returncode != 0 or got.stderr:
        raise ValueError("dot: %d %s" % (got.returncode, got.stderr.decode("utf-8", "replace")[:200]))
    return got.stdout


def graph(source):
    drawn = json.loads(dot("json0", source))
    nodes = {o["_gvid"]: o for o in drawn.get("objects", [])}
    return nodes, [(nodes[e["tail"]], nodes[e["head"]], e) for e in drawn.get("edges", [])]


def graphs_right(path, query, i):
    source = run("-o", "dot", "-e", query, path)
    dot("svg", source)
    nodes, edges = graph(source)
    dot("svg", dot("canon", source))
    real = [n for n in nodes.values() if n["name"].startswith("n")]
    rows = rows_of(query, path)
    word = query.split()[0]
    if word == "path":
        ids = [r["object"] for r in rows]
        want = (len(set(ids)), max(len(ids) - 1, 0))
    elif word == "paths":
        ids = [r["object"] for r in rows]
        want = (len(set(ids)), sum(r["depth"] > 0 for r in rows))
    elif word == "chains":
        objects = [re.search(r"\((\d+)\)", r["chain"]) for r in rows]
        heads = sum(r["chain"].endswith("chain:") for r in rows)
        classes = {r["chain"].split(" -")[0] for r in rows if " -" in r["chain"] and "(" not in r["chain"]}
        want = (len({o[1] for o in objects if o}) + len(classes), len(rows) - 2 * heads)
    elif word == "dominated":
        pairs = [(r["dominator"], r["id"]) for r in rows]
        want = (len({x for p in pairs for x in p if x is not None}), sum(p[0] is not None for p in pairs))
    else:
        pairs = [(r["owner"], r["object"]) if word == "refs" else (r["object"], r["target"]) for r in rows]
        pairs = [p for p in pairs if None not in p]
        ids = {x for p in pairs for x in p}
        want = (len(ids) or len(real), len(pairs))
    bad = []
    if (len(real), len(edges)) != want:
        bad.append("%s: %d nodes and %d edges, not %d and %d" % (query, len(real), len(edges), *want))
    if word == "path" and rows and not any(n.get("peripheries") == "2" for n in real):
        bad.append("%s: no root" % query)
    return bad


def sixty_graphs(path):
    bad = []
    for i in range(1, 16):
        for query in ("refs @%d @%d", "path @%d | where @%d or true", "dominated @%d @%d", "referrers @%d @%d"):
            query = "path @%d" % (i * 7) if query.startswith("path") else query % (i * 7, i * 7 + 1)
            bad += graphs_right(path, query, i)
    return bad


def cut_graph(path):
    nodes, edges = graph(exported(path, "dot", "nodes", "50").encode())
    real = [n for n in nodes.values() if n["name"].startswith("n")]
    more = [n for n in nodes.values() if n["name"].startswith("o")]
    bad = [] if len(real) == 50 and more else ["%d nodes, %d cut" % (len(real), len(more))]
    if len(edges) != len(real) - 1 + len(more):
        bad.append("%d edges" % len(edges))
    return bad


def labels_survive(path):
    nodes, _ = graph(run("-o", "dot", "-e", "merged", path))
    tips = {n["tooltip"].replace("\\n", "\n").split("\n")[0] for n in nodes.values() if "tooltip" in n}
    want = {n for n in (pages.shown(n) for n in pages.HOSTILE)}
    undo = {re.sub(r"\\(.)", r"\1", t).replace("&amp;", "&") for t in
            (n["tooltip"].rsplit("\\n", 1)[0] for n in nodes.values() if "tooltip" in n)}
    return ["%r is not among %r" % (n, sorted(undo)[:30]) for n in want - undo] or ([] if tips else ["no tips"])


if shutil.which("dot"):
    guard("60 graphs of objects: nodes and edges are the rows", sixty_graphs, os.path.join(data, "heap.hprof"))
    guard("5 shortest paths", graphs_right, os.path.join(data, "leaks.hprof"), "paths @40 5", 0)
    for i in 40, 41, 45:
        guard("chains to @%d" % i, graphs_right, os.path.join(data, "leaks.hprof"), "chains @%d 20" % i, 0)
    guard("a call tree cut at 50 nodes", cut_graph, middle)
    guard("hostile names as labels", labels_survive, hostile)
elif os.environ.get("REQUIRE_ALL") == "1":
    ok("graphviz is installed", ["install graphviz"])
else:
    count += 1
    print("ok %d - graphviz is installed # SKIP install graphviz to test graphs" % count)
print("1..%d" % count)
