/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Backtraces of gdb and pstack.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "icecore/name.h"
#include "icecore/scan.h"
#include "native.h"
#include "readers.h"
#include "text.h"

enum { STATE_FRAMES = 6, GIL_FRAMES = 8 };

/* ---- states ------------------------------------------------------------------------------ */

void
native_gil(struct dumps_in *in, struct str key)
{
	assert(in->in_thread);
	for (uint64_t i = 0; i < GIL_FRAMES; i++)
		if (str_is(dumps_top_name(in, i), "take_gil")) {
			in->t.state = DSTATE_BLOCKED;
			dumps_want(in, WANT_LOCK, key, STR("GIL"));
			return;
		}
}

enum dump_state
native_state(unsigned marks)
{
	return (marks & WAITING_LOCK) != 0 ? DSTATE_BLOCKED : (marks & WAITING_TIMED) != 0 ? DSTATE_TIMED :
	    (marks & WAITING_SIGNAL) != 0 ? DSTATE_WAITING : (marks & WAITING_SLEEPS) != 0 ? DSTATE_SLEEPING :
	    (marks & WAITING_IO) != 0 ? DSTATE_IO : DSTATE_UNKNOWN;
}

void
native_finish(struct dumps_in *in)
{
	in->t.state = native_state(dumps_marks(in, STATE_FRAMES));
	if (in->t.state != DSTATE_BLOCKED)
		dumps_want_not(in);
	native_gil(in, STR("GIL"));
}

struct str
native_at(struct dumps_in *in, struct str file, struct str line)
{
	file = text_after_last(text_after_last(file, '/'), '\\');
	dumps_tell_name(in, file, "place");
	dumps_tell_id(in, line);
	return buf_set(&in->text_buf, file, STR(":"), line);
}

void
native_mutex(struct dumps_in *in, struct str f, struct str args)
{
	struct str name, rest = args, key, symbol;
	char text[24];
	uint64_t v;

	if (!str_ends(f, "lll_lock_wait") && !str_ends(f, "pthread_mutex_lock") &&
	    !(str_has(f, STR("pthread_rwlock_")) && str_ends(f, "lock")))
		return;
	while (scan(&rest, "%t=", &name)) {
		if (!str_ends(name, "futex") && !str_ends(name, "mutex") && !str_ends(name, "rwlock"))
			continue;
		(void)scan(&rest, "mutex@entry=");
		if (!scan(&rest, "%h", &key))
			continue;
		/* "mutex=mutex@entry=0x1", "rwlock=0x1" */
		name = str_after(name, name.n - (str_ends(name, "k") ? 6 : 5));
		dumps_tell(in, (struct str){ name.s, (size_t)(rest.s - name.s) }, MEANT_FORM, "mutex");
		/* Some write zeros in front of an address. */
		if (str_begins(key, "0x0") && key.n > 3 && num_u64(str_after(key, 2), 16, &v))
			key = (struct str){ text,
			    (size_t)snprintf(text, sizeof text, "0x%jx", (uintmax_t)v) };
		symbol = scan(&rest, " <") ? str_until(str_until(rest, '>'), '+') : STR("");
		dumps_want(in, WANT_LOCK, key, symbol.n > 0 ? symbol : STR("pthread_mutex_t"));
		return;
	}
}

/* ---- gdb ----------------------------------------------------------------------------------------- */

struct gdb {
	struct dumps_in	*in;
	struct str	 frame;		/* frame whose line may continue */
	bool		 joined;	/* the text of the frame is in name_buf */
	uint64_t	 threads;	/* without headers in the dump */
	uint64_t	 failed;	/* number of the thread that failed; 0: none did */
	bool		 next;		/* it is a thread of the next dump */
	bool		 threw;		/* the line before names a class of C++; the message comes next */
	bool		 stop;		/* the only frame may be where the program stopped: a command follows */
	bool		 chosen;	/* the next frame is one of the thread that a command chose */
	bool		 open;
	bool		 bare;		/* the thread has no header */
};

bool
native_fails(struct str signal)
{
	static const char *const stops[] = { "SIGINT", "SIGSTOP", "SIGTRAP", "SIGTSTP", "SIGTERM" };

	signal = str_until(str_until(str_until(signal, ' '), ','), ':');
	return signal.n > 0 && !str_is_one(stops, NELEM(stops), signal);
}

/* "Thread 8 "spin" received signal SIGSEGV, Segmentation fault." */
static bool
gdb_signal(struct gdb *g, struct str line)
{
	struct str s = line, number = STR("1");

	if (scan(&s, "Thread %d ", &number))
		(void)scan(&s, "\"%*t\" ");
	else if (!scan(&s, "Program "))
		return false;
	if ((!scan(&s, "received signal ") && !scan(&s, "terminated with signal ")) || !native_fails(s))
		return false;
	return str_number(&number, &g->failed);
}

/* What the C and C++ libraries write when they end a program, with the words of glibc and libstdc++. */
static bool
is_last_word(struct str line)
{
	static const char *const begins[] = { "terminate called ", "pure virtual method called",
	    "double free or corruption", "malloc(): ", "malloc_consolidate(): ", "free(): ", "realloc(): ",
	    "munmap_chunk(): ", "corrupted ", "*** stack smashing detected", "*** buffer overflow detected" };

	for (size_t i = 0; i < NELEM(begins); i++)
		if (str_has_prefix(line, str_of(begins[i])))
			return true;
	return str_ends(line, "' failed.") && str_has(line, STR(" Assertion `"));
}

/* Why the program stopped; it is written before the frames.  False: the line says nothing of it. */
static bool
gdb_reason(struct gdb *g, struct str line)
{
	struct dumps_in *in = g->in;
	struct str s = line;
	bool last = is_last_word(line), threw = g->threw;
	uint64_t thread;

	g->threw = false;
	if (threw && str_begins(line, "  what():  ")) {
		/* The message says more than the class. */
		in->reason = 0;
		dumps_reason(in, str_after(line, 2), true);
	} else if (scan(&s, "[Current thread is %u ", &thread) && g->failed != 0) {
		g->failed = thread;
	} else if (last || gdb_signal(g, line)) {
		g->threw = in->reason == 0 && str_begins(line, "terminate called after throwing");
		g->failed = last && !g->next ? 1 : g->failed;
		g->next = true;
		dumps_reason(in, line, true);
	} else
		return false;
	dumps_tell_other(in);
	return true;
}

/* Begin the threads of a dump: one of them may be the one that failed. */
static void
gdb_begun(struct gdb *g)
{
	g->threads = 0;
	g->failed = g->next ? g->failed : 0;
	g->next = false;
}

/* Drop the frame where the program stopped: the backtrace has it as well. */
static void
gdb_drop_stop(struct gdb *g)
{
	g->in->in_thread = g->open = g->stop = false;
	g->in->nstack = 0;
	g->threads--;
}

/* 'Thread 8 (Thread 0x7f (LWP 7581) "spin"):' */
static bool
gdb_head(struct gdb *g, struct str line)
{
	struct dumps_in *in = g->in;
	struct str s = line, number, words, name = STR("");
	uint64_t tid = 0;

	if (!scan(&s, "Thread %d%_(%l)%_{:%_}$", &number, &words))
		return false;
	if (g->stop && in->nstack == 1)
		gdb_drop_stop(g);
	if (g->next)
		dumps_end(in);
	if (dumps_begin_for(in, DUMP_GDB, number))
		gdb_begun(g);
	if (!text_number_after(words, STR("LWP "), &tid))
		text_number_after(words, STR("process "), &tid);
	(void)scan(&words, "{%*t\"%l\"}", &name);
	dumps_thread(in, name, line.s);
	dumps_id(in, number);
	in->t.tid = tid;
	in->t.flags |= str_number(&number, &tid) && tid == g->failed ? DUMP_REPORTED : 0;
	g->threads++;
	g->open = true;
	g->bare = g->stop = false;
	return true;
}

/*
 * The arguments: the first group of brackets at depth 0 behind a blank, unless more of the name follows it;
 * strings may have brackets in them.  False: it has none that end.
 */
static bool
gdb_arguments(struct str body, struct str *args)
{
	size_t depth = 0, at = 0;
	bool quoted = false;

	for (size_t i = 0; i < body.n; i++) {
		char c = body.s[i], next = i + 1 < body.n ? body.s[i + 1] : '\0';

		if (quoted) {
			i += c == '\\';
			quoted = c != '"';
		} else if (c == '"') {
			quoted = true;
		} else if (c == '(') {
			at = depth == 0 ? i : at;
			depth++;
		} else if (c == ')' && depth > 0 && --depth == 0 && at > 0 && is_blank(body.s[at - 1]) &&
		    !is_one_of(next, ":(>,&*")) {
			*args = (struct str){ body.s + at, i + 1 - at };
			return true;
		}
	}
	return false;
}

/* "0x00007f in f (args) at a.c:12" or "from /lib/libc.so.6", behind the number of a frame. */
static void
gdb_frame(struct dumps_in *in, struct str s)
{
	struct str rest = s, f, place = STR(""), args = STR(""), number;

	if (scan(&rest, "%*h in "))
		s = rest;
	if (str_begins(s, "<signal handler called>")) {
		dumps_tell_words(in, s);
		dumps_frame(in, STR("<signal handler called>"), STR(""), false);
		return;
	}
	s = text_trim(s);
	if (gdb_arguments(s, &args)) {
		f = text_trim((struct str){ s.s, (size_t)(args.s - s.s) });
		rest = str_after(s, (size_t)(args.s + args.n - s.s));
	} else {
		f = str_head(s, name_end(s));
		rest = str_after(s, f.n);
	}
	number = rest;
	if (scan(&rest, " at "))
		place = text_place(rest, &rest);
	if (place.n > 0 && !text_all_digits(text_after_last(place, ':'))) {
		place = STR("");
		rest = number;
	}
	if (scan(&rest, " from "))
		place = text_place(rest, &rest);
	dumps_tell_name(in, place, "place");
	dumps_tell(in, rest, MEANT_TEXT, "text after a frame");
	dumps_frame(in, f.n > 0 ? f : STR("??"), text_after_last(place, '/'), false);
	dumps_tell(in, args, MEANT_TEXT, "arguments");
	dumps_tell_words(in, s);
	if (in->in_thread && in->t.want == WANT_NOTHING)
		native_mutex(in, f, args);
}

static struct str
gdb_text(const struct gdb *g)
{
	return g->joined ? buf_view(&g->in->name_buf) : g->frame;
}

/* A frame of a thread without a header comes: begin the thread with the first one. */
static void
gdb_bare(struct gdb *g, bool first)
{
	struct dumps_in *in = g->in;
	char id[24];

	if (g->stop && in->nstack == 1 && first)
		gdb_drop_stop(g);
	g->stop = false;
	if (g->open && (!first || in->nstack == 0))
		return;
	if (!in->in_dump || g->next) {
		dumps_begin(in, DUMP_GDB);
		gdb_begun(g);
	}
	dumps_thread(in, STR(""), g->frame.s);
	dumps_id(in, (struct str){ id,
	    (size_t)snprintf(id, sizeof id, "%ju", (uintmax_t)++g->threads) });
	in->t.flags |= g->failed != 0 && g->threads == 1 ? DUMP_REPORTED : 0;
	g->open = g->bare = true;
}

/* Take the frame that has ended.  True if a line of the source can follow: gdb shows one frame and its line. */
static bool
gdb_take_frame(struct gdb *g)
{
	struct dumps_in *in = g->in;
	struct str s = gdb_text(g), number;
	uint64_t frames = in->nstack;
	bool again = g->chosen && frames > 0;

	if (g->frame.n == 0)
		return false;
	(void)scan(&s, "#%d%_", &number);
	if (!again)
		gdb_bare(g, str_is(number, "0"));
	gdb_frame(in, s);
	/* The backtrace has it as well. */
	if (again)
		in->nstack = frames;
	g->frame = STR("");
	g->chosen = g->joined = false;
	return again || (g->bare && in->nstack == 1);
}

/* A command of a session. */
static void
gdb_command(struct gdb *g, struct str s)
{
	static const char *const chooses[] = { "frame", "f", "up", "down" };

	g->stop |= g->bare;
	g->chosen = str_is_one(chooses, NELEM(chooses), str_until(s, ' '));
}

/* A terminal wraps long frames; lines of "bt full" look alike. */
static bool
gdb_goes_on(struct str line)
{
	struct str s = line;
	size_t blanks, n = 0;

	while (s.n > 0 && s.s[0] == ' ')
		s = str_after(s, 1);
	blanks = line.n - s.n;
	if (blanks == 0 || s.n == 0 || str_begins(s, "No ") ||
	    (blanks >= 4 && str_begins(str_after(s, str_until(s, ' ').n), " = ")))
		return false;
	if (str_begins(s, "at ") || str_begins(s, "from ") || str_begins(s, "in "))
		return true;
	while (n < s.n && is_word(s.s[n]))
		n++;
	if (n > 0 && n < s.n && s.s[n] == '=')
		return true;
	if (n == 0 && !is_one_of(s.s[0], "\"(<"))
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
	struct str s = line;
	bool alone;

	if (g->frame.n > 0 && line.n > 0 && line.s[0] == ' ' &&
	    (gdb_goes_on(line) || str_ends(gdb_text(g), " at") || str_ends(gdb_text(g), " from"))) {
		if (!g->joined) {
			dumps_join_begin(in);
			dumps_join(in, g->frame);
		}
		g->joined = true;
		buf_chr(&in->name_buf, ' ');
		dumps_join(in, text_trim(line));
		return;
	}
	alone = gdb_take_frame(g);
	if (gdb_head(g, line))
		return;
	if (scan(&s, "#%*d") && s.n > 0 && is_blank(s.s[0])) {
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
	} else if (alone && scan(&s, "%*d\t")) {
		dumps_tell_other(in);
	} else if (!gdb_reason(g, line)) {
		if (scan(&s, "(gdb) "))
			gdb_command(g, s);
		dumps_other(in);
	}
}

void
gdb_read(struct dumps_in *in)
{
	struct gdb g = { .in = in, .frame = STR("") };
	struct str line;

	in->reader = (struct in_reader){ native_finish, NULL };
	while (dumps_line(in, &line))
		gdb_line(&g, line);
	(void)gdb_take_frame(&g);
	dumps_end(in);
}
