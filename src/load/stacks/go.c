/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Goroutines: tracebacks of a crash or SIGQUIT, debug=2, and counts of debug=1.
 */
#include "config.h"

#include "icecore/json.h"
#include "icecore/name.h"
#include "icecore/scan.h"
#include "readers.h"
#include "text.h"

struct go {
	struct dumps_in	*in;
	struct str	 function;	/* function whose place comes on the next line; empty: none */
	struct str	 unsure;	/* its name in the line before: one only if a place follows */
	size_t		 indent;	/* blanks before its lines */
	bool		 ancestors;	/* frames of its ancestors follow */
	bool		 created;	/* the function created the goroutine */
	bool		 numbered;	/* the line of its creator has the number of the goroutine */
	bool		 open;		/* lines belong to the goroutine */
	bool		 said;		/* the line of a log before may be the reason of the goroutines that follow */
};

static const struct str mutex = STR("sync.Mutex"), rwmutex = STR("sync.RWMutex");

static enum dump_state
go_state(struct str s)
{
	static const struct dump_words states[] = {
		{ DSTATE_RUNNING, "running|runnable|preempted|copystack" }, { DSTATE_IO, "syscall|IO wait" },
		{ DSTATE_SLEEPING, "sleep" }, { DSTATE_BLOCKED, "semacquire|sync.Mutex.Lock|sync.RWMutex" },
		{ DSTATE_NATIVE, "idle" }, { DSTATE_ENDED, "dead" }, { DSTATE_UNKNOWN, NULL }
	};
	enum dump_state state = dumps_state(s, str_has_prefix, states);

	return state == DSTATE_UNKNOWN ? DSTATE_WAITING : state;
}

/* Only a goroutine that is blocked wants a mutex. */
static void
go_finish(struct dumps_in *in)
{
	if (in->t.state != DSTATE_BLOCKED)
		dumps_want_not(in);
	else if (in->t.want == WANT_NOTHING)
		dumps_want(in, WANT_LOCK, STR(""), str_has(dumps_str(in, in->t.raw), STR("RW")) ? rwmutex :
		    mutex);
}

/* ---- labels ----------------------------------------------------------------------------- */

/* The content of a string as the runtime writes it: escapes are those of Go. */
static struct str
go_unescape(struct str s, struct buf *b)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	const char *hit;
	char c[4];
	uint64_t v;
	size_t n;

	if (s.n == 0 || memchr(s.s, '\\', s.n) == NULL)
		return s;
	buf_clear(b);
	while (s.n > 0) {
		if (s.s[0] != '\\' || s.n == 1) {
			buf_chr(b, s.s[0]);
			s = str_after(s, 1);
			continue;
		}
		n = s.s[1] == 'x' ? 2 : s.s[1] == 'u' ? 4 : s.s[1] == 'U' ? 8 : 0;
		if (n > 0 && s.n >= 2 + n && num_u64((struct str){ s.s + 2, n }, 16, &v)) {
			if (n == 2)
				buf_chr(b, (char)v);
			else
				buf_add(b, c, text_encode((uint32_t)v, c));
			s = str_after(s, 2 + n);
			continue;
		}
		hit = s.s[1] != '\0' ? strchr(from, s.s[1]) : NULL;
		buf_chr(b, hit != NULL ? to[hit - from] : s.s[1]);
		s = str_after(s, 2);
	}
	return buf_view(b);
}

/* {"service": "users"}: the labels of the open thread. */
static void
go_labels(struct dumps_in *in, struct str s)
{
	struct json j = { .base = s.s, .size = s.n };
	struct str name, value;
	uint32_t label, *set = &in->t.labels;
	uint64_t key;

	if (s.n == 0)
		return;
	key = idmap_hash_text(s, 0);
	*set = idmap_get(&in->by[BY_LABELS], key);
	if (*set != 0)
		return;
	in->labels.n = 0;
	(void)scan_open(&j, '{');
	while (!in->bad && !j.bad && scan_member(&j, &name) && scan_word(&j, &value)) {
		label = label_number(&in->s.labels, go_unescape(name, &in->text_buf),
		    go_unescape(value, &in->other_buf), in->err);
		in->bad = label == 0 || !scratch_add(&in->labels.set, &in->labels.n, &label, sizeof label, in->err);
	}
	in->bad = in->bad || !label_set(&in->s.labels, SCRATCH(in->labels.set, uint32_t), in->labels.n, set, in->err) ||
	    (*set != 0 && !idmap_put(&in->by[BY_LABELS], key, *set, in->err));
	if (j.bad)
		dumps_unread(in);
}

/* ---- heads ------------------------------------------------------------------------------ */

static void
go_words(struct dumps_in *in, struct str words)
{
	struct in_thread *t = &in->t;
	struct str raw, rest, without;
	uint64_t minutes;

	if (!scan(&words, "%t, ", &raw)) {
		raw = words;
		words = STR("");
	}
	/* A flag of profiles of leaks, behind the state. */
	rest = raw;
	if (scan(&rest, "%l (leaked)$", &without)) {
		t->flags |= DUMP_LEAKED;
		raw = without;
	}
	dumps_raw(in, raw);
	t->state = go_state(raw);
	if (str_has(raw, STR("(nil chan)")) || str_has(raw, STR("(no cases)")))
		t->flags |= DUMP_FOREVER;
	for (bool more = words.n > 0; more; more = scan(&words, "%*t, ")) {
		rest = words;
		if ((scan(&rest, "%u minutes, ", &minutes) || scan(&rest, "%u minutes$", &minutes)) &&
		    minutes < UINT32_MAX)
			t->elapsed = minutes * 60 * 1000000000;
	}
}

/* "goroutine 7 gp=0x1 m=3 mp=0x2 [chan receive, 2 minutes]: {"a":"b"}:" without the first word. */
static bool
take_head(struct str s, struct str *number, struct str *words)
{
	struct str rest;

	if (!scan(&s, "%d {gp=%*w%_m=%*w%_}{mp=%*w%_}[", number))
		return false;
	rest = s;
	/* Labels are in the brackets since Go 1.26. */
	if (str_ends(s, "}]:") && scan(&rest, "%t labels:{", words))
		return true;
	if (!scan(&rest, "%t]", words))
		return false;
	if (str_is(rest, ":"))
		return true;
	/* Labels follow. */
	if (scan(&s, "%t] {", words) || scan(&s, "%t]: {", words))
		return str_ends(s, "}:");
	if (!str_ends(s, "]:"))
		return false;
	*words = str_head(s, s.n - 2);
	return true;
}

static bool
go_head(struct go *g, struct str line)
{
	struct dumps_in *in = g->in;
	struct str number, words, labels, s = line;

	if (!scan(&s, "goroutine ") || !take_head(s, &number, &words))
		return false;
	if (g->said)
		dumps_end(in);
	g->said = false;
	if (!in->in_dump || dumps_lists(in, number))
		dumps_begin(in, DUMP_GO);
	dumps_thread(in, STR(""), line.s);
	dumps_id(in, number);
	go_words(in, words);
	/* Labels are values. */
	labels = str_after(line, (size_t)(words.s + words.n - line.s));
	(void)scan(&labels, " labels:");
	dumps_tell(in, labels, MEANT_TEXT, "labels");
	go_labels(in, str_after(labels, str_until(labels, '{').n));
	g->function = STR("");
	g->open = true;
	g->ancestors = g->numbered = false;
	return true;
}

/* A line without a place below it can be anything. */
static void
go_settle(struct go *g, bool placed)
{
	if (placed)
		dumps_tell_name(g->in, g->unsure, "function");
	else
		dumps_tell(g->in, g->unsure, MEANT_TEXT, "line");
	g->unsure = STR("");
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* "	/a/b.go:12 +0x1d fp=0x1 sp=0x2 pc=0x3": the place of the function above. */
static void
go_place(struct go *g, struct str s)
{
	struct dumps_in *in = g->in;
	struct str line = s, file, number, rest;

	for (size_t n = str_until(s, ' ').n; n < s.n; n += 1 + str_until(str_after(s, n + 1), ' ').n)
		if (str_begins(str_after(s, n), " +0x") || str_begins(str_after(s, n), " fp="))
			s.n = n;
	s = text_place(s, &rest);
	dumps_tell(in, rest, MEANT_TEXT, "text after a frame");
	if (g->function.n == 0 || !str_divide_last(s, ':', &file, &number) || !text_all_digits(number)) {
		if (str_has(line, STR("stack unavailable"))) {
			in->t.flags |= DUMP_CUT;
			in->count[DROP_UNAVAILABLE]++;
		}
		return;
	}
	dumps_tell_name(in, s, "place");
	go_settle(g, true);
	if (!g->created && !g->ancestors)
		dumps_frame(in, g->function, text_after_last(s, '/'), false);
	g->function = STR("");
}

static bool
go_is_cut(struct str s)
{
	return scan(&s, "...additional frames elided") || scan(&s, "...%*d frames elided");
}

static bool
go_created(struct go *g, struct str s)
{
	struct str by, f, parent;
	bool numbered;

	if (!scan(&s, "created by "))
		return false;
	by = s;
	f = str_head(s, name_end(s));
	s = str_after(s, f.n);
	numbered = scan(&s, " in goroutine %d", &parent);
	/* Who created an ancestor is another question. */
	if (!g->ancestors) {
		g->in->t.parent = dumps_text(g->in, str_head(by, (size_t)(s.s - by.s))).ref;
		g->numbered = numbered;
	}
	dumps_tell(g->in, s, MEANT_TEXT, "text after a frame");
	dumps_tell_name(g->in, f, "function");
	g->function = f;
	g->created = true;
	return true;
}

/*
 * The first argument of a function that waits for a mutex is the mutex, unless it is unsure.  Up to Go 1.23 who waits
 * for others to finish has the state of one that waits for a mutex.
 */
static void
go_mutex(struct dumps_in *in, struct str f, struct str args)
{
	static const char *const methods[] = { "lockSlow", "Lock", "RLock", "Unlock" };
	struct str first = str_until(args, ','), digits = first, type, method;

	if (in->t.state == DSTATE_BLOCKED && str_eq(f, STR("sync.(*WaitGroup).Wait")))
		in->t.state = DSTATE_WAITING;
	if ((str_ends(f, "ock") || str_ends(f, "Slow")) && scan(&f, "%l).%t", &type, &method) &&
	    str_is_one(methods, NELEM(methods), method) && scan(&digits, "%*h$") &&
	    (str_ends(type, "(*RWMutex") || str_ends(type, "(*Mutex")))
		dumps_want(in, WANT_LOCK, first, str_ends(type, "(*RWMutex") ? rwmutex : mutex);
}

/* A line that could be a function whose arguments are damaged: each has "()" at least. */
static bool
go_is_name(struct str s)
{
	if (memchr(s.s, '(', s.n) == NULL)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)((s.s[i] | 32) - 'a') >= 26 && !is_digit(s.s[i]) &&
		    memchr("_./()*[]{},%~-", s.s[i], 14) == NULL)
			return false;
	return s.n > 0;
}

/* "[originating from goroutine 7]:", with GODEBUG=tracebackancestors; its frames follow. */
static bool
go_ancestor(struct go *g, struct str s)
{
	struct str parent;

	if (!scan(&s, "[originating from goroutine %d]:$", &parent))
		return false;
	dumps_tell_other(g->in);
	if (!g->ancestors) {
		if (!g->numbered)
			g->in->t.parent = dumps_text(g->in, parent).ref;
		dumps_unread(g->in);
	}
	g->ancestors = true;
	return true;
}

static bool
go_dies(struct str line)
{
	return str_begins(line, "fatal error: ") || str_begins(line, "panic: ");
}

/*
 * What a line of a log says of a failure; empty: nothing.  "2024/01/02 10:00:05 http: panic serving 127.0.0.1:51234:
 * boom" is net/http's (server.go).
 */
static struct str
go_logged(struct str line)
{
	static const char *const words[] = { "http: panic serving ", "panic recovered", "panic: ", "fatal error: " };
	const char *at;

	for (size_t i = 0; i < NELEM(words); i++) {
		at = memmem(line.s, line.n, words[i], strlen(words[i]));
		if (at != NULL && (at == line.s || is_blank(at[-1])))
			return str_after(line, (size_t)(at - line.s));
	}
	return STR("");
}

static void
go_forget(struct go *g)
{
	g->said = false;
	g->in->reason = 0;
	dumps_unread(g->in);
}

/* A line between goroutines.  What a log says of a failure is the reason of goroutines on the next lines alone. */
static void
go_between(struct go *g, struct str line)
{
	struct dumps_in *in = g->in;
	struct str logged = go_logged(line);

	if (g->said && str_begins(line, "[signal ")) {
		dumps_other(in);
		return;
	}
	if (g->said)
		go_forget(g);
	g->said = logged.n > 0 && in->reason == 0;
	if (g->said) {
		dumps_reason(in, logged, true);
		dumps_tell_other(in);
	} else
		dumps_other(in);
}

static void
go_line(struct go *g, struct str line)
{
	struct dumps_in *in = g->in;
	struct str text = str_skip_blanks(line), f, args, rest;

	if (g->unsure.n > 0 && (text.n == 0 || !is_blank(line.s[0])))
		go_settle(g, false);
	if (text.n > 10 && text.s[0] == 'g' && go_head(g, text)) {
		g->indent = line.n - text.n;
		return;
	}
	line = g->open && line.n - text.n >= g->indent ? str_after(line, g->indent) : line;
	/* The program goes on or was started again, and its log has no empty line here. */
	if (g->open && line.n > 0 && (line.s[line.n - 1] != ')' || memchr(line.s, ':', line.n) != NULL))
		g->open = !go_dies(line) && (is_blank(line.s[0]) || go_logged(line).n == 0);
	if (g->open && g->ancestors && text.n > 0)
		dumps_unread(in);
	if (!g->open) {
		if (go_dies(line)) {
			/* The runtime writes it before the goroutines. */
			dumps_end(in);
			dumps_reason(in, line, true);
			dumps_tell_other(in);
		} else if (line.n > text.n && str_begins(text, "panic: ")) {
			/* What was recovered and raised again. */
			dumps_tell_other(in);
		} else if (text_trim(line).n > 0)
			go_between(g, line);
		return;
	}
	if (text_trim(line).n == 0) {
		g->open = false;
	} else if (is_blank(line.s[0])) {
		go_place(g, str_skip_blanks(line));
	} else if (go_is_cut(text_trim(line))) {
		in->t.flags |= DUMP_CUT;
		in->count[DROP_CUT]++;
	} else if (!go_ancestor(g, line) && !go_created(g, line)) {
		if (!text_cut_call(line, &f, &args, &rest)) {
			dumps_tell(in, line, MEANT_TEXT, "line");
			if (!go_is_name(line)) {
				dumps_other(in);
				return;
			}
			f = line;
			args = rest = STR("");
		} else
			g->unsure = f;
		dumps_tell(in, args, MEANT_TEXT, "arguments");
		dumps_tell(in, rest, MEANT_TEXT, "text after a frame");
		if (in->t.want == WANT_NOTHING && str_begins(args, "0x"))
			go_mutex(in, f, args);
		g->function = f;
		g->created = false;
	}
}

void
go_read(struct dumps_in *in)
{
	struct go g = { .in = in, .function = STR(""), .unsure = STR("") };
	struct str line;

	in->reader.finish = go_finish;
	while (dumps_line(in, &line))
		go_line(&g, line);
	go_settle(&g, false);
	if (g.said)
		go_forget(&g);
	dumps_end(in);
}

/* ---- debug=1 ---------------------------------------------------------------------------------- */

/* "7 @ 0x1 0x2": a group of goroutines. */
static bool
counts_head(struct dumps_in *in, struct str line, bool leaked, uint64_t *counted)
{
	struct str s = line;
	uint64_t n;

	if (!scan(&s, "%u @", &n))
		return false;
	while (scan(&s, " %*h"))
		;
	if (s.n > 0)
		return false;
	dumps_thread(in, STR(""), line.s);
	dumps_tell_words(in, line);
	if (leaked) {
		in->t.flags |= DUMP_LEAKED;
		in->t.state = DSTATE_WAITING;
	}
	in->t.count = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
	*counted += in->t.count;
	return true;
}

/* "#	0x1	f+0x2	/a/b.go:12" */
static bool
counts_frame(struct dumps_in *in, struct str s)
{
	struct str f, place, name;

	/* The creator of a thread may be unknown. */
	if (in->in_thread && scan(&s, "#\t%*h$"))
		return true;
	if (!in->in_thread || !scan(&s, "#\t%*h\t%t\t%t", &f, &place))
		return false;
	s = f;
	if (scan(&s, "%l+%*h$", &name))
		f = name;
	place = text_place(text_trim(place), &s);
	dumps_tell(in, s, MEANT_TEXT, "text after a frame");
	dumps_frame(in, f, text_after_last(place, '/'), false);
	return true;
}

bool
go_counts_line(struct str line, struct str *name, uint64_t *total)
{
	return scan(&line, "%t profile: total %u$", name, total) && name->n > 0;
}

void
go_counts_read(struct dumps_in *in)
{
	static const char *const known[] = { "goroutine", "threadcreate", "goroutineleak" };
	struct str line, s, name;
	uint64_t total = 0, counted = 0, n;
	bool leaked = false;

	while (dumps_line(in, &line)) {
		s = line;
		if (go_counts_line(s, &name, &n)) {
			leaked = str_is(name, "goroutineleak");
			if (!str_is_one(known, NELEM(known), name))
				dumps_tell_name(in, name, "profile");
			in->count[DROP_UNTOLD] += total > counted ? total - counted : 0;
			dumps_tell_words(in, line);
			dumps_begin(in, DUMP_GO_COUNTS);
			total = n;
			counted = 0;
		} else if (scan(&s, "# labels: ")) {
			dumps_tell(in, s, MEANT_TEXT, "labels");
			if (in->in_thread)
				go_labels(in, s);
		} else if (!counts_head(in, line, leaked, &counted) && !counts_frame(in, line) && line.n > 0)
			dumps_other(in);
	}
	in->count[DROP_UNTOLD] += total > counted ? total - counted : 0;
	dumps_end(in);
}
