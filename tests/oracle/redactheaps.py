# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""redactheaps.py BUILD SCRATCH - redacted heap dumps of V8 and Ruby, as TAP.

Random dumps: texts of the program are gone, all else is there, and the answers are those of the input.
"""
import json
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import heapfile  # noqa: E402
import mkruby  # noqa: E402
import mkv8  # noqa: E402
import sampled  # noqa: E402
from check import Tap, attempt  # noqa: E402

ASKED = ("objects | select id addr shallow retained reachable", "classes | select objects shallow retained", "roots | group kind : count",
         "findings | select kind retained count", "info | where not field in (strings, text_bytes, cut_strings, buffer_bytes)")
TEXTS = ("string", "concatenated string", "sliced string")
PAGE, OWN = ("native", "synthetic"), ("hidden", "array")
NAMES = ("object", "closure", "code")
PAIR = re.compile(r"(\d+ / part of key \()(.*)( @\d+\) -> value \()(.*)( @\d+\) pair in WeakMap \(table @\d+\))", re.S)


def redacted(program, path, out, *options):
    if os.path.exists(out):
        os.remove(out)
    a = program.run(["redact", *options, path, out])
    bad = [] if a.code in (0, 3) else ["status %d: %s" % (a.code, a.err)]
    check = program.run(["redact", "--check", *options, path, out])
    # Without its first lines a file may be another kind of file.
    return bad + ([] if check.code in (0, 3) or (a.code == 3 and check.code == 5) else ["check: %s" % check.err])


def same_answers(program, path, out, options):
    bad = []
    for query in ASKED:
        a, b = (program.ask(name, query, options=("--no-index", *options)).out for name in (path, out))
        bad += ["%s: %s, not %s" % (query, b[:300], a[:300])] * (a != b)
    return bad


# ---- V8 --------------------------------------------------------------------------------------------


def uses_of(doc):
    """The kinds of nodes and edges that use each string."""
    meta, uses = doc["snapshot"]["meta"], [set() for _ in doc["strings"]]
    for rows, fields, types, name in (("nodes", "node_fields", "node_types", "name"), ("edges", "edge_fields", "edge_types", "name_or_index")):
        width, kind, label = len(meta[fields]), meta[fields].index("type"), meta[fields].index(name)
        for i in range(0, len(doc[rows]), width):
            what = meta[types][kind][doc[rows][i + kind]]
            if what not in ("element", "hidden") or rows == "nodes":
                uses[doc[rows][i + label]].add((rows, what))
    return uses


def wrong_pairs(old, new, used):
    """Pairs whose form is not there, or whose names are not what their own strings became: texts are masked."""
    names = {text: got for text, got, uses in zip(old, new, used) if any(rows == "nodes" and what in NAMES + PAGE + OWN for rows, what in uses)}
    bad = []
    for text, got in zip(old, new):
        a, b = PAIR.fullmatch(text), PAIR.fullmatch(got)
        if a is None:
            continue
        bad += [(text, got)] if b is None or any(a[i] != b[i] for i in (1, 3, 5)) or any(
            b[i] != names[a[i]] if a[i] in names else not re.fullmatch("x*", b[i]) for i in (2, 4)) else []
    return bad


def judge(text, new, uses):
    """The fault of a string, if it has one; pairs of WeakMaps are judged by themselves."""
    if PAIR.fullmatch(text):
        return []
    nodes, edges = ({what for rows, what in uses if rows == which} for which in ("nodes", "edges"))
    of_v8 = bool(nodes & set(OWN)) or bool(edges & {"internal", "shortcut", "weak"})
    named = bool(nodes & set(NAMES)) or "context" in edges
    if (named or nodes & set(PAGE)) and " / " in text and not text.startswith(("system / ", "Node / ")):
        head = text.split(" / ", 1)[0] + " / "
        return [] if new.startswith(head) and not re.search(r"[a-wyz]", new[len(head):]) else [(text, new, uses)]
    if nodes & set(PAGE) and "=" in text:
        return []
    if of_v8 or named or nodes & set(PAGE) or ("property" in edges and re.fullmatch(r"[A-Za-z_$#][\w$#]*", text, re.A)):
        return [] if new == text else [(text, new, uses)]
    return [] if not re.search(r"[^x]", new.replace("\\", "x")) else [(text, new, uses)]


def check_v8(program, scratch, seeds):
    path, out, wrong = os.path.join(scratch, "a.heapsnapshot"), os.path.join(scratch, "b.heapsnapshot"), []
    for seed in seeds:
        doc = json.loads(mkv8.random_text(seed))
        doc["zebra"] = {"secret": ["secret-text", 987654]}
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as f:
            f.write(mkv8.text(doc, seed % 3))
        bad = redacted(program, path, out)
        with open(out, encoding="utf-8", errors="surrogatepass") as f:
            new = json.load(f)
        bad += ["%s differs" % name for name in doc if name not in ("strings", "zebra") and doc[name] != new[name]]
        bad += ["zebra: %s" % new["zebra"]] if re.search(r"secret-|9", json.dumps(new["zebra"])) else []
        bad += [w for text, got, uses in zip(doc["strings"], new["strings"], uses_of(doc)) for w in judge(text, got, uses)][:5]
        bad += wrong_pairs(doc["strings"], new["strings"], uses_of(doc))[:5]
        wrong += ["seed %d: %s" % (seed, w) for w in bad + same_answers(program, path, out, ())]
    return wrong


# Names of the runtime, which findings and classes need, and names of the program.
RUNTIME = ("Object", "Map", "__proto__", "_events", "<kEvents>", "node:events", "node:internal/timers", "internal/errors.js", "process", "TypeError")
PROGRAM = ("Session", "Détente", "Ledger", "Account", "/srv/ledger/pay.js", "events2.js", "eventsOf")


def check_hash(program, scratch, seeds):
    """With --names hash, names of the program become letters, those of the runtime do not, and the answers stay."""
    path, out, wrong = os.path.join(scratch, "a.heapsnapshot"), os.path.join(scratch, "b.heapsnapshot"), []
    for seed in seeds:
        doc = json.loads(mkv8.random_text(seed))
        dice, nodes, meta = random.Random(seed), doc["nodes"], doc["snapshot"]["meta"]
        width, kind, name = len(meta["node_fields"]), meta["node_fields"].index("type"), meta["node_fields"].index("name")
        # Objects and functions with those names.
        named, first = RUNTIME + PROGRAM, len(doc["strings"])
        doc["strings"] += named
        types = meta["node_types"][kind]
        for i in range(0, len(nodes), width):
            if types[nodes[i + kind]] in NAMES and dice.random() < .6:
                nodes[i + name] = first + dice.randrange(len(named))
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as f:
            f.write(mkv8.text(doc, seed % 3))
        bad = redacted(program, path, out, "--names", "hash")
        with open(out, encoding="utf-8", errors="surrogatepass") as f:
            new = json.load(f)["strings"]
        used = uses_of(doc)
        for text, got, uses in list(zip(doc["strings"], new, used))[first:]:
            if not any(what in NAMES for rows, what in uses if rows == "nodes"):
                continue
            if (got == text) != (text in RUNTIME):
                bad.append((text, got))
        bad += wrong_pairs(doc["strings"], new, used)[:5]
        wrong += ["seed %d: %s" % (seed, w) for w in bad + same_answers(program, path, out, ())]
    return wrong


# Names of scripts, and what has to stay of them.
SCRIPTS = {"https://h.example/s.js": "https://h.example/s.js", "file:///srv/@acme/s.js?t=70458d72qz": "file:///srv/@acme/s.jsxxxxxxxxxxxxx",
           "https://cijafabqz:jirekifqz@h.example/s.js?token=70458d72qz": "https://xxxxxxxxxxxxxxxxxxx@h.example/s.jsxxxxxxxxxxxxxxxxx",
           "https://h.example/s.js#fepeqz?@": "https://h.example/s.jsxxxxxxxxx", "blob:https://cijaqz@h.example/7": "blob:https://xxxxxx@h.example/x",
           "https://h.example/?a=qz&b=MyError": "https://h.example/xxxxxxxxxxxxxxx", "data:text/javascript,qz": "data:xxxxxxxxxxxxxxxxxx",
           "node:internal/timers": "node:internal/timers", "https://qz@h.example/a / b?qz": "https://xx@h.example/axxxxxxx",
           "C:\\srv\\a#b.js": "C:\\srv\\a#b.js", "./mod.js?s=qz": "./mod.jsxxxxx", "//al:qz@h/x.js": "//xxxxx@h/x.js",
           "/srv/app/x.js?t=qz": "/srv/app/x.jsxxxxx", "x.js#qz": "x.jsxxx", "C:\\app\\x.js?qz": "C:\\app\\x.jsxxx", "al:qz@h/x.js": "xxxxx@h/x.js",
           "https:al:qz@h/x.js": "xxxxxxxxxxx@h/x.js", "javascript:qz()": "javascript:xxxx", " data:a,qz": " data:xxxx",
           "npm:left@1/x.js": "npm:left@1/x.js", "/srv/c#/app.js": "/srv/c#/app.js",
           "routes.al@qz.example": "routes.xxxxxxxxxxxxx", "a.keep.card 4539qz": "a.keep.xxxxxxxxxxx", "a.GET /u?qz": "a.xxxxxxxxx",
           "a.<anonymous>": "a.<anonymous>", "jquery.my-form.js": "jquery.my-form.js", "A.[Symbol.iterator]": "A.[Symbol.iterator]",
           "blob:null/7qz": "blob:null/xxx", "blob:nodedata:7qz": "blob:xxxxxxxxxxxx", "/x/[id].js;tok=qz": "/x/[id].jsxxxxxxx", "/x/a;b.js": "/x/a;b.js",
           "sk_live_51H8xyzqzDEF": "x" * 20, "routes.sk_live_51H8xyzqzDEF": "routes." + "x" * 20, "4eC39HqzyjWDarjtT1zdp7dc": "x" * 24,
           **{name: name for name in ("Uint8ClampedArray", "f32x4_pmin_f64x2_v128", "convertUtf8ToBase64String", "__wbg_new_8a6f238a6ece86ea", "getX509CertificateV3", "sha256WithRSAEncryption")}}
WORDS = ("fepezekqz", "a (b) qz", "qz @3", "Session @7) -> value (qz @8) qz", "qz\"\\", "fepezekqz) pair in WeakMap (table @5)", "(qz", "{qz", "qzError")


def check_private(program, scratch, seeds):
    """Texts of strings and of regular expressions, secrets in names of scripts, unknown members: all have qz, and no name has it."""
    path, out, wrong, scripts = os.path.join(scratch, "a.heapsnapshot"), os.path.join(scratch, "b.heapsnapshot"), [], 0
    for seed in seeds:
        doc = json.loads(mkv8.random_text(seed))
        dice, nodes, meta = random.Random(seed), doc["nodes"], doc["snapshot"]["meta"]
        width, kind, name, ident = (len(meta["node_fields"]), *(meta["node_fields"].index(f) for f in ("type", "name", "id")))
        old, first, ids = list(doc["strings"]), len(doc["strings"]), {}
        doc["strings"] += [*SCRIPTS, *WORDS]
        for i in range(0, len(nodes), width):
            what = meta["node_types"][kind][nodes[i + kind]]
            if what in NAMES:
                nodes[i + name] = first + scripts % len(SCRIPTS)
                scripts += 1
            elif what in (*TEXTS, "regexp", "symbol", "number", "bigint"):
                nodes[i + name] = first + len(SCRIPTS) + dice.randrange(len(WORDS))
            ids[nodes[i + ident]] = doc["strings"][nodes[i + name]]
        for i, text in enumerate(old):
            a = PAIR.fullmatch(text)
            if a is not None:
                doc["strings"][i] = a[1] + ids[int(a[3].split()[0][1:-1])] + a[3] + ids[int(a[5].split()[0][1:-1])] + a[5]
        doc["snapshot"].update({"title": "vihenagqz", "uid": 944884046, "note": {"qz a": [1.5, "0x944884046"]}})
        meta["note"] = ["x", {"944884046": -944884046, "fine": "qz"}]
        # Among the names of columns and types, what V8 does not write.
        hidden = {"node_types": ["vihena qz", "1qz", ["regexp", "qz fepezek"]], "edge_types": [["qz:7"]], "sample_fields": ["timestamp_us", "a.qz"]}
        for field, words in hidden.items():
            meta[field] = meta.get(field, []) + words
        odd = seed % 2 == 1
        if odd:
            doc["qz a"] = None
        with open(path, "w", encoding="utf-8", errors="surrogatepass") as f:
            f.write(mkv8.text(doc, seed % 3))
        for options in ([], ["--names", "hash"], ["--mode", "stable"]):
            bad = redacted(program, path, out, *options)
            with open(out, encoding="utf-8", errors="surrogatepass") as f:
                text = f.read()
            new = json.loads(text)
            bad += ["%s is there" % word for word in ("fepezek", "cijafab", "jirekif", "70458", "9448", "vihena", *["qz"] * (not options)) if word in text]
            bad += ["fine is gone"] if "fine" not in new["snapshot"]["meta"]["note"][1] else []
            head = dict(new["snapshot"], meta=dict(new["snapshot"]["meta"]))
            bad += ["head: %s" % head] if any(head[k] != doc["snapshot"][k] for k in ("node_count", "edge_count", "trace_function_count")) or any(
                head["meta"][k][:-len(hidden.get(k, ())) or None] != meta[k][:-len(hidden.get(k, ())) or None] for k in meta if k != "note") or (head["uid"], len(head["note"])) != (111111111, 1) else []
            used = uses_of(doc)
            if not options:
                bad += [(a, b) for a, b, uses in list(zip(doc["strings"], new["strings"], used))[first:first + len(SCRIPTS)]
                        if any(rows == "nodes" for rows, _ in uses) and b != SCRIPTS[a]]
            # What icecore does not read is named, and a name of two words is hidden.
            bad += [] if odd else same_answers(program, path, out, ())
            wrong += ["seed %d %s: %s" % (seed, options, w) for w in bad]
    return wrong + ["%d of %d names of scripts" % (scripts, len(SCRIPTS))] * (scripts < len(SCRIPTS))


# ---- users ---------------------------------------------------------------------------------------------

PATHS = ("file:///home/ludowig/app/a.js", "/home/CORP/gundula/b", "C:\\Users\\ludowig\\c", "https://ludowig:gehaim@h.example/d")


# Those of scripts may be addresses of pages, too.
PLACES = PATHS + ("https://h.example/e.rb?token=wunderlich",)


def with_users(kind):
    """A dump whose names have paths of users in them; a package that is called home."""
    if kind == "ruby":
        lines = ['{"address":"0x%x", "type":"DATA", "class":"0x10", "file":%s, "line":1, "memsize":40}' % (64 * (i + 1), json.dumps(p)) for i, p in enumerate(PLACES)]
        return "\n".join(['{"type":"ROOT", "root":"vm", "references":["0x40"]}', *lines, ""]).encode()
    if kind == "v8":
        doc = json.loads(mkv8.random_text(0))
        nodes, meta, first = doc["nodes"], doc["snapshot"]["meta"], len(doc["strings"])
        width, what, name = len(meta["node_fields"]), meta["node_fields"].index("type"), meta["node_fields"].index("name")
        codes = [i for i in range(0, len(nodes), width) if meta["node_types"][what][nodes[i + what]] in NAMES]
        doc["strings"] += PLACES
        for n, i in enumerate(codes):
            nodes[i + name] = first + n % len(PLACES)
        return mkv8.text(doc, 0).encode("utf-8", "surrogatepass")
    d = heapfile.Dump()
    d.klass("java.lang.Object", None)
    for i, p in enumerate(PATHS):
        d.klass("org.home.wilfrid.C%d" % i)
        d.frame(0x900 + i, "org.home.wilfrid.C%d" % i, "run", "()V", p, 7)
    d.stack(2, 1, [0x900 + i for i in range(len(PATHS))])
    return d.build()


def check_users(program, scratch, kind):
    path, out, wrong = os.path.join(scratch, "users.in"), os.path.join(scratch, "users.out"), []
    data = with_users(kind)
    with open(path, "wb") as f:
        f.write(data)
    for options in ([], ["--mode", "stable"], ["--names", "hash"]):
        bad = redacted(program, path, out, *options)
        with open(out, "rb") as f:
            new = f.read()
        bad += ["%s is there" % word for word in (b"ludowig", b"gundula", b"gehaim", b"CORP", *([b"wunderlich"] if kind != "java" else [])) if word in new or word not in data]
        bad += ["%s is gone" % word for word in (b"/home/", b"h.example", b"wilfrid") if not options and word in data and word not in new]
        wrong += ["%s: %s" % (options, b) for b in bad + ["%d bytes" % len(new)] * (len(new) != len(data))]
    return wrong


# ---- Ruby ------------------------------------------------------------------------------------------


# Names of classes and modules: others are texts, which a program made.
CLASS = re.compile(r"(?:ARGF\.class|(?:[A-Z]\w*|fatal)(?:::\w+)*|(?:#<)+(?:(?:[A-Z]\w*|refinement)(?:::\w+)*[:@])*(?:0x[0-9a-f]+|[A-Z]\w*(?:::\w+)*)>+(?:::\w+)*)", re.A)


def masked_name(m):
    return m.group(0) if CLASS.fullmatch(m.group(2)) else m.group(1) + "x" * len(m.group(2).encode("utf-8", "surrogateescape"))


def masked(line):
    """The line as it has to be; None: it is not JSON, or has no object."""
    try:
        d = json.loads(line.encode("utf-8", "surrogateescape"))
    except ValueError:
        return None
    if not isinstance(d, dict) or "type" not in d or not ("address" in d or "root" in d) or not re.fullmatch("0x[0-9a-f]+", d.get("address", "0x0")):
        return None
    line = re.sub(r'("(?:real_class_)?name": ?")((?:[^"\\]|\\.)*)', masked_name, line)
    return re.sub(r'("(?:value|shape_type)": ?")((?:[^"\\]|\\.)*)', lambda m: m.group(1) + "x" * len(m.group(2).encode()), line)


# Members that no reader knows, and what becomes of them.
UNKNOWN = (', "n":944884046, "deep":{"a":["x",-4247279662777292.5], "9448 qz":1, "line":5151}, "at":"0x944884046"}',
           ', "n":111111111, "deep":{"a":["x",-1111111111111111.1], "xxxxxxx":1, "line":1111}, "at":"xxxxxxxxxxx"}')


def check_unknown(program, scratch, seeds):
    """Numbers of members that no reader knows are gone, in lines that are damaged, too; all else of such a line stays."""
    path, out, wrong = os.path.join(scratch, "a.json"), os.path.join(scratch, "b.json"), []
    for seed in seeds:
        old = mkruby.dump(seed).decode("utf-8", "surrogateescape").split("\n")
        if masked(old[0].lstrip()) is None:
            continue
        given = [line[:-1] + UNKNOWN[0] if line.endswith("}") else line for line in old]
        with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as f:
            f.write("\n".join(given))
        bad = redacted(program, path, out)
        with open(out, encoding="utf-8", errors="surrogateescape", newline="\n") as f:
            text = f.read()
        bad += ["%s is there" % word for word in ("9448", "4247", "qz") if word in text]
        for a, b, line in zip(old, text.split("\n"), given):
            want = masked(line)
            if want is not None and line != a:
                bad += [(line, b)] if b != masked(a)[:-1] + UNKNOWN[1] else []
        wrong += ["seed %d: %s" % (seed, w) for w in bad[:5]]
        if all(masked(line) is not None for line in old if line):
            wrong += ["seed %d: %s" % (seed, w) for w in same_answers(program, path, out, ("--as", "ruby"))]
    return wrong


# Members that have words of Ruby or names, and data in their place.
RUBY_DATA = [(key, value) for key in ("method", "mid", "called_id", "edge_name", "struct", "encoding", "coderange", "imemo_type", "file", "type") for value in
        ("password=fepe7045", "fepe.quux@mail.example", "sk_live_fepe7045qq", "4507 7045 4018 7045", "eyJhbGciOiJIUzI1NiJ9.fepe7045", "+49970457045")] + \
    [(key, "pay fepe") for key in ("method", "mid", "edge_name", "struct", "type")] + [("edge_name", "@pw=fepe"), ("file", "(eval password=fepe)")]
# What stays.
RUBY_WORDS = (("method", "empty?"), ("method", "name="), ("method", "=="), ("method", "[]="), ("edge_name", "@total"), ("struct", "thread/mutex"), ("imemo_type", "iseq"), ("encoding", "UTF-8"),
         ("file", "/srv/my app/a.rb"), ("file", "(eval at /srv/a.rb:3)"))


def check_data(program, scratch):
    """Data in place of a word of Ruby or of a name is gone."""
    path, out, wrong = os.path.join(scratch, "d.json"), os.path.join(scratch, "e.json"), []
    line = '{"address":"0x%x", "type":"OBJECT", "class":"0x1", "%s":"%s", "memsize":40}\n'
    head = '{"type":"ROOT", "root":"vm", "references":["0x1"]}\n{"address":"0x1", "type":"CLASS", "name":"Cart", "memsize":40}\n'
    for given, stays in (RUBY_DATA, False), (RUBY_WORDS, True):
        with open(path, "w", encoding="utf-8") as f:
            f.write(head + "".join((line.replace('"type":"OBJECT", ', "") if key == "type" else line) % (n + 16, key, value) for n, (key, value) in enumerate(given)))
        wrong += redacted(program, path, out)
        with open(out, encoding="utf-8") as f:
            lines = f.read().split("\n")[2:]
        wrong += [text for text, (_, value) in zip(lines, given) if (stays and '"%s"' % value not in text) or "fepe" in text or "7045" in text]
    # Between references, in lines of JSON and others; the addresses around stay.
    given = ['"0x11", %s, "0x12"' % value for value in (4507704540187045, '"fepe.quux@mail.example"', '"fepe, 7045, 0x7045"', '{"pw": "fepe"}', "password=fepe7045", "fepe", '"fepe')] + ['"fepe7045", "0x11","0x12"', '"0x11","0x12",7045']
    with open(path, "w", encoding="utf-8") as f:
        f.write(head + "".join('{"address":"0x%x", "type":"OBJECT", "class":"0x1", "references":[%s], "memsize":40}\n' % (n + 16, value) for n, value in enumerate(given)))
    wrong += redacted(program, path, out)
    with open(out, encoding="utf-8") as f:
        lines = f.read().split("\n")[2:]
    return wrong + [text for text, _ in zip(lines, given) if "fepe" in text or "7045" in text or '"0x11"' not in text or '"0x12"' not in text]


def check_ruby(program, scratch, seeds):
    path, out, wrong = os.path.join(scratch, "a.json"), os.path.join(scratch, "b.json"), []
    for seed in seeds:
        data = mkruby.dump(seed)
        # A redaction has no --as: the first line must show what the file is.
        if masked(data.decode("utf-8", "surrogateescape").lstrip().split("\n")[0]) is None:
            continue
        with open(path, "wb") as f:
            f.write(data)
        bad = redacted(program, path, out)
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as a, open(out, encoding="utf-8", errors="surrogateescape", newline="\n") as b:
            old, new = a.read().split("\n"), b.read().split("\n")
        bad += [] if len(old) == len(new) else ["%d lines, not %d" % (len(new), len(old))]
        bad += [(x, y) for x, y in zip(old, new) if (masked(x) or y) != y or (masked(x) is None and re.search(r'log|"value": ?"[^"x]', y))][:5]
        wrong += ["seed %d: %s" % (seed, w) for w in bad]
        if not any(masked(line) is None and line for line in old):
            wrong += ["seed %d: %s" % (seed, w) for w in same_answers(program, path, out, ("--as", "ruby"))]
    return wrong


def main(build, scratch):
    tap, program = Tap(), answers.program_of(build)
    sampled.tell()
    attempt(tap, "snapshots of V8", check_v8, program, scratch, [*range(20), *sampled.seeds(20)])
    attempt(tap, "texts in names of V8 are gone", check_private, program, scratch, [*range(10), *sampled.seeds(10)])
    attempt(tap, "names of V8's runtime stay", check_hash, program, scratch, [*range(20), *sampled.seeds(20)])
    attempt(tap, "heap dumps of Ruby", check_ruby, program, scratch, [*range(20), *sampled.seeds(20)])
    attempt(tap, "data in place of words and names of Ruby", check_data, program, scratch)
    attempt(tap, "numbers of unknown members of Ruby", check_unknown, program, scratch, [*range(10), *sampled.seeds(10)])
    for kind in ("ruby", "v8", "java"):
        attempt(tap, "users in names of heap dumps: " + kind, check_users, program, scratch, kind)
    tap.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
