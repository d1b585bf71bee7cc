# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""plaincheck.py SRCDIR [PATH...]: texts, messages and comments are plain English.

tests/plain.tsv has the patterns of sentences that sound translated, each with what to write instead.  With PATHs (files or
directories below SRCDIR) all hits and long sentences in them are listed, and nothing else.  --advice SRCDIR lists hits in comments
and tests, which fail nothing.  --flesch SRCDIR prints the Flesch reading ease of the documents: 60 is plain, 30 is hard to read.
"""

import bisect
import os
import re
import sys

LONGEST = 30            # words in a sentence
EASE = 70               # of a manual, by Flesch
DOCUMENTS = re.compile(r"(^|/)(README\.md|HACKING\.md|NEWS)$|^man/")
C_LIKE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
PYTHON = re.compile(r'#[^\n]*|"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
SHELL = re.compile(r'(?:(?<=\s)|^)#[^\n]*|"(?:\\.|[^"\\\n])*"|(?<=<<\'END\'\n).*?(?=\nEND$)', re.S | re.M)
HASH = re.compile(r"(?m)^[ \t]*#[^\n]*")
SQL = re.compile(r"--[^\n]*")
KINDS = {".c": C_LIKE, ".h": C_LIKE, ".js": C_LIKE, ".css": C_LIKE, ".awk": HASH, ".py": PYTHON, ".sh": SHELL, ".test": SHELL,
         ".am": HASH, ".ac": SHELL, ".tsv": HASH, ".q": HASH, ".keys": HASH, ".yaml": HASH, ".sbatch": HASH, ".sql": SQL, ".java": C_LIKE}
NAMES = {"bootstrap": SHELL, "run": SHELL, "Makefile": HASH, "Dockerfile": HASH}
TOPS = ("README.md", "NEWS", "HACKING.md", "Makefile.am", "configure.ac", "bootstrap", ".ci", "completions/make.sh", "contrib", "demo",
        "firmware", "include", "man", "src", "tests")
PRODUCT = ("src/", "include/", "bootstrap", "contrib/")
SKIPPED = re.compile(r"^tests/(corpus|leaks|fuzz/corpus|screen/.*\.scr|plain\.tsv)|^firmware/build|/__pycache__$|/\.deps$")
KIND_NAMES = {"d": "documents", "s": "messages", "t": "strings of tests", "c": "comments"}
CODE = "\x01"           # a word of code in a document
BREAK = "\v"            # the end of a sentence without a full stop
MACROS = set("Ad An Ap Ar Bq Brq Cd Cm Dq Dv Em Er Ev Fa Fl Fn Ic In Li Lk Mt Ms Nm No Ns Op Pa Pf Pq Ql Qq Sq St Sx Sy Tn Va Vt Xr".split())
CODE_MACROS = set("Ad Ar Cd Cm Dv Er Ev Fa Fl Fn Ic In Li Lk Mt Ms Nm Pa Ql St Sx Va Vt Xr".split())
BREAKS = set("Sh Ss Pp It Bl El Bd Ed Dd Dt Os Nd D1 Dl Rs Re".split())


# ---- texts of files: items (line, kind of KIND_NAMES, text); line breaks of text are those of the file


def finished(pattern, line, kind, body):
    """A string without escapes; BREAK before and after its lines that are rows of a table or queries."""
    if kind == "s":
        parts = re.split(r"((?:\\n\s*)+|\n)" if pattern is SHELL else r"((?:\\n[ \t]*)+\n?)", body)
        for n in range(1, len(parts), 2):
            own = re.match(r"\s*\S+( \S+){0,5} {2,}\S", parts[n + 1]) or " | " in parts[n - 1] + parts[n + 1]
            parts[n] = (BREAK if own else " ") + "\n" * parts[n].count("\n")
        body = re.sub(r"\\(.)", lambda e: " " if e.group(1) == "t" else e.group(1), "".join(parts))
        body = re.sub(r"[ \t]*\n[ \t]*", "\n", body)
    return line, kind, body


def code_item(pattern, text):
    line, at, last = 1, 0, None
    for m in pattern.finditer(text):
        t, gap = m.group(0), text[at:m.start()]
        line += gap.count("\n")
        comment = t[0] in "#/-" and not (t[0] == "/" and pattern is PYTHON)
        if comment:
            kind, body = "c", re.sub(r"\s*\n[ \t]*\*?[ \t]*", "\n", re.sub(r"^(/\*+|//+|#+|--)[ \t]?|\*/$", "", t))
        else:
            body = t[3:-3] if t[:3] in ('"""', "'''") else t[1:-1] if t[0] in "\"'" else t
            kind = "c" if t[:3] == '"""' else "s"
        joined = last and last[1] == kind and (gap.count("\n") < 2 if comment else True) and not re.sub(r"PRI\w+", "", gap).strip()
        if joined and comment and "\n" not in gap:
            joined = False
        if joined:
            last = last[0], kind, last[2] + "\n" * gap.count("\n") + ("" if kind == "s" and "\n" not in gap else "") + body
        else:
            if last:
                yield finished(pattern, *last)
            last = line, kind, body
        line += t.count("\n")
        at = m.end()
    if last:
        yield finished(pattern, *last)


def markdown(text):
    """Paragraphs, list items, cells; code is one word."""
    block, start, fenced, blank, code = [], 1, False, True, False
    out = []

    def end():
        if block:
            out.append((start, "d", "\n".join(block)))
            del block[:]

    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fenced = not fenced
        indented = line.startswith("    ") and (blank or code)
        code = indented or code and not line
        if fenced or indented or not line.strip() or line.startswith("<!--"):
            end()
        else:
            if line.startswith("|"):
                end()
                out.extend((number, "d", cell.strip()) for cell in re.sub(r"`[^`]*`", CODE, line).split("|") if cell.strip(" -"))
            else:
                if re.match(r"\s*([-*#]|\d+\.) ?", line) and not line.startswith("**"):
                    end()
                if not block:
                    start = number
                block.append(re.sub(r"^\s*([-*]|#+|\d+\.)\s+|^\s+", "", line))
                if line.startswith("#"):
                    end()
        blank = not line.strip()
    end()
    for number, kind, body in out:
        body = re.sub(r"`[^`]*`", lambda m: CODE + "\n" * m.group(0).count("\n"), body)
        yield number, kind, re.sub(r"\]\([^)]*\)|[][*]", "", body)


def mdoc_words(line):
    """The words of a macro line, code as one word."""
    out, code, glue = [], False, False
    for m in re.finditer(r'"([^"]*)"|(\S+)', line):
        word = m.group(1) if m.group(2) is None else m.group(2)
        if m.group(2) in MACROS:
            if word == "Nm" and not out and line.strip() in ("Nm", "Nm ,", "Nm ."):
                out.append(CODE)
            code = word in CODE_MACROS
            glue = glue or word in ("Ns", "Ap")
        elif word in (".", ",", ";", ":", ")", "!", "?") and out:
            out[-1] += word
            code = False
        elif word in ("(", "|"):
            continue
        else:
            word = CODE if code else word
            if not (code and out and out[-1] == CODE):
                out.append(word)
    return " ".join(out)


def mdoc(text):
    block, start, literal = [], 1, False
    out = []
    for number, line in enumerate(text.split("\n"), 1):
        name = re.match(r"\.\s*([A-Za-z][A-Za-z0-9]?)\b", line)
        name = name.group(1) if name else ""
        if name == "Bd":
            literal = "-literal" in line or "-unfilled" in line
        if name in BREAKS or not line.strip():
            if block:
                out.append((start, "d", "\n".join(block)))
            block = []
        if name == "Ed":
            literal = False
        if literal or line.startswith('.\\"') or name in ("D1", "Dl", "Bd", "Bl", "Ed", "El", "Pp", "Dd", "Dt", "Os"):
            if block:
                block.append("")
            continue
        if name == "It":
            out.extend((number, "d", mdoc_words(cell)) for cell in line[3:].split(" Ta ")[1:])
            continue
        body = line
        if name:
            body = mdoc_words(line[1:] if name in MACROS else re.sub(r"^\.\s*\w+\s*", "", line))
        if not block:
            start = number
        block.append(body)
    if block:
        out.append((start, "d", "\n".join(block)))
    for number, kind, body in out:
        body = re.sub(r"\\\((aq|dq|em|en|ha|ti)", "'", body)
        yield number, kind, re.sub(r"\\[fF].|\\[&,/|^]", "", body).replace("\\-", "-").replace("\\e", "\\")


def items(path, text):
    base = os.path.basename(path)
    if path.startswith("man/") and path[-1].isdigit():
        return mdoc(text)
    if DOCUMENTS.search(path):
        return markdown(text)
    pattern = KINDS.get(os.path.splitext(base)[1]) or NAMES.get(base)
    return code_item(pattern, text) if pattern else ()


def files(srcdir, paths):
    for top in paths:
        whole = os.path.join(srcdir, top)
        if os.path.isfile(whole):
            yield top
        for folder, folders, names in os.walk(whole):
            relative = os.path.relpath(folder, srcdir)
            folders[:] = sorted(f for f in folders if not SKIPPED.search(os.path.join(relative, f)))
            yield from (os.path.join(relative, n) for n in sorted(names) if not SKIPPED.search(os.path.join(relative, n)))


def read_items(srcdir, paths):
    """(file, line, kind, text); strings without two blanks are names or data."""
    for path in files(srcdir, paths):
        base = os.path.basename(path)
        if DOCUMENTS.search(path) or os.path.splitext(base)[1] in KINDS or base in NAMES:
            with open(os.path.join(srcdir, path), encoding="utf-8", errors="replace") as f:
                text = f.read()
            for line, kind, body in items(path, text):
                if kind == "s" and not path.startswith(PRODUCT):
                    kind = "t"
                if kind in "dc" or body.count(" ") > 1:
                    yield path, line, kind, body


# ---- patterns


def rows(srcdir):
    """The rows of plain.tsv with their lines."""
    patterns, allowed = [], []
    with open(os.path.join(srcdir, "tests", "plain.tsv"), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            if line.strip() and line[0] != "#":
                cells = line.rstrip("\n").split("\t")
                (allowed if cells[0] == "allow" else patterns).append((number, cells))
    return patterns, allowed


def compiled(pattern):
    """(regex, lower, edge): a pattern without capitals matches any case.  Its start, \\b or ^ for that of a sentence, is tested
    later: a search for a literal is fast."""
    lower = not re.search(r"(?<!\\)[A-Z]", pattern)
    edge = "^" if pattern[0] == "^" else "b" if pattern.startswith("\\b") else ""
    pattern = re.sub(r"(?<!there)(?<!far) ", r"\\s+", pattern[len(edge) + (edge == "b"):])
    return re.compile(pattern), lower, edge


class Texts:
    """All texts of a kind as one, so that each pattern is searched once."""

    def __init__(self, found):
        self.items = found
        self.starts, at = [], 0
        for item in found:
            self.starts.append(at)
            at += len(item[3]) + 1
        self.text = "\0".join(item[3] for item in found)
        self.lower = self.text.lower()
        if len(self.lower) != len(self.text):
            self.lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in self.text)

    def hits(self, regex, lower, edge):
        text = self.lower if lower else self.text
        for m in regex.finditer(text):
            at = m.start()
            if edge and at and (text[at - 1].isalnum() or text[at - 1] == "_"):
                continue
            if edge == "^" and text[max(0, at - 9):at].rstrip()[-1:] not in ("", ".", "!", "?", ":", "\0", BREAK):
                continue
            n = bisect.bisect_right(self.starts, at) - 1
            path, line, _, body = self.items[n]
            inside = at - self.starts[n]
            around = body[max(0, inside - 45):inside + len(m.group(0)) + 35].replace("\n", " ")
            yield path, line + body.count("\n", 0, inside), around


def search(patterns, found):
    """(id, kind, file, line, text around it, what to write)"""
    kinds = {kind: Texts([item for item in found if item[2] == kind]) for kind in KIND_NAMES}
    for _, (name, where, pattern, _, _, instead) in patterns:
        how = compiled(pattern)
        for kind in where:
            for path, line, around in kinds[kind].hits(*how):
                yield name, kind, path, line, around, instead


# ---- sentences


def sentences(text):
    """(line from the first on, sentence)"""
    text = re.sub(r"\b(e\.g|i\.e|cf|vs|approx|No|St)\.", r"\1", text)
    at = 0
    for piece in re.split(r"((?<=[.!?])[)\"']*\s+(?=[^a-z]|icecore\b)|" + BREAK + ")", text):
        if piece.strip():
            yield text.count("\n", 0, at), " ".join(piece.split())
        at += len(piece)


CHOICE = r"\[(?:\w+\?)?([^][?]*)\]"       # [that?this|or this] of src/pass/leaks/finding_kinds.c


def words_of(sentence):
    """Names in a row are one word; the longest part of a choice counts."""
    sentence = re.sub(CODE + r"((,|;)? ?(and |or |to )?" + CODE + ")+", CODE, sentence)
    while re.search(CHOICE, sentence):
        sentence = re.sub(CHOICE, lambda m: max(m.group(1).split("|"), key=len), sentence)
    return re.findall(r"[A-Za-z0-9\x01][\w'’\x01./-]*", sentence)


def long_sentences(found):
    for path, line, kind, text in found:
        if kind in "ds" and not re.search(r"\w\{[a-z-]+:", text):
            for below, sentence in sentences(text):
                n = len(words_of(sentence))
                if n > LONGEST:
                    yield path, line + below, n, sentence.replace(CODE, "`")


def syllables(word):
    word = re.sub(r"[^a-z]", "", word.lower())
    n = len(re.findall(r"[aeiouy]+", word))
    if word.endswith("e") and not word.endswith(("le", "ee")) or word.endswith("ed") and not word.endswith(("ted", "ded")):
        n -= 1
    return max(1, n)


def reading_ease(srcdir):
    """(ease, words in a sentence, sentences over 25 words, sentences, document).  Of whole sentences: cells, captions and code count
    nothing, so that the figure is one of prose and layout does not change it."""
    for path in files(srcdir, TOPS):
        if DOCUMENTS.search(path):
            said = [s for _, _, _, text in read_items(srcdir, [path]) for _, s in sentences(text)
                    if re.search(r"[.!?][)\"']*$", s) and len(words_of(s)) > 3]
            spoken = [w for s in said for w in words_of(s) if CODE not in w and re.search("[a-z]", w)]
            lengths = [len(words_of(s)) for s in said]
            if spoken:
                mean = sum(lengths) / len(said)
                yield (206.835 - 1.015 * mean - 84.6 * sum(map(syllables, spoken)) / len(spoken), mean,
                       sum(n > 25 for n in lengths), len(said), path)


def flesch(srcdir):
    print("ease  words  over 25  sentences  document")
    for row in reading_ease(srcdir):
        print("%4.1f  %5.1f  %7d  %9d  %s" % row)


# ---- the checks


def wrong_rows(patterns):
    """A row needs its six cells; the pattern finds the example, and not what to write instead."""
    seen = set()
    for number, cells in patterns:
        if len(cells) != 6 or not all(cells) or cells[0] in seen or set(cells[1]) - set(KIND_NAMES):
            yield "tests/plain.tsv:%d: six cells: a new id, kinds of d, s and c, pattern, example, instead, reason" % number
            continue
        seen.add(cells[0])
        for cell, want in ((3, True), (4, False)):
            found = list(Texts([("", 1, "d", cells[cell])]).hits(*compiled(cells[2])))
            if bool(found) != want:
                yield "tests/plain.tsv:%d: %s %s %r" % (number, cells[0], "misses" if want else "finds", cells[cell])


def permitted(allowed, name, path, text, used):
    for number, cells in allowed:
        if len(cells) == 5 and cells[1] == name and cells[2] == path and cells[3] in text:
            used.add(number)
            return True
    return False


def report(srcdir, paths):
    patterns, allowed = rows(srcdir)
    found = list(read_items(srcdir, paths))
    used = set()
    lines = [(path, line, "%s: ...%s... -> %s" % (name, around.strip().replace(CODE, "`"), instead))
             for name, _, path, line, around, instead in search(patterns, found)
             if not permitted(allowed, name, path, around, used)]
    lines += [(path, line, "%d words: %s" % (n, text)) for path, line, n, text in long_sentences(found)
              if not permitted(allowed, "long", path, text, used)]
    for path, line, text in sorted(lines):
        print("%s:%d: %s" % (path, line, text))
    print("%d hits" % len(lines))
    return bool(lines)


def judged(srcdir):
    """The hits by kind, the sentences that are too long, and the exceptions that permit nothing."""
    patterns, allowed = rows(srcdir)
    found = list(read_items(srcdir, TOPS))
    used, hits = set(), {kind: [] for kind in KIND_NAMES}
    for name, kind, path, line, around, instead in search(patterns, found):
        if not permitted(allowed, name, path, around, used):
            hits[kind].append("%s:%d: %s: %s -> %s" % (path, line, name, around.strip().replace(CODE, "`"), instead))
    too_long = ["%s:%d: %d words: %s" % (path, line, n, text) for path, line, n, text in long_sentences(found)
                if not permitted(allowed, "long", path, text, used)]
    return hits, too_long, ["tests/plain.tsv:%d: permits nothing: %s" % (number, " ".join(cells[1:4]))
                            for number, cells in allowed if number not in used]


def whole(srcdir):
    """TAP: what users read."""
    hits, too_long, _ = judged(srcdir)
    checks = [("each pattern of plain.tsv finds its example", list(wrong_rows(rows(srcdir)[0])))]
    checks += [("%s are plain English" % KIND_NAMES[kind], hits[kind]) for kind in "ds"]
    hard = ["%s: %.1f" % (path, ease) for ease, _, _, _, path in reading_ease(srcdir) if path.startswith("man/") and ease < EASE]
    checks += [("sentences of documents and messages have at most %d words" % LONGEST, too_long),
               ("manuals have a Flesch reading ease of %d or more" % EASE, hard)]
    for n, (name, bad) in enumerate(checks, 1):
        print("%sok %d - %s" % ("not " if bad else "", n, name))
        for line in bad[:60]:
            print("#   " + line)
        if len(bad) > 60:
            print("#   %d in all: tests/oracle/plaincheck.py SRCDIR PATH lists those of a file or directory" % len(bad))
    print("1..%d" % len(checks))


def main():
    if sys.argv[1] == "--flesch":
        flesch(sys.argv[2])
    elif sys.argv[1] == "--advice":
        hits, _, unused = judged(sys.argv[2])
        print("\n".join(hits["c"] + hits["t"] + unused))
    elif sys.argv[2:]:
        return report(sys.argv[1], [os.path.relpath(os.path.join(sys.argv[1], p), sys.argv[1]) for p in sys.argv[2:]])
    else:
        whole(sys.argv[1])
    return 0


sys.exit(main())
