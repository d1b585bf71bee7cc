# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""real.py PROGRAM ROOT SRCDIR: icecore mcp asked by the client of others (PyPI package mcp), which checks each answer against its schemas."""
import asyncio
import os
import shutil
import sys

from mcp import StdioServerParameters, stdio_client
from mcp.client import Client

program, root, srcdir = sys.argv[1:4]
os.makedirs(root)
shutil.copy(os.path.join(srcdir, "demo/demo.hprof.gz"), os.path.join(root, "a.hprof.gz"))
CALLS = [
    ("files", {}, False, "a.hprof.gz"), ("info", {"file": "a.hprof.gz"}, False, "HPROF"), ("overview", {"file": "a.hprof.gz"}, False, "reachable"),
    ("query", {"file": "a.hprof.gz", "query": "classes | sort -retained"}, False, "java.lang.Class"),
    ("query", {"file": "a.hprof.gz", "query": "clases"}, True, "did you mean 'classes'"),
    ("query", {"file": "a.hprof.gz", "query": "classes | export /tmp/x.csv"}, True, "cannot be used here"),
    ("info", {"file": "../../etc/passwd"}, True, "no such file below the root"), ("help", {"word": "classes"}, False, "retained"),
    ("report", {"file": "a.hprof.gz"}, False, "Findings"),
]
count = 0


def ok(good, what):
    global count
    count += 1
    print("%s %d - %s" % ("ok" if good else "not ok", count, what), flush=True)


async def progress(*_):
    pass


async def talk(mode):
    server = StdioServerParameters(command=program, args=["mcp", "--root", root] + sys.argv[4:], env=dict(os.environ))
    async with Client(stdio_client(server), mode=mode) as c:
        ok(c.server_info is not None and c.server_info.name == "icecore", "%s: %s" % (mode, c.protocol_version))
        tools = await c.list_tools()
        ok([t.name for t in tools.tools] == ["files", "help", "info", "overview", "query", "report"], mode + ": tools")
        for name, arguments, wrong, text in CALLS:
            r = await c.call_tool(name, arguments, progress_callback=progress)
            got = str(r.structured_content or r.content[0].text)
            ok(r.is_error == wrong and text in got, "%s: %s %s" % (mode, name, arguments))
        a = {"file": "a.hprof.gz", "query": "classes", "limit": 7}
        first = (await c.call_tool("query", a)).structured_content
        second = (await c.call_tool("query", dict(a, cursor=first["cursor"]))).structured_content
        ok(len(second["rows"]) == 7 and second["rows"] != first["rows"], mode + ": the next page")
        try:
            r = await c.call_tool("shell", {})
            ok(False, mode + ": an unknown tool")
        except Exception as e:
            ok("unknown tool" in str(e), "%s: an unknown tool: %s" % (mode, type(e).__name__))


for mode in ("auto", "legacy"):
    asyncio.run(talk(mode))
print("1..%d" % count)
