/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * erl_crash.dump: processes, with their stacks in sections of their own.
 */
#include "config.h"

#include <assert.h>

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
	static const struct { struct str word; enum dump_state state; } states[] = {
		{ STR("Waiting"), DSTATE_WAITING }, { STR("Running"), DSTATE_RUNNING }, { STR("Scheduled"), DSTATE_RUNNING },
		{ STR("Garbing"), DSTATE_RUNNING }, { STR("Suspended"), DSTATE_SUSPENDED }, { STR("Exiting"), DSTATE_ENDED },
	};

	for (size_t i = 0; i < NELEM(states); i++)
		if (str_eq(str_until(s, ' '), states[i].word))
			return states[i].state;
	return DSTATE_UNKNOWN;
}

/* "0x00007f (m:f/2 + 92)": "m:f/2". */
static bool
erlang_function(struct str s, struct str *f)
{
	struct str before, rest, digits;

	while (str_divide(s, STR("("), &before, &rest)) {
		/* A word is looked at once, however many brackets it has. */
		*f = str_until(rest, ' ');
		s = str_behind(rest, f->n);
		*f = str_until(*f, ')');
		digits = text_behind_last(*f, '/');
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
	struct str name, value, f;
	struct text_at text;

	if (!str_divide(line, STR(": "), &name, &value))
		return;
	if (str_eq(name, STR("State"))) {
		dumps_raw(in, value);
		dumps_tell(in, str_behind(value, str_until(value, ' ').n), MEANT_TEXT, "state");
		in->t.state = (uint8_t)erlang_state(value);
	} else if (str_eq(name, STR("Name"))) {
		dumps_tell(in, value, MEANT_WHO, "process");
		text = dumps_text(in, value);
		in->t.name = text.ref;
		in->t.name_own = text.own;
		in->t.name_key = dumps_owner_key(OWNER_NAME, value);
	} else if (str_eq(name, STR("Spawned as"))) {
		dumps_tell_name(in, value, "function");
		in->t.parent = dumps_text(in, value).ref;
	} else if (str_eq(name, STR("Message queue length"))) {
		dumps_tell_words(in, line);
		str_number(&value, &in->t.queue);
	} else if (str_eq(name, STR("Program counter")) && erlang_function(value, &f))
		dumps_frame(in, f, STR(""), false);
}

/* "y(0):SReturn addr 0x1 (m:f/1 + 8)" */
static void
erlang_stack_line(struct dumps_in *in, struct str line)
{
	struct str before, rest, f;

	if (str_divide(line, STR("SReturn addr 0x"), &before, &rest) && erlang_function(rest, &f))
		dumps_frame(in, f, STR(""), false);
}

/* The lines of a section: all up to the next one. */
static struct str
section_lines(struct dump_lines *l)
{
	struct dump_lines before = *l;
	struct str line, all = { l->rest.s, 0 };

	while (dump_lines_next(l, &line) && !str_has_prefix(line, STR("=")))
		before = *l;
	*l = before;
	all.n = (size_t)(l->rest.s - all.s);
	return all;
}

static bool
is_section(struct str line, struct str name, struct str *id)
{
	return str_take(&line, name) && (*id = line).n > 0;
}

/* The stacks follow all processes, so a first pass notes where they are. */
static bool
erlang_stacks(struct dumps_in *in, struct scratch *parts, struct idmap *by_id)
{
	struct dump_lines ahead = in->lines;
	struct str line, id;
	uint64_t n = 0;

	while (dump_lines_next(&ahead, &line)) {
		struct erlang_part part = { .lines = STR("") };

		if (!is_section(line, STR("=proc_stack:"), &id))
			continue;
		part.lines = section_lines(&ahead);
		part.key = idmap_hash_text(id, 0);
		if (!make_add(parts, &n, &part, sizeof part, MAKE_MOST, "stacks", in->err) || !idmap_put(by_id, part.key, (uint32_t)n, in->err))
			return false;
	}
	return true;
}

/* A stack belongs to the first process with its id.  erlang_tell_stack reports its meaning, in the order of the text. */
static void
erlang_process(struct dumps_in *in, struct str id, const char *at, struct scratch *parts, const struct idmap *by_id)
{
	struct dump_lines own = { .rest = section_lines(&in->lines) };
	uint32_t row = idmap_get(by_id, idmap_hash_text(id, 0));
	struct str line;

	dumps_thread(in, STR(""), at);
	dumps_id(in, id);
	if (!in->in_thread)
		return;
	while (dump_lines_next(&own, &line))
		erlang_member(in, line);
	if (row == 0 || in->tell != NULL)
		return;
	own.rest = SCRATCH(*parts, struct erlang_part)[row - 1].lines;
	SCRATCH(*parts, struct erlang_part)[row - 1].lines = STR("");
	while (dump_lines_next(&own, &line))
		erlang_stack_line(in, line);
}

static void
erlang_tell_stack(struct dumps_in *in)
{
	struct dump_lines own = { .rest = section_lines(&in->lines) };
	struct str line;

	dumps_thread_end(in);
	dumps_tell_words(in, (struct str){ in->line_at, 1 });
	while (dump_lines_next(&own, &line))
		erlang_stack_line(in, line);
	dumps_tell_lines(in, in->lines.rest.s);
}

void
erlang_read(struct dumps_in *in)
{
	struct scratch parts = SCRATCH_INIT;
	struct idmap by_id = IDMAP_INIT;
	struct str line, id;
	bool head = false;

	dumps_begin(in, DUMP_ERLANG, STR(""));
	in->bad = in->bad || !erlang_stacks(in, &parts, &by_id);
	while (dumps_line(in, &line)) {
		if (is_section(line, STR("=proc:"), &id)) {
			erlang_process(in, id, line.s, &parts, &by_id);
			dumps_tell_words(in, line);
		} else if (in->tell != NULL && is_section(line, STR("=proc_stack:"), &id)) {
			erlang_tell_stack(in);
		} else if (str_has_prefix(line, STR("=erl_crash_dump:"))) {
			head = true;
			dumps_tell_words(in, line);
		} else if (head) {
			dumps_dump(in)->when = dumps_text(in, line).ref;
			head = false;
			dumps_tell_words(in, line);
		} else if (is_section(line, STR("Slogan: "), &id)) {
			dumps_reason(in, id, false);
			dumps_tell(in, id, MEANT_TEXT, "slogan");
		} else if (is_section(line, STR("System version: "), &id)) {
			dumps_dump(in)->program = dumps_text(in, id).ref;
			dumps_tell_words(in, line);
		}
	}
	dumps_end(in);
	scratch_free(&parts);
	idmap_free(&by_id);
}
