#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""cases.py BUILD SCRATCH - leaks as people reported them in public: what icecore finds, as TAP.

The dumps of tests/mk/heapcases.py, each with one leak or none: one finding, of the kind and class that the people came to,
and the references to blame are those between the last object that has to be alive and the first that has not.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "mk"))

import answers  # noqa: E402
import mkheap  # noqa: E402
from check import Tap, attempt  # noqa: E402

FIND = "findings | select kind, class, why"
TRACE = "findings | leaktrace | select line, field, class, suspect"
ACTIVITY = ("activity", "com.example.LastActivity")

# Kind and class of the finding, which is about the first leaking object of its path, then the references to blame:
# holder's class (without package).field, root first.
WANTED = {
    "case_message": ACTIVITY + ("MessageQueue.mMessages", "Message.next", "Message.callback",
                                "LastActivity$$ExternalSyntheticLambda23.f$0"),
    "case_fragment": ("fragment", "com.example.HomeFragment", "MessageQueue.mMessages", "Message.next", "Message.callback",
                      "HomeFragment$$ExternalSyntheticLambda3.f$0"),
    "case_idle": ACTIVITY + ("ActivityThread.mNewActivities", "ActivityThread$ActivityClientRecord.nextIdle",
                             "ActivityThread$ActivityClientRecord.activity"),
    "case_binder": ("service", "com.example.SyncService", "SyncService$LocalBinder.this$0"),
    "case_rx": ACTIVITY + ("Thread.<Java Local>", "OperatorObserveOn$ObserveOnSubscriber.child", "OperatorMap$MapSubscriber.actual",
                           "SafeSubscriber.actual", "ActionSubscriber.onError", "LastActivity$4.this$0"),
    "case_toast": ("view", "android.widget.LinearLayout", "Toast$TN.mNextView"),
    "case_animator": ("view", "com.example.SecondsView",
        "Thread.threadLocals", "ThreadLocal$ThreadLocalMap.table", "ThreadLocal$ThreadLocalMap$Entry[].[2]",
        "ThreadLocal$ThreadLocalMap$Entry.value", "AnimationHandler.mAnimationCallbacks", "ArrayList.[0]",
        "ValueAnimator.mListeners", "ArrayList.[0]", "SecondsView$1.this$0"),
    "case_network": ACTIVITY + ("ConnectivityManager.static sInstance", "ConnectivityManager.mContext"),
    "case_location": ("context", "android.app.ContextImpl", "LocationManager$ListenerTransport.this$0", "LocationManager.mContext"),
    "case_binding": ("watched object", "androidx.constraintlayout.widget.ConstraintLayout",
                     "GardenFragment.binding", "GardenBinding.rootView"),
    "case_view_model": ACTIVITY + ("FeedModel.context",),
    "case_dialog": ACTIVITY + ("Thread.<Java Local>", "Message.obj", "LastActivity$2.this$0"),
    "case_callbacks": ACTIVITY + ("App.mActivityLifecycleCallbacks", "ArrayList.[0]", "a$a.a", "a$b.a",
                                  "LinkedList.[]", "ActivityManager$ActivityStatus.activity"),
    "case_web_view": ("view", "android.webkit.WebView", "Leaky.static sWebViews", "WebPool.mFree", "ArrayList.[0]"),
    "case_async_task": ("view", "android.widget.EditText",
        "Thread.<Java Local>", "AsyncTask$SerialExecutor$1.this$0", "AsyncTask$SerialExecutor.mTasks", "ArrayDeque.[2]",
        "AsyncTask$SerialExecutor$1.val$r", "TextView$3.this$0"),
    "case_text_line": ("fragment", "com.example.TermsFragment", "TextLine.static sCached", "TextLine[].[2]", "TextLine.mText",
                       "SpannableStringBuilder.mSpans", "Object[].[1]", "TermsFragment$link$1.this$0"),
    "case_span": ACTIVITY + ("Leaky.static sBuilder", "SpannableStringBuilder.mSpans", "Object[].[1]", "SpanUtils$SpaceSpan.this$0",
                             "SpanUtils.mContext"),
    "case_connection": ACTIVITY + ("App.mLoadedApk", "LoadedApk.mServices", "ArrayMap.[0]"),
    "case_root_view": ("root view", "android.view.ViewRootImpl", "MessageQueue.mMessages", "Message.next", "Message.target",
                       "ViewRootImpl$ViewRootHandler.this$0"),
    "case_both": ACTIVITY + ("Bus.static listeners", "ArrayList.[0]", "LastActivity$5.this$0"),
    "case_soft": (),
    "case_collected": ("unreachable object", "com.example.Presenter"),
    "case_collected_soft": ("unreachable object", "com.example.LastActivity"),
    "case_calm": (),
}

# Other parts of the reason of the finding: what else leaks with it, and what LeakCanary watched.
SAID = {
    "case_fragment": "; 4 leaking objects in all, with it: android.widget.LinearLayout, com.example.LastActivity",
    "case_location": "; 3 leaking objects in all, with it: com.example.LastActivity",
    "case_collected": "2 watched by LeakCanary without a strong reference: a later collection frees them; key \"first-key\"",
    "case_collected_soft": "1 watched by LeakCanary without a strong reference: a later collection frees it",
}


def rows_of(program, path, query):
    answer = program.ask(path, query, options=["--no-index"])
    if answer.code not in (0, 1):
        raise ValueError("status %d: %s" % (answer.code, answer.err.strip()))
    return answer.tables()[0].rows if answer.out else []


def blamed(rows):
    out, holder = [], ""
    for r in rows:
        if r["line"] == "hop":
            name = r["class"].removeprefix("class ")
            array = name.endswith("[]")
            holder = name.removesuffix("[]").rpartition(".")[2] + ("[]" if array else "")
        elif r["line"] == "reference" and r["suspect"] == "true":
            out.append("%s.%s" % (holder, r["field"].partition(" java.")[0]))
    return out


def check_case(program, path, want):
    rows = rows_of(program, path, FIND)
    found = [(r["kind"], r["class"]) for r in rows]
    wanted = [want[:2]] if want else []
    bad = [] if found == wanted else ["wanted %s, found %s" % (wanted, found)]
    said = SAID.get(os.path.basename(path).removesuffix(".hprof"), "")
    bad += ["not %r in %r" % (said, r["why"]) for r in rows if said not in r["why"]]
    if not found:
        return bad
    got = blamed(rows_of(program, path, TRACE))
    return bad + ([] if got == list(want[2:]) else ["to blame: %s" % ", ".join(want[2:]), "found:    %s" % ", ".join(got)])


def main(argv):
    build, scratch = argv[1:]
    tap = Tap()
    program = answers.Program(os.path.join(build, "icecore"))
    for name, want in WANTED.items():
        path = os.path.join(scratch, name + ".hprof")
        mkheap.write(path, mkheap.make(name))
        attempt(tap, "%s: leaking objects, and what keeps them" % name, lambda: check_case(program, path, want))
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
