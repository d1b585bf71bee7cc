/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * erl_crash.dump: processes, with their stacks in sections of their own.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "readers.h"
#include "text.h"

/* Where the lines of a process are, from its section to its stack. */
struct erlang_part {
	struct str	lines;
	uint64_t	key;
};

static enum dump_state
erlang_state(struct str s)
{
	static const struct dump_words states[] = {
		{ DSTATE_WAITING, "Waiting" }, { DSTATE_RUNNING, "Running|Scheduled|Garbing" },
		{ DSTATE_SUSPENDED, "Suspended" }, { DSTATE_ENDED, "Exiting" }, { DSTATE_UNKNOWN, NULL }
	};

	return dumps_state(str_until(s, ' '), str_eq, states);
}

/* "0x00007f (m:f/2 + 92)": "m:f/2". */
static bool
erlang_function(struct str s, struct str *f)
{
	struct str digits;

	while (scan(&s, "%*t(")) {
		/* A word is looked at once, however many brackets it has. */
		*f = str_until(s, ' ');
		s = str_after(s, f->n);
		*f = str_until(*f, ')');
		digits = text_after_last(*f, '/');
		if (digits.n < f->n && str_digits(digits) > 0 && f->n > digits.n + 1) {
			f->n -= digits.n - str_digits(digits);
			return true;
		}
	}
	return false;
}

static void
erlang_member(struct dumps_in *in, struct str line)
{
	struct str value = line, name, f;

	if (!scan(&value, "%t: ", &name))
		return;
	if (str_is(name, "State")) {
		dumps_raw(in, value);
		dumps_tell(in, str_after(value, str_until(value, ' ').n), MEANT_TEXT, "state");
		in->t.state = erlang_state(value);
	} else if (str_is(name, "Name")) {
		dumps_tell(in, value, MEANT_WHO, "process");
		in->t.name = dumps_text(in, value);
		in->t.name_key = dumps_owner_key(OWNER_NAME, value);
	} else if (str_is(name, "Spawned as")) {
		dumps_tell_name(in, value, "function");
		in->t.parent = dumps_text(in, value).ref;
	} else if (str_is(name, "Message queue length")) {
		dumps_tell_words(in, line);
		str_number(&value, &in->t.queue);
	} else if (str_is(name, "Program counter") && erlang_function(value, &f))
		dumps_frame(in, f, STR(""), false);
}

/* "y(0):SReturn addr 0x1 (m:f/1 + 8)" */
static void
stack_line(struct dumps_in *in, struct str line)
{
	struct str f;

	if (scan(&line, "%*tSReturn addr 0x") && erlang_function(line, &f))
		dumps_frame(in, f, STR(""), false);
}

/* The lines of a section: all up to the next one. */
static struct str
section_lines(struct lines *l)
{
	struct lines before = *l;
	struct str line, all = { l->rest.s, 0 };

	while (lines_next(l, &line) && !str_begins(line, "="))
		before = *l;
	*l = before;
	all.n = (size_t)(l->rest.s - all.s);
	return all;
}

/* The stacks follow all processes, so a first pass notes where they are. */
static bool
erlang_stacks(struct dumps_in *in, struct scratch *parts, struct idmap *by_id)
{
	struct lines ahead = in->lines;
	struct erlang_part part;
	struct str line;
	uint64_t n = 0;

	while (lines_next(&ahead, &line)) {
		if (!scan(&line, "=proc_stack:") || line.n == 0)
			continue;
		part = (struct erlang_part){ section_lines(&ahead), idmap_hash_text(line, 0) };
		if (!make_add(parts, &n, &part, sizeof part, MAKE_MOST, "stacks", in->err) ||
		    !idmap_put(by_id, part.key, (uint32_t)n, in->err))
			return false;
	}
	return true;
}

/*
 * A stack belongs to the first process with its id.  tell_stack reports its meaning, in the order of the
 * text.
 */
static void
erlang_process(struct dumps_in *in, struct str id, const char *at, struct scratch *parts,
    const struct idmap *by_id)
{
	struct lines own = lines_of(section_lines(&in->lines));
	uint32_t row = idmap_get(by_id, idmap_hash_text(id, 0));
	struct str line;

	dumps_thread(in, STR(""), at);
	dumps_id(in, id);
	if (!in->in_thread)
		return;
	while (lines_next(&own, &line))
		erlang_member(in, line);
	if (row == 0 || in->meaning.to != NULL)
		return;
	own.rest = SCRATCH(*parts, struct erlang_part)[row - 1].lines;
	SCRATCH(*parts, struct erlang_part)[row - 1].lines = STR("");
	while (lines_next(&own, &line))
		stack_line(in, line);
}

static void
tell_stack(struct dumps_in *in)
{
	struct lines own = lines_of(section_lines(&in->lines));
	struct str line;

	dumps_thread_end(in);
	dumps_tell_words(in, (struct str){ in->meaning.line, 1 });
	while (lines_next(&own, &line))
		stack_line(in, line);
	dumps_tell_lines(in, in->lines.rest.s);
}

void
erlang_read(struct dumps_in *in)
{
	struct scratch parts = SCRATCH_INIT;
	struct idmap by_id = IDMAP_INIT;
	struct str line, id;
	bool head = false;

	dumps_begin(in, DUMP_ERLANG);
	in->bad = in->bad || !erlang_stacks(in, &parts, &by_id);
	while (dumps_line(in, &line)) {
		id = line;
		if (scan(&id, "=proc:") && id.n > 0) {
			erlang_process(in, id, line.s, &parts, &by_id);
			dumps_tell_words(in, line);
		} else if (in->meaning.to != NULL && scan(&id, "=proc_stack:") && id.n > 0) {
			tell_stack(in);
		} else if (str_begins(line, "=erl_crash_dump:")) {
			head = true;
			dumps_tell_words(in, line);
		} else if (head) {
			dumps_when(in, line);
			head = false;
		} else if (scan(&id, "Slogan: ") && id.n > 0) {
			dumps_reason(in, id, false);
			dumps_tell(in, id, MEANT_TEXT, "slogan");
		} else if (scan(&id, "System version: ") && id.n > 0) {
			dumps_program(in, id);
			dumps_tell_words(in, line);
		}
	}
	dumps_end(in);
	scratch_free(&parts);
	idmap_free(&by_id);
}
