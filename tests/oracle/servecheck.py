# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""servecheck.py ICECORE SCRATCH SRCDIR [CHROMEDRIVER]: nginx with the files of contrib/serve and icecore watch, as TAP."""
import contextlib
import glob
import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
import time

import driver
import tap

icecore, scratch, srcdir = sys.argv[1:4]
app = os.path.join(scratch, "app")      # the files as somebody installs them
home = os.path.join(scratch, "serve")
NOBODY = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
STACKS = b"main;draw;fill 70\nmain;load 30\n"
EMPTY = "Nothing has been uploaded yet"


def install():
    """Copy the files of start to where a user who is not root reaches them."""
    shutil.copytree(os.path.join(srcdir, "contrib", "serve"), app)
    shutil.copy(icecore, app)
    os.chmod(scratch, 0o711)
    for d in (home, os.path.join(home, "tmp")):
        os.makedirs(d)
        if NOBODY:
            os.chown(d, NOBODY["user"], NOBODY["group"])


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextlib.contextmanager
def started(*commands, path="", ends=None, **more):
    """The server of each command of start, with its standard error in the file log; ends gets their statuses."""
    env = dict(os.environ, PATH=path + app + ":" + os.environ["PATH"], HOME=os.path.join(home, "tmp"), TMPDIR=os.path.join(home, "tmp"),
               ICECORE_LISTEN="127.0.0.1:%d" % port, **more)
    with open(os.path.join(scratch, "log"), "ab") as log:
        servers = [subprocess.Popen([os.path.join(app, "start"), home, *c], stdout=log, stderr=log, env=env, **NOBODY) for c in commands]
    try:
        yield servers
    finally:
        for p in servers:
            p.terminate()
        got = [p.wait(tap.PATIENCE) for p in servers]
        if ends is not None:
            ends += got


def logged():
    with open(os.path.join(scratch, "log"), encoding="utf-8") as f:
        return f.read()


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


def no_server():
    return not listening()


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


def check_first_visit():
    pages = [ask("GET", p) for p in ("/", "/index.html", "/dumps.html")]
    tap.check("before the first upload the pages say how to send a file",
              [p for p in pages if p[0] != 200 or EMPTY not in p[1] or "curl -T FILE" not in p[1] or "/upload.html" not in p[1]])


def check_refusals():
    """The server says why it does not store a file."""
    elsewhere = [(p, ask("PUT", p, b"x")) for p in ("/", "/inbox", "/x.trace", "/index.html", "/dumps.html")]
    tap.check("the answer to an upload to another place shows the right one", [e for e in elsewhere if e[1][0] != 405 or "/inbox/NAME" not in e[1][1]])
    inbox = os.path.join(home, "inbox")
    os.chmod(inbox, 0o500)
    got = ask("PUT", "/inbox/unwritable.folded", b"x")
    os.chmod(inbox, 0o700)
    tap.check("the answer says that nginx cannot write to the inbox", got[0] != 507 and got, "must be able to write to inbox" not in got[1] and got[1])


def check_root():
    """As root start says what to do; nginx that root starts answers with a word."""
    fake = os.path.join(scratch, "fake")
    os.makedirs(fake)
    with open(os.path.join(fake, "id"), "w", encoding="ascii") as f:
        f.write("#!/bin/sh\necho 0\n")
    os.chmod(os.path.join(fake, "id"), 0o755)
    p = subprocess.run([os.path.join(app, "start"), home], env=dict(os.environ, PATH=fake + ":" + os.environ["PATH"]), capture_output=True, text=True, check=False)
    tap.check("start refuses to run as root", p.returncode != 2 and p.returncode, "not as root: runuser" not in p.stderr and p.stderr)
    if not NOBODY:
        tap.skip("nginx that root started refuses uploads with a word", "not root")
        return
    room = os.path.join(scratch, "root")
    for d in ("inbox", "out", "upload", "temp", "form"):
        os.makedirs(os.path.join(room, d))
    with open(os.path.join(app, "nginx.conf"), encoding="ascii") as f, open(os.path.join(room, "nginx.conf"), "w", encoding="ascii") as to:
        to.write(f.read().replace("8080", str(port)))
    with subprocess.Popen(["nginx", "-p", room, "-c", "nginx.conf", "-g", "daemon off;"], stderr=subprocess.DEVNULL) as server:
        got = ask("PUT", "/inbox/a.folded", STACKS) if tap.until(listening) else "does not start"
        server.terminate()
    tap.check("nginx that root started refuses uploads with a word", got[0] != 507 and got, os.listdir(os.path.join(room, "inbox")))


def compose():
    """The file of the containers with the defaults of its variables; None: no parser."""
    try:
        import yaml
    except ImportError:
        return None
    with open(os.path.join(app, "compose.yaml"), encoding="ascii") as f:
        return yaml.safe_load(re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", f.read()))


def check_ends():
    """The command of a server ends at once: so does the server, with its status."""
    fake, ends = os.path.join(scratch, "quick"), []
    os.makedirs(fake)
    ready = os.path.join(home, "out", "ready-")
    with open(os.path.join(fake, "icecore"), "w", encoding="ascii") as f:
        f.write("#!/bin/sh\ntrap 'kill $child; exit 0' TERM\nsleep 100 &\nchild=$!\n: >%s$$\nwait\n" % ready)
    os.chmod(os.path.join(fake, "icecore"), 0o755)
    os.chmod(fake, 0o755)
    for more in range(1, 9):
        with started(*[["watch"]] * 6, path=fake + ":", ends=ends):
            tap.until(lambda: len(glob.glob(ready + "*")) == 6 * more)
    for name in glob.glob(ready + "*"):
        os.remove(name)
    tap.check("the end of a command is not taken for that of the server", ends != [0] * 48 and ends)


def check_retain():
    """What watch is asked to keep: the defaults, and what the variables say."""
    fake, got = os.path.join(scratch, "asked"), []
    os.makedirs(fake)
    path = os.path.join(home, "asked")
    with open(os.path.join(fake, "icecore"), "w", encoding="ascii") as f:
        f.write("#!/bin/sh\necho \"$*\" >%s.new\nmv %s.new %s\n" % (path, path, path))
    for name in fake, os.path.join(fake, "icecore"):
        os.chmod(name, 0o755)
    for more in {}, {"ICECORE_RETAIN": "36h", "ICECORE_RETAIN_SIZE": "5g"}:
        with started(["watch"], path=fake + ":", **more):
            tap.until(lambda: os.path.exists(path))
        with open(path, encoding="ascii") as f:
            got.append(f.read())
        os.remove(path)
    tap.check("how long files are kept, and how many", got != ["watch --retain 720h --retain-size 100g inbox out\n", "watch --retain 36h --retain-size 5g inbox out\n"] and got)


def check_containers():
    """Run the commands of the services as compose does, with their variables, but without containers."""
    file = compose()
    if file is None:
        tap.check("python3 has the module yaml", True) if os.environ.get("REQUIRE_ALL") == "1" else tap.skip("the containers", "no module yaml")
        return
    web, watch = file["services"]["web"], file["services"]["watch"]
    with open(os.path.join(app, "Dockerfile"), encoding="ascii") as f:
        image = f.read()
    copied = re.search(r"^COPY (start .*) (\S+)/$", image, re.M)
    tap.check("the image has the files of start", [n for n in copied[1].split() if not os.path.isfile(os.path.join(app, n))],
              sorted(set(re.findall(r'\$here/([a-z.]+)', open(os.path.join(app, "start"), encoding="ascii").read())) - set(copied[1].split())),
              '["%s/start", "/srv/icecore"]' % copied[2] not in image and "the image does not run start", "USER 1000" not in image and "the image runs as root")
    tap.check("the containers are closed", [n for n, s in file["services"].items() if s["cap_drop"] != ["ALL"] or not s["read_only"]],
              watch["network_mode"] != "none" and "watch has a network", web["ports"] != ["127.0.0.1:8080:8080"] and web["ports"],
              [n for n, s in file["services"].items() if s["volumes"] != ["files:/srv/icecore"] or "files" not in file["volumes"]])
    settings = {**watch["environment"], **web["environment"], "ICECORE_LISTEN": web["environment"]["ICECORE_LISTEN"].replace("8080", str(port))}
    settings = {k: v or "" for k, v in settings.items()}
    listen = settings.pop("ICECORE_LISTEN")
    ends = []
    with started(watch["command"], web["command"], ends=ends, **settings):
        tap.check("the commands of the containers serve pages", listen != "0.0.0.0:%d" % port and listen, not tap.until(listening) and logged(),
                  status("PUT", "/inbox/contained.folded", 201, STACKS), listed("contained.folded") is not True and "no page")
    tap.check("the commands of the containers end", ends != [0, 0] and ends)
    if subprocess.run("docker compose version || podman compose version", shell=True, capture_output=True, check=False).returncode != 0:
        tap.skip("compose takes the file", "no docker compose or podman compose")
        return
    p = subprocess.run("docker compose config -q || podman compose config -q", shell=True, cwd=app, capture_output=True, text=True, check=False)
    tap.check("compose takes the file", p.returncode and p.stderr)


def check_unit():
    with open(os.path.join(app, "icecore-serve.service"), encoding="ascii") as f:
        read = [line.strip() for line in f if line.startswith("EnvironmentFile=")]
    tap.check("the unit reads /etc/default/icecore-serve", read != ["EnvironmentFile=-/etc/default/icecore-serve"] and read)
    if not shutil.which("systemd-analyze"):
        tap.skip("systemd takes the unit", "no systemd-analyze")
        return
    unit = os.path.join(scratch, "icecore-serve.service")
    with open(os.path.join(app, "icecore-serve.service"), encoding="ascii") as f, open(unit, "w", encoding="ascii") as to:
        to.write(f.read().replace("/opt/icecore-serve/", app + "/"))
    p = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    tap.check("systemd takes the unit", p.returncode and p.returncode, "icecore-serve" in p.stderr and p.stderr)


def check_end():
    """The end of one program is the end of both, and an error."""
    ends = []
    with started([], ends=ends) as (server,):
        bad = not tap.until(listening) and logged()
        os.rename(os.path.join(home, "inbox"), os.path.join(home, "gone"))
        server.wait(tap.PATIENCE)
    tap.check("if watch ends, nginx ends", bad, ends == [0] and ends, not tap.until(no_server) and "nginx runs")


def fill():
    """An upload of each format; how many."""
    inputs = [max(glob.glob(os.path.join(d, "*")), key=os.path.getsize) for d in sorted(glob.glob(os.path.join(srcdir, "tests", "fuzz", "corpus", "*")))]
    names = ["kind%d" % i for i, f in enumerate(inputs) if os.path.getsize(f) < 100000]
    for name in names:
        with open(inputs[int(name[4:])], "rb") as f:
            ask("PUT", "/inbox/" + name, f.read())
    return names


install()
port = free_port()
ends = []
with open(os.path.join(app, "nginx.conf"), encoding="ascii") as f:
    tap.check("the port is in one place", f.read().count("8080") != 1)
check_root()
with started([], ends=ends, ICECORE_NAMES="dumps.example.com other.example"):
    tap.check("nginx starts with the file of contrib/serve", not tap.until(listening) and logged())
    check_first_visit()
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
              status("GET", "/index.html", 200), status("GET", "/upload.html", 200),
              EMPTY in ask("GET", "/")[1] and "the first page is still that of no files")
    check_refusals()
    tap.check("nothing is left of uploads", os.listdir(os.path.join(home, "upload")))
    tap.check("only the names of this server are answered", *(named(h) != 200 and (h, named(h)) for h in ("localhost", "127.0.0.1", "LOCALHOST:%d" % port, "dumps.example.com", "other.example")),
              *(named(h) not in (400, 421) and (h, named(h)) for h in ("example.com", "evil.example", "evil.example:%d" % port, "localhost.evil.example", "0.0.0.0", "", None)))
    tap.check("of uploads with one name that overlap one wins", *race(2), *race(8))
    ask("PUT", "/inbox/damaged.hprof", b"JAVA PROFILE 1.0.2\0" + b"x" * 1000)
    tap.check("a damaged upload has a row", listed("damaged.hprof") is not True and "no page")
    kinds = fill()
    missing = tap.until(lambda: not [n for n in kinds if n not in ask("GET", "/dumps.html")[1]])
    text = served()
    tap.check("pages and errors show no directories of the server", [w for w in (home, scratch, "serve/inbox", "/inbox/app") if w in text],
              
              "app.folded" not in text and "no pages", not missing and "not all formats have a page")
    if len(sys.argv) > 4 and sys.argv[4]:
        check_form(sys.argv[4])
    else:
        tap.skip("the form in Chromium", "no chromedriver")
tap.check("both end", ends != [0] and ends, not tap.until(no_server) and "nginx runs")
check_ends()
check_retain()
check_containers()
check_unit()
check_end()
tap.plan()
