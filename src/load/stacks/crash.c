/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports of crashes: systemd-coredump, tombstones of Android, sanitizers, panics of Rust, macOS, and the
 * threads of WinDbg.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/name.h"
#include "icecore/scan.h"
#include "load/decode.h"
#include "native.h"
#include "readers.h"
#include "reports.h"
#include "text.h"

/* ---- threads ------------------------------------------------------------------------------ */

/* Open a thread; id: its number, empty if it has none. */
static void
crash_thread(struct crash *c, enum dump_kind kind, struct str name, struct str id, const char *at)
{
	struct dumps_in *in = c->in;

	if (c->fresh)
		dumps_end(in);
	c->fresh = false;
	if (id.n > 0 ? dumps_begin_for(in, kind, id) : !in->in_dump) {
		if (id.n == 0)
			dumps_begin(in, kind);
		if (c->program.n > 0)
			dumps_program(in, c->program);
		dumps_dump(in)->pid = c->pid;
	}
	dumps_thread(in, name, at);
	c->open = true;
}

/* A report begins; why it was made is told apart. */
static void
crash_begins(struct crash *c, uint64_t pid, struct str program)
{
	c->fresh = c->fresh || c->in->in_dump;
	c->open = false;
	c->pid = pid;
	c->program = program;
	dumps_tell(c->in, program, MEANT_TEXT, "command");
}

/* Drop registers, and the colon before a text that is on the next line. */
static void
crash_reason(struct crash *c, struct str s)
{
	struct str registers;

	if (!str_divide(s, STR(" at pc 0x"), &s, &registers))
		(void)str_divide(s, STR(" (pc 0x"), &s, &registers);
	if (str_ends(s, ":"))
		s.n--;
	dumps_reason(c->in, s, c->fresh);
}

/* ---- systemd-coredump ----------------------------------------------------------------------- */

struct str
crash_text(struct str line)
{
	(void)scan(&line, "%*tsystemd-coredump[%*d]: ");
	return text_trim(line);
}

static bool
coredump_head(struct crash *c, struct str s)
{
	struct str number, program, line = s;
	uint64_t pid;

	if (scan(&s, "Stack trace of thread %d:$", &number)) {
		crash_thread(c, DUMP_COREDUMP, STR(""), number, line.s);
		dumps_id(c->in, number);
		(void)str_number(&number, &c->in->t.tid);
	} else if (scan(&s, "PID: %u (%l)$", &pid, &program)) {
		crash_begins(c, pid, program);
	} else if (scan(&s, "{Message: }Process %u (%l) of user %*d dumped core.", &pid, &program)) {
		if (pid != c->pid)
			crash_begins(c, pid, program);
		crash_reason(c, line);
	} else if (scan(&s, "Signal: %*d (")) {
		crash_reason(c, line);
	} else
		return false;
	dumps_tell_words(c->in, line);
	return true;
}

/* ---- tombstones ------------------------------------------------------------------------------- */

/* "pid: 7, tid: 8, name: worker  >>> com.example <<<" */
static bool
tombstone_head(struct crash *c, struct str s)
{
	struct str line = s, number, name, program;
	uint64_t pid;

	if (str_begins(s, "*** *** ***")) {
		crash_begins(c, 0, STR(""));
		dumps_tell_words(c->in, s);
		return true;
	}
	if (str_begins(s, "signal ") && str_has(s, STR(" code "))) {
		crash_reason(c, s);
		return true;
	}
	if (!scan(&s, "pid: %u, tid: %d, name: %t  >>> %l <<<", &pid, &number, &name, &program))
		return false;
	c->pid = pid;
	c->program = program;
	dumps_tell(c->in, program, MEANT_TEXT, "command");
	dumps_tell_words(c->in, line);
	crash_thread(c, DUMP_TOMBSTONE, text_trim(name), number, line.s);
	dumps_id(c->in, number);
	(void)str_number(&number, &c->in->t.tid);
	return true;
}

/* ---- sanitizers ------------------------------------------------------------------------------- */

static bool
sanitizer_head(struct crash *c, struct str s)
{
	struct str line = s;
	uint64_t pid = 0;

	if (!str_has(s, STR("Sanitizer: ")) || str_begins(s, "SUMMARY: "))
		return false;
	(void)scan(&s, "==%u==", &pid);
	if (!str_begins(s, "ERROR: ") && !str_begins(s, "WARNING: ") && !str_has(s, STR("DEADLYSIGNAL")))
		return false;
	if (pid == 0)
		(void)text_number_after(s, STR("(pid="), &pid);
	crash_begins(c, pid, STR(""));
	crash_reason(c, s);
	dumps_tell_words(c->in, line);
	c->sanitizer = true;
	c->heading = s;
	return true;
}

/* The name of "READ of size 4 at 0x60 thread T1" without the thread, and its number. */
static void
sanitizer_thread(struct crash *c, const char *at)
{
	static const char *const ends[] = { " at 0x", " thread T", " main thread", " here:" };
	struct str name = c->heading, before, rest, id = STR("");

	if (str_divide(name, STR(" T"), &before, &rest) && str_digits(rest) > 0)
		id = (struct str){ rest.s - 1, str_digits(rest) + 1 };
	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_divide(name, str_of(ends[i]), &before, &rest))
			name = before;
	if (str_ends(name, ":"))
		name.n--;
	/* The words of the heading stay, although names of threads do not. */
	name = buf_set(&c->in->text_buf, name, STR(""));
	crash_thread(c, DUMP_SANITIZER, name, STR(""), at);
	dumps_tell_words(c->in, c->heading);
	dumps_id(c->in, id);
}

/* "READ of size 4 at 0x60 thread T1", "freed by thread T0 here:", "a.c:3:5: runtime error: ..." */
static bool
sanitizer_heading(struct crash *c, struct str s)
{
	if (str_has(s, STR(": runtime error: "))) {
		c->sanitizer = true;
		crash_reason(c, s);
	} else if (!c->sanitizer || (!str_ends(s, ":") && !str_has(s, STR(" at 0x"))))
		return false;
	dumps_tell_words(c->in, s);
	c->heading = s;
	return true;
}

/* ---- Rust ---------------------------------------------------------------------------------------- */

/* What a panic says is on the next line since 1.73, behind its place, which the frames have, too. */
static void
rust_reason(struct crash *c, struct str line)
{
	struct lines ahead = c->in->lines;
	struct str next;

	if (str_ends(line, ":") && lines_next(&ahead, &next) && (next = text_trim(next)).n > 0 && !banner_of_dump(next))
		line = next;
	crash_reason(c, line);
}

static bool
rust_head(struct crash *c, struct str s)
{
	struct str line = s, name;

	if (c->panic && str_is(s, "stack backtrace:")) {
		dumps_tell_words(c->in, s);
		return true;
	}
	if (!scan(&s, "thread '%t' {(%*d) }panicked at ", &name))
		return false;
	crash_begins(c, 0, STR(""));
	rust_reason(c, line);
	crash_thread(c, DUMP_RUST, name, STR(""), line.s);
	dumps_tell_words(c->in, line);
	c->panic = true;
	return true;
}

/* "src/main.rs:10:5" as "main.rs:10". */
static struct str
crash_place(struct str s)
{
	struct str before, number;

	if (str_divide_last(s, ':', &before, &number) && text_all_digits(number) &&
	    text_all_digits(text_after_last(before, ':')) && memchr(before.s, ':', before.n) != NULL)
		s = before;
	return text_after_last(s, '/');
}

/* "   2: app::work::h0123456789abcdef", and "at ./src/main.rs:10:5" on the next line. */
static bool
rust_frame(struct crash *c, struct str s)
{
	enum { HASH = 19 };
	struct dumps_in *in = c->in;
	struct str f, hash;

	if (in->nstack > 0 && scan(&s, "at ") && memchr(s.s, ':', s.n) != NULL) {
		s = text_place(s, &hash);
		dumps_tell(in, hash, MEANT_TEXT, "text after a frame");
		dumps_replace_place(in, crash_place(s));
		return true;
	}
	if (!scan(&s, "%*d: "))
		return false;
	f = text_trim(s);
	(void)scan(&f, "{%*h - }");
	f = dumps_name(in, f, name_end);
	hash = str_after(f, f.n > HASH ? f.n - HASH : 0);
	if (scan(&hash, "::h%*x$")) {
		f.n -= HASH;
		dumps_tell(in, (struct str){ f.s + f.n, HASH }, MEANT_FORM, "hash");
	}
	dumps_frame(in, f, STR(""), false);
	return f.n > 0;
}

/* ---- macOS ---------------------------------------------------------------------------------------- */

static bool
mac_thread(struct crash *c, struct str s)
{
	struct str line = s, number, name = STR("");
	bool crashed;

	if (scan(&s, "Thread %d name:%_{Dispatch queue: }", &number)) {
		c->queue = s;
		dumps_tell(c->in, s, MEANT_WHO, "thread");
		dumps_tell_words(c->in, line);
		return true;
	}
	if (!scan(&s, "Thread %d{ Crashed}?:", &number, &crashed))
		return false;
	(void)(scan(&s, ": Dispatch queue: ") || scan(&s, ": "));
	name = text_trim(s);
	name = name.n > 0 ? name : c->queue;
	c->queue = STR("");
	crash_thread(c, DUMP_MAC, name, number, line.s);
	dumps_tell_words(c->in, line);
	dumps_id(c->in, number);
	if (crashed) {
		dumps_raw(c->in, (struct str){ number.s + number.n + 1, strlen("Crashed") });
		c->in->t.flags |= DUMP_REPORTED;
	}
	return true;
}

static bool
mac_head(struct crash *c, struct str s)
{
	struct str line = s, program, number;
	uint64_t pid = 0;

	if (mac_thread(c, s))
		return true;
	if (scan(&s, "Process:%_%l [%d]$", &program, &number)) {
		dumps_tell_id(c->in, number);
		(void)str_number(&number, &pid);
		crash_begins(c, pid, program);
	} else if (scan(&s, "Exception Type:%_"))
		crash_reason(c, s);
	else if (scan(&s, "Binary Images:") || (scan(&s, "Thread ") && str_has(s, STR(" crashed with "))))
		c->open = false;
	else
		return false;
	dumps_tell_words(c->in, line);
	return true;
}

/* "0   libsystem_kernel.dylib   0x00007fff6c2ccdfa mach_msg_trap + 10 (a.c:12)" */
static bool
mac_frame(struct dumps_in *in, struct str s)
{
	struct str module, address, place = STR(""), body, rest;

	if (!scan(&s, "%*d %_%t\t", &module) && !scan(&s, "%*d %_%t 0x", &module))
		return false;
	s = str_skip_blanks(s);
	if (!scan(&s, "0x"))
		return false;
	address = str_head(s, str_hexes(s));
	dumps_tell(in, (struct str){ address.s - 2, address.n + 2 }, MEANT_FORM, "id");
	s = str_skip_blanks(str_after(s, address.n));
	if (address.n == 0 || s.n == 0)
		return false;
	module = text_trim(module);
	dumps_tell_name(in, module, "module");
	body = str_head(s, name_end(s));
	rest = str_after(s, body.n);
	if (scan(&rest, " + %*d") && scan(&rest, " ("))
		place = text_place(rest, &rest);
	if (place.n > 0 && !scan(&rest, ")"))
		place = STR("");
	dumps_tell(in, rest, MEANT_TEXT, "text after a frame");
	if (str_begins(body, "-[") || str_begins(body, "+["))
		dumps_tell(in, body, MEANT_WORDS, "function");
	if (str_begins(body, "0x"))
		body = buf_set(&in->text_buf, STR("["), module, STR("]"));
	dumps_frame(in, body, place.n > 0 ? place : module, place.n == 0);
	return true;
}

/* ---- WinDbg ----------------------------------------------------------------------------------------- */

/* ".  0  Id: 1a2c.2b3c Suspend: 1 Teb: 00000000`7ffde000 Unfrozen "name"" */
static bool
windbg_head(struct crash *c, struct str s)
{
	struct str line = s, number, pid, tid, name = STR("");
	uint64_t v;

	(void)scan(&s, "{.}{#}");
	s = str_skip_blanks(s);
	if (!scan(&s, "%d%_Id: %x.%x Suspend: ", &number, &pid, &tid))
		return false;
	(void)scan(&s, "{%*t\"%l\"}", &name);
	crash_thread(c, DUMP_WINDBG, name, number, line.s);
	dumps_tell_words(c->in, line);
	dumps_id(c->in, number);
	dumps_tell(c->in, (struct str){ pid.s, pid.n + 1 + tid.n }, MEANT_FORM, "id");
	if (num_u64(pid, 16, &v))
		dumps_dump(c->in)->pid = v;
	if (num_u64(tid, 16, &v))
		c->in->t.tid = v;
	return true;
}

/* A number of 8 or 16 digits, which may have a mark in the middle. */
static bool
skip_pointer(struct str *s)
{
	struct str rest = *s;
	size_t n = str_hexes(rest);

	rest = str_after(rest, n);
	if (n < 8 || ((void)(scan(&rest, "`%*x")), !scan(&rest, " ")))
		return false;
	*s = str_skip_blanks(rest);
	return true;
}

static bool
take_pointer(struct dumps_in *in, struct str *s)
{
	const char *from = s->s;

	if (!skip_pointer(s))
		return false;
	dumps_tell(in, (struct str){ from, (size_t)(s->s - from) }, MEANT_FORM, "id");
	return true;
}

/* "00 00000000`0012f8a8 00007ffb`1234abcd ntdll!NtWaitForSingleObject+0x14 [a.c @ 12]" */
static bool
windbg_frame(struct dumps_in *in, struct str s)
{
	struct str f, place, number, rest, module = STR("");
	unsigned pointers = 0;

	(void)scan(&s, "{%*x }");
	for (rest = s; skip_pointer(&rest); pointers++)
		;
	f = str_until(rest, ' ');
	/* Memory has its text there. */
	if (pointers < 2 || f.n == 0 || (memchr(f.s, '!', f.n) == NULL && memchr(f.s, '+', f.n) == NULL &&
	    !str_begins(f, "0x")))
		return false;
	while (take_pointer(in, &s))
		;
	if (scan(&s, "%*t [%t @ %d]", &place, &number)) {
		place = native_at(in, place, number);
		dumps_tell(in, s, MEANT_TEXT, "text after a frame");
	} else
		place = STR("");
	(void)scan(&f, "{%t!}", &module);
	f = str_until(f, '+');
	if (f.n == 0)
		return false;
	dumps_tell_name(in, module, "module");
	dumps_frame(in, f, place.n > 0 ? place : module, place.n == 0);
	return true;
}

/* ---- frames with numbers --------------------------------------------------------------------------- */

/* The modules in brackets: "(/lib/libc.so.6+0x12) (BuildId: 1)", "(app + 0x12)". */
static struct str
take_modules(struct dumps_in *in, struct str *s)
{
	struct str module = STR(""), rest;

	rest = *s;
	if (scan(&rest, "%_(%t + 0x%*x)", &module) || scan(&rest, "%_(%t+0x%*x)", &module)) {
		dumps_tell_name(in, module, "module");
		*s = rest;
		module = text_after_last(module, '/');
		if (str_ends(module, " (deleted)"))
			module.n -= strlen(" (deleted)");
	} else
		module = STR("");
	(void)scan(s, "%_(BuildId: %*t)");
	return module;
}

/* "#0 0x4f1 in f(int) /src/a.c:10:5", "#0 0x4f1 f (app + 0x12)", "#0 f /src/a.c:10 (app+0x12)" */
static bool
numbered_frame(struct dumps_in *in, struct str s)
{
	struct str module, place = STR(""), f, last, rest;

	if (!scan(&s, "#%*d %_"))
		return false;
	(void)scan(&s, "{%*h}%_{in }");
	f = str_head(s, name_end(s));
	rest = str_after(s, f.n);
	last = rest;
	if (scan(&last, " ") && last.n > 0 && last.s[0] != '(') {
		place = text_place(last, &last);
		if (memchr(place.s, '/', place.n) != NULL || text_all_digits(text_after_last(place, ':')) ||
		    str_is(place, "<null>")) {
			dumps_tell_name(in, place, "place");
			rest = last;
			place = str_is(place, "<null>") ? STR("") : crash_place(place);
		} else
			place = STR("");
	}
	module = take_modules(in, &rest);
	dumps_tell(in, rest, MEANT_TEXT, "text after a frame");
	if (f.n == 0 || str_is(f, "n/a"))
		f = buf_set(&in->text_buf, STR("["), module.n > 0 ? module : STR("??"), STR("]"));
	else {
		dumps_tell_name(in, f, "frame");
		text_cut_args(f, &f, &last);
	}
	dumps_frame(in, text_trim(f), place.n > 0 ? place : module, false);
	dumps_tell_words(in, s);
	return true;
}

static bool
crash_frame(struct crash *c, struct str s)
{
	struct dumps_in *in = c->in;
	struct str rest = s;

	if (scan(&rest, "#0 ") && c->heading.n > 0) {
		sanitizer_thread(c, s.s);
		c->heading = STR("");
	}
	if (!c->open)
		return false;
	if (s.s[0] == '#')
		return (in->in_thread && art_native(in, s)) || numbered_frame(in, s);
	/* Memory in a tombstone looks like a frame of WinDbg. */
	return (c->panic && rust_frame(c, s)) || (dumps_dump(in)->kind == DUMP_MAC && mac_frame(in, s)) ||
	    (dumps_dump(in)->kind == DUMP_WINDBG && windbg_frame(in, s));
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static bool
crash_head(struct crash *c, struct str s)
{
	if (!coredump_head(c, s) && !tombstone_head(c, s) && !sanitizer_head(c, s) && !rust_head(c, s) &&
	    !mac_head(c, s) && !windbg_head(c, s))
		return false;
	c->panic = c->panic && c->in->in_thread && dumps_dump(c->in)->kind == DUMP_RUST;
	return true;
}

bool
crash_takes(struct crash *c, struct str s)
{
	return crash_head(c, s) || crash_frame(c, s) || sanitizer_heading(c, s);
}

void
crash_finish(struct dumps_in *in)
{
	if (dumps_dump(in)->kind != DUMP_SANITIZER && dumps_dump(in)->kind != DUMP_RUST)
		native_finish(in);
	if (in->t.state == DSTATE_UNKNOWN && dumps_dump(in)->first == in->nthreads &&
	    dumps_dump(in)->kind == DUMP_RUST)
		in->t.state = DSTATE_RUNNING;
}

void
crash_read(struct dumps_in *in)
{
	struct crash c = { .in = in, .heading = STR(""), .program = STR(""), .queue = STR("") };
	struct str line, s;

	in->reader.finish = crash_finish;
	while (dumps_line(in, &line)) {
		s = crash_text(line);
		if (s.n == 0) {
			/* Stacks of sanitizers end at an empty line. */
			c.open = c.open && !c.sanitizer;
			continue;
		}
		if (crash_takes(&c, s))
			continue;
		/* What a panic says has several lines. */
		if (c.panic && in->nstack == 0)
			dumps_tell_other(in);
		else
			dumps_other(in);
	}
	dumps_end(in);
}
