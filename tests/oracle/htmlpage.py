#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""htmlpage.py ICECORE FILE [FILE] - what must hold of the page that icecore page writes about these files.

Prints what does not hold, a line each; the status says whether there was any.
"""
import base64
import hashlib
import html.parser
import re
import subprocess
import sys

MOST = 2 << 20
VOID = {"meta", "img"}
KNOWN = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "b", "pre", "div", "table", "thead", "tbody", "tr", "th", "td",
         "figure", "figcaption", "section", "details", "summary", "footer", "script", "code", "span", "svg", "desc", "g", "rect", "text", "path", "h3", "mark", "img"}
PLAIN = {"class", "lang", "charset", "http-equiv", "content", "name", "scope", "xmlns", "viewbox", "width", "height", "role",
         "aria-labelledby", "aria-hidden", "xml:lang", "id", "x", "y", "d", "preserveaspectratio", "title", "alt", "src"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.bad, self.open, self.ids, self.text, self.policy = [], [], set(), {}, ""
        self.headings, self.tables, self.pools, self.flames, self.pool = [], [], [], 0, False
        self.feed(text)
        self.close()
        if self.open:
            self.bad.append("not closed: %r" % self.open)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in KNOWN or set(attrs) - PLAIN:
            self.bad.append("%s with %r" % (tag, sorted(set(attrs) - PLAIN)))
        if attrs.get("id") in self.ids:
            self.bad.append("twice the id %s" % attrs["id"])
        self.ids.add(attrs.get("id", len(self.ids)))
        if tag == "meta" and "http-equiv" in attrs:
            self.policy = attrs["content"]
        if "src" in attrs and (tag != "img" or not attrs["src"].startswith("data:image/png;base64,iVBORw0KGgo")):
            self.bad.append("%s of %s" % (tag, attrs["src"][:40]))
        if tag == "details":
            self.pool = attrs.get("class") == "pool"
        self.flames += tag == "svg" and attrs.get("role") == "img"
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.bad.append("</%s> at %r" % (tag, self.getpos()))

    def handle_data(self, data):
        tag = self.open[-1] if self.open else ""
        if tag in ("script", "style"):
            self.text[tag] = self.text.get(tag, "") + data
        elif tag in ("td", "th"):
            self.tables[-1][-1][-1] += data
        elif tag == "h2":
            self.headings.append(data)
        elif tag == "summary" and self.pool:
            self.pools.append(data)


def answer(icecore, query, files):
    run = subprocess.run([icecore, "--no-index", "-o", "tsv", "-e", query, *files], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [line.split("\t") for line in run.stdout.decode().splitlines()[1:]]


def main():
    icecore, files = sys.argv[1], sys.argv[2:]
    made = [subprocess.run([icecore, "page", "--no-index", "--quiet", "-o", "-", *files], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for _ in range(2)]
    data = made[0].stdout
    bad = [] if made[0].stdout == made[1].stdout else ["another page the second time"]
    if made[0].returncode not in (0, 3):
        bad.append("status %d" % made[0].returncode)
    if not 0 < len(data) < MOST:
        bad.append("%d bytes" % len(data))
    text = data.decode()
    page = Page(text)
    bad += page.bad
    for what, name in ("script", "script-src"), ("style", "style-src"):
        digest = base64.b64encode(hashlib.sha256(page.text.get(what, "").encode()).digest()).decode()
        if "%s 'sha256-%s'" % (name, digest) not in page.policy:
            bad.append("the policy does not name the %s" % what)
    if not page.policy.startswith("default-src 'none';") or re.search(r"https?:(?!//www\.w3\.org/)", re.sub(r"<(pre|td|p|title|text)\b.*?</\1>", "", text, flags=re.S)):
        bad.append("something is fetched")
    if "At a glance" not in page.headings:
        bad.append("no overview: %r" % page.headings)
    # Flame graphs: of all that has a tree, and one of each pool.
    pools = [row for row in answer(icecore, "threads | group pool : count", files)] if page.pools else []
    if len(page.pools) > min(12, len(pools)):
        bad.append("%d pools of %d" % (len(page.pools), len(pools)))
    if len(files) == 1 and any(re.match("Flame graph\\b(?!s)", h) for h in page.headings) != (page.flames > len(page.pools)):
        bad.append("%d flame graphs, %d pools" % (page.flames, len(page.pools)))
    # A table has the rows of the query that fills it.
    if len(files) == 1 and "Top methods by self time" in page.headings:
        want = [row[0] for row in answer(icecore, "methods | where self > 0 | top 15 self | select method", files)]
        if not any([row[-1] for row in table[1:]] == want for table in page.tables):
            bad.append("no table of %r" % want)
    for line in bad:
        print(line)
    return bool(bad)


sys.exit(main())
