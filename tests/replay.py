#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""replay.py SOURCES [TREE] - makes the changes that HACKING.md describes in a clone, as TAP: how many files and tests does each need?

The clone has the last commit of SOURCES.  It is made and built in a scratch folder, or in TREE, which stays; a TREE that is there is
used again.  ONLY="key column" makes only these changes; STEPS=no leaves out the second half.

A change fails if it needs more files or tests than its limits, or if a test that it selects fails.  Seconds are only printed.  Then each
file that is edited outside src/ and include/ is taken back alone, and all that a command renewed: a selected test must fail.  A step that
no test misses is named; it fails if HACKING.md does not mark it (*).
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

LICENCE = "/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */\n"

# ---- the changes: (file, the text after which something is inserted, or None for a new file, what is inserted)

COLUMN = [
    ("src/query/trace/q_trace.c", "\tpart_of_cpu(s, id, cpu_cell, c);\n}\n", """
/* Set the share of its wall time that a thread was off the CPU. */
static void
off_part_cell(struct item_rows *s, uint64_t id, struct cell *c)
{
	struct cell off, wall;

	q_trace_off_cell(s, id, &off);
	cell_ticks(&wall, store_cell(s->st, COL_THREAD_WALL, id), TRACE(s)->tick);
	c->type = CELL_NONE;
	if (off.type != CELL_NONE)
		cell_part(c, off.u, wall.u);
}
"""),
    ("src/query/trace/q_trace.c", '"share of the CPU time of all threads", COMPUTED(cpu_part_cell), TIMED },\n',
     '\t{ "off_pct", CELL_PERCENT, "share of its wall time that the thread was off the CPU",\n\t    COMPUTED(off_part_cell), TIMED },\n'),
    ("man/icecore-query.7", "of all threads' CPU time\n", ".It Cm off_pct\noff-CPU share of its wall time\n"),
    ("tests/oracle/promisescheck.py", '    ("threads", "off_cpu", off_cpu),\n',
     '    ("threads", "off_pct", lambda r, c, at, f: [share(n(r, "off_cpu"), n(r, "wall"))] if r["off_cpu"] else None),\n'),
]

KEY = [
    ("include/icecore/ui.h", "VERB_HALF_UP, VERB_HALF_DOWN, VERB_TOP, VERB_BOTTOM, VERB_ENTER, VERB_BACK,\n", "\tVERB_MIDDLE,\n"),
    ("src/tables.c", '\tROW("Space", IN_THREADS, VERB_MARK, "mark", "mark or unmark the thread or pool") \\\n',
     '\tROW("m", IN_THREADS, VERB_MIDDLE, "middle", "go to the middle row") \\\n'),
    ("src/ui/term/keys.c", "\t\t*sel = last;\n\t\treturn true;\n", "\tcase VERB_MIDDLE:\n\t\t*sel = last / 2;\n\t\treturn true;\n"),
    ("man/icecore.1", "Threads: mark the thread or pool; again: unmark.\n", ".It Ic m\nThreads: the middle row.\n"),
]

FORMAT = [
    ("src/load/profile/ticks.c", None, LICENCE + r"""/*
 * Loader for ticks: "tick NAME NAME NAME" is a sample with these frames, root first.
 */
#include "config.h"

#include "icecore/facts.h"
#include "icecore/lines.h"
#include "icecore/load.h"
#include "profile.h"

static bool
ticks_sniff(const uint8_t *head, size_t n)
{
	struct lines l = lines_of((struct str){ (const char *)head, n });
	struct str line;

	return lines_next(&l, &line) && str_take(&line, STR("tick "));
}

/* The stack of names with blanks between; 0: there are none. */
static uint32_t
ticks_stack(struct into *to, struct str names)
{
	uint32_t stack = 0;
	struct str name;

	while (!to->bad && str_split(&names, ' ', &name))
		if (name.n > 0)
			stack = into_stack(to, stack, into_frame(to, name));
	return stack;
}

static bool
ticks_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct lines l = lines_of((struct str){ (const char *)m->data, m->size });
	struct samples s;
	struct into to = { .samples = &s, .work = w, .err = err };
	struct sample one = { .weight = 1, .time = SAMPLE_NO_TIME };
	uint64_t ignored = 0;
	struct str line;

	samples_open(&s, st, w);
	work_start_bytes(w, "ticks", m->size);
	one.thread = INTO_ID(&to, samples_thread(&s, 0, 0, STR(""), err));
	one.event = into_event(&to, STR("samples"), WEIGHT_COUNT, "samples");
	while (into_go(&to, lines_at(&l)) && lines_next(&l, &line)) {
		one.offset = (uint64_t)(line.s - l.begin);
		one.stack = str_take(&line, STR("tick ")) ? ticks_stack(&to, line) : 0;
		ignored += one.stack == 0;
		if (one.stack != 0)
			into_sample(&to, &one);
	}
	INTO(&to, s.nsamples > 0 || fail(err, E_UNREADABLE, "not ticks: no line is \"tick NAME\""));
	INTO(&to, make_facts(st, (struct make_fact[]){ { FACT_FORMAT, .text = STR("ticks") },
	    { FACT_REPAIR_IGNORED_LINES, ignored } }, 2, err) && samples_columns(&s, err));
	samples_close(&s);
	return !to.bad;
}

const struct loader load_ticks = {
	"ticks", "ticks: the names of a stack a line", SHAPE_SAMPLES, ticks_sniff, ticks_load
};
"""),
    ("src/load/profile/room.am", "\t%D%/stackprof.c \\\n", "\t%D%/ticks.c \\\n"),
    ("src/tables.c", "\tROW(load_callgrind) ROW(load_tracers) \\\n", "\tROW(load_ticks) \\\n"),
    ("man/icecore-formats.5", ".Fl -as Cm folded .\n",
     ".Ss Ticks\nA line is one sample: tick, then its frames, outermost first:\n.Dl tick main loop read\n"),
    ("tests/fuzz/corpus/folded/ticks", None, "tick main run parse\ntick main run parse read\ntick main run draw\ntick main idle\n"),
    ("tests/oracle/unreadcheck.py", '    "tracers": lambda: stray("tracers/dtrace"),', ' "ticks": lambda: stray("folded/ticks"),'),
    ("tests/query/ticks.q", None, "# A sample a line.\n# file: tests/fuzz/corpus/folded/ticks\ninfo\nmethods | select name, self, total\n"),
]

GOLDENS, SCREENS = ("RENEW=1", "tests/query.test"), ("UPDATE=1", "tests/screen.test")
STARRED = {"man/icecore-formats.5"}     # steps that HACKING.md marks (*): no test has to miss them
CHANGES = [     # word, name, most files, most tests, edits, what HACKING.md says to renew
    ("column", "a column", 5, 40, COLUMN, [GOLDENS, SCREENS]),
    ("key", "a key", 4, 40, KEY, [SCREENS]),
    ("format", "a line format", 9, None, FORMAT, [GOLDENS]),
]


# ---- running programs


def run(folder, *words, **variables):
    """(status, what it printed) of a program in a folder."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("MAKE") and k != "MFLAGS"}
    p = subprocess.run(words, cwd=folder, env=dict(kept, **variables), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, check=False)
    return p.returncode, p.stdout.decode("utf-8", "replace")


class Failed(Exception):
    """A command that has to succeed did not."""


def must(folder, *words, **variables):
    status, said = run(folder, *words, **variables)
    if status != 0:
        raise Failed("%s: status %d\n%s" % (" ".join(words), status, said[-3000:]))
    return said


def failing(said):
    """The tests that failed, by what make printed."""
    return sorted(set(re.findall(r"(?m)^(?:FAIL|ERROR): (tests/\S+)", said)))


class Tree:
    """A clone with a build."""

    def __init__(self, path, sources):
        self.path, self.jobs = path, str(os.cpu_count() or 1)
        if not os.path.exists(os.path.join(path, ".git")):
            must(sources, "git", "clone", "-q", sources, path)
        must(path, "git", "fetch", "-q", sources, "HEAD")
        self.clean("FETCH_HEAD")
        must(path, "./bootstrap", "build")
        self.make("check", "TESTS=")

    def git(self, *words):
        return must(self.path, "git", *words)

    def make(self, *words):
        return must(self.path, "make", "-s", "-C", "build", "-j", self.jobs, *words)

    def clean(self, commit="HEAD"):
        """No changes.  Files that git ignores stay, those of the build among them."""
        self.git("reset", "-q", "--hard", commit)
        self.git("clean", "-qfd")

    def apply(self, edits):
        for path, after, text in edits:
            full = os.path.join(self.path, path)
            if after is not None:
                with open(full, encoding="utf-8") as f:
                    old = f.read()
                if old.count(after) != 1:
                    raise Failed("%s: a change of the script has its place %d times: %r" % (path, old.count(after), after))
                text = old.replace(after, after + text)
            with open(full, "w", encoding="utf-8") as f:
                f.write(text)

    def renew(self, assignment, script):
        """What changed.  The test fails where answers were not kept yet; check-changed says what is still wrong."""
        before, (name, value) = self.contents(), assignment.split("=")
        run(os.path.join(self.path, "build"), "sh", "../" + script, **{name: value, "srcdir": ".."})
        return [path for path, content in self.contents().items() if before.get(path) != content]

    def contents(self):
        """The files that differ from the commit."""
        return {path: self.read(path) for path in self.changed()}

    def read(self, path):
        with open(os.path.join(self.path, path), "rb") as f:
            return f.read()

    def changed(self):
        return [line[3:] for line in self.git("status", "--porcelain", "--untracked-files=all").splitlines()]

    def selected(self):
        return must(self.path, sys.executable, "-B", "tests/changed.py", "--list", ".", "HEAD").split()

    def texts(self):
        """The tests of documents and lists, which are quick."""
        with open(os.path.join(self.path, "Makefile.am"), encoding="utf-8") as f:
            return re.search(r"(?m)^text_scripts = ((?:.*\\\n)*.*)", f.read()).group(1).replace("\\", "").split()

    def reading(self, path):
        """The tests that are selected if only this file changes."""
        code = "import sys; sys.path.insert(0, 'tests'); import changed; print(*changed.select('.', {sys.argv[1]: None}))"
        return must(self.path, sys.executable, "-B", "-c", code, path).split()

    def fails(self, tests):
        """Which of the tests fail; the build, if it does."""
        if not tests:
            return []
        status, said = run(self.path, "make", "-s", "-k", "-C", "build", "-j", self.jobs, "test", "TESTS=" + " ".join(tests))
        return failing(said) or ["the build"] * (status != 0)

    def missed_by(self, paths, tests):
        """Which of the tests fail if these files are as they were: first those of texts, then those that read the files, then all texts."""
        kept = {path: self.read(path) for path in paths}
        for path in paths:
            if run(self.path, "git", "cat-file", "-e", "HEAD:" + path)[0] == 0:
                self.git("checkout", "-q", "HEAD", "--", path)
            else:
                os.remove(os.path.join(self.path, path))
        texts, near = set(self.texts()), {test for path in paths for test in self.reading(path)}
        steps = [texts & near & set(tests), (near - texts) & set(tests), (texts - near) & set(tests)]
        found = next(filter(None, (self.fails(sorted(step)) for step in steps)), [])
        for path, content in kept.items():
            with open(os.path.join(self.path, path), "wb") as f:
                f.write(content)
        return found


# ---- TAP


class Tap:
    passed = failed = 0

    def check(self, name, wrong):
        """wrong: lines that say what is wrong."""
        good = not wrong
        self.passed += good
        self.failed += not good
        verdict = "%s %d - %s" % ("ok" if good else "not ok", self.passed + self.failed, name)
        print(verdict, *("# " + line for line in wrong), sep="\n", flush=True)


def replay(tree, tap, change):
    _, name, files_most, tests_most, edits, renewed = change
    tree.clean()
    tree.apply(edits)
    tree.make("all")
    steps = {path: [path] for path, _, _ in edits if not path.startswith(("src/", "include/"))}
    for command in renewed:
        steps[" ".join(command)] = [path for path in tree.renew(*command) if path not in steps]
    files, tests = tree.changed(), tree.selected()
    print("# %s: %s\n# %s" % (name, " ".join(files), " ".join(tests)), flush=True)
    begun = time.monotonic()
    status, said = run(tree.path, "make", "-s", "-C", "build", "check-changed")
    wrong = ["failed: " + test for test in failing(said)] or said.splitlines()[-20:] * (status != 0)
    if len(files) > files_most:
        wrong.append("%d files, at most %d: %s" % (len(files), files_most, " ".join(files)))
    if tests_most is not None and len(tests) > tests_most:
        wrong.append("%d tests, at most %d" % (len(tests), tests_most))
    tap.check("%s: %d files, %d tests, %d s" % (name, len(files), len(tests), time.monotonic() - begun), wrong)
    for step, paths in steps.items():
        if paths and os.environ.get("STEPS") != "no":
            missed = tree.missed_by(paths, tests)
            wrong = [] if missed or step in STARRED else ["no test misses it"]
            tap.check("%s without %s: %s" % (name, step, " ".join(missed) or "nothing fails"), wrong)


def main(sources, tree=None):
    scratch = None if tree else tempfile.mkdtemp(prefix="replay.")
    tap, only = Tap(), os.environ.get("ONLY", "").split()
    try:
        clone = Tree(os.path.abspath(tree or os.path.join(scratch, "tree")), os.path.abspath(sources))
        for change in CHANGES:
            if not only or change[0] in only:
                try:
                    replay(clone, tap, change)
                except Failed as e:
                    tap.check(change[1], str(e).splitlines())
        clone.clean()
    except Failed as e:
        tap.check("a clone that builds", str(e).splitlines())
    finally:
        if scratch:
            shutil.rmtree(scratch, ignore_errors=True)
    print("1..%d\n%d passed, %d failed" % (tap.passed + tap.failed, tap.passed, tap.failed))
    return tap.failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
