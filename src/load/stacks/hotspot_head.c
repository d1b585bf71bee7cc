/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The header line of a thread: HotSpot, JMX, and ThreadInfo.toString.
 *
 * A name may have quotes, numbers and words of the header in it; it ends at the last quote that an attribute
 * follows.
 */
#include "config.h"

#include "icecore/scan.h"
#include "java.h"
#include "text.h"

/* Whether a text follows the name. */
static bool
is_attribute(struct str s)
{
	static const char *const begins[] =
	    { " daemon", " prio=", " os_prio=", " virtual", " - Thread t@", " id=", " Id=", " tid=", " nid=",
	    " (not attached)" };

	for (size_t i = 0; i < NELEM(begins); i++)
		if (str_has_prefix(s, str_of(begins[i])))
			return true;
	return scan(&s, " #%*d");
}

bool
java_name(struct str line, struct str *name, struct str *rest)
{
	if (!str_begins(line, "\"") || !str_divide_last(*name, '"', name, rest))
		return false;
	*rest = str_after(line, name->n + 2);
	return true;
}

/* The name without quotes, and the text after it. */
static bool
split_name(struct str line, struct str *name, struct str *rest)
{
	for (*name = str_after(line, 1); java_name(line, name, rest); )
		if (is_attribute(*rest))
			return true;
	return false;
}

/* ' owned by "y" Id=9 (suspended)' at the end of a line, whose name could be parsed as that of the thread. */
static size_t
owner_at(struct str line)
{
	struct str s = line, before;

	/* Most lines name no owner. */
	return str_has(line, STR(" owned by \"")) && scan(&s, "%t owned by \"%*l\" Id=%*d", &before) ? before.n :
	    line.n;
}

static bool
is_report(struct str line)
{
	return str_ends(text_trim(line), "\":");
}

bool
hotspot_is_head(struct str line)
{
	struct str name, rest;

	return !is_report(line) && split_name(str_head(line, owner_at(line)), &name, &rest);
}

bool
hotspot_is_head_at(struct str line, size_t at, size_t *from)
{
	struct str s = str_after(line, at);

	if (at < *from)
		return false;
	if (hotspot_is_head(s))
		return true;
	/* A name that begins at a later quote would end at the same one. */
	*from = at + owner_at(s);
	return false;
}

/* "runnable  [0x0007]": without the address of the stack. */
static struct str
words_of(struct str s)
{
	return text_trim(str_ends(s, "]") && memchr(s.s, '[', s.n) != NULL ? text_before_last(s, '[') : s);
}

static enum dump_state
state_of_words(struct str raw)
{
	static const struct dump_words words[] = {
		{ DSTATE_BLOCKED, "waiting for monitor entry" },
		{ DSTATE_WAITING, "in Object.wait()|waiting on condition" }, { DSTATE_SLEEPING, "sleeping" },
		{ DSTATE_RUNNING, "runnable" }, { DSTATE_SUSPENDED, "suspended|at breakpoint" },
		{ DSTATE_NEW, "allocated|initialized" }, { DSTATE_ENDED, "zombie" }, { DSTATE_UNKNOWN, NULL }
	};

	return dumps_state(raw, str_has, words);
}

/* Take "(suspended)" and "(in native)" off the end. */
static struct str
without_notes(struct str s)
{
	static const struct str notes[] =
	    { STR(" (suspended)"), STR(" (in native)"), STR(" (running in native)") };

	for (size_t i = 0; i < NELEM(notes); i++)
		if (str_has_suffix(s, notes[i])) {
			s.n -= notes[i].n;
			i = SIZE_MAX;
		}
	return s;
}

/* 'BLOCKED on C@7 owned by "y" Id=9', of ThreadInfo.toString. */
static bool
info_state(struct dumps_in *in, struct str raw)
{
	struct str s = without_notes(raw), word = str_until(s, ' '), key, name, id, class;
	enum dump_state state = java_state(word);

	if (state == DSTATE_UNKNOWN)
		return false;
	s = str_after(s, word.n);
	if (scan(&s, " on ")) {
		key = str_until(s, ' ');
		s = str_after(s, key.n);
		class = java_class(key);
		dumps_want(in, state == DSTATE_BLOCKED ? WANT_LOCK : str_has(raw, STR("park")) ||
		    java_park(class) == WANT_LOCK ? java_park(class) : WANT_WAIT, key, class);
	}
	if (scan(&s, " owned by \"%l\"{ Id=%d$}", &name, &id)) {
		dumps_tell(in, name, MEANT_WHO, "holder");
		dumps_owner(in, id.n > 0 ? OWNER_ID : OWNER_NAME, id.n > 0 ? id : name);
	}
	in->t.state = state;
	return true;
}

static struct str
number_of(struct str s)
{
	return str_head(s, str_digits(s));
}

/* The words of a header, up to the state: each attribute counts the first time. */
struct head {
	struct str	hash, id, at, boxed;
	struct str	raw;
	uint64_t	nid, lwp;
	bool		has_raw, has_nid, numbered;
};

/* The state follows the first id of the system. */
static void
read_raw(struct head *h, struct str rest)
{
	if (!h->has_raw && rest.n > 0)
		h->raw = words_of(rest);
	h->has_raw = true;
}

static void
read_word(struct dumps_in *in, struct head *h, struct str word, struct str rest)
{
	struct in_thread *t = &in->t;
	uint64_t v;

	if (h->numbered && scan(&word, "[") && h->boxed.n == 0) {
		h->boxed = number_of(word);
		h->numbered = false;
	} else if (scan(&word, "#")) {
		h->hash = h->hash.n > 0 ? h->hash : number_of(word);
		h->numbered = number_of(word).n > 0;
	} else if (str_is(word, "daemon")) {
		t->flags |= DUMP_DAEMON;
	} else if (str_begins(word, "virtual")) {
		t->flags |= DUMP_VIRTUAL;
	} else if (scan(&word, "cpu=")) {
		t->cpu = t->cpu == UINT64_MAX && str_ends(word, "ms") ?
		    text_ns(str_head(word, word.n - 2), 6) : t->cpu;
	} else if (scan(&word, "elapsed=")) {
		t->elapsed = t->elapsed == UINT64_MAX && str_ends(word, "s") ?
		    text_ns(str_head(word, word.n - 1), 9) : t->elapsed;
	} else if (scan(&word, "t@")) {
		h->at = h->at.n > 0 ? h->at : number_of(word);
	} else if (scan(&word, "nid=")) {
		h->has_nid = h->has_nid || str_number_any(&word, &h->nid);
		read_raw(h, rest);
	} else if (scan(&word, "lwp_id=")) {
		if (h->lwp == 0 && str_number(&word, &v))
			h->lwp = v;
		read_raw(h, rest);
	} else if (scan(&word, "id=") || scan(&word, "Id=")) {
		h->id = h->id.n > 0 ? h->id : number_of(word);
		if (!h->has_raw && number_of(word).n > 0) {
			scan(&rest, "in ");
			h->raw = rest;
			h->has_raw = true;
		}
	}
}

static void
read_words(struct dumps_in *in, struct str rest)
{
	struct head h = { .raw = STR(""), .hash = STR(""), .id = STR(""), .at = STR(""), .boxed = STR("") };
	struct str word;
	uint64_t v;

	for (rest = str_skip_blanks(rest); text_take_word(&rest, &word); )
		read_word(in, &h, word, rest);
	dumps_id(in, h.hash.n > 0 ? h.hash : h.id.n > 0 ? h.id : h.at);
	in->t.tid = h.lwp != 0 ? h.lwp : h.has_nid ? h.nid : str_number(&h.boxed, &v) ? v : 0;
	dumps_raw(in, h.raw);
	if (!info_state(in, h.raw))
		in->t.state = state_of_words(h.raw);
}

bool
hotspot_head(struct dumps_in *in, struct str line, const char *at)
{
	size_t owner = owner_at(line);
	struct str name, rest;

	if (is_report(line) || !split_name(str_head(line, owner), &name, &rest))
		return false;
	dumps_thread(in, name, at);
	if (in->in_thread)
		read_words(in, (struct str){ rest.s, (size_t)(line.s + line.n - rest.s) });
	return true;
}
