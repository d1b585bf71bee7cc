# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""servecheck.py ICECORE SCRATCH SRCDIR [CHROMEDRIVER]: nginx with the files of contrib/serve and icecore watch, as TAP."""
import http.client
import os
import shutil
import socket
import subprocess
import sys
import time

import driver
import tap

icecore, scratch, srcdir = sys.argv[1:4]
home = os.path.join(scratch, "serve")
STACKS = b"main;draw;fill 70\nmain;load 30\n"


def ask(method, path, body=None):
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=tap.PATIENCE)
    link.request(method, path, body)
    got = link.getresponse()
    text = got.read().decode(errors="replace")
    link.close()
    return got.status, text


def listening():
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def status(method, path, want, body=None):
    got = ask(method, path, body)[0]
    return got != want and "%s %s: status %d, not %d" % (method, path, got, want)


def listed(name):
    return tap.until(lambda: name in ask("GET", "/dumps.html")[1]) or "%s has no page" % name


def check_form(program):
    path = os.path.join(scratch, "my stacks.folded")
    with open(path, "wb") as f:
        f.write(STACKS.replace(b"load", b"wait"))
    with driver.Driver(program) as d, driver.Browser(d, local=True) as b:
        b.open("http://127.0.0.1:%d/upload.html" % port)
        b.call("POST", "element/%s/value" % b.element("#files"), {"text": path})
        said = "return document.getElementById('list').textContent;"
        tap.check("the form uploads a file", not tap.until(lambda: "its page appears" in b.run(said)) and b.run(said),
                  listed("my_stacks.folded") is not True and "no page")
        b.call("POST", "element/%s/value" % b.element("#files"), {"text": path})
        tap.check("the form says that the name is taken", not tap.until(lambda: "there is a file with this name" in b.run(said)) and b.run(said))
        b.open("http://127.0.0.1:%d/dumps.html" % port)
        link = b.run("return Array.from(document.querySelectorAll('a'), a => a.href).find(h => /[0-9a-f]{32}/.test(h));")
        b.log()
        b.open(link)
        tap.check("a page opens with its script", "fill" not in b.run("return document.body.textContent;") and "no frames",
                  [m["message"] for m in b.log()])


for name in ("inbox", "out", "upload", "temp", "form"):
    os.makedirs(os.path.join(home, name))
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    port = s.getsockname()[1]
with open(os.path.join(srcdir, "contrib", "serve", "nginx.conf"), encoding="ascii") as f:
    text = f.read()
tap.check("the port is in one place", text.count("8080") != 1)
with open(os.path.join(home, "nginx.conf"), "w", encoding="ascii") as f:
    f.write(text.replace("8080", str(port)))
shutil.copy(os.path.join(srcdir, "contrib", "serve", "upload.html"), os.path.join(home, "form"))
user = ["-g", "daemon off; user root;" if os.geteuid() == 0 else "daemon off;"]
with open(os.path.join(scratch, "log"), "wb") as log:
    watch = subprocess.Popen([icecore, "watch", "inbox", "out"], cwd=home, stdout=log, stderr=log)
    server = subprocess.Popen(["nginx", "-p", home, "-c", "nginx.conf", *user], stdout=log, stderr=log)
try:
    tap.check("nginx starts with the file of contrib/serve", not tap.until(listening) and open(os.path.join(scratch, "log"), encoding="utf-8").read())
    tap.check("an upload is stored", status("PUT", "/inbox/app.folded", 201, STACKS))
    tap.check("its page is there", listed("app.folded") is not True and "no page")
    tap.check("a name is used once", status("PUT", "/inbox/app.folded", 409, b"x"),
              open(os.path.join(home, "inbox", "app.folded"), "rb").read() != STACKS and "the file was changed")
    tap.check("files of the inbox are not served, deleted or moved",
              *(status(m, "/inbox/app.folded", 403) for m in ("GET", "DELETE", "MOVE", "POST")), status("GET", "/inbox/", 403))
    tap.check("names that leave the inbox or hide in it are refused",
              *(status("PUT", "/inbox/" + n, 403, b"x") for n in (".hidden", "a%2Fb", "a%20b", "-a", "x" * 201)),
              status("PUT", "/inbox/..%2Fx", 405, b"x"), status("PUT", "/page.html", 405, b"x"),
              sorted(os.listdir(os.path.join(home, "inbox"))) != ["app.folded"] and os.listdir(os.path.join(home, "inbox")))
    tap.check("only pages are served", *(status("GET", p, 404) for p in ("/pieces/", "/rows.jsonl", "/nginx.conf", "/inbox.html")),
              status("GET", "/index.html", 200), status("GET", "/upload.html", 200))
    tap.check("nothing is left of uploads", os.listdir(os.path.join(home, "upload")))
    if len(sys.argv) > 4 and sys.argv[4]:
        check_form(sys.argv[4])
    else:
        tap.skip("the form in Chromium", "no chromedriver")
finally:
    server.terminate()
    watch.terminate()
    ends = [p.wait(20) for p in (server, watch)]
tap.check("both end", ends != [0, 0] and ends)
tap.plan()
