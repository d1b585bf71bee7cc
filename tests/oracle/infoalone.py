#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""infoalone.py ICECORE FILE: a fact asked for alone is that of the whole list, and no pass ran that it does not need."""
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hurt"))
import icx  # noqa: E402

icecore, dump = sys.argv[1:3]
PASSES = {"soft.vm.parent", "soft.vm.direct.object", "object.offset"}     # a column of each pass that a fact may need
LATE = {name: {"object.offset", "soft.vm.parent"} for name in
        ("live_objects", "live_bytes", "unreachable_objects", "unreachable_bytes")}
LATE.update({name: PASSES for name in ("direct_bytes", "zlib_bytes", "registered_bytes", "mapped_bytes", "finalizable_bytes", "percent_of")})
LATE.update({name: {"object.offset", "reach.none", "filler.bytes"} for name in ("filler_objects", "filler_bytes")})
LATE.update({name: {"object.offset", "machine.said"} for name in (
    "jvm", "command", "jvm_options", "os", "collectors", "direct_limit", "device")})
LATE.update({name: {"object.offset"} for name in ("missing", "repair.field_lengths", "stackless_threads")})
CALLS = {"call.method"}
LATE_CALLS = {name: CALLS for name in (
    "threads methods stacks enters exits unrolls max_depth last_wall last_cpu elapsed sampled sample_interval repair.synthetic "
    "repair.forced repair.ignored repair.open repair.action3 repair.wraps repair.backwards repair.unknown_methods "
    "repair.unknown_method_records repair.unknown_thread_records").split()}
OWN = ("index path", "sandbox")     # of the run, not of the file
failed = 0


def ask(query, folder):
    run = subprocess.run([icecore, "--index", folder, "--no-history", "-o", "json", "-e", query, dump],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    if run.returncode not in (0, 1, 3):
        raise ValueError("%s: exit %d: %s" % (query, run.returncode, run.stderr.decode(errors="replace")))
    made = {name for f in os.listdir(folder) if f.endswith(".icx") for name in icx.content(os.path.join(folder, f))}
    return [json.loads(line) for line in run.stdout.splitlines()], made


def alone(query, want, needs):
    global failed
    with tempfile.TemporaryDirectory() as folder:
        rows, made = ask(query, folder)
    if rows != want or made & PASSES != needs:
        print("%s: %s, not %s; %s, not %s" % (query, rows, want, sorted(made & PASSES), sorted(needs)))
        failed += 1


with tempfile.TemporaryDirectory() as folder:
    whole, made = ask("info", folder)
heap = any(row["field"] == "live_bytes" for row in whole)
if not heap:
    PASSES, LATE = CALLS, LATE_CALLS
if made & PASSES != PASSES:
    print("info: %s" % sorted(made & PASSES))
    failed += 1
for row in whole:
    if row["field"] not in OWN:
        alone("info | where field = '%s'" % row["field"], [row], LATE.get(row["field"], set()))
facts = [row for row in whole if row["field"] not in OWN]
if heap:
    alone("info | where field in (classes, live_bytes)", [r for r in facts if r["field"] in ("classes", "live_bytes")], LATE["live_bytes"])
    alone("info | where field = classes and value > 0", [r for r in facts if r["field"] == "classes"], set())
    alone("info | where not field ~ /bytes|percent_of|live|unreach|missing|repair|stackless|index|sandbox|jvm|command|^os$|collectors|"
          "direct_limit|device|filler/",
          [r for r in facts if not any(w in r["field"] for w in ("bytes", "percent_of", "live", "unreach", "missing", "repair", "stackless", "index"))], set())
sys.exit(failed > 0 or len(facts) < 12)
