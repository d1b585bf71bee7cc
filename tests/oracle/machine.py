# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Facts in a dump about the program that wrote it (src/pass/content/machine.c), for heapcheck.py."""
import os

import heapowners
import mkheap
from heapfile import INT, LONG, OBJECT

PROPERTIES = {"java.vm.name": "Big VM", "java.vm.version": "25.1-b01", "java.runtime.version": "25.0.3+9", "java.vm.vendor": "Somebody",
              "os.name": "Linux", "os.version": "6.1", "os.arch": "amd64", "sun.java.command": "com.shop.Main --db-password hunter2 -v token=abc x",
              "user.home": "/root"}
WANT = {"jvm": "Big VM 25.0.3+9, Somebody", "os": "Linux 6.1 amd64", "command": "com.shop.Main --db-password *** -v token=*** x",
        "jvm_options": "-Xmx1g -Dtrust.Store.passWord=*** -Dname=a", "direct_limit": "1048576"}


def dump(properties, options):
    s = heapowners.Shop()
    d = s.d

    def table(pairs):
        nodes = [d.obj("java.util.HashMap$Node", key=d.text(k), value=d.text(v)) for k, v in pairs.items()]
        return d.obj("java.util.HashMap", table=d.refs("java.util.HashMap$Node[]", nodes), size=len(nodes))
    d.klass("java.lang.System", statics=[("props", OBJECT, table(properties))])
    d.klass("jdk.internal.misc.VM", statics=[("directMemory", LONG, 1 << 20)])
    d.klass("java.util.Collections$UnmodifiableList", "java.lang.Object", [("c", OBJECT)])
    d.klass("sun.management.VMManagementImpl", "java.lang.Object", [("vmArgs", OBJECT)])
    s.statics("Beans", vm=d.obj("sun.management.VMManagementImpl", vmArgs=d.obj(
        "java.util.Collections$UnmodifiableList", c=s.list([d.text(o) for o in options]))))
    return s.build()


def fillers():
    """Of six int[] without a holder three are fillers: empty, of zeros, with the header of an object in it."""
    s = heapowners.Shop()
    d = s.d
    s.statics("Main", zeros=d.prims(INT, [0] * 500))
    for values in ([], [0] * 2000, [7] * 900 + [1, 0, 0x10ac8] + [5] * 1097, [3] * 40, [1, 1, 1], [9, 0, 0] * 2 + [0]):
        d.prims(INT, values)
    d.prims(LONG, [0] * 400)
    return s.build()


def check(program, scratch):
    path, bad = os.path.join(scratch, "machine.hprof"), []
    fields = "info | where field in (jvm, jvm_options, command, os, collectors, direct_limit, device) | select field value"

    def told():
        return {r["field"]: r["value"] for r in program.ask(path, fields, options=("--no-index",)).tables()[0].rows}
    mkheap.write(path, dump(PROPERTIES, ["-Xmx1g", "-Dtrust.Store.passWord=x=y", "-Dname=a"]))
    if told() != WANT:
        bad.append("%s, not %s" % (told(), WANT))
    lines = program.ask(path, "overview | where line in ('written by', program) | select line subject", options=("--no-index",)).tables()[0].rows
    if [(r["line"], r["subject"]) for r in lines] != [("program", WANT["command"]), ("written by", WANT["jvm"])]:
        bad.append("overview: %s" % lines)
    mkheap.write(path, dump({"java.vm.name": "Dalvik", "java.vm.version": "2.1.0", "java.runtime.version": "0.9"}, []))
    if told() != {"jvm": "Dalvik 2.1.0", "direct_limit": "1048576"}:
        bad.append("Android: %s" % told())
    mkheap.write(path, fillers())
    got = {r["field"]: r["value"] for r in program.ask(path, "info | where field ~ /^filler/", options=("--no-index",)).tables()[0].rows}
    if got != {"filler_objects": "3", "filler_bytes": str(16 + 8016 + 8016)}:
        bad.append("fillers: %s" % got)
    mkheap.write(path, mkheap.make("heap"))
    if told():
        bad.append("nothing is known: %s" % told())
    return bad
