#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""statuscheck.py BUILD SCRATCH - the exit status of files of every kind, in every way they are opened, as TAP."""
import gzip
import io
import json
import os
import re
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import codemake  # noqa: E402
import heap as heaporacle  # noqa: E402
import mkheap  # noqa: E402
import trace as traceoracle  # noqa: E402
from check import Tap  # noqa: E402

ANSWERED, NO_ROWS, USAGE, DAMAGED, SYSTEM, UNREADABLE = range(6)
NOBODY = 65534
FOLDED = b"main;a 5\nmain;b 3\n"


def zipped(*entries):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for name, data in entries:
            z.writestr(name, data)
    return out.getvalue()


class Check:
    def __init__(self, build, scratch):
        self.program, self.scratch, self.tap = os.path.join(os.path.abspath(build), "icecore"), scratch, Tap()
        trace = os.path.join(scratch, "made.trace")
        subprocess.run([os.path.join(build, "tests/mk/gentrace"), "-s", "5", "-n", "40", "-t", "2", "-o", trace], check=True)
        self.trace = self.read(trace)
        # For each length the records that are whole, -1: not even the header is.
        self.left = [n for _, n in traceoracle.cut_rows(trace)]
        self.heap = mkheap.make("odd_tiny64")
        with open(os.path.join(scratch, "frame.keys"), "w") as f:
            f.write("size 80x24\nframe\n")

    @staticmethod
    def read(path):
        with open(path, "rb") as f:
            return f.read()

    def put(self, name, data):
        path = os.path.join(self.scratch, name)
        with open(path, "wb") as f:
            f.write(data)
        return path

    def run(self, args, stdin=subprocess.DEVNULL, **more):
        """stdin: a file, or the bytes that a pipe gives."""
        given = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
        return subprocess.run([self.program, "--no-index"] + args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                              cwd=self.scratch, **given, **more)

    def told(self, p, want):
        """Return the errors of a run whose status should be want."""
        bad = [] if p.returncode == want else ["status %d, not %d: %r" % (p.returncode, want, p.stderr)]
        # A wrong query is shown with its place.
        lines = (1, 3) if want == USAGE else (1,)
        if want in (USAGE, SYSTEM, UNREADABLE) and (p.stdout or p.stderr.count(b"\n") not in lines):
            bad.append("not one line on stderr alone: %r, %r" % (p.stdout[:80], p.stderr))
        if want in (ANSWERED, DAMAGED) and not p.stdout:
            bad.append("no answer")
        if want == DAMAGED and not p.stderr:
            bad.append("nothing told")
        return bad

    def row(self, name, args, want, **more):
        self.tap.ok("%s: %d" % (name, want), self.told(self.run(args, **more), want))

    def file(self, name, path, want, options=(), stdin=True, explorer=True):
        """The same status in every way a file is opened."""
        bad = []
        ways = [("query", ["-e", "info"]), ("text", ["--text"]), ("report", ["--report"]), ("verify", ["--verify", "-e", "info"])]
        # The explorer shows damage on its screen.
        ways += [("explorer", ["--keys", "frame.keys"])] if explorer else []
        for way, args in ways:
            status = ANSWERED if way == "explorer" and want == DAMAGED else want
            bad += ["%s: %s" % (way, b) for b in self.told(self.run([*options, *args, path]), status)]
        good = self.put("good.folded", FOLDED)
        if want not in (ANSWERED, DAMAGED):
            for paths in ([good, path], [path, good]):
                bad += ["two files: " + b for b in self.told(self.run(["-e", "methods | diff", *paths]), want)]
        if stdin and os.path.isfile(path):
            with open(path, "rb") as f:
                bad += ["standard input: " + b for b in self.told(self.run([*options, "-e", "info", "-"], stdin=f), want)]
            bad += ["pipe: " + b for b in self.told(self.run([*options, "-e", "info", "-"], stdin=self.read(path)), want)]
        self.tap.ok("%s: %d" % (name, want), bad)

    # ---- rows ------------------------------------------------------------------------------------

    def mistakes(self):
        """Command lines that are none: what is wrong is said."""
        for args, said in ((["--nosuch"], "unknown option '--nosuch'; try 'icecore --help'"), (["--no-indx"], "did you mean '--no-index'?"),
                           (["mcp", "--rot", "."], "did you mean '--root'?"), (["-Z"], "unknown option '-Z'"), (["-e"], "-e"), (["--clock"], "--clock"),
                           (["--clock", "none", "a"], "--clock"), (["-e", "calls | nosuch", "a"], "nosuch"), (["redact", "--modus", "a", "b"], "--mode")):
            p = subprocess.run([self.program] + args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, cwd=self.scratch)
            bad = [] if p.returncode == USAGE and said in p.stderr.decode() and not p.stdout else ["%d: %s" % (p.returncode, p.stderr.decode()[:300])]
            self.tap.ok("icecore " + " ".join(args), bad)

    def opening(self):
        # A folder is a list of files: a query, a page or the explorer shows it.
        for way in (["-e", "info"], ["-e", "records"], ["--report"], ["--text"], ["--keys", "frame.keys"]):
            self.row("a folder, " + " ".join(way), [*way, self.scratch], ANSWERED)
        for name in ("/dev/null", "/dev/zero"):
            self.file("a device, " + name, name, UNREADABLE, stdin=False)
        self.file("no such file", os.path.join(self.scratch, "none"), SYSTEM)
        self.file("below a file", os.path.join(self.put("plain", FOLDED), "x"), SYSTEM)
        loop = os.path.join(self.scratch, "loop")
        os.symlink(loop, loop)
        self.file("a link to itself", loop, SYSTEM)
        self.file("a whole file", self.put("whole.folded", FOLDED), ANSWERED)
        folder = os.open(self.scratch, os.O_RDONLY)
        self.row("a folder as standard input", ["-e", "info", "-"], UNREADABLE, stdin=folder)
        os.close(folder)

    def named(self):
        """A message names its file, even one whose name is how the message begins."""
        for name, args in (("un", ["-e", "info"]), ("unrecognised text", ["--text"]), ("n", ["redact", "--force"]), ("not an HPROF", ["redact", "--force"])):
            self.put(name, b"hello world, not a format\n")
            words = args + [name] + (["out.hprof"] if args[0] == "redact" else [])
            p = subprocess.run([self.program] + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, cwd=self.scratch)
            said = p.stderr.decode()
            good = p.returncode == UNREADABLE and said.startswith("icecore: %s: " % name) and said.count(name + ": ") == 1
            self.tap.ok("a file named '%s': %d" % (name, UNREADABLE), [] if good else ["%d: %s" % (p.returncode, said)])

    def closed(self):
        """A standard descriptor that is closed: no file takes its place."""
        for fd, closed, want in ((0, "<&-", ANSWERED), (1, ">&-", SYSTEM), (2, "2>&-", ANSWERED)):
            path = self.put("closed%d.folded" % fd, FOLDED)
            p = subprocess.run(["sh", "-c", 'exec "$@" ' + closed, "sh", self.program, "-e", "methods", path], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
            whole = self.read(path + ".icx").startswith(b"ICECORE\0")
            self.tap.ok("descriptor %d is closed: %d" % (fd, want), self.told(p, want) + ["its index is overwritten"] * (not whole))

    def permission(self):
        locked = self.put("locked", FOLDED)
        os.chmod(locked, 0)
        os.chmod(self.scratch, 0o711)
        # Root may read all: another user is asked to.
        more = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            p = self.run(["-e", "info", locked], **more)
        except (PermissionError, FileNotFoundError):
            print("# the program is where nobody may run it: 'no permission' is not tested")
            return
        self.tap.ok("no permission: 4", self.told(p, SYSTEM))

    def content(self):
        self.file("an empty file", self.put("empty", b""), UNREADABLE)
        self.file("nothing, compressed", self.put("empty.gz", gzip.compress(b"")), UNREADABLE)
        self.file("bytes of no format", self.put("bytes", bytes(range(256)) * 9), UNREADABLE)
        self.file("text of no format", self.put("text", b"hello, this is text\n" * 9), UNREADABLE)
        self.file("an archive with nothing to read", self.put("a.zip", zipped(("a.txt", b"text"))), UNREADABLE)
        self.file("an empty archive", self.put("none.zip", zipped()), UNREADABLE)
        for name, data, word in (("compact dex", b"cdex001\0" + bytes(200), b"compact dex"), ("odex", b"dey\n036\0" + bytes(200), b"odex"),
                                 ("slabs of Firefox", b"\xdc\xdfJSLB\1\0" + bytes(200), b".jslb"),
                                 ("packed slabs of Firefox", gzip.compress(b"\xdc\xdfJSLB\1\0" + bytes(200)), b".jslb"),
                                 ("flight recording", b"FLR\0\0\2\0\0" + bytes(200), b"Java Flight Recorder"),
                                 ("pprof", gzip.compress(b"\x0a\x04\x08\x01\x10\x02\x12\x07\x0a\x01\x01\x12\x02\x01\x01" * 20), b"pprof")):
            path = self.put("foreign", data)
            self.file("refused by name, " + name, path, UNREADABLE)
            err = self.run(["-e", "info", path]).stderr
            self.tap.ok("its name is printed, " + name, [] if word in err else [repr(err)])
        for asked in ("trace", "hprof", "folded", "json", "sched", "classes", "perf", "nanoscope", "ofx"):
            self.row("--as %s of another file" % asked, ["--as", asked, "-e", "info", self.put("text", b"hello, this is text\n" * 9)],
                     UNREADABLE)
        self.row("--as table of binary data", ["--as", "table", "-e", "info", self.put("binary", b"\0\1\2a" * 50)], UNREADABLE)

    def cut(self):
        """Rows of a damaged file are answered; one without a whole record is not readable."""
        head = self.left.index(0)
        bare = self.put("bare.trace", self.trace[:head].replace(b"num-method-calls=40\n", b"num-method-calls=0\n"))
        for name, n, want in (("in its header", head - 30, UNREADABLE), ("behind its header", head, UNREADABLE),
                              ("in its first record", head + 1, UNREADABLE), ("behind its first record", self.left.index(1), DAMAGED),
                              ("in its second record", self.left.index(1) + 1, DAMAGED)):
            path = self.put("cut.trace", self.trace[:n])
            self.file("a trace cut %s" % name, path, want)
            self.file("the same, compressed", self.put("cut.trace.gz", gzip.compress(self.trace[:n])), want)
        packed = gzip.compress(self.trace, 0)
        for name, n, want in (("before a whole record", head, UNREADABLE), ("behind some", self.left.index(9), DAMAGED)):
            self.file("gzip cut %s" % name, self.put("cut.gz", packed[:len(packed) - len(self.trace) - 8 + n]), want)
        self.row("a query about an empty trace", ["-e", "methods | where calls > 0", bare], NO_ROWS)
        self.file("a trace that announces no record and has none", bare, ANSWERED)
        self.file("a heap dump cut in its header", self.put("cut.hprof", self.heap[:25]), UNREADABLE)
        self.file("a heap dump that is its header", self.put("cut.hprof", self.heap[:31]), UNREADABLE)
        self.file("a heap dump cut in its first record", self.put("cut.hprof", self.heap[:31 + 12]), UNREADABLE)
        self.file("a heap dump cut in its middle", self.put("cut.hprof", self.heap[:len(self.heap) // 2]), DAMAGED)

    def every_cut(self):
        """At each length: what is whole is answered for, else refused, and never the one for the other."""
        bad, step = [], max(1, len(self.left) // 150)
        for n in sorted(set(range(1, len(self.left) - 1, step)) | {k + d for k in range(1, len(self.left) - 1) for d in (-1, 0, 1)
                                                                  if self.left[k - 1] < self.left[k] <= 3}):
            status = self.run(["-e", "info", self.put("cut.trace", self.trace[:n])]).returncode
            if status != (DAMAGED if self.left[n] > 0 else UNREADABLE):
                bad.append("%d bytes: %d, with %d records" % (n, status, self.left[n]))
        self.tap.ok("a trace of each length", bad)
        whole = self.put("whole.hprof", self.heap)
        objects = dict(heaporacle.cuts(whole))
        bad = []
        for n in range(1, len(self.heap), max(1, len(self.heap) // 150)):
            status = self.run(["-e", "info", self.put("cut.hprof", self.heap[:n])]).returncode
            if status not in ((DAMAGED, ANSWERED) if objects[n] > 0 else (UNREADABLE, DAMAGED) if objects[n] == 0 else (UNREADABLE,)):
                bad.append("%d bytes: %d, with %d objects" % (n, status, objects[n]))
        self.tap.ok("a heap dump of each length", bad)

    def beside(self):
        """An option names the second file: a wrong one is a wrong command line."""
        trace, text = self.put("whole.trace", self.trace), self.put("text", b"hello, this is text\n" * 9)
        for option in ("--mapping", "--threads", "--classes"):
            self.row("%s of another file" % option, [option, text, "-e", "info", trace], USAGE)
            self.row("%s of an empty file" % option, [option, self.put("empty", b""), "-e", "info", trace], USAGE)
            self.row("%s that is not there" % option, [option, text + "2", "-e", "info", trace], SYSTEM)
        for option in ("--mapping", "--threads"):
            self.row("%s of a folder" % option, [option, self.scratch, "-e", "info", trace], USAGE)
        mapping = gzip.compress(b"a.B -> x:\n    int f -> a\n" * 3000, 0)
        self.row("a mapping cut short", ["--mapping", self.put("m.gz", mapping[:2000]), "-e", "info", trace], DAMAGED)
        jar = zipped(("a.class", codemake.class_file(codemake.methods(1, 1))))
        self.row("damaged classes beside", ["--classes", self.put("c.jar", jar[:-30]), "-e", "info", trace], DAMAGED)
        self.row("a query that is wrong", ["-e", "nonsense", trace], USAGE)
        self.row("a query that is wrong, of a file that is none", ["-e", "nonsense", text], USAGE)
        self.row("a second file that is damaged", ["-e", "methods", trace, self.put("cut.trace", self.trace[:-5])], DAMAGED)

    def rows(self):
        """--fail-if-rows: 6 for a row of any query, 0 for none; what cannot be read is never 0."""
        some, none, wrong, unknown = (["-e", q] for q in ("bugs", "bugs | where kind = 'nothing'", "nonsense", "bytecode nosuch"))
        head, jar = ["--fail-if-rows"], os.path.join(HERE, "..", "..", "demo", "notes.jar")
        data = self.read(jar)
        empty = zipped(("a.class", codemake.class_file(codemake.methods(1, 1))))
        cut = self.put("cut.jar", empty[:-30])
        for name, args, want in (("a row", some + [jar], 6), ("no row", none + [jar], ANSWERED), ("a row, then none", some + none + [jar], 6),
                                 ("none, then a row", none + some + [jar], 6), ("none twice", none + none + [jar], ANSWERED),
                                 ("of the second file", ["--file", "2"] + some + [jar, jar], 6), ("no row, two files", none + [jar, jar], ANSWERED),
                                 ("a row of a damaged jar", some + [self.put("half.jar", data[:-30])], 6),
                                 ("no row of a damaged jar", none + [cut], DAMAGED), ("no jar", some + [self.put("no.jar", b"PK\3\4" + bytes(99))], UNREADABLE),
                                 ("no second jar", some + [jar, os.path.join(self.scratch, "no.jar")], UNREADABLE),
                                 ("no file", some + [os.path.join(self.scratch, "none")], SYSTEM), ("a wrong query", wrong + none + [jar], USAGE),
                                 ("a wrong query and a row", wrong + some + [jar], 6), ("an unknown name", unknown + [jar], NO_ROWS),
                                 ("without a query", [jar], USAGE), ("a preset", ["--preset", "jank", self.put("t.trace", self.trace)], USAGE)):
            p = self.run(head + args)
            self.tap.ok("rows fail, %s: %d" % (name, want), [] if p.returncode == want else ["%d: %r" % (p.returncode, p.stderr)])
        # The reader of a pipe goes away after one row: the rows count.
        p = subprocess.run(["bash", "-c", '"$@" | head -1 >/dev/null; exit ${PIPESTATUS[0]}', "bash", self.program, "--no-index", *head, "-e", "bytecode *", jar],
                           stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=300)
        self.tap.ok("rows fail, a pipe that is closed: 6", [] if p.returncode == 6 else ["%d: %r" % (p.returncode, p.stderr)])

    def repeat(self):
        """--repeat: N more runs after the answer; what a query of the whole table takes is more than what its first row takes."""
        trace = self.put("r.trace", self.trace)
        for name, args, want in (("without a query", [trace], USAGE), ("0 times", ["-e", "methods", trace], USAGE),
                                 ("of a query that writes", ["-e", "methods | export '%s/r.csv'" % self.scratch, trace], USAGE)):
            p = self.run(["--repeat", "0" if name == "0 times" else "3"] + args)
            self.tap.ok("repeat, %s: %d" % (name, want), [] if p.returncode == want and b"times" not in p.stderr else ["%d: %r" % (p.returncode, p.stderr)])
        one, answer = (self.run(more + ["-o", "csv", "-e", "methods", "-e", "methods | top 1 self", trace]) for more in (["--repeat", "7"], []))
        self.tap.ok("repeat: the answers are printed once", [] if one.stdout == answer.stdout and one.returncode == ANSWERED else [one.stdout, one.stderr])
        told = [re.fullmatch(r"icecore: (methods.*): 7 times, average (\S+ \S+), standard deviation (\S+ \S+), least (\S+ \S+), most (\S+ \S+), "
                             r"([\d.]+) queries per second", line) for line in one.stderr.decode().splitlines()]
        self.tap.ok("repeat: a line for each query", [] if len(told) == 2 and all(told) else [one.stderr])
        for t in filter(None, told):
            mean, sd, least, most = (float(text.split()[0]) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[text.split()[1]] for text in t.groups()[1:5])
            # They are rounded to three digits: times that hardly differ are the same then.
            fair = least <= mean * 1.01 and mean <= most * 1.01 and sd <= (most - least) * 0.6 + most * 0.01 and abs(float(t.group(6)) * mean - 1) < 0.02
            self.tap.ok("repeat: the numbers of %r agree" % t.group(1), [] if fair else [t.group()])

    def validate(self, logs):
        """Against the schema of OASIS; make check-sarif gets it."""
        schema = os.environ.get("SARIF_SCHEMA")
        try:
            import jsonschema
        except ImportError:
            jsonschema = None
        if not schema or jsonschema is None:
            self.tap.ok("sarif: valid by the schema # SKIP %s" % ("jsonschema is not installed" if schema else "SARIF_SCHEMA names no file"), [])
            return
        with open(schema, encoding="utf-8") as f:
            rules = json.load(f)
        validator = jsonschema.validators.validator_for(rules)(rules, format_checker=jsonschema.FormatChecker())
        broken = json.loads(json.dumps(logs[0]).replace('"ruleIndex": 0', '"ruleIndex": "0"', 1))
        self.tap.ok("sarif: valid by the schema", [str(e)[:300] for log in logs for e in validator.iter_errors(log)] +
                    ([] if any(validator.iter_errors(broken)) else ["the schema accepts all"]))

    def sarif_place(self, row, place):
        uri = place["artifactLocation"]["uri"]
        return re.fullmatch("([-\\w.~/!$+=@]|%[0-9A-F]{2})+", uri) and uri[0] != "/" and ("line" not in row or place["region"]["startLine"] == row["line"])

    def sarif(self):
        """-o sarif: one document whose results are the rows; its structure is that of SARIF 2.1.0; other rows are refused."""
        demo = os.path.join(HERE, "..", "..", "demo")
        notes, logs = os.path.join(demo, "notes.jar"), []
        with open(notes, "rb") as f:
            cut = self.put("cut.jar", f.read()[:-400])
        hostile = 'a"}]\\\x1b[31m</script>\u2028\u202e\ud800%s'
        data = codemake.class_file([(hostile, "()Landroid/database/Cursor;", False, [("query", 1), ("null", 1), ("return",)], [])])
        named = self.put("a b#?%41\u202e.class", data.replace(b"Random.java", b'/../"#?%\x1b\n\xff'))
        bug, finding = {"high": "error", "low": "warning", "none": "note"}, {"leak": "error", "warning": "warning", "note": "note"}
        for path, query, levels, status in ((notes, "bugs all", bug, 0), (os.path.join(demo, "demo.hprof.gz"), "findings", finding, 0),
                                            (os.path.join(demo, "hang.log.gz"), "findings", finding, 0), (notes, "bugs | where id = 0", {}, 0),
                                            (cut, "bugs", bug, DAMAGED), (named, "bugs", bug, 0)):
            rows = [json.loads(line) for line in self.run(["-o", "json", "-e", query, path]).stdout.splitlines()]
            p = self.run(["-o", "sarif", "-e", query, path])
            log = json.loads(p.stdout)
            logs.append(log)
            run, = log["runs"]
            rules, bad = run["tool"]["driver"]["rules"], []
            if (log["version"] != "2.1.0" or len(run["results"]) != len(rows) or run["invocations"] != [{"executionSuccessful": status == 0}] or
                    p.returncode != (status or int(not rows)) or (levels and not rows) or re.search(b"[\0-\x09\x0b-\x1f\x7f]|\xe2\x80\xae", p.stdout)):
                bad.append("head %s" % [log["version"], len(run["results"]), len(rows), run["invocations"], p.returncode])
            for row, result in zip(rows, run["results"]):
                place = result["locations"][0]
                name = place["logicalLocations"][0]["fullyQualifiedName"] if "logicalLocations" in place else ""
                signed = {"icecoreSignature/" + row["rule"]: row["hash"]} if "hash" in row else None
                if (result["properties"] != row or result["message"]["text"] != row.get("why", row.get("what")) or result["level"] != levels[row["severity"]]
                        or result["ruleId"] != row["kind"] or rules[result["ruleIndex"]]["id"] != row["kind"] or name != row.get("doing", row.get("method", row.get("class", "")))
                        or not rules[result["ruleIndex"]]["help"]["text"] or not self.sarif_place(row, place["physicalLocation"])
                        or result.get("partialFingerprints") != signed):
                    bad.append("%s is not %s" % (result, row))
            self.tap.ok("sarif, %s of %s: %d results" % (query, os.path.basename(path).encode("ascii", "replace").decode(), len(rows)), bad)
        self.row("two documents of sarif", ["-o", "sarif", "-e", "bugs", "-e", "bugs", notes], USAGE)
        self.row("sarif of other rows", ["-o", "sarif", "-e", "classes", notes], USAGE)
        heap = os.path.join(demo, "demo.hprof.gz")
        unruled, ruled = (json.loads(self.run(["-o", "sarif", "-e", "findings | select kind severity why hash" + more, heap]).stdout) for more in ("", " rule"))
        keys = [{k for r in log["runs"][0]["results"] for k in r.get("partialFingerprints", {})} for log in (unruled, ruled)]
        self.tap.ok("sarif: no fingerprint without its rule", [] if keys == [set(), {"icecoreSignature/v2"}] else [keys])
        self.validate(logs + [ruled])

    def kept(self):
        """An index kept of a file says the same, and is nothing for what took the place of the file."""
        index, bad = os.path.join(self.scratch, "index"), []
        os.mkdir(index)
        path = os.path.join(self.scratch, "kept.trace")
        for data, want in ((self.trace[:self.left.index(9) + 1], DAMAGED), (self.trace[:self.left.index(0) + 1], UNREADABLE),
                           (self.trace, ANSWERED), (b"hello, this is text\n" * 9, UNREADABLE)):
            self.put("kept.trace", data)
            for again in range(2):
                p = subprocess.run([self.program, "--index", index, "-e", "info", path], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
                bad += ["%d bytes, run %d: %s" % (len(data), again, b) for b in self.told(p, want)]
        self.tap.ok("a kept index: the same status again", bad)


def main(argv):
    check = Check(*argv[1:])
    for rows in (check.mistakes, check.opening, check.named, check.closed, check.permission, check.content, check.cut, check.every_cut, check.beside, check.rows, check.repeat,
                 check.sarif, check.kept):
        rows()
    check.tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
