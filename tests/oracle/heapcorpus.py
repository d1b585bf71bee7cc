# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapcorpus.py - icecore on real heap dumps with known answers; used by corpus.py.

FOLDER/MANIFEST.tsv names the dumps, FOLDER/expected holds what other programs,
the virtual machines and the dumps' own projects say about them.  If these are
wrong or differ by design, tests/corpus/heap_differs.tsv has a line with the
reason; a line that is not needed any more is a failure.
"""
import collections
import csv
import os
import re
import tempfile

import findings
import heap as oracle
import heapanswers as say
import heapfacts
import leaks
import namecheck
import pngcheck
import redactcheck  # noqa: E402
from check import attempt, refused
from heapread import ROOTS, Reader

HERE = os.path.dirname(os.path.abspath(__file__))
DIFFERS = os.path.join(HERE, "..", "corpus", "heap_differs.tsv")
FACT_ROOT = {3: "java_frame", 5: "sticky_class", 8: "thread_obj", 0x89: "interned", 0x8c: "ref_cleanup"}
LIST = re.compile(r" <- java\.lang\.Object\[\] <- (?=java\.util\.ArrayList )")
LARGE = 100 << 20             # bytes, unpacked: only its facts
MIDDLE = 8 << 20              # beyond: no oracle
HEADER = 31                   # bytes of a dump without any record
COUNTED = {"classes": "class", "instances": "instance", "object_arrays": "object array",
           "primitive_arrays": "primitive array"}
COLUMNS = "select id, addr, label, class, kind, length, shallow, retained, reachable, dominator, offset"


def table(path):
    """Rows of a table with a header line; lines with # in front are remarks."""
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as f:
        lines = [line for line in f if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


class Differs:
    """Reasons by (dump, table, key); which of them were needed."""

    def __init__(self, path):
        self.reason = {(r["dump"], r["table"], r["key"]): r["reason"] for r in table(path)}
        self.used = set()

    def why(self, dump, what, key):
        for k in ((dump, what, key), (dump, what, "*"), ("*", what, key)):
            if k in self.reason:
                self.used.add(k)
                return self.reason[k]
        return None

    def unused(self, dumps):
        return ["not needed: %s" % (k,) for k in self.reason
                if k not in self.used and (k[0] in dumps or (k[0] == "*" and "CORPUS_PART" not in os.environ))]


class Dump:
    def __init__(self, program, folder, differs, name, path, size, number=1):
        self.program, self.folder, self.differs = program, folder, differs
        self.name, self.path, self.number = name, path, number
        self.large, self.small = size > LARGE, size <= MIDDLE
        self.asked = {}
        self.key = name.replace("/", "_")

    def expected(self, what):
        return table(os.path.join(self.folder, "expected", what))

    def rows_of(self, what):
        """Those about this dump in a table about several."""
        short = self.name.rpartition("/")[2]
        return [r for r in self.expected(what) if r[next(iter(r))] in (self.name, self.key, short)]

    def ask(self, *queries, refs="soft", sizes="vm", mapping=None):
        options = ("--no-index", "--refs", refs, "--sizes", sizes, "--dump", str(self.number))
        if mapping:
            options += ("--mapping", os.path.join(self.folder, mapping))
        a = self.program.ask(self.path, *queries, options=options)
        if a.code not in (0, 1, 3):        # 1: an answer without rows
            raise ValueError("exit status %d: %s" % (a.code, a.err.strip()))
        return a.tables()

    def objects(self, refs="soft", sizes="vm"):
        """All objects, by address."""
        if (refs, sizes) not in self.asked:
            got, = self.ask("objects | " + COLUMNS, refs=refs, sizes=sizes)
            self.asked[refs, sizes] = {r["addr"]: r for r in got.rows}
        return self.asked[refs, sizes]

    def heap(self, refs="soft", sizes="vm"):
        if "reader" not in self.asked:
            with open(self.path, "rb") as f:
                self.asked["reader"] = Reader(f.read(), self.number)
        if ("heap", refs, sizes) not in self.asked:
            self.asked["heap", refs, sizes] = oracle.Heap(self.asked["reader"], refs, sizes)
        return self.asked["heap", refs, sizes]

    def compare(self, what, rows):
        """rows of (key, want, got); explained differences are not failures."""
        bad = []
        for key, want, got in rows:
            if want != got and self.differs.why(self.name, what, key) is None:
                bad.append("%s: %s, should be %s" % (key, got, want))
        return bad

    # ---- against the oracle ----------------------------------------------------

    def against_oracle(self):
        h = self.heap()
        words = ("info", "objects", "histogram", "classes", "roots", "threads", "frames", "strings")
        bad = []
        for word, got in zip(words, self.ask(*words)):
            bad += getattr(say, "compare_" + word)(h, got)
        return bad

    def names(self):
        return namecheck.compare(self.heap(), self.ask(namecheck.QUERY, "info"))

    def pictures(self):
        """All bitmaps as files, against the oracle."""
        with tempfile.TemporaryDirectory() as scratch, open(self.path, "rb") as f:
            return pngcheck.whole_export(pngcheck.Case(self.program, scratch, "dump", f.read()))

    def others_in_file(self):
        """The numbers of further dumps."""
        said = {r["field"]: r["value"] for r in self.ask("info")[0].rows}
        return range(2, int(said.get("dumps", "1")) + 1)

    def dominators_anew(self):
        """The other graph as well: 'all' keeps far more alive."""
        h = self.heap("all", "mat")
        return say.compare_objects(h, self.ask("objects", refs="all", sizes="mat")[0])

    # ---- against others' numbers -------------------------------------------------

    def facts(self):
        f, = self.rows_of("facts.tsv")
        kinds = collections.Counter()
        for r in self.ask("objects | group kind")[0].rows if not self.large else ():
            kinds[r["kind"]] = int(r["count"])
        info = {r["field"]: r["value"] for r in self.ask("info")[0].rows}
        rows = [("version", f["version"], info.get("format", "").replace("HPROF", "JAVA PROFILE")), ("id_size", f["id_size"], info.get("id_size"))]
        if not self.large:
            rows += [(want, f[want], str(kinds[kind])) for want, kind in
                     (("instances", "instance"), ("object_arrays", "object array"), ("class_dumps", "class"))]
            rows.append(("primitive_arrays", str(int(f["primitive_arrays"]) + int(f["nodata_arrays"])),
                         str(kinds["primitive array"])))
        return self.compare("facts", rows)

    def roots(self):
        """The file's root records, then the program's among those of objects that are there."""
        f, = self.rows_of("facts.tsv")
        h = self.heap()
        count = collections.Counter(FACT_ROOT.get(t) or ROOTS[t].lower().replace(" ", "_")
                                    for t, *_ in h.r.roots)
        want = dict(x.split("=") for x in f["roots"].split(",") if x)
        return self.compare("roots", [(k, want.get(k), str(count.get(k)))
                                      for k in sorted(set(want) | set(count))]) + \
            say.compare_roots(h, self.ask("roots")[0])

    def sizes(self):
        return "vm" if self.android() else "mat"

    def android(self):
        return self.rows_of("facts.tsv")[0]["version"].endswith("1.0.3")

    def histogram(self):
        count, size, live, held = (collections.Counter() for _ in range(4))
        for r in self.objects("all", self.sizes()).values():
            for name in (r["class"], "(total of"):
                count[name] += 1
                size[name] += int(r["shallow"])
                live[name] += int(r["retained"]) > 0 or r["reachable"] != "unreachable"
                held[name] += int(r["shallow"]) if r["reachable"] != "unreachable" else 0
        rows = []
        for r in self.expected(self.key + ".histogram.tsv"):
            name = "(total of" if r["class"].startswith("(total of") else r["class"]
            want = tuple(int(r[k]) for k in ("count_all", "shallow_all", "count_live", "shallow_live"))
            rows.append((r["class"], want, (count[name], size[name], live[name], held[name])))
        return self.compare("histogram", rows)

    def dominators(self):
        rows = []
        for r in self.expected(self.key + ".dominators.tsv"):
            got = self.objects(r["graph"], self.sizes()).get(r["id"])
            above = self.address(r["graph"], got["dominator"]) if got else ""
            rows.append(("%s %s" % (r["graph"], r["id"]),
                         (r["label"], r["shallow"], r["retained"], r["idom"]),
                         got and (got["label"], got["shallow"], got["retained"], above)))
        return self.compare("dominators", rows)

    def address(self, refs, number):
        """The address of an object by its number; "root" for none."""
        if number in ("", "0"):
            return "root"
        key = ("numbers", refs)
        if key not in self.asked:
            self.asked[key] = {r["id"]: a for a, r in self.objects(refs, self.sizes()).items()}
        return self.asked[key][number]

    def layout(self):
        r, = self.rows_of("layout.tsv")
        info = {x["field"]: x["value"] for x in self.ask("info")[0].rows}
        best = "" if r["best_layout/rule"].startswith("(no verdict") else r["best_layout/rule"]
        want = "%s %s%%" % (best, r["exact_gap_percent"]) if best else "no verdict"
        got = info.get("layout", "")
        # The table takes no fields and padding of the VM for parts of objects: with them more neighbours fit, never fewer.
        name, _, share = got.rstrip("%").partition(" ")
        if best and name == best and float(share or 0) >= float(r["exact_gap_percent"]):
            got = want
        return self.compare("layout", [("layout", want, got if best else want if not got or "%" not in got or
                                        "no verdict" in got or "assumed" in got else got)])

    def jvm_histogram(self):
        """Sizes of classes as the virtual machine gave them just before; instances that came later are not counted."""
        got = collections.defaultdict(set)
        for r in self.objects().values():
            if r["kind"] == "instance":
                got[r["class"]].add(int(r["shallow"]))
        rows = []
        for r in self.expected(self.key + ".jvm_histogram.tsv"):
            if r["class"] in got and int(r["instances"]):
                rows.append((r["class"], {int(r["bytes"]) / int(r["instances"])}, got[r["class"]]))
        return self.compare("jvm_histogram", rows)

    def named_objects(self):
        rows = []
        for r in self.rows_of("named_objects.tsv"):
            vm, mat = self.objects().get(r["object"]), self.objects("all", "mat")[r["object"]]
            strong = self.objects("strong", "mat")[r["object"]]
            above = self.objects("strong", "mat").get(self.address("strong", strong["dominator"]), {}).get("label", "")
            live = int(strong["retained"]) > 0
            # The table takes the fields alone; in each class loader the VM has a pointer of its own behind them (class histogram).
            own = 8 if r["class"].endswith("$LeakLoader") else 0
            rows.append((r["object"], (r["class"], r["shallow_mat_rule"], str(int(r["shallow_by_layout_vote"]) + own),
                                       r["retained_all_refs(mat sizes)"], r["retained_strong(mat sizes)"],
                                       r["idom_strong"].replace("(super-root)", "")),
                         (vm["label"], mat["shallow"], vm["shallow"],
                          mat["retained"] if int(mat["retained"]) else "unreachable",
                          strong["retained"] if live else "unreachable", above if live else "-")))
        return self.compare("named_objects", rows)

    def paths(self):
        rows = []
        wanted = self.rows_of("paths.tsv")
        queries = ["path " + r["object"] for r in wanted]
        h = self.heap("strong", "mat")
        for r, got in zip(wanted, self.ask(*queries, refs="strong")):
            steps = [self.objects("strong", "mat")[self.address("strong", x["object"])]["label"] for x in got.rows]
            # The array of a list is inside it: the step goes from the list to its element.
            wanted_path, inside = LIST.subn(" <- ", r["shortest_strong_path(object first, root last)"])
            rows.append((r["object"] + " length", int(r["nodes"]) - inside, len(steps)))
            if ways(h, int(r["object"], 16)) == 1:
                rows.append((r["object"], wanted_path, " <- ".join(reversed(steps)) or "-"))
        return self.compare("paths", rows)

    def threads(self):
        got = {x["serial"]: x for x in self.ask("threads")[0].rows}
        tops = self.tops()
        rows = []
        for r in self.rows_of("threads.tsv"):
            if r["object"] == "0x0":
                continue
            t = got.get(r["thread_serial"])
            top = r["top_method"].partition(" line ")[0]
            name = r["name"] if r["name"] != "?" else t and t["name"]
            rows.append((r["thread_serial"], (name, r["class"], r["frames"], top if top != "-" else ""),
                         t and (t["name"], t["class"], t["frames"] or "0", tops.get(r["object"], ""))))
        return self.compare("threads", rows)

    def tops(self):
        """Innermost methods by the address of the thread."""
        numbers = {r["id"]: a for a, r in self.objects().items()}
        top = {}
        threads = self.ask("threads")[0].rows
        frames = self.ask("frames")[0].rows
        for t in threads:
            mine = [f for f in frames if f["thread_id"] == t["id"] and f["depth"] in ("", "0")]
            if t["id"] and mine:
                top[numbers[t["id"]]] = mine[0]["method"]
        return top

    def slurp(self):
        """Numbers of instances; its sizes are on a scale of its own."""
        count = collections.Counter(r["class"] for r in self.objects().values() if r["kind"] != "class")
        rows = []
        for r in self.rows_of("slurp_tables.tsv"):
            name = r["class"]
            if self.name == "slurp_hprof-32" and name.endswith("[][]"):
                name = name[:-2]
            rows.append((name, int(r["instances"]), count[name]))
        return self.compare("slurp_tables", rows)

    def against_others(self, tap):
        attempt(tap, "heap/%s: facts" % self.name, self.facts)
        if self.large:
            return
        if self.small:
            attempt(tap, "heap/%s: roots" % self.name, self.roots)
        for what, function, there in (
                (".histogram.tsv", self.histogram, self.expected(self.key + ".histogram.tsv")),
                (".dominators.tsv", self.dominators, self.expected(self.key + ".dominators.tsv")),
                (".jvm_histogram.tsv", self.jvm_histogram, self.expected(self.key + ".jvm_histogram.tsv")),
                ("layout", self.layout, self.rows_of("layout.tsv")),
                ("named_objects", self.named_objects, self.rows_of("named_objects.tsv")),
                ("paths", self.paths, self.rows_of("paths.tsv")),
                ("threads", self.threads, self.rows_of("threads.tsv")),
                ("slurp_tables", self.slurp, self.rows_of("slurp_tables.tsv"))):
            if there:
                attempt(tap, "heap/%s: %s" % (self.name, what.strip(".")), function)
        if not self.small:
            return
        if self.ask("bitmaps | count")[0].rows[0]["count"] != "0":
            attempt(tap, "heap/%s: every picture" % self.name, self.pictures)
        attempt(tap, "heap/%s: the oracle agrees" % self.name, self.against_oracle)
        attempt(tap, "heap/%s: the oracle agrees, all references" % self.name, self.dominators_anew)
        attempt(tap, "heap/%s: the oracle agrees, names" % self.name, self.names)


def ways(h, a):
    """How many shortest paths from a root there are: 1, or more."""
    graph, now, seen = h.graph("strong"), collections.Counter(h.root_set()), set()
    while now:
        if a in now:
            return now[a]
        seen.update(now)
        new = collections.Counter()
        for x, n in now.items():
            for v in graph[x]:
                if v not in seen:
                    new[v] += n
        now = new
    return 0


def check_damaged(tap, program, folder, differs):
    for r in table(os.path.join(folder, "expected", "damaged.tsv")):
        path = os.path.join(folder, "synthetic", r["file"] + ".hprof")
        path = path if os.path.exists(path) else path + ".gz"
        if not os.path.exists(path):
            continue
        if r["opens"] == "no" or os.path.getsize(path) == HEADER:
            attempt(tap, "heap/%s: refused" % r["file"], refused, program, path)
        else:
            attempt(tap, "heap/%s: opens" % r["file"], damaged, program, path, r, differs)


def counted(kinds, wanted, why):
    """Compares numbers of objects, of the kinds of COUNTED; why: the reason for a difference."""
    count = {x["kind"]: x["count"] for x in kinds.rows}
    bad = []
    for (column, kind), want in zip(COUNTED.items(), wanted):
        got = count.get(kind, "0")
        enough = int(got) >= int(want[2:]) if want.startswith(">=") else got == want
        if not enough and why(column) is None:
            bad.append("%s: %s, should be %s" % (column, got, want))
    return bad


def damaged(program, path, r, differs):
    """Readable data is there, and the damage or the repair is reported."""
    a = program.ask(path, "objects | group kind", "info", options=("--no-index",))
    if a.code not in (0, 3):
        return ["exit status %d: %s" % (a.code, a.err.strip())]
    kinds, info = a.tables()
    bad = counted(kinds, [r[c] for c in COUNTED], lambda c: differs.why(r["file"], "damaged", c))
    more = re.search(r"second dump: (\d+) (\d+) (\d+) (\d+)", " ".join(filter(None, r.values())))
    if more:
        second = program.ask(path, "objects | group kind", options=("--no-index", "--dump", "2"))
        bad += ["dump 2: " + b for b in counted(second.tables()[0], more.groups(), lambda c: None)]
    told = a.code == 3 or any(x["field"].startswith(("repair", "loss", "dump", "version")) for x in info.rows)
    if r["warning"] != "no" and not told:
        bad.append("nothing reported: %s" % r["warning"])
    if r["warning"] == "no" and a.code != 0 and differs.why(r["file"], "damaged", "warning") is None:
        bad.append("warned: %s" % a.err.strip())
    return bad


def check(tap, program, folder):
    differs = Differs(DIFFERS)
    seen, sound = set(), []
    known = {r["dump"] for r in table(os.path.join(folder, "expected", "facts.tsv"))}
    for m in table(os.path.join(folder, "MANIFEST.tsv")):
        path = os.path.join(folder, m["file"])
        name = m["file"].removesuffix(".gz").removesuffix(".hprof")
        if not os.path.isfile(path) or ".hprof" not in path or "/bad_" in name:
            continue
        size = int(m["bytes_unpacked"]) if m["bytes_unpacked"].isdigit() else 0
        if size == HEADER:
            attempt(tap, "heap/%s: no record, refused" % name, refused, program, path)
            seen.add(name)
            continue
        sound.append((name, path))
        dump = Dump(program, folder, differs, name, path, size)
        heapfacts.check(tap, dump)
        if name not in known:
            continue
        dump.against_others(tap)
        for n in () if dump.large else dump.others_in_file():
            other = Dump(program, folder, differs, name, path, size, n)
            attempt(tap, "heap/%s: dump %d: the oracle agrees" % (name, n), other.against_oracle)
            attempt(tap, "heap/%s: dump %d: the oracle agrees, all references" % (name, n), other.dominators_anew)
        seen.add(name)
    if seen:
        findings.check_corpus(tap, program, sound)
        leaks.check_corpus(tap, program, sound)
        redactcheck.check_corpus(tap, program.command[-1], sound)
        check_damaged(tap, program, folder, differs)
        tap.ok("heap: every line of heap_differs.tsv is needed", differs.unused(seen))
        stated = {name: table(os.path.join(folder, "expected", name)) for name in heapfacts.STATED}
        tap.ok("heap: every stated fact has a line in heap_facts.tsv", heapfacts.unstated(stated))
