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


def named(host):
    """The status of a request for that name; None: without one."""
    link = socket.create_connection(("127.0.0.1", port), 20)
    link.sendall(b"GET /index.html HTTP/1.%d\r\n%sConnection: close\r\n\r\n" % (host is not None, b"" if host is None else b"Host: %s\r\n" % host.encode()))
    answer = link.makefile("rb").read()
    link.close()
    return int(answer.split()[1])


class Upload:
    """A PUT of which a part is sent."""

    def __init__(self, name, body):
        self.body = body
        self.link = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.link.putrequest("PUT", "/inbox/" + name)
        self.link.putheader("Content-Length", str(len(body)))
        self.link.endheaders(body[:len(body) // 2])

    def end(self):
        try:
            self.link.send(self.body[len(self.body) // 2:])
        except OSError:
            pass
        try:
            got = self.link.getresponse().status
        except OSError:
            got = 0
        self.link.close()
        return got


def race(n):
    """n uploads of one name that overlap, and of as many other names: one of the first kind, and all of the second."""
    bodies = [b"main;upload%d 1\n" % i * 20000 for i in range(n)]
    same = [Upload("same%d.folded" % n, b) for b in bodies]
    others = [Upload("other%d-%d.folded" % (n, i), b) for i, b in enumerate(bodies)]
    got = [u.end() for u in same]
    rest = [u.end() for u in others]
    late = Upload("same%d.folded" % n, b"x" * 100).end()
    stored = open(os.path.join(home, "inbox", "same%d.folded" % n), "rb").read()
    bad = [] if got.count(201) == 1 and set(got) <= {201, 409, 0} else [got]
    bad += [] if 201 in got and stored == bodies[got.index(201)] else ["the file is not the upload that was accepted"]
    bad += [] if late == 409 else ["a later upload: %d" % late]
    bad += [] if rest == [201] * n else ["other names: %s" % rest]
    return bad + ["%d is mixed" % i for i, b in enumerate(bodies) if open(os.path.join(home, "inbox", "other%d-%d.folded" % (n, i)), "rb").read() != b]


def served():
    """All pages and some errors, as text."""
    pages = [ask("GET", "/" + n)[1] for n in os.listdir(os.path.join(home, "out", "page"))]
    return "".join(pages + [ask(*a)[1] for a in (("GET", "/none"), ("GET", "/inbox"), ("GET", "/inbox/x"), ("PUT", "/inbox/app.folded", b"x"), ("POST", "/"), ("GET", "/%ff%00"))])


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
    watch = subprocess.Popen([icecore, "watch", os.path.join(home, "inbox"), "out"], cwd=home, stdout=log, stderr=log)
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
    tap.check("only the names of this server are answered", *(named(h) != 200 and (h, named(h)) for h in ("localhost", "127.0.0.1", "LOCALHOST:%d" % port)),
              *(named(h) not in (400, 421) and (h, named(h)) for h in ("evil.example", "evil.example:%d" % port, "localhost.evil.example", "0.0.0.0", "", None)))
    tap.check("of uploads with one name that overlap one wins", *race(2), *race(8))
    ask("PUT", "/inbox/damaged.hprof", b"JAVA PROFILE 1.0.2\0" + b"x" * 1000)
    tap.check("a damaged upload has a row", listed("damaged.hprof") is not True and "no page")
    text = served()
    tap.check("pages and errors show no directories of the server", [w for w in (home, scratch, "serve/inbox", "/inbox/app") if w in text],
              "app.folded" not in text and "no pages")
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
