#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""foldedmake.py CASE - folded stacks of a kind, to stdout.

small          what tools write: kernel, JIT and inlined frames, recursion, a duplicate stack
mixed          comments, lines without a number, empty frames, decimals, CR LF, blanks, tabs, no last line end
differential   two counts; some lines have one
numbers        names that end in numbers, in a file with one count
threads        async-profiler with threads
semicolons     the same, with semicolons in their names
pyspy          py-spy with threads and processes; a thread is not named on each line
wakeups        stacks joined at --
austin         times, as Austin says it measures
bytes          bytes of memory, as Austin says
slower         times, before and after
turned         the same behind many lines that have one count and no thread
ended          stacks, and what Austin measured behind all of them
languages      names as compilers of several languages write them
sums           numbers that are too large to add, and too many decimals
hostile        names of bytes that are not text
mark           the mark of UTF-8 in front
utf16le utf16be
random SEED    anything the format allows, and some that it does not
truncated N    small, cut behind N bytes
"""
import random
import sys

SMALL = """java;start_thread;Thread.run;Worker.loop;Parser.next_[j] 14
java;start_thread;Thread.run;Worker.loop;Parser.next_[j];String.hash_[i] 3
java;start_thread;Thread.run;Worker.loop;Parser.next_[j];Parser.next_[j] 2
java;start_thread;Thread.run;Worker.loop;Log.write;write;entry_SYSCALL_64_[k];vfs_write_[k] 9
java;start_thread;Thread.run;Worker.loop;Log.write;write;entry_SYSCALL_64_[k];vfs_write_[k] 1
java;start_thread;GCTask.run;copy_to_survivor_space 21
java;[unknown] 4
swapper;cpu_idle_[k] 50
"""

MIXED = b"# a comment\n\na;b c;d 3\r\na;b c;d 4\r\n   \r\nno number here\n7\na;memcpy@G_2.2.5 2\n" \
    b"a;;e 1\n;lead 2\na;trail; 3\n 5\na\tb;c\t6\na;f 1.5\na;six 6.\na;g_[k] 10 \t\n#not;a;stack 9\nx;y -3\n" \
    b"x;y 1e3\nx;y .5\nx;last  2.250000"

DIFFERENTIAL = """main;same 10 10
main;grew 10 25
main;shrank 31.5 2
main;new 0 7
main;gone 8 0
main;only before 4
main;memcpy@GLIBC_2.2.5 3 4
main;grew;deeper_[k] 1 2
"""

NUMBERS = "".join("pool;worker;task%d %d\n" % (i, i + 1) for i in range(30)) + "pool;worker 17 5\n"

THREADS = """[main tid=100];App.main;App.run 30
[main tid=100];App.main;App.run;Db.query_[j] 12
[pool-1-thread-1 tid=101];Thread.run;Task.call_[0] 7
[pool-1-thread-2 tid=102];Thread.run;Task.call_[1] 9
[pool-1-thread-2 tid=103];Thread.run;Task.call_[j] 1
[tid=104] 2
"""

SEMICOLONS = """[a;b tid=12];App.main;App.run 3
[a;b;c] d;e tid=13];App.main 2
[plain tid=14];App.main 1
"""

PYSPY = """process 7:"python app.py";thread (70): MainThread;<module> (app.py:24);run (app.py:16) 7
process 7:"python app.py";thread (70);wait (threading.py:320) 5
process 7:"python app.py";process 8:"python -c 'work; more'";thread (0x7F00AA00BB00): worker-1;work (app.py:8) 30
process 7:"python app.py";thread (71): worker-1 4
process 7:"python app.py";<module> (app.py:3) 1
"""

WAKEUPS = """app;main;futex_wait_[k];--;try_to_wake_up_[k];do_futex_[k];unlock;worker 1200
app;main;futex_wait_[k] 300
"""

AUSTIN = """# austin: 3.3.0
# mode: %s

P10;T10;<module>:app.py:1;run:app.py:20 1500
P10;T0:11;<module>:app.py:1;run:app.py:20;<module>:app.py:1 250

# duration: 2000
"""

SLOWER = "# mode: wall\nmain;parse 1000 3000\nmain;draw 5000 2000\nmain;draw;text 40 40\n"

# More than a first look takes.
LONG = "".join("pool;worker;task %d\n" % (i % 9) for i in range(4000))
TURNED = LONG + "[main tid=100];main;parse 5 7\n" * 6000 + "# mode: wall\n"

SUMS = "a;big 9223372036854775807\na;big 1\na;huge 99999999999999999999999999\nb;part 0.1234567\nb;zero 0\n"

HOSTILE = b"ok;\xff\xfe;\x1b[31mred 1\nok;a\0b 2\nok;\xe2\x80\xae\xf0\x9f\x98\x80;tab\tin 3\n" \
    b"_[k];_[j];x_[k];[k] 4\n%s;%n;../../etc 5\n'\";<b>&amp; 6\n"


LANGUAGES = """long com.acme.Cart.sum 1
java.util.List[] com.acme.Cart$Item.all 2
com/acme/Cart.sum 3
void acme::Set<int, 5ul>::add 4
acme::Set<int,  5
acme::Set<acme::Key,  6
acme::Key::operator unsigned long 7
non-virtual thunk to acme::Key::~Key 8
acme::(anonymous namespace)::run 9
acme::wait (int) 10
static Shop.Cart.sum 11
github.com/acme/shop.(*Cart).Sum 12
JS:*sum /srv/shop/cart.js:12:5 13
JS:~ node:internal/timers:570:11 14
sum (shop/cart.py:12) 15
-[Cart sum:with:] 16
acme::f(int) const::{lambda(int)#1}::operator()(int) const 17
std::vector<int, std::allocator<int> >::operator[](unsigned long) 18
<alloc::vec::Vec<T> as core::ops::Drop>::drop 19
core::ops::FnOnce::call_once{{vtable.shim}} 20
static Shop.Cart.add(Swift.Int) -> Swift.String 21
acme::Key::operator<(acme::Key const&) const 22
acme::Key::operator()(acme::Key) 23
com.acme.Cart.<init> 24
<module> (shop/cart.py:1) 25
acme::add(acme::Key, acme::Cart::Item) [clone .isra.0] 26
"""


def random_lines(seed):
    r = random.Random(seed)
    names = ["f%d" % i for i in range(12)] + ["", "a b", "--", "x_[k]", "y_[j]", "_[k]", "z_[q]", "n 5", "é", "v1.2", "#h"]
    out = []
    for _ in range(r.randrange(1, 60)):
        stack = ";".join(r.choice(names) for _ in range(r.randrange(1, 9)))
        number = r.choice(["%d" % r.randrange(1000), "%d.%d" % (r.randrange(50), r.randrange(100000)), "3.", "7.0"])
        kind = r.randrange(20)
        if kind == 0:
            out.append("# " + stack + " " + number)
        elif kind == 1:
            out.append(stack)
        elif kind == 2:
            out.append("")
        else:
            out.append(stack + r.choice([" ", " ", " ", "\t", "  "]) + number)
        out[-1] += r.choice(["", "", "", " ", "\r"])
    text = "\n".join(out) + r.choice(["\n", ""])
    if r.randrange(3) == 0:
        text = "".join(line[:-1] + " %d\n" % r.randrange(9) if line[:1].isalpha() and line[-2:-1].isdigit() else line
                       for line in text.splitlines(True))
    # More lines than not must be stacks, or it is no such file.
    return text.encode() + b"\nend;of it 1\n" * (len(out) + 2)


def case(name, args):
    if name == "small":
        return SMALL.encode()
    if name == "mixed":
        return MIXED
    if name == "differential":
        return DIFFERENTIAL.encode()
    if name == "numbers":
        return NUMBERS.encode()
    if name == "threads":
        return THREADS.encode()
    if name == "semicolons":
        return SEMICOLONS.encode()
    if name == "pyspy":
        return PYSPY.encode()
    if name == "wakeups":
        return WAKEUPS.encode()
    if name == "austin":
        return (AUSTIN % "wall").encode()
    if name == "bytes":
        return (AUSTIN % "memory").encode()
    if name == "slower":
        return SLOWER.encode()
    if name == "turned":
        return TURNED.encode()
    if name == "ended":
        return (LONG + "# mode: wall\n").encode()
    if name == "languages":
        return LANGUAGES.encode()
    if name == "sums":
        return SUMS.encode()
    if name == "hostile":
        return HOSTILE
    if name == "mark":
        return b"\xef\xbb\xbf" + SMALL.encode()
    if name == "utf16le":
        return b"\xff\xfe" + SMALL.encode("utf-16-le")
    if name == "utf16be":
        return b"\xfe\xff" + SMALL.encode("utf-16-be")
    if name == "random":
        return random_lines(int(args[0]))
    if name == "slashes":
        # Names of Java as JVMs have them, and paths, URLs and packages of Go that look similar.
        frames = ("java/lang/Thread.run", "com/acme/Cart:.add", "com/acme/Cart::total", "com/acme/Cart$$Lambda/0x7f01.run", "src/Cart.js", "lib/Cart.java",
                  "github.com/x/Y.F", "encoding/json.Marshal", "./a/B.run", "/a/B.run")
        return ("java;" + ";".join(frames) + " 5\n").encode()
    if name == "truncated":
        return SMALL.encode()[:int(args[0])]
    raise SystemExit(__doc__)


CASES = ("small", "mixed", "differential", "numbers", "threads", "pyspy", "wakeups", "austin", "bytes", "slower", "turned", "ended",
         "languages", "slashes", "sums", "hostile", "mark", "utf16le", "utf16be")

if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    sys.stdout.buffer.write(case(sys.argv[1], sys.argv[2:]))
