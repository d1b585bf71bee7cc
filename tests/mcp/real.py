# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""real.py PROGRAM ROOT SRCDIR: icecore mcp asked by the client of others (PyPI package mcp), which checks each answer against its schemas.

It reads the text of the answers alone, as clients do that drop the structured content.
"""
import asyncio
import os
import shutil
import sys

from mcp import StdioServerParameters, stdio_client
from mcp.client import Client

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import questions  # noqa: E402
from client import Table  # noqa: E402

program, root, srcdir = sys.argv[1:4]
os.makedirs(root)
demo = os.path.join(srcdir, "demo")
shutil.copy(os.path.join(demo, "demo.hprof.gz"), os.path.join(root, "a.hprof.gz"))
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


def client(folder, mode):
    server = StdioServerParameters(command=program, args=["mcp", "--root", folder] + sys.argv[4:], env=dict(os.environ))
    return Client(stdio_client(server), mode=mode)


async def talk(mode):
    async with client(root, mode) as c:
        ok(c.server_info is not None and c.server_info.name == "icecore", "%s: %s" % (mode, c.protocol_version))
        tools = await c.list_tools()
        ok([t.name for t in tools.tools] == ["files", "help", "info", "overview", "query", "report"], mode + ": tools")
        for name, arguments, wrong, text in CALLS:
            r = await c.call_tool(name, arguments, progress_callback=progress)
            ok(r.is_error == wrong and text in r.content[0].text, "%s: %s %s" % (mode, name, arguments))
        a = {"file": "a.hprof.gz", "query": "classes", "limit": 7}
        first = await c.call_tool("query", a)
        cursor = Table(first.content[0].text).cursor
        second = await c.call_tool("query", dict(a, cursor=cursor))
        ok(len(Table(second.content[0].text).rows) == 7 and second.structured_content["rows"] != first.structured_content["rows"],
           mode + ": the next page")
        try:
            r = await c.call_tool("shell", {})
            ok(False, mode + ": an unknown tool")
        except Exception as e:
            ok("unknown tool" in str(e), "%s: an unknown tool: %s" % (mode, type(e).__name__))


async def converse(mode):
    async with client(demo, mode) as c:
        async def ask(tool, arguments):
            return "".join(part.text for part in (await c.call_tool(tool, arguments)).content)
        await questions.run(program, demo, ask, lambda good, what: ok(good, "%s: %s" % (mode, what)))


for mode in ("auto", "legacy"):
    asyncio.run(talk(mode))
    asyncio.run(converse(mode))
print("1..%d" % count)
