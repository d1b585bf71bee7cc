/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The header line of a thread: HotSpot, JMX, and ThreadInfo.toString.
 *
 * A name may have quotes, numbers and words of the header in it; it ends at the last quote that an attribute follows.
 */
#include "config.h"

#include "java.h"
#include "text.h"

/* Texts that may follow the name. */
static const struct str behind[] = {
	STR(" #"), STR(" daemon"), STR(" prio="), STR(" os_prio="), STR(" virtual"), STR(" - Thread t@"), STR(" id="), STR(" Id="),
	STR(" tid="), STR(" nid="), STR(" (not attached)")
};

static bool
is_behind(struct str s)
{
	for (size_t i = 0; i < NELEM(behind); i++)
		if (str_has_prefix(s, behind[i]))
			return i > 0 || (s.n > 2 && is_digit(s.s[2]));
	return false;
}

/* The name without quotes, and the text after it. */
static bool
split_name(struct str line, struct str *name, struct str *rest)
{
	const char *q;

	if (line.n < 2 || line.s[0] != '"')
		return false;
	for (size_t n = line.n - 1; n > 0 && (q = memrchr(line.s + 1, '"', n)) != NULL; n = (size_t)(q - line.s - 1)) {
		*rest = (struct str){ q + 1, (size_t)(line.s + line.n - q - 1) };
		*name = (struct str){ line.s + 1, (size_t)(q - line.s - 1) };
		if (is_behind(*rest))
			return true;
	}
	return false;
}

/* ' owned by "y" Id=9 (suspended)' at the end of a line, whose name could be parsed as that of the thread. */
static size_t
owner_at(struct str line)
{
	static const struct str owned = STR(" owned by \"");
	const char *at = line.n == 0 ? NULL : memmem(line.s, line.n, owned.s, owned.n);
	struct str name, rest;

	if (at == NULL || !str_divide_last((struct str){ at, (size_t)(line.s + line.n - at) }, '"', &name, &rest) ||
	    !str_take(&rest, STR(" Id=")) || !text_take_digits(&rest))
		return line.n;
	return (size_t)(at - line.s);
}

static bool
is_report(struct str line)
{
	while (line.n > 0 && is_blank(line.s[line.n - 1]))
		line.n--;
	return str_has_suffix(line, STR("\":"));
}

bool
hotspot_is_head(struct str line)
{
	struct str name, rest;

	return !is_report(line) && split_name(str_head(line, owner_at(line)), &name, &rest);
}

/* "runnable  [0x0007]": without the address of the stack. */
static struct str
words_of(struct str s)
{
	struct str before, after;

	if (s.n > 0 && s.s[s.n - 1] == ']' && str_divide_last(s, '[', &before, &after))
		s = before;
	return text_trim(s);
}

static enum dump_state
state_of_words(struct str raw)
{
	static const struct { struct str word; enum dump_state state; } words[] = {
		{ STR("waiting for monitor entry"), DSTATE_BLOCKED }, { STR("in Object.wait()"), DSTATE_WAITING },
		{ STR("waiting on condition"), DSTATE_WAITING }, { STR("sleeping"), DSTATE_SLEEPING }, { STR("runnable"), DSTATE_RUNNING },
		{ STR("suspended"), DSTATE_SUSPENDED }, { STR("at breakpoint"), DSTATE_SUSPENDED }, { STR("allocated"), DSTATE_NEW },
		{ STR("initialized"), DSTATE_NEW }, { STR("zombie"), DSTATE_ENDED },
	};

	for (size_t i = 0; i < NELEM(words); i++)
		if (str_has(raw, words[i].word))
			return words[i].state;
	return DSTATE_UNKNOWN;
}

/* Take "(suspended)" and "(in native)" off the end. */
static struct str
without_notes(struct str s)
{
	static const struct str notes[] = { STR(" (suspended)"), STR(" (in native)"), STR(" (running in native)") };

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
	struct str s = without_notes(raw), word, key, name, id, class;
	enum dump_state state;

	word = str_until(s, ' ');
	if ((state = java_state(word)) == DSTATE_UNKNOWN)
		return false;
	s = str_behind(s, word.n);
	if (str_take(&s, STR(" on "))) {
		key = str_until(s, ' ');
		s = str_behind(s, key.n);
		class = java_class(key);
		dumps_want(in, state == DSTATE_BLOCKED ? WANT_LOCK : str_has(raw, STR("park")) || java_park(class) == WANT_LOCK ?
		    java_park(class) : WANT_WAIT, key, class);
	}
	if (str_take(&s, STR(" owned by \"")) && str_divide_last(s, '"', &name, &id)) {
		dumps_tell(in, name, MEANT_WHO, "holder");
		if (str_take(&id, STR(" Id=")) && text_all_digits(id))
			dumps_owner(in, OWNER_ID, id);
		else
			dumps_owner(in, OWNER_NAME, name);
	}
	in->t.state = (uint8_t)state;
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

	if (h->numbered && str_take(&word, STR("[")) && h->boxed.n == 0) {
		h->boxed = number_of(word);
		h->numbered = false;
	} else if (str_take(&word, STR("#"))) {
		h->hash = h->hash.n > 0 ? h->hash : number_of(word);
		h->numbered = number_of(word).n > 0;
	} else if (str_eq(word, STR("daemon"))) {
		t->flags |= DUMP_DAEMON;
	} else if (str_has_prefix(word, STR("virtual"))) {
		t->flags |= DUMP_VIRTUAL;
	} else if (str_take(&word, STR("cpu="))) {
		t->cpu = t->cpu == UINT64_MAX && str_has_suffix(word, STR("ms")) ? text_ns(str_head(word, word.n - 2), 6) : t->cpu;
	} else if (str_take(&word, STR("elapsed="))) {
		t->elapsed = t->elapsed == UINT64_MAX && str_has_suffix(word, STR("s")) ? text_ns(str_head(word, word.n - 1), 9) : t->elapsed;
	} else if (str_take(&word, STR("t@"))) {
		h->at = h->at.n > 0 ? h->at : number_of(word);
	} else if (str_take(&word, STR("nid="))) {
		h->has_nid = h->has_nid || str_number_any(&word, &h->nid);
		read_raw(h, rest);
	} else if (str_take(&word, STR("lwp_id="))) {
		if (h->lwp == 0 && str_number(&word, &v))
			h->lwp = v;
		read_raw(h, rest);
	} else if (str_take(&word, STR("id=")) || str_take(&word, STR("Id="))) {
		h->id = h->id.n > 0 ? h->id : number_of(word);
		if (!h->has_raw && number_of(word).n > 0) {
			str_take(&rest, STR("in "));
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
		in->t.state = (uint8_t)state_of_words(h.raw);
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
