#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""leaks.py BUILD SCRATCH - what icecore finds in heap dumps of Android applications, as TAP.

The dumps of tests/mk/heapleaks.py: each planted leak is reported once, with the references to blame; without a leak
nothing is reported.  corpus.py calls check_corpus: one program, dumped by several machines, has the same leaks with the
same signatures in each of its dumps.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import codemake  # noqa: E402
import heapcursors  # noqa: E402
import heapresources  # noqa: E402
import mkheap  # noqa: E402
from check import Tap, attempt  # noqa: E402

FIND = "findings | select kind, count, class, signature"
LEAKY = "static com.example.Leaky."

# Kind, class, leaking objects that the row stands for, signature behind "static com.example.Leaky.", or all of it.
WANTED = {
    "leaks": (
        ("activity", "com.example.DetailActivity", 2, "sActivity > com.example.DetailActivity"),
        ("dialog", "com.example.WarningDialog", 4, "sDialog > com.example.WarningDialog"),
        ("view", "android.widget.EditText", 3,
         "static android.view.inputmethod.InputMethodManager.sInstance > android.view.inputmethod.InputMethodManager."
         "mNextServedView > android.widget.EditText"),
        ("context", "android.view.ContextThemeWrapper", 3, "sThemed > android.view.ContextThemeWrapper"),
        ("context", "android.app.ContextImpl", 2, "sAnalytics > com.example.Analytics.mContext > android.app.ContextImpl"),
        ("fragment", "com.example.PageFragment", 2, "sFragments > java.util.ArrayList.elementData[] > com.example.PageFragment"),
        ("fragment", "com.example.OldFragment", 1, "sFragments > java.util.ArrayList.elementData[] > com.example.OldFragment"),
        ("view", "com.example.BadgeView", 1, "sAnimator > android.animation.ObjectAnimator.mTarget > com.example.BadgeView"),
        ("static view", "com.example.LikeButton", 1, "sLastClicked > com.example.LikeButton"),
        ("root view", "android.view.ViewRootImpl", 1, "sRoot > android.view.ViewRootImpl"),
        ("context", "android.app.ApplicationPackageManager", 1, "sPackages > android.app.ApplicationPackageManager"),
        ("service", "com.example.SyncService", 1, "sService > com.example.SyncService"),
        ("ended object", "android.widget.Editor", 2, "sEditor > android.widget.Editor"),
        ("dialog", "com.android.internal.policy.PhoneWindow", 1, "sWindow > com.android.internal.policy.PhoneWindow"),
        ("ended object", "android.os.MessageQueue", 1,
         "sWorker > android.os.HandlerThread.mLooper > android.os.Looper.mQueue > android.os.MessageQueue"),
        ("ended object", "com.example.FeedModel", 1, "sModel > com.example.FeedModel"),
        ("ended object", "androidx.compose.runtime.CompositionImpl", 1, "sCompose[] > androidx.compose.runtime.CompositionImpl"),
        ("ended object", "androidx.compose.runtime.Recomposer", 1, "sCompose[] > androidx.compose.runtime.Recomposer"),
        ("ended object", "mortar.MortarScope", 1, "sCompose[] > mortar.MortarScope"),
        ("watched object", "com.example.Presenter", 1, "sPresenter > com.example.Presenter"),
        ("cursor", "android.database.sqlite.SQLiteCursor", 1, "sCursor > android.database.sqlite.SQLiteCursor"),
        ("cursor", "android.database.CursorWindow", 1, "sCursorWindow > android.database.CursorWindow"),
    ),
    "leaks19": (
        ("activity", "com.example.DetailActivity", 2, "sActivity > com.example.DetailActivity"),
        ("fragment", "com.example.PageFragment", 1, "sFragment > com.example.PageFragment"),
        ("view", "com.example.BadgeView", 1, "sAnimator > android.animation.ObjectAnimator.mTarget > com.example.BadgeView"),
        ("dialog", "android.widget.Toast", 1, "sToast > android.widget.Toast"),
        ("ended object", "android.os.MessageQueue", 1,
         "sWorker > android.os.HandlerThread.mLooper > android.os.Looper.mQueue > android.os.MessageQueue"),
        ("service", "com.example.SyncService", 1, "sService > com.example.SyncService"),
        ("context", "android.app.ApplicationContextManager", 1, "sPackages > android.app.ApplicationContextManager"),
        ("watched object", "com.example.Presenter", 1, "sPresenter > com.example.Presenter"),
    ),
    "noleaks": (),
    "leaks_bad": (),
}

# Dumps of one program.
SAME = ("ice17_g1", "ice17_gz_hotspot", "ice17_nocoops", "ice17_sa_jhsdb", "ice25_compact", "ice25_zgc")


def found(program, path):
    answer = program.ask(path, FIND, options=["--no-index"])
    if answer.code not in (0, 1):
        raise ValueError("status %d: %s" % (answer.code, answer.err.strip()))
    rows = answer.tables()[0].rows if answer.out else []
    return sorted((r["kind"], r["class"], int(r["count"]), r["signature"]) for r in rows)


def wanted(name):
    return sorted((kind, cls, count, text if text.startswith("static ") else LEAKY + text)
                  for kind, cls, count, text in WANTED[name])


def compare(got, want):
    return ["not found: %s" % (r,) for r in want if r not in got] + ["not to be found: %s" % (r,) for r in got if r not in want]


def check_made(tap, program, scratch):
    for name in WANTED:
        path = os.path.join(scratch, name + ".hprof")
        mkheap.write(path, mkheap.make(name))
        attempt(tap, "%s: findings and their signatures" % name, lambda: compare(found(program, path), wanted(name)))
    path = os.path.join(scratch, "cursors.hprof")
    mkheap.write(path, mkheap.make("cursors"))
    attempt(tap, "cursors: open ones that nobody is left to close, and who holds them", check_cursors, program, path)
    resources = os.path.join(scratch, "resources.hprof")
    mkheap.write(resources, mkheap.make("resources"))
    attempt(tap, "resources: those that are not released, and why nobody will", check_resources, program, resources)
    attempt(tap, "cursors: which bugs may have made them", check_makers, program, path, scratch)


def check_cursors(program, path):
    """Those that nobody is left to close, with their holders; the findings of the Activity of the dump apart."""
    query = "findings cursor | select mQuery.mSql count holder why"
    got = [tuple(line.split("\t")) for line in program.run(["--no-index", "-o", "tsv", "-e", query, path]).out.split("\n")[1:] if line]
    got = [(sql.rstrip("0123456789") if sql.startswith("many-") else sql, int(n), holder, why) for sql, n, holder, why in got]
    want = sorted((sql, n, holder, "%d open%s" % (n, why)) for sql, n, holder, why in heapcursors.TOLD)
    return compare(sorted((s, n, h, w.rpartition(";")[0]) for s, n, h, w in got), want)


def check_resources(program, path):
    """Those that nobody is left to release, and many that the program holds in one way."""
    query = "findings resource | select class count why severity"
    got = [tuple(line.split("\t")) for line in program.run(["--no-index", "-o", "tsv", "-e", query, path]).out.split("\n")[1:] if line]
    got = sorted((name, int(n), why.rpartition(";")[0], severity) for name, n, why, severity in got)
    bad = compare(got, [(name, n, "%d %s not released%s" % (n, name, why), severity) for name, n, why, severity in heapresources.expected(heapresources.MADE)])
    code = path + ".class"
    bodies = [("made", [("new", 1, "java/io/FileInputStream", "java/lang/String"), ("return",)]), ("other", [("new", 1, "java/util/Scanner", "java/io/File"), ("return",)])]
    with open(code, "wb") as f:
        f.write(codemake.class_file([(name, "()Landroid/database/Cursor;", False, body, []) for name, body in bodies]))
    a = program.run(["--no-index", "-o", "tsv", "--classes", code, "-e", "findings resource | bugs | select method", path])
    return bad + ([] if a.out.split("\n")[1:-1] == ["demo.Random.made"] else ["bugs: " + a.out + a.err])


def check_makers(program, path, scratch):
    """Which bugs may have made objects of a class: a call gives anything below the type of its result, a new its class alone."""
    jar = os.path.join(scratch, "random.jar")
    codemake.main("jar", 3, jar, 40)

    def ask(query):
        return program.run(["--no-index", "-o", "tsv", "--classes", jar, "-e", query, path]).out.split("\n")[1:-1]
    cursor, wrapper = "android.database.Cursor", "android.database.CursorWrapper"
    bugs = [row.split("\t") for row in ask("bugs all | select id type")]
    bad = ["bugs of %s: none" % t for t in (cursor, wrapper) if t not in [b[1] for b in bugs]]
    for query, types in (("findings cursor", [cursor]), ("findings activity", []), ("objects %s" % wrapper, [cursor, wrapper]),
                         ("objects com.example.Sorted", [cursor]), ("objects com.example.FieldCursor", [cursor]),
                         ("objects com.example.Many", []), ("objects android.database.CursorWindow", []),
                         ("histogram | where name = %s" % wrapper, [cursor, wrapper])):
        got, want = ask(query + " | bugs all | select id"), [b[0] for b in bugs if b[1] in types]
        bad += [] if got == want else ["%s: %s, not %s" % (query, got, want)]
    return bad


def check_corpus(tap, program, dumps):
    """dumps: (name, path) of the sound ones."""
    first = None
    for name, path in dumps:
        if name not in SAME:
            continue
        rows = found(program, path)
        if first is None:
            first = rows
            tap.ok("heap/%s: there are leaks" % name, [] if rows else ["none"])
        else:
            tap.ok("heap/%s: the same leaks, with the same signatures" % name, compare(rows, first))


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    check_made(tap, answers.Program(os.path.join(build, "icecore")), scratch)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
