/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Backtraces of gdb and pstack.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "native.h"
#include "readers.h"
#include "text.h"

enum { STATE_FRAMES = 6, GIL_FRAMES = 8 };

/* ---- states ------------------------------------------------------------------------------ */

static bool
has_any(struct str f, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_has(f, str_of(words[i])))
			return true;
	return false;
}

static bool
is_word(char c)
{
	return is_digit(c) || c == '_' || (unsigned char)((c | 32) - 'a') < 26;
}

/* System calls that wait for input, as a word of its own with underscores in front. */
static bool
is_io_call(struct str f)
{
	static const char *const calls[] = { "epoll_wait", "epoll_pwait", "poll", "select", "read", "pread", "recv", "recvfrom",
	    "recvmsg", "accept", "accept4", "kevent" };
	size_t from, to;

	for (from = 0; from < f.n; from = to + 1) {
		struct str word;

		for (to = from; to < f.n && is_word(f.s[to]); to++)
			;
		word = (struct str){ f.s + from, to - from };
		if (str_has_prefix(word, STR("mach_msg")) || str_eq(word, STR("kevent")))
			return true;
		while (word.n > 0 && word.s[0] == '_')
			word = str_behind(word, 1);
		for (size_t i = 0; i + 1 < NELEM(calls); i++)
			if (str_eq(word, str_of(calls[i])))
				return true;
	}
	return false;
}

uint8_t
native_marks(struct str f)
{
	static const char *const blocked[] = { "lll_lock_wait", "pthread_mutex_lock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock",
	    "__psynch_mutexwait", "os_unfair_lock", "futex_lock_pi" };
	static const char *const timed[] = { "pthread_cond_timedwait", "__pthread_clock_wait", "sem_timedwait" };
	static const char *const waits[] = { "pthread_cond_wait", "__psynch_cvwait", "sem_wait", "pthread_join", "clockjoin" };
	static const char *const sleeps[] = { "nanosleep", "usleep", "__semwait_signal" };

	return (uint8_t)((has_any(f, blocked, NELEM(blocked)) ? FRAME_BLOCKED : 0) | (has_any(f, timed, NELEM(timed)) ? FRAME_TIMED : 0) |
	    (has_any(f, waits, NELEM(waits)) ? FRAME_WAITS : 0) | (has_any(f, sleeps, NELEM(sleeps)) ? FRAME_SLEEPS : 0) |
	    (is_io_call(f) ? FRAME_IO : 0));
}

void
native_gil(struct dumps_in *in)
{
	assert(in->in_thread);
	for (uint64_t i = 0; i < GIL_FRAMES; i++)
		if (str_eq(dumps_top_name(in, i), STR("take_gil"))) {
			in->t.state = DSTATE_BLOCKED;
			dumps_want(in, WANT_LOCK, STR("GIL"), STR("GIL"));
			return;
		}
}

void
native_finish(struct dumps_in *in)
{
	uint8_t marks = dumps_marks(in, STATE_FRAMES);

	in->t.state = (uint8_t)((marks & FRAME_BLOCKED) != 0 ? DSTATE_BLOCKED : (marks & FRAME_TIMED) != 0 ? DSTATE_TIMED :
	    (marks & FRAME_WAITS) != 0 ? DSTATE_WAITING : (marks & FRAME_SLEEPS) != 0 ? DSTATE_SLEEPING :
	    (marks & FRAME_IO) != 0 ? DSTATE_IO : DSTATE_UNKNOWN);
	if (in->t.state != DSTATE_BLOCKED)
		dumps_want_not(in);
	native_gil(in);
}

void
native_mutex(struct dumps_in *in, struct str f, struct str args)
{
	struct str name, rest = args, key, symbol;
	char text[24];
	uint64_t v;

	if (!str_has_suffix(f, STR("lll_lock_wait")) && !str_has_suffix(f, STR("pthread_mutex_lock")) &&
	    !(str_has(f, STR("pthread_rwlock_")) && str_has_suffix(f, STR("lock"))))
		return;
	while (str_divide(rest, STR("="), &name, &rest)) {
		if (!str_has_suffix(name, STR("futex")) && !str_has_suffix(name, STR("mutex")) && !str_has_suffix(name, STR("rwlock")))
			continue;
		str_take(&rest, STR("mutex@entry="));
		key = rest;
		if (!text_take_hex(&rest, &v))
			continue;
		key.n -= rest.n;
		/* "mutex=mutex@entry=0x1", "rwlock=0x1" */
		name = str_behind(name, name.n - (name.s[name.n - 1] == 'k' ? 6 : 5));
		dumps_tell(in, (struct str){ name.s, (size_t)(rest.s - name.s) }, MEANT_FORM, "mutex");
		/* Some write zeros in front of an address. */
		if (str_has_prefix(key, STR("0x0")) && key.n > 3)
			key = (struct str){ text, (size_t)snprintf(text, sizeof text, "0x%jx", (uintmax_t)v) };
		symbol = str_take(&rest, STR(" <")) ? str_until(str_until(rest, '>'), '+') : STR("");
		dumps_want(in, WANT_LOCK, key, symbol.n > 0 ? symbol : STR("pthread_mutex_t"));
		return;
	}
}

/* ---- gdb ----------------------------------------------------------------------------------------- */

struct gdb {
	struct dumps_in	*in;
	struct str	 frame;		/* of lines that may continue */
	bool		 joined;	/* it is in name_buf */
	uint64_t	 threads;	/* without headers in the dump */
	bool		 open;
};

/* 'Thread 8 (Thread 0x7f (LWP 7581) "spin"):' */
static bool
gdb_head(struct gdb *g, struct str line)
{
	struct dumps_in *in = g->in;
	struct str s = line, number, name, before, rest;
	uint64_t tid = 0;

	if (!str_take(&s, STR("Thread ")))
		return false;
	number = str_head(s, str_digits(s));
	s = text_trim(str_behind(s, number.n));
	if (str_has_suffix(s, STR(":")))
		s.n--;
	if (number.n == 0 || !str_take(&s, STR("(")) || !str_has_suffix(s, STR(")")))
		return false;
	s.n--;
	if (!in->in_dump || dumps_repeats(in, number)) {
		dumps_begin(in, DUMP_GDB, STR(""));
		dumps_repeats(in, number);
		g->threads = 0;
	}
	name = STR("");
	if (str_divide(s, STR("\""), &before, &rest) && memrchr(rest.s, '"', rest.n) != NULL)
		name = text_before_last(rest, '"');
	if (!text_number_after(s, STR("LWP "), &tid))
		text_number_after(s, STR("process "), &tid);
	dumps_thread(in, name, line.s);
	dumps_id(in, number);
	in->t.tid = tid;
	g->threads++;
	g->open = true;
	return true;
}

/* The last group of brackets at depth 0, where strings may have brackets in them. */
static struct str
gdb_function(struct str body)
{
	size_t depth = 0, at = body.n;
	bool quoted = false;

	/* From the front: strings are skipped, and the last group that begins at depth 0 counts. */
	for (size_t i = 0; i < body.n; i++) {
		char c = body.s[i];

		if (quoted) {
			i += c == '\\';
			quoted = c != '"';
		} else if (c == '"') {
			quoted = true;
		} else if (c == '(') {
			at = depth == 0 ? i : at;
			depth++;
		} else if (c == ')')
			depth -= depth > 0;
	}
	body = str_head(body, at);
	while (body.n > 0 && is_blank(body.s[body.n - 1]))
		body.n--;
	return body;
}

/* "0x00007f in f (args) at a.c:12" or "from /lib/libc.so.6", behind the number of a frame. */
static void
gdb_frame(struct dumps_in *in, struct str s)
{
	struct str body, rest, f, place = STR(""), number;
	uint64_t v;

	rest = s;
	if (text_take_hex(&rest, &v) && str_take(&rest, STR(" in ")))
		s = rest;
	if (str_has_prefix(s, STR("<signal handler called>"))) {
		dumps_tell_words(in, s);
		dumps_frame(in, STR("<signal handler called>"), STR(""), false);
		return;
	}
	body = s = text_trim(s);
	for (const char *p = s.s + s.n; s.n > 5 && p-- > s.s + 4; )
		if (*p == ' ' && memcmp(p - 3, " at", 3) == 0 && p[-4] == ')') {
			place = (struct str){ p + 1, (size_t)(s.s + s.n - p - 1) };
			body = (struct str){ s.s, (size_t)(p - 3 - s.s) };
			if (!text_all_digits(text_behind_last(place, ':')) || text_before_last(place, ':').n == 0) {
				place = STR("");
				body = s;
			}
			break;
		}
	if (place.n == 0 && str_divide_last(s, ' ', &rest, &number) && str_has_suffix(rest, STR(" from"))) {
		place = number;
		body = str_head(rest, rest.n - 5);
	}
	f = gdb_function(body);
	dumps_frame(in, f.n > 0 ? f : STR("??"), text_behind_last(place, '/'), false);
	dumps_tell(in, str_behind(body, f.n), MEANT_TEXT, "arguments");
	dumps_tell_words(in, s);
	if (in->in_thread && in->t.want == WANT_NOTHING)
		native_mutex(in, f, str_behind(body, f.n));
}

static struct str
gdb_text(const struct gdb *g)
{
	return g->joined ? buf_view(&g->in->name_buf) : g->frame;
}

static void
gdb_take_frame(struct gdb *g)
{
	struct dumps_in *in = g->in;
	struct str s = gdb_text(g), number;
	char id[24];

	if (g->frame.n == 0)
		return;
	s = str_behind(s, 1);
	number = str_head(s, str_digits(s));
	s = str_skip_blanks(str_behind(s, number.n));
	if (!g->open || (str_eq(number, STR("0")) && in->nopen > 0)) {
		if (!in->in_dump)
			dumps_begin(in, DUMP_GDB, STR(""));
		dumps_thread(in, STR(""), g->frame.s);
		dumps_id(in, (struct str){ id, (size_t)snprintf(id, sizeof id, "%ju", (uintmax_t)++g->threads) });
		g->open = true;
	}
	gdb_frame(in, s);
	g->frame = STR("");
	g->joined = false;
}

/* A terminal wraps long frames; lines of "bt full" look alike. */
static bool
gdb_goes_on(struct str line)
{
	struct str s = line;
	size_t blanks, n = 0;

	while (s.n > 0 && s.s[0] == ' ')
		s = str_behind(s, 1);
	blanks = line.n - s.n;
	if (blanks == 0 || s.n == 0 || str_has_prefix(s, STR("No ")))
		return false;
	while (n < s.n && s.s[n] != ' ')
		n++;
	if (blanks >= 4 && str_has_prefix(str_behind(s, n), STR(" = ")))
		return false;
	if (str_has_prefix(s, STR("at ")) || str_has_prefix(s, STR("from ")) || str_has_prefix(s, STR("in ")))
		return true;
	for (n = 0; n < s.n && is_word(s.s[n]); n++)
		;
	if (n > 0 && n < s.n && s.s[n] == '=')
		return true;
	if (n == 0 && s.s[0] != '"' && s.s[0] != '(' && s.s[0] != '<')
		return false;
	for (n = 1; n < s.n && s.s[n] != '='; n++)
		if (s.s[n] == ',' || s.s[n] == ')')
			return true;
	return false;
}

static void
gdb_line(struct gdb *g, struct str line)
{
	struct dumps_in *in = g->in;

	if (g->frame.n > 0 && line.n > 0 && line.s[0] == ' ' && (gdb_goes_on(line) || str_has_suffix(gdb_text(g), STR(" at")) ||
	    str_has_suffix(gdb_text(g), STR(" from")))) {
		if (!g->joined) {
			dumps_join_begin(in);
			dumps_join(in, g->frame);
		}
		g->joined = true;
		buf_chr(&in->name_buf, ' ');
		dumps_join(in, text_trim(line));
		return;
	}
	gdb_take_frame(g);
	if (gdb_head(g, line))
		return;
	if (line.n > 2 && line.s[0] == '#' && is_digit(line.s[1]) && str_digits(str_behind(line, 1)) + 1 < line.n &&
	    is_blank(line.s[1 + str_digits(str_behind(line, 1))])) {
		g->frame = line;
		return;
	}
	if (str_has(line, STR("Backtrace stopped")) || str_has(line, STR("(More stack frames"))) {
		in->t.flags |= in->in_thread ? DUMP_CUT : 0;
		in->count[DROP_CUT]++;
		dumps_tell_words(in, line);
		dumps_tell_other(in);
	} else if (text_trim(line).n == 0) {
		g->open = false;
	} else if (is_blank(line.s[0]) && g->open) {
		in->count[DROP_LOCALS]++;
	} else {
		if (str_has_prefix(line, STR("Program terminated with signal ")))
			dumps_reason(in, line, false);
		dumps_other(in);
	}
}

void
gdb_read(struct dumps_in *in)
{
	struct gdb g = { .in = in, .frame = STR("") };
	struct str line;

	in->marks = native_marks;
	in->finish = native_finish;
	while (dumps_line(in, &line))
		gdb_line(&g, line);
	gdb_take_frame(&g);
	dumps_end(in);
}
