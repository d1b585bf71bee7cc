/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Coroutines of Kotlin (DebugProbes), the slow log of php-fpm, and sigdump of Ruby.
 */
#include "config.h"

#include "icecore/scan.h"
#include "java.h"
#include "readers.h"
#include "text.h"

/* ---- Kotlin ------------------------------------------------------------------------------ */

/* 'Coroutine "coroutine#1":StandaloneCoroutine{Active}@5a01ccaa, state: SUSPENDED' */
static bool
kotlin_head(struct dumps_in *in, struct str line)
{
	static const struct dump_words states[] = {
		{ DSTATE_WAITING, "SUSPENDED" }, { DSTATE_RUNNING, "RUNNING" }, { DSTATE_NEW, "CREATED" },
		{ DSTATE_UNKNOWN, NULL }
	};
	struct str s = line, name = STR(""), job;

	if (!scan(&s, "Coroutine {\"%t\":}%t, state: ", &name, &job))
		return false;
	if (!in->in_dump)
		dumps_begin(in, DUMP_KOTLIN);
	dumps_thread(in, name, line.s);
	dumps_tell_words(in, line);
	dumps_id(in, text_after_last(job, '@'));
	dumps_raw(in, text_trim(s));
	in->t.state = dumps_state(s, str_has_prefix, states);
	return true;
}

void
kotlin_read(struct dumps_in *in)
{
	struct str line, s, when;

	while (dumps_line(in, &line)) {
		s = text_trim(line);
		when = s;
		if (scan(&when, "Coroutines dump ")) {
			dumps_begin(in, DUMP_KOTLIN);
			dumps_when(in, when);
		} else if (kotlin_head(in, s) || s.n == 0)
			continue;
		else if (!in->in_thread || !scan(&s, "at ") || !java_frame(in, s, true))
			dumps_other(in);
	}
	dumps_end(in);
}

/* ---- php-fpm ------------------------------------------------------------------------------- */

/* "[06-Jan-2026 12:00:00]  [pool www] pid 1234", then "script_filename = ..." and frames. */
void
php_read(struct dumps_in *in)
{
	struct str line, s, when, pool, f, place, rest;
	uint64_t pid;

	while (dumps_line(in, &line)) {
		s = text_trim(line);
		if (scan(&s, "[%t]%_[pool %t] pid %u", &when, &pool, &pid)) {
			/* Each slow request has a time of its own. */
			dumps_begin(in, DUMP_PHP);
			dumps_when(in, when);
			dumps_dump(in)->pid = pid;
			dumps_thread(in, pool, line.s);
			if (in->in_thread)
				in->t.tid = pid;
		} else if (scan(&s, "[0x%*x] %t ", &f)) {
			dumps_tell_words(in, line);
			if (str_ends(f, "()"))
				f.n -= 2;
			place = text_place(text_trim(s), &rest);
			dumps_frame(in, f, text_after_last(place, '/'), false);
			dumps_tell(in, rest, MEANT_TEXT, "text after a frame");
		} else if (scan(&s, "script_filename = ")) {
			dumps_program(in, s);
			dumps_tell(in, s, MEANT_TEXT, "command");
		} else if (s.n > 0)
			dumps_other(in);
	}
	dumps_end(in);
}

/* ---- sigdump -------------------------------------------------------------------------------- */

/* "Thread #<Thread:0x1 NAME a.rb:1 sleep> status=sleep priority=0" */
static bool
sigdump_head(struct dumps_in *in, struct str s)
{
	static const struct dump_words states[] = {
		{ DSTATE_RUNNING, "run" }, { DSTATE_SLEEPING, "sleep" }, { DSTATE_ENDED, "dead|aborting" },
		{ DSTATE_UNKNOWN, NULL }
	};
	struct str line = s, id, name, state;

	if (!scan(&s, "Thread #<%*t:%h%t> status=%w", &id, &name, &state))
		return false;
	if (!in->in_dump)
		dumps_begin(in, DUMP_SIGDUMP);
	name = scan(&name, "@") ? str_until(name, ' ') : STR("");
	dumps_thread(in, name, line.s);
	dumps_tell_words(in, line);
	dumps_id(in, id);
	dumps_raw(in, state);
	in->t.state = dumps_state(state, str_has_prefix, states);
	return true;
}

/* "/app/a.rb:12:in `run'", "a.rb:12:in 'C#run'" */
static bool
ruby_frame(struct dumps_in *in, struct str s)
{
	struct str place, f;

	if (!in->in_thread || (!scan(&s, "%t:in `%t'", &place, &f) && !scan(&s, "%t:in '%t'", &place, &f)))
		return false;
	dumps_tell(in, s, MEANT_TEXT, "text after a frame");
	dumps_frame(in, f, text_after_last(place, '/'), false);
	return true;
}

void
sigdump_read(struct dumps_in *in)
{
	struct str line, s, when, pid;

	while (dumps_line(in, &line)) {
		s = text_trim(line);
		if (scan(&s, "Sigdump at %t process %d", &when, &pid)) {
			dumps_begin(in, DUMP_SIGDUMP);
			dumps_when(in, when);
			(void)str_number(&pid, &dumps_dump(in)->pid);
		} else if (str_begins(s, "GC stat:") || str_begins(s, "Built-in objects:")) {
			dumps_thread_end(in);
			dumps_other(in);
		} else if (s.n > 0 && !sigdump_head(in, s) && !ruby_frame(in, s))
			dumps_other(in);
	}
	dumps_end(in);
}
