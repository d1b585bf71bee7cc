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
	dumps_tell_name(in, before, "class");
	dumps_tell_id(in, *key);
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
static bool
javacore_thread(struct javacore *j, struct str s, const char *at)
{
	struct dumps_in *in = j->in;
	struct str name, rest, key;
	uint64_t v;

	dumps_thread_end(in);
	if (j->current)
		return false;
	if (!str_take(&s, STR("\"")) || (!str_divide(s, STR("\" J9VMThread:"), &name, &rest) && !str_divide(s, STR("\" (TID:"), &name, &rest))) {
		bool native = str_has_prefix(s, STR("Anonymous native thread"));

		in->count[DROP_NATIVE] += native;
		return native;
	}
	key = rest;
	if (!text_take_hex(&rest, &v))
		return false;
	key.n -= rest.n;
	dumps_tell(in, name, MEANT_WHO, "thread");
	dumps_tell_id(in, key);
	if (dumps_repeats(in, key)) {
		in->count[DROP_REPEATED]++;
		return true;
	}
	dumps_thread(in, name, at);
	javacore_state(in, rest);
	javacore_tid(in, rest);
	return true;
}

/* "Blocked on: a/b/C@0x1 Owned by: "x" (J9VMThread:0x2, ...)" */
static bool
javacore_block(struct dumps_in *in, struct str s)
{
	struct str what, rest, key, class, name, end;
	bool blocked, waits;

	if (!str_divide(s, STR(" on: "), &what, &rest))
		return false;
	blocked = str_eq(what, STR("Blocked"));
	waits = str_eq(what, STR("Waiting"));
	if ((!blocked && !waits && !str_eq(what, STR("Parked"))) || !split_lock(in, rest, &key, &class, &rest))
		return false;
	dumps_want(in, blocked ? WANT_LOCK : waits ? WANT_WAIT : java_park(class), key, class);
	if (str_take(&rest, STR(" Owned by: \"")) && str_divide(rest, STR("\" (J9VMThread:"), &name, &end) && !waits)
		dumps_owner(in, OWNER_NAME, name);
	if (str_divide(s, STR("Initializing thread: \""), &end, &rest)) {
		dumps_owner(in, OWNER_NAME, str_until(rest, '"'));
		in->t.want = WANT_INIT;
	}
	return true;
}

/* "at a/b/C.m(C.java:1(Compiled Code))" */
static bool
javacore_frame(struct dumps_in *in, struct str s)
{
	static const struct str compiled = STR("(Compiled Code)");
	struct str before, rest, f, place;
	uint64_t key;

	if (!str_take(&s, STR("at ")))
		return false;
	if (dumps_line_frame(in, s, &key))
		return true;
	buf_clear(&in->other_buf);
	while (str_divide(s, compiled, &before, &rest)) {
		dumps_tell_name(in, before, "frame");
		buf_str(&in->other_buf, before);
		s = rest;
	}
	dumps_tell_name(in, s, "frame");
	buf_str(&in->other_buf, s);
	f = with_dots(&in->text_buf, text_trim(buf_view(&in->other_buf)));
	if (!text_cut_args(f, &f, &place))
		place = STR("");
	dumps_frame(in, f, place, false);
	dumps_line_is(in, key);
	return true;
}

/* "getId:0x13, isDaemon:false" */
static bool
javacore_java(struct dumps_in *in, struct str s)
{
	char id[24];
	uint64_t v;

	if (!text_number_after(s, STR("getId:"), &v))
		return false;
	dumps_id(in, (struct str){ id, (size_t)snprintf(id, sizeof id, "%ju", (uintmax_t)v) });
	in->t.flags |= str_has(s, STR("isDaemon:true")) ? DUMP_DAEMON : 0;
	return true;
}

static bool
javacore_detail(struct dumps_in *in, struct str tag, struct str s)
{
	struct str key, class, rest, before;

	if (str_eq(tag, STR("4XESTACKTRACE")))
		return javacore_frame(in, s);
	if (str_eq(tag, STR("5XESTACKTRACE"))) {
		if (!str_divide(s, STR("entered lock: "), &before, &rest) || !split_lock(in, rest, &key, &class, &rest))
			return false;
		dumps_hold(in, key, class);
		return true;
	}
	if (str_eq(tag, STR("3XMJAVALTHREAD")))
		return javacore_java(in, s);
	if (str_eq(tag, STR("3XMTHREADBLOCK")))
		return javacore_block(in, s);
	if (str_eq(tag, STR("3XMTHREADINFO1")))
		javacore_tid(in, s);
	else if (str_eq(tag, STR("4XENATIVESTACK")))
		in->count[DROP_NATIVE]++;
	else if (str_eq(tag, STR("3XMCPUTIME")) && str_divide(s, STR("total: "), &before, &rest))
		in->t.cpu = text_ns(str_until(rest, ' '), 9);
	else
		return false;
	return true;
}

/* ---- deadlocks ------------------------------------------------------------------------------ */

/* The list repeats its first thread at the end. */
static bool
javacore_deadlock(struct javacore *j, struct str tag, struct str s)
{
	struct dumps_in *in = j->in;
	struct str name, rest, key, class;

	if (str_eq(tag, STR("1LKDEADLOCK"))) {
		j->number++;
		j->first_told = in->ntold;
	} else if (str_eq(tag, STR("2LKDEADLOCKTHR"))) {
		if (!str_take(&s, STR("Thread \"")) || !str_divide(s, STR("\" ("), &name, &rest))
			return false;
		if (in->ntold > j->first_told)
			dumps_told_holder(in, name);
		if (in->ntold == j->first_told || !str_eq(dumps_str(in, SCRATCH(in->told, struct in_told)[j->first_told].name, 0), name))
			dumps_told(in, j->number, name);
	} else if (str_eq(tag, STR("4LKDEADLOCKOBJ")) && in->ntold > j->first_told && split_lock(in, s, &key, &class, &rest)) {
		/* The lock of the repeated one is known. */
		if (SCRATCH(in->told, struct in_told)[in->ntold - 1].lock == 0)
			dumps_told_lock(in, key, class);
	} else
		return false;
	return true;
}

/* False: nothing of the line was read. */
static bool
javacore_line(struct javacore *j, struct str tag, struct str line)
{
	struct dumps_in *in = j->in;
	struct str s = text_trim(str_behind(line, tag.n)), rest, before;

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
		return javacore_thread(j, s, line.s);
	} else if (str_eq(tag, STR("1TISIGINFO"))) {
		/* Not one that a user asked for. */
		if (!str_has(s, STR("\"user\"")))
			dumps_reason(in, s, false);
		dumps_tell(in, str_behind(s, str_until(s, ')').n), MEANT_TEXT, "reason");
	} else if (str_eq(tag, STR("1CIJAVAVERSION"))) {
		dumps_dump(in)->program = dumps_text(in, s).ref;
	} else if (str_has(tag, STR("LKDEADLOCK"))) {
		return javacore_deadlock(j, tag, s);
	} else
		return in->in_thread && javacore_detail(in, tag, s);
	return true;
}

void
javacore_read(struct dumps_in *in)
{
	struct javacore j = { .in = in, .details = str_has(in->text, STR("\n1XMTHDINFO")) };
	struct str line, tag;

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
		tag = str_until(line, ' ');
		if (javacore_line(&j, tag, line))
			dumps_tell(in, tag, MEANT_FORM, "tag");
	}
	dumps_end(in);
}
