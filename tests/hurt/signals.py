#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""signals.py BUILD SHIM SCRATCH MOMENTS - signals sent to icecore, as TAP.

The explorer runs in a pseudo-terminal.  Each signal that ends a program is sent at MOMENTS of five moments:
while the file is read, while passes run, idle, in the prompt, in a dialog.  Afterwards the status is that
signal, the modes of the terminal are those of before, and what was switched on is off.  Signals that end
nothing, that were ignored at the start, that stop, that a limit sends, that another thread gets.
Queries are ended while the index is made: no file is left behind.  SHIM is the library made of shim.c, or -.
"""
import ctypes
import itertools
import multiprocessing
import os
import random
import re
import resource
import signal
import subprocess
import sys
import termios
import time

from session import PATIENCE, Session, Wrong, default_signals

BUILD, SHIM, SCRATCH = (os.path.abspath(a) if a != "-" else None for a in sys.argv[1:4])
ICECORE = os.path.join(BUILD, "icecore")
MOMENTS = ("load", "pass", "idle", "prompt", "dialog")
STOPS = (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
GOES_ON = (signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH, signal.SIGCONT, signal.SIGPIPE, signal.SIGXFSZ,
           signal.SIGINT)
# 32 and 33 are the C library's.
ENDS = [s for s in sorted(signal.valid_signals())
        if s not in (signal.SIGKILL, signal.SIGSTOP, *STOPS, *GOES_ON)]
FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP,
          signal.SIGSYS)
ORDERLY = (signal.SIGTERM, signal.SIGHUP)


def name_of(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return "SIGRTMIN+%d" % (number - signal.SIGRTMIN)


def expected_end(term):
    """Return the bytes that restore the terminal, by its description (None: python lacks curses)."""
    code = ("import curses, sys; curses.setupterm(%r); "
            "sys.stdout.buffer.write(b''.join(curses.tigetstr(c) or b'' for c in ('rmkx', 'sgr0', 'cnorm', 'rmcup')))")
    p = subprocess.run([sys.executable, "-c", code % term], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if p.returncode != 0:
        return None
    return b"\033[?2004l\033[?1002l\033[?1000l\033[?1006l" + re.sub(rb"\$<[^>]*>", b"", p.stdout)


def explore(*arguments, **more):
    return Session([ICECORE, *arguments], **more)


def path(name):
    return os.path.join(SCRATCH, name)


def small(**more):
    s = explore("--no-index", "--no-history", path("small.trace"), **more)
    s.shows("top self time", "repairs")
    return s


def at_moment(moment, **more):
    """A session at that moment; other things to close."""
    if moment == "load":
        fifo = path("fifo.%d" % os.getpid())
        if not os.path.exists(fifo):
            os.mkfifo(fifo)
        held = os.open(fifo, os.O_RDWR)
        with open(path("large.hprof"), "rb") as f:
            os.write(held, f.read(4096))
        s = explore("--no-index", "--no-history", fifo, **more)
        s.shows("reading")
        return s, held
    if moment == "pass":
        s = explore("--no-index", "--no-history", path("large.hprof"), **more)
        s.shows("Overview")
        return s, None
    s = small(**more)
    if moment == "prompt":
        s.press(":", "type a source")
        s.press("thr", "thr")
    elif moment == "dialog":
        s.press("?", "page")
    return s, None


def moment_case(number, moment, seed):
    wait = random.Random("%d %s %d" % (number, moment, seed))
    s, held = at_moment(moment)
    try:
        time.sleep(wait.random() * 0.03)
        os.kill(s.pid, number)
        s.check_end(number, None if number in ORDERLY else expected_end("xterm-256color"))
    finally:
        s.close()
        if held is not None:
            os.close(held)


def term_case(term):
    s = small(term=term)
    try:
        os.kill(s.pid, signal.SIGUSR1)
        s.check_end(signal.SIGUSR1, expected_end(term))
    finally:
        s.close()


def dumb_case():
    s = explore("--no-index", path("small.trace"), term="dumb")
    try:
        s.check_end(-2)
        s.until("why", lambda: b"TERM=dumb cannot run the explorer" in s.seen)
    finally:
        s.close()


def goes_on_case(number, ignored):
    s = small(setup=lambda: signal.signal(number, signal.SIG_IGN)) if ignored else small()
    try:
        os.kill(s.pid, number)
        s.press("8", "format")
        s.press("Q")
        s.check_end(0)
    finally:
        s.close()


def stop_case(number):
    s = small(job=True)
    try:
        os.kill(s.pid, number)
        s.until("stop", lambda: s.state() == "T")
        if number == signal.SIGTSTP:
            s.until("the terminal as before, stopped", s.restored)
        termios.tcsetattr(s.fd, termios.TCSANOW, s.modes)     # as the shell does
        s.mark = len(s.seen)
        os.kill(s.pid, signal.SIGCONT)
        s.shows("top self time", "repairs")
        s.until("the modes of the explorer", lambda: not termios.tcgetattr(s.fd)[3] & termios.ICANON)
        s.press("Q")
        s.check_end(0)
    finally:
        s.close()


def ctrl_c_case(rounds):
    """Neither a frame nor keys are lost by Ctrl-C, it comes behind those, and none that was typed is waited for."""
    wait = random.Random(rounds)
    s = small()
    try:
        for n in range(rounds):
            os.write(s.fd, b"j")
            end = time.perf_counter() + wait.random() * 0.0003
            while time.perf_counter() < end:
                pass
            os.write(s.fd, b"\003")
            s.mark = len(s.seen)
            s.size(24, 79 + n % 2)
            s.until("the other size", lambda: b"\033[2J" in s.seen[s.mark:])
        os.write(s.fd, b":zzz\003")
        s.press("8", "format")
        # Esc and Ctrl-C are two keys.
        os.write(s.fd, b":zzz\033\003")
        s.press("1", "top self time")
        os.kill(s.pid, signal.SIGTERM)
        s.check_end(signal.SIGTERM)
    finally:
        s.close()


def thread_case(number, moment):
    libc = ctypes.CDLL(None, use_errno=True)
    s, _ = at_moment(moment)
    try:
        def sent():
            others = [int(t) for t in os.listdir("/proc/%d/task" % s.pid) if int(t) != s.pid]
            # The sanitizers have a thread of their own, the first.  One may just have ended.
            return bool(others) and libc.tgkill(s.pid, max(others), int(number)) == 0
        s.until("a thread", sent)
        s.check_end(number, expected_end("xterm-256color"))
    finally:
        s.close()


def cpu_limit_case():
    s = explore("--no-index", "--no-history", path("large.hprof"),
                setup=lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 600)))
    try:
        s.shows("Overview")
        heights = itertools.cycle((20, 24))

        def used_up():              # drawing takes time too
            s.size(next(heights), 80)
            return s.state() == "Z"
        s.until("its second is used up", used_up)
        s.check_end(signal.SIGXCPU, expected_end("xterm-256color"))
    finally:
        s.close()


def file_limit_case():
    shown = path("limited.trace")
    with open(path("small.trace"), "rb") as f, open(shown, "wb") as to:
        to.write(f.read())
    s = explore("--no-history", shown, setup=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    try:
        s.shows("top self time", "repairs")
        s.press("Q")
        s.check_end(0)
    finally:
        s.close()


# ---- queries -----------------------------------------------------------------

def left_case(number, named, seed):
    """A query is ended while it makes files: beside the input, in $TMPDIR and in the cache nothing stays."""
    wait = random.Random("%d %s %d" % (number, named, seed))
    folder = path("left.%d" % os.getpid())
    # The directory of the cache is made for whatever may be written there.
    where = {n: os.path.join(folder, n) for n in ("beside", "tmp", "cache/icecore")}
    for d in where.values():
        os.makedirs(d, exist_ok=True)
    dump = os.path.join(where["beside"], "a.hprof")
    if not os.path.exists(dump):
        os.link(path("middle.hprof"), dump)
    env = {**os.environ, "TMPDIR": where["tmp"], "XDG_CACHE_HOME": os.path.join(folder, "cache")}
    if named:
        env.update(LD_PRELOAD=SHIM, HURT="named")
    p = subprocess.Popen([ICECORE, "--memory", "1M", "-e", "objects | top 3 retained", dump], env=env,
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         preexec_fn=default_signals)
    try:
        end = time.monotonic() + PATIENCE
        while not own_files(p.pid, folder) and p.poll() is None:
            if time.monotonic() > end:
                raise Wrong("no file is made")
        time.sleep(wait.random() * 0.05)
        p.send_signal(number)
        if number == signal.SIGINT:
            p.send_signal(number)
        p.stderr.read()
        status = p.wait(PATIENCE)
    finally:
        p.kill()
        p.wait()
    left = [n for d in where.values() for n in os.listdir(d)]
    for n in set(left) & {"a.hprof.icx"}:
        os.unlink(os.path.join(where["beside"], n))
    extra = set(left) - {"a.hprof", "a.hprof.icx"}
    for d in where.values():
        for n in extra & set(os.listdir(d)):
            os.unlink(os.path.join(d, n))
    if extra:
        raise Wrong("left behind: %s" % ", ".join(sorted(extra)))
    if status not in (-number, 0) and number != signal.SIGINT:
        raise Wrong("status %d" % status)


def own_files(pid, folder):
    """Whether it has a file of its own making open there."""
    try:
        for fd in os.listdir("/proc/%d/fd" % pid):
            to = os.readlink("/proc/%d/fd/%s" % (pid, fd))
            if to.startswith(folder) and not to.endswith("a.hprof"):
                return True
    except OSError:
        pass
    return False


# ---- all -----------------------------------------------------------------------

def cases(moments):
    turn = itertools.cycle(MOMENTS)
    shift = 0
    for number in ENDS:
        shift += 1
        for moment in MOMENTS if moments >= len(MOMENTS) else [next(turn) for _ in range(moments)]:
            yield "%s, %s" % (name_of(number), moment), moment_case, (number, moment, shift)
    for term in ("screen", "linux", "vt100"):
        yield "SIGUSR1, TERM=%s" % term, term_case, (term,)
    yield "TERM=dumb is refused", dumb_case, ()
    for number in GOES_ON:
        yield "%s ends nothing" % name_of(number), goes_on_case, (number, False)
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGUSR1, signal.SIGQUIT):
        yield "%s was ignored and stays so" % name_of(number), goes_on_case, (number, True)
    for number in (*STOPS, signal.SIGSTOP):
        yield "%s and SIGCONT" % name_of(number), stop_case, (number,)
    for number in FAULTS:
        for moment in ("pass", "idle") if moments > 1 else ("pass",):
            yield "%s in the worker, %s" % (name_of(number), moment), thread_case, (number, moment)
    yield "Ctrl-C right behind a key", ctrl_c_case, (300,)
    yield "SIGXCPU by a limit", cpu_limit_case, ()
    yield "a limit on the size of files", file_limit_case, ()
    # Of faults the sanitizers make errors of their own, outside of the explorer.
    some = [s for s in ENDS if (moments > 1 or s <= 31) and not (SHIM is None and s in FAULTS)]
    for number in (*some, signal.SIGINT):
        yield "%s leaves no file behind" % name_of(number), left_case, (number, False, shift)
        if SHIM is not None:
            yield "%s leaves no file behind that has a name" % name_of(number), left_case, (number, True, shift)


def run(case):
    name, function, arguments = case
    try:
        function(*arguments)
    except (Wrong, OSError, subprocess.SubprocessError) as e:
        return name, "%s: %s" % (type(e).__name__, e)
    return name, None


def main():
    moments = int(sys.argv[4])
    n = 0
    with multiprocessing.Pool(3) as pool:
        for name, wrong in pool.imap(run, list(cases(moments))):
            n += 1
            print("%sok %d - %s" % ("not " if wrong else "", n, name))
            if wrong:
                print("# " + wrong)
            sys.stdout.flush()
    print("1..%d" % n)


if __name__ == "__main__":
    main()
