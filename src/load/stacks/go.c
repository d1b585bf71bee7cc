/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Goroutines: tracebacks of a crash or SIGQUIT, debug=2, and counts of debug=1.
 */
#include "config.h"

#include "readers.h"
#include "text.h"

struct go {
	struct dumps_in	*in;
	struct str	 function;	/* whose place comes on the next line; empty: none */
	bool		 created;	/* that is what created the goroutine */
	bool		 open;		/* lines belong to the goroutine */
};

static const struct str mutex = STR("sync.Mutex"), rwmutex = STR("sync.RWMutex");

static enum dump_state
go_state(struct str s)
{
	static const struct { struct str word; enum dump_state state; } states[] = {
		{ STR("running"), DSTATE_RUNNING }, { STR("runnable"), DSTATE_RUNNING }, { STR("syscall"), DSTATE_IO },
		{ STR("IO wait"), DSTATE_IO }, { STR("sleep"), DSTATE_SLEEPING }, { STR("semacquire"), DSTATE_BLOCKED },
		{ STR("sync.Mutex.Lock"), DSTATE_BLOCKED }, { STR("sync.RWMutex"), DSTATE_BLOCKED }, { STR("idle"), DSTATE_NATIVE },
		{ STR("dead"), DSTATE_ENDED }, { STR("preempted"), DSTATE_RUNNING }, { STR("copystack"), DSTATE_RUNNING },
	};

	for (size_t i = 0; i < NELEM(states); i++)
		if (str_has_prefix(s, states[i].word))
			return states[i].state;
	return DSTATE_WAITING;
}

/* Only a goroutine that is blocked wants a mutex. */
static void
go_finish(struct dumps_in *in)
{
	if (in->t.state != DSTATE_BLOCKED)
		dumps_want_not(in);
	else if (in->t.want == WANT_NOTHING)
		dumps_want(in, WANT_LOCK, STR(""), str_has(dumps_str(in, in->t.raw, in->t.raw_own), STR("RW")) ? rwmutex : mutex);
}

/* ---- heads ------------------------------------------------------------------------------ */

static void
go_words(struct dumps_in *in, struct str words)
{
	struct in_thread *t = &in->t;
	struct str raw, word, rest;
	uint64_t minutes;

	if (!str_divide(words, STR(", "), &raw, &words)) {
		raw = words;
		words = STR("");
	}
	dumps_raw(in, raw);
	t->state = (uint8_t)go_state(raw);
	if (memchr(raw.s, '(', raw.n) != NULL && (str_has(raw, STR("(nil chan)")) || str_has(raw, STR("(no cases)"))))
		t->flags |= DUMP_FOREVER;
	while (words.n > 0) {
		if (!str_divide(words, STR(", "), &word, &rest)) {
			word = words;
			rest = STR("");
		}
		words = rest;
		if (str_number(&word, &minutes) && str_eq(word, STR(" minutes")) && minutes < UINT32_MAX)
			t->elapsed = minutes * 60 * 1000000000;
	}
}

/* "goroutine 7 gp=0x1 m=3 mp=0x2 [chan receive, 2 minutes]: {"a":"b"}:" without the first word. */
static bool
go_take_head(struct str s, struct str *number, struct str *words)
{
	struct str word, rest;

	*number = str_head(s, str_digits(s));
	s = str_behind(s, number->n);
	if (number->n == 0 || !str_take(&s, STR(" ")))
		return false;
	if (str_has_prefix(s, STR("gp="))) {
		if (!text_take_word(&s, &word) || !str_take(&s, STR("m=")) || !text_take_word(&s, &word))
			return false;
		if (str_has_prefix(s, STR("mp=")))
			text_take_word(&s, &word);
	}
	if (!str_take(&s, STR("[")) || !str_divide(s, STR("]"), words, &rest))
		return false;
	if (str_eq(rest, STR(":")))
		return true;
	/* Labels follow. */
	if (str_divide(s, STR("] {"), words, &rest) || str_divide(s, STR("]: {"), words, &rest))
		return str_has_suffix(rest, STR("}:"));
	if (!str_has_suffix(s, STR("]:")))
		return false;
	*words = str_head(s, s.n - 2);
	return true;
}

static bool
go_head(struct go *g, struct str line)
{
	struct dumps_in *in = g->in;
	struct str number, words, s = line;

	if (!str_take(&s, STR("goroutine ")) || !go_take_head(s, &number, &words))
		return false;
	if (!in->in_dump || dumps_lists(in, number))
		dumps_begin(in, DUMP_GO, STR(""));
	dumps_thread(in, STR(""), line.s);
	dumps_id(in, number);
	go_words(in, words);
	/* Labels are values. */
	dumps_tell(in, str_behind(line, (size_t)(words.s + words.n - line.s)), MEANT_TEXT, "labels");
	g->function = STR("");
	g->open = true;
	return true;
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* "	/a/b.go:12 +0x1d fp=0x1 sp=0x2 pc=0x3": the place of the function above. */
static void
go_place(struct go *g, struct str s)
{
	struct dumps_in *in = g->in;
	struct str line = s, file, number;

	for (size_t n = str_until(s, ' ').n; n < s.n; n += 1 + str_until(str_behind(s, n + 1), ' ').n)
		if (str_has_prefix(str_behind(s, n), STR(" +0x")) || str_has_prefix(str_behind(s, n), STR(" fp=")))
			s.n = n;
	dumps_tell_name(in, s, "place");
	if (g->function.n == 0 || !str_divide_last(s, ':', &file, &number) || !text_all_digits(number)) {
		if (str_has(line, STR("stack unavailable"))) {
			in->t.flags |= DUMP_CUT;
			in->count[DROP_UNAVAILABLE]++;
		}
		return;
	}
	if (!g->created)
		dumps_frame(in, g->function, text_behind_last(s, '/'), false);
	g->function = STR("");
}

static bool
go_is_cut(struct str s)
{
	return str_take(&s, STR("...")) && (str_take(&s, STR("additional")) || text_take_digits(&s)) && str_has_prefix(s, STR(" frames elided"));
}

static bool
go_created(struct go *g, struct str s)
{
	static const struct str in_goroutine = STR(" in goroutine");
	struct str f, parent;

	if (!str_take(&s, STR("created by ")))
		return false;
	if (str_divide_last(s, ' ', &f, &parent) && str_has_suffix(f, in_goroutine) && text_all_digits(parent)) {
		g->in->t.parent = dumps_text(g->in, parent).ref;
		s = str_head(f, f.n - in_goroutine.n);
	}
	dumps_tell_name(g->in, s, "function");
	g->function = s;
	g->created = true;
	return true;
}

/* The first argument of a function that waits for a mutex is the mutex, unless it is unsure. */
static void
go_mutex(struct dumps_in *in, struct str f, struct str args)
{
	static const struct str ends[] = { STR(").lockSlow"), STR(").Lock"), STR(").RLock"), STR(").Unlock") };
	struct str first = str_until(args, ','), digits = first;
	uint64_t v;

	for (size_t i = 0; i < NELEM(ends); i++) {
		struct str type = str_head(f, f.n - (f.n < ends[i].n ? f.n : ends[i].n));
		bool rw = str_has_suffix(type, STR("(*RWMutex"));

		if (str_has_suffix(f, ends[i]) && (rw || str_has_suffix(type, STR("(*Mutex"))) && text_take_hex(&digits, &v) && digits.n == 0) {
			dumps_want(in, WANT_LOCK, first, rw ? rwmutex : mutex);
			return;
		}
	}
}

/* A line that could be the name of a function, without arguments. */
static bool
go_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)((s.s[i] | 32) - 'a') >= 26 && !is_digit(s.s[i]) && memchr("_./()*[]{},%~-", s.s[i], 14) == NULL)
			return false;
	return s.n > 0;
}

static void
go_line(struct go *g, struct str line)
{
	struct dumps_in *in = g->in;
	struct str f, args;

	if (line.n > 10 && line.s[0] == 'g' && go_head(g, line))
		return;
	if (!g->open) {
		if (str_has_prefix(line, STR("fatal error: ")) || str_has_prefix(line, STR("panic: "))) {
			/* The runtime writes it before the goroutines. */
			dumps_end(in);
			dumps_reason(in, line, true);
		}
		if (text_trim(line).n > 0)
			dumps_other(in);
		return;
	}
	if (text_trim(line).n == 0) {
		g->open = false;
	} else if (line.s[0] == '\t') {
		go_place(g, str_behind(line, 1));
	} else if (go_is_cut(text_trim(line))) {
		in->t.flags |= DUMP_CUT;
		in->count[DROP_CUT]++;
	} else if (!go_created(g, line)) {
		if (!text_cut_args(line, &f, &args)) {
			f = line;
			args = STR("");
			if (!go_is_name(line)) {
				/* Its marks show that it is not a name. */
				dumps_tell(in, line, MEANT_TEXT, "line");
				dumps_other(in);
				return;
			}
		}
		dumps_tell_name(in, f, "function");
		dumps_tell(in, args, MEANT_TEXT, "arguments");
		if (in->t.want == WANT_NOTHING && str_has_prefix(args, STR("0x")))
			go_mutex(in, f, args);
		g->function = f;
		g->created = false;
	}
}

void
go_read(struct dumps_in *in)
{
	struct go g = { .in = in, .function = STR("") };
	struct str line;

	in->finish = go_finish;
	while (dumps_line(in, &line))
		go_line(&g, line);
	dumps_end(in);
}

/* ---- debug=1 ---------------------------------------------------------------------------------- */

/* "7 @ 0x1 0x2": a group of goroutines. */
static bool
counts_head(struct dumps_in *in, struct str line, uint64_t *told)
{
	struct str s = line;
	uint64_t n, v;

	if (!str_number(&s, &n) || !str_take(&s, STR(" @")))
		return false;
	while (str_take(&s, STR(" ")))
		if (!text_take_hex(&s, &v))
			return false;
	if (s.n > 0)
		return false;
	dumps_thread(in, STR(""), line.s);
	dumps_tell_words(in, line);
	in->t.count = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
	*told += in->t.count;
	return true;
}

/* "#	0x1	f+0x2	/a/b.go:12" */
static bool
counts_frame(struct dumps_in *in, struct str s)
{
	struct str before, f, place, offset;
	uint64_t v;

	if (!in->in_thread || !str_take(&s, STR("#\t")) || !text_take_hex(&s, &v) || !str_take(&s, STR("\t")) ||
	    !str_divide(s, STR("\t"), &f, &place))
		return false;
	if (str_divide_last(f, '+', &before, &offset) && text_take_hex(&offset, &v) && offset.n == 0)
		f = before;
	dumps_frame(in, f, text_behind_last(text_trim(place), '/'), false);
	return true;
}

void
go_counts_read(struct dumps_in *in)
{
	static const struct str head = STR("goroutine profile: total ");
	struct str line, s;
	uint64_t total = 0, told = 0, n;

	while (dumps_line(in, &line)) {
		s = line;
		if (str_take(&s, head) && str_number(&s, &n)) {
			in->count[DROP_UNTOLD] += total > told ? total - told : 0;
			dumps_tell_words(in, line);
			dumps_begin(in, DUMP_GO_COUNTS, STR(""));
			total = n;
			told = 0;
		} else if (str_take(&s, STR("# labels: ")))
			dumps_tell(in, s, MEANT_TEXT, "labels");
		else if (!counts_head(in, line, &told) && !counts_frame(in, line) && line.n > 0)
			dumps_other(in);
	}
	in->count[DROP_UNTOLD] += total > told ? total - told : 0;
	dumps_end(in);
}
