# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""What the recorders of newest.py share: installing, recording, asking icecore, and comparing figures."""
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
COLUMNS = ("tool", "version", "figure", "within", "theirs", "ours", "verdict")
# No JVM of a recording gets options of this machine, and no text is in another language.
ENV = {
    k: v
    for k, v in os.environ.items()
    if k not in ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "NODE_OPTIONS", "PYTHONDONTWRITEBYTECODE")
}
ENV.update(LC_ALL="C.UTF-8", GOTOOLCHAIN="auto", GOFLAGS="-mod=mod -buildvcs=false -modcacherw", NO_COLOR="1",
           COLUMNS="200")


class Skip(Exception):
    """The recorder cannot be had, or cannot record, on this machine."""


class Failed(Exception):
    """A program ended with an error."""


class Kit:
    """Folders, and the rows so far."""

    def __init__(self, build):
        self.icecore = os.path.join(os.path.abspath(build), "icecore")
        self.folder = os.path.join(os.path.abspath(build), "newest")
        self.rows, self.number, self.tool, self.version = [], 0, "", "-"
        self.listed = False
        os.makedirs(self.folder, exist_ok=True)
        ENV.update(XDG_CACHE_HOME=self.path("cache"), XDG_DATA_HOME=self.path("data"), GOPATH=self.path("gopath"))

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def fresh(self, *parts):
        """A path of a recording; what was there is gone."""
        path = self.path(*parts)
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.remove(path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    # ---- running

    def run(self, *command, seconds=60, both=False, folder=None, to=None, okay=(0,), env=None):
        """What the command prints; Failed with the end of its errors.  both: with its errors."""
        try:
            process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT if both else subprocess.PIPE, start_new_session=True,
                                       cwd=folder or self.folder, env=dict(ENV, **env or {}))
        except OSError as e:
            raise Failed("%s: %s" % (command[0], e.strerror)) from None
        try:
            out, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Failed("%s: no end within %d s" % (os.path.basename(command[0]), seconds)) from None
        finally:
            self.stop(process)
        text = out.decode("utf-8", "replace")
        if process.returncode not in okay:
            said = (text if both else errors.decode("utf-8", "replace") or text).strip().split("\n")
            raise Failed("%s: status %d: %s" %
                         (os.path.basename(command[0]), process.returncode, " / ".join(said[-3:])[:300]))
        if to:
            with open(to, "wb") as f:
                f.write(out)
        return text

    def start(self, *command, ready="READY", seconds=30):
        """A process that runs until stop; it has printed the word ready."""
        log = self.fresh("started.out")
        with open(log, "wb") as to:
            process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=to, stderr=to,
                                       cwd=self.folder, env=ENV, start_new_session=True)
        end = time.monotonic() + seconds
        while ready:
            with open(log, "rb") as f:
                if ready.encode() in f.read():
                    break
            if process.poll() is not None or time.monotonic() > end:
                self.stop(process)
                raise Failed("%s is not ready" % os.path.basename(command[0]))
            time.sleep(.1)
        return process

    @staticmethod
    def stop(process):
        """Ends it, with the processes that it started."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)

    # ---- installing: the newest that a registry has, into the folder

    def install(self, what, *command, **more):
        try:
            return self.run(*command, **dict({"seconds": 300, "both": True}, **more))
        except Failed as e:
            raise Skip("%s cannot be installed: %s" % (what, e)) from None

    def pip(self, name, *others):
        python = self.path("venv/bin/python")
        if not os.path.exists(python):
            self.install("a folder of Python", sys.executable, "-m", "venv", "--clear", self.path("venv"))
        self.install(name, python, "-m", "pip", "install", "-q", "--upgrade", "--no-input",
                     "--disable-pip-version-check", name, *others)
        return self.run(python, "-c", "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))",
                        name).strip()

    def bin(self, name):
        return self.path("venv/bin", name)

    def apt(self, package, program):
        """The path of the program; its package is installed or renewed if that is allowed here."""
        if ROOT and shutil.which("apt-get"):
            if not self.listed:
                self.listed = True
                subprocess.run(["apt-get", "update"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, timeout=300, check=False)
            try:
                self.run("apt-get", "install", "-y", "--no-install-recommends", package, seconds=600, both=True,
                         env={"DEBIAN_FRONTEND": "noninteractive"})
            except Failed as e:
                if not shutil.which(program):
                    raise Skip("%s cannot be installed: %s" % (package, e)) from None
        return self.need(program, "package " + package)

    @staticmethod
    def need(program, where):
        path = shutil.which(program)
        if not path:
            raise Skip("%s is not installed (%s)" % (program, where))
        return path

    def npm(self, name):
        prefix = self.path("npm")
        os.makedirs(prefix, exist_ok=True)
        self.install(name, self.need("npm", "of Node"), "install", "--prefix", prefix, "--no-save", "--no-audit",
                     "--no-fund", name + "@latest")
        return os.path.join(prefix, "node_modules", name)

    def maven(self, name):
        """(path of the jar, version) of tools.profiler:NAME and the like."""
        store = self.path("maven")
        group, artifact = name.split(":")
        self.install(name, self.need("mvn", "Maven"), "-q", "-B", "-U", "-Dmaven.repo.local=" + store,
                     "dependency:get", "-Dartifact=%s:LATEST" % name, "-Dtransitive=false")
        folder = os.path.join(store, *group.split("."), artifact)
        jars = [os.path.join(d, f) for d, _, files in os.walk(folder) for f in files if f.endswith(".jar")]
        if not jars:
            raise Skip("Maven gave no jar of " + name)
        newest = max(jars, key=lambda j: numbers(os.path.basename(os.path.dirname(j))))
        return newest, os.path.basename(os.path.dirname(newest))

    # ---- what icecore answers

    def ask(self, query, file, *options):
        """Rows of the answer, as dictionaries of texts."""
        text = self.run(self.icecore, "--no-index", "--quiet", *options, "-o", "tsv", "-e", query, file, okay=(0, 1))
        if "\n" not in text:
            raise Failed("icecore answers nothing to %s of %s" % (query, os.path.basename(file)))
        return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))

    def one(self, query, file, *options):
        """The only value of the answer, or None."""
        rows = self.ask(query, file, *options)
        return next(iter(rows[0].values())) if rows else None

    def fact(self, name, file, *options):
        return self.one("info | where field = %s | select value" % name, file, *options)

    def samples(self, file, *options):
        """Samples, as the first screen says it."""
        found = re.search(r"^samples +([0-9][0-9 ]*?)(?: {2}|$)", self.screen(file, *options), re.M)
        return int(found[1].replace(" ", "")) if found else None

    def top(self, file, *options):
        """(name, percentage) of the first row "top self" of the first screen."""
        found = re.search(r"^top self.*? ([0-9.]+)%  (.*)$", self.screen(file, *options), re.M)
        return (found[2].strip(), float(found[1])) if found else ("nothing", 0)

    def screen(self, file, *options):
        return self.run(self.icecore, "--no-index", "--quiet", *options, "--text", file)

    # ---- figures

    def row(self, figure, theirs, ours, good, within=""):
        self.number += 1
        self.rows.append(
            (self.tool, self.version, figure, within, str(theirs), str(ours), "same" if good else "DIFFERENT"))
        print("%s %d - %s %s: %s%s: theirs %s, ours %s" %
              ("ok" if good else "not ok", self.number, self.tool, self.version, figure, within
               and ", within " + within, theirs, ours),
              flush=True)

    def same(self, figure, theirs, ours):
        self.row(figure, theirs, ours, theirs is not None and str(theirs) == str(ours))

    def near(self, figure, theirs, ours, most, unit=""):
        """The tool rounds: the two may differ by most."""
        good = theirs is not None and ours is not None and abs(float(theirs) - float(ours)) <= most*1.000001
        self.row(figure, theirs, ours, good, "%.10g%s" % (most, unit and " " + unit))

    def skip(self, why):
        self.number += 1
        self.rows.append((self.tool, self.version, "-", "", "-", "-", "skipped: " + why))
        print("ok %d - %s # SKIP %s" % (self.number, self.tool, why), flush=True)

    def broken(self, why):
        """The recording, or its reading, came to nothing."""
        self.number += 1
        self.rows.append((self.tool, self.version, "-", "", "-", "-", "BROKEN: " + why))
        print("not ok %d - %s %s: %s" % (self.number, self.tool, self.version, why), flush=True)

    def write(self, path):
        with open(path, "w", encoding="utf-8") as f:
            f.write("\t".join(COLUMNS) + "\n")
            for row in self.rows:
                f.write("\t".join(re.sub(r"\s+", " ", cell) for cell in row) + "\n")


# ---- small readers of what tools print


def numbers(version):
    return [int(n) for n in re.findall(r"\d+", version)]


def number(text):
    """1,234.5 or 1 234 as a number."""
    text = text.replace(",", "").replace(" ", "")
    return float(text) if "." in text else int(text)


def found(pattern, text, group=1):
    """What the pattern matches in the text; Failed if the tool prints another form."""
    match = re.search(pattern, text, re.M)
    if not match:
        raise Failed("the tool prints no /%s/: %s" % (pattern, text.strip()[:200]))
    return match[group]


def leaf_sums(lines):
    """{innermost frame: sum} of folded stacks."""
    sums = {}
    for line in lines:
        stack, _, count = line.rpartition(" ")
        if stack and re.fullmatch(r"\d+", count):
            leaf = stack.split(";")[-1]
            sums[leaf] = sums.get(leaf, 0) + int(count)
    return sums


def best(sums):
    """(name, value) of the largest."""
    return max(sums.items(), key=lambda item: item[1])


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def read_json(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)
