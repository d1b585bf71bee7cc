/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * javacore of OpenJ9: each line begins with a tag.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "java.h"
#include "readers.h"
#include "text.h"

struct javacore {
	struct dumps_in	*in;
	uint32_t	 number;	/* of the last deadlock */
	bool		 current;	/* the thread is that of the block in front of the details, which repeat it */
	bool		 details;	/* the file has them */
	uint64_t	 first_told;	/* of the last deadlock */
};

/* "java/lang/Object" with dots, in the buffer. */
static struct str
with_dots(struct buf *b, struct str s)
{
	buf_clear(b);
	for (size_t i = 0; i < s.n; i++)
		buf_chr(b, s.s[i] == '/' ? '.' : s.s[i]);
	return buf_view(b);
}

/* "a/b/C@0x1 ...": the key in the source, the class with dots. */
static bool
split_lock(struct dumps_in *in, struct str s, struct str *key, struct str *class, struct str *rest)
{
	struct str before, after, end;
	uint64_t v;

	if (!str_divide(s, STR("@"), &before, &after))
		return false;
	end = after;
	if (!text_take_hex(&end, &v))
		return false;
	*key = str_head(after, after.n - end.n);
	*class = with_dots(&in->text_buf, before);
	*rest = end;
	return true;
}

/* ---- threads ------------------------------------------------------------------------------ */

static void
javacore_state(struct dumps_in *in, struct str s)
{
	static const struct { struct str word; enum dump_state state; } states[] = {
		{ STR("R"), DSTATE_RUNNING }, { STR("CW"), DSTATE_WAITING }, { STR("B"), DSTATE_BLOCKED }, { STR("P"), DSTATE_WAITING },
		{ STR("S"), DSTATE_SUSPENDED }, { STR("Z"), DSTATE_ENDED },
	};
	struct str before, word;

	if (!str_divide(s, STR("state:"), &before, &word))
		return;
	word = str_until(word, ',');
	dumps_raw(in, word);
	for (size_t i = 0; i < NELEM(states); i++)
		if (str_eq(word, states[i].word))
			in->t.state = (uint8_t)states[i].state;
}

static void
javacore_tid(struct dumps_in *in, struct str s)
{
	uint64_t v;

	if (text_number_after(s, STR("native thread ID:"), &v) || text_number_after(s, STR("native ID:"), &v))
		in->t.tid = v;
}

/* '"main" J9VMThread:0x20200, omrthread_t:0x7F, java/lang/Thread:0x72, state:CW, prio=5' */
static void
javacore_thread(struct javacore *j, struct str s, const char *at)
{
	struct dumps_in *in = j->in;
	struct str name, rest, key;
	uint64_t v;

	dumps_thread_end(in);
	if (j->current)
		return;
	if (!str_take(&s, STR("\"")) || (!str_divide(s, STR("\" J9VMThread:"), &name, &rest) && !str_divide(s, STR("\" (TID:"), &name, &rest))) {
		in->count[DROP_NATIVE] += str_has_prefix(s, STR("Anonymous native thread"));
		return;
	}
	key = rest;
	if (!text_take_hex(&rest, &v))
		return;
	if (dumps_repeats(in, str_head(key, key.n - rest.n))) {
		in->count[DROP_REPEATED]++;
		return;
	}
	dumps_thread(in, name, at);
	javacore_state(in, rest);
	javacore_tid(in, rest);
}

/* "Blocked on: a/b/C@0x1 Owned by: "x" (J9VMThread:0x2, ...)" */
static void
javacore_block(struct dumps_in *in, struct str s)
{
	struct str what, rest, key, class, name, end;
	bool blocked, waits;

	if (!str_divide(s, STR(" on: "), &what, &rest))
		return;
	blocked = str_eq(what, STR("Blocked"));
	waits = str_eq(what, STR("Waiting"));
	if ((!blocked && !waits && !str_eq(what, STR("Parked"))) || !split_lock(in, rest, &key, &class, &rest))
		return;
	dumps_want(in, blocked ? WANT_LOCK : waits ? WANT_WAIT : java_park(class), key, class);
	if (str_take(&rest, STR(" Owned by: \"")) && str_divide(rest, STR("\" (J9VMThread:"), &name, &end) && !waits)
		dumps_owner(in, OWNER_NAME, name);
	if (str_divide(s, STR("Initializing thread: \""), &end, &rest)) {
		dumps_owner(in, OWNER_NAME, str_until(rest, '"'));
		in->t.want = WANT_INIT;
	}
}

/* "at a/b/C.m(C.java:1(Compiled Code))" */
static void
javacore_frame(struct dumps_in *in, struct str s)
{
	static const struct str compiled = STR("(Compiled Code)");
	struct str before, rest, f, place;
	uint64_t key;

	if (!str_take(&s, STR("at ")) || dumps_line_frame(in, s, &key))
		return;
	buf_clear(&in->other_buf);
	while (str_divide(s, compiled, &before, &rest)) {
		buf_str(&in->other_buf, before);
		s = rest;
	}
	buf_str(&in->other_buf, s);
	f = with_dots(&in->text_buf, text_trim(buf_view(&in->other_buf)));
	if (!text_cut_args(f, &f, &place))
		place = STR("");
	dumps_frame(in, f, place, false);
	dumps_line_is(in, key);
}

/* "getId:0x13, isDaemon:false" */
static void
javacore_java(struct dumps_in *in, struct str s)
{
	char id[24];
	uint64_t v;

	if (!text_number_after(s, STR("getId:"), &v))
		return;
	dumps_id(in, (struct str){ id, (size_t)snprintf(id, sizeof id, "%ju", (uintmax_t)v) });
	in->t.flags |= str_has(s, STR("isDaemon:true")) ? DUMP_DAEMON : 0;
}

static void
javacore_detail(struct dumps_in *in, struct str tag, struct str s)
{
	struct str key, class, rest, before;

	if (str_eq(tag, STR("4XESTACKTRACE")))
		javacore_frame(in, s);
	else if (str_eq(tag, STR("5XESTACKTRACE")) && str_divide(s, STR("entered lock: "), &before, &rest)) {
		if (split_lock(in, rest, &key, &class, &rest))
			dumps_hold(in, key, class);
	} else if (str_eq(tag, STR("3XMJAVALTHREAD")))
		javacore_java(in, s);
	else if (str_eq(tag, STR("3XMTHREADINFO1")))
		javacore_tid(in, s);
	else if (str_eq(tag, STR("3XMTHREADBLOCK")))
		javacore_block(in, s);
	else if (str_eq(tag, STR("4XENATIVESTACK")))
		in->count[DROP_NATIVE]++;
	else if (str_eq(tag, STR("3XMCPUTIME")) && str_divide(s, STR("total: "), &before, &rest))
		in->t.cpu = text_ns(str_until(rest, ' '), 9);
}

/* ---- deadlocks ------------------------------------------------------------------------------ */

/* The list repeats its first thread at the end. */
static void
javacore_deadlock(struct javacore *j, struct str tag, struct str s)
{
	struct dumps_in *in = j->in;
	struct str name, rest, key, class;

	if (str_eq(tag, STR("1LKDEADLOCK"))) {
		j->number++;
		j->first_told = in->ntold;
	} else if (str_eq(tag, STR("2LKDEADLOCKTHR"))) {
		if (!str_take(&s, STR("Thread \"")) || !str_divide(s, STR("\" ("), &name, &rest))
			return;
		if (in->ntold > j->first_told)
			dumps_told_holder(in, name);
		if (in->ntold == j->first_told || !str_eq(dumps_str(in, SCRATCH(in->told, struct in_told)[j->first_told].name, 0), name))
			dumps_told(in, j->number, name);
	} else if (str_eq(tag, STR("4LKDEADLOCKOBJ")) && in->ntold > j->first_told) {
		/* The lock of the repeated one is known. */
		if (SCRATCH(in->told, struct in_told)[in->ntold - 1].lock == 0 && split_lock(in, s, &key, &class, &rest))
			dumps_told_lock(in, key, class);
	}
}

static void
javacore_line(struct javacore *j, struct str line)
{
	struct dumps_in *in = j->in;
	struct str tag = str_until(line, ' '), s = text_trim(str_behind(line, tag.n)), rest, before;

	if (str_eq(tag, STR("1TIDATETIME"))) {
		before = s;
		if (str_divide(s, STR(": "), &before, &rest))
			s = text_trim(rest);
		dumps_dump(in)->when = dumps_text(in, s).ref;
		dumps_dump(in)->time = dumps_time(s);
	} else if (str_eq(tag, STR("1XMCURTHDINFO"))) {
		/* Without details there is only this. */
		j->current = j->details;
		dumps_thread_end(in);
	} else if (str_eq(tag, STR("1XMTHDINFO"))) {
		j->current = false;
	} else if (str_eq(tag, STR("0SECTION"))) {
		j->current = false;
		dumps_thread_end(in);
	} else if (str_eq(tag, STR("3XMTHREADINFO"))) {
		javacore_thread(j, s, line.s);
	} else if (str_eq(tag, STR("1TISIGINFO"))) {
		/* Not one that a user asked for. */
		if (!str_has(s, STR("\"user\"")))
			dumps_reason(in, s, false);
	} else if (str_eq(tag, STR("1CIJAVAVERSION"))) {
		dumps_dump(in)->program = dumps_text(in, s).ref;
	} else if (str_has(tag, STR("LKDEADLOCK"))) {
		javacore_deadlock(j, tag, s);
	} else if (in->in_thread)
		javacore_detail(in, tag, s);
}

void
javacore_read(struct dumps_in *in)
{
	struct javacore j = { .in = in, .details = str_has(in->text, STR("\n1XMTHDINFO")) };
	struct str line;

	in->marks = java_marks;
	in->finish = java_waits;
	dumps_begin(in, DUMP_OPENJ9, STR(""));
	while (dumps_line(in, &line)) {
		/* Several cores in one file. */
		if (str_has_prefix(line, STR("0SECTION")) && str_has(line, STR("TITLE")) && in->in_dump &&
		    (in->in_thread || dumps_dump(in)->first < in->nthreads)) {
			dumps_begin(in, DUMP_OPENJ9, STR(""));
			j = (struct javacore){ .in = in, .details = j.details };
		}
		javacore_line(&j, line);
	}
	dumps_end(in);
}
