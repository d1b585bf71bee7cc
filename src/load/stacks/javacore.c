/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * javacore of OpenJ9: each line begins with a tag.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "icecore/scan.h"
#include "java.h"
#include "readers.h"
#include "text.h"

struct javacore {
	struct dumps_in	*in;
	uint32_t	 number;	/* number of the last deadlock */
	/* The thread is that of the block in front of the details, which repeat it */
	bool		 current;
	bool		 details;	/* the file has them */
	uint64_t	 first;		/* row of the first report of the last deadlock */
};

/* "a/b/C@0x1 ...": the key in the source, the class with dots. */
static bool
split_lock(struct dumps_in *in, struct str *s, struct str *key, struct str *class)
{
	struct str name;

	if (!scan(s, "%t@%h", &name, key))
		return false;
	dumps_tell_name(in, name, "class");
	dumps_tell_id(in, *key);
	*class = java_dots(&in->text_buf, name);
	return true;
}

/* ---- threads ------------------------------------------------------------------------------ */

static void
javacore_state(struct dumps_in *in, struct str s)
{
	static const struct dump_words states[] = {
		{ DSTATE_RUNNING, "R" }, { DSTATE_WAITING, "CW|P" }, { DSTATE_BLOCKED, "B" },
		{ DSTATE_SUSPENDED, "S" }, { DSTATE_ENDED, "Z" }, { DSTATE_UNKNOWN, NULL }
	};
	struct str word;

	if (!scan(&s, "%*tstate:"))
		return;
	word = str_until(s, ',');
	dumps_raw(in, word);
	in->t.state = dumps_state(word, str_eq, states);
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
	struct str name, key;
	bool native = str_begins(s, "Anonymous native thread");

	dumps_thread_end(in);
	if (j->current)
		return false;
	in->count[DROP_NATIVE] += native;
	if (!scan(&s, "\"%t\" J9VMThread:%h", &name, &key) && !scan(&s, "\"%t\" (TID:%h", &name, &key))
		return native;
	dumps_tell(in, name, MEANT_WHO, "thread");
	dumps_tell_id(in, key);
	if (dumps_repeats(in, key)) {
		in->count[DROP_REPEATED]++;
		return true;
	}
	dumps_thread(in, name, at);
	javacore_state(in, s);
	javacore_tid(in, s);
	return true;
}

/* "Blocked on: a/b/C@0x1 Owned by: "x" (J9VMThread:0x2, ...)" */
static bool
javacore_block(struct dumps_in *in, struct str s)
{
	struct str rest = s, key, class, name;
	enum dump_want want = scan(&s, "Blocked on: ") ? WANT_LOCK : scan(&s, "Waiting on: ") ? WANT_WAIT :
	    WANT_PARK;

	if ((want == WANT_PARK && !scan(&s, "Parked on: ")) || !split_lock(in, &s, &key, &class))
		return false;
	dumps_want(in, want == WANT_PARK ? java_park(class) : want, key, class);
	if (want != WANT_WAIT && scan(&s, " Owned by: \"%t\" (J9VMThread:", &name))
		dumps_owner(in, OWNER_NAME, name);
	if (scan(&rest, "%*tInitializing thread: \"")) {
		dumps_owner(in, OWNER_NAME, str_until(rest, '"'));
		in->t.want = WANT_INIT;
	}
	return true;
}

/* "at a/b/C.m(C.java:1(Compiled Code))" */
static bool
javacore_frame(struct dumps_in *in, struct str s)
{
	struct str line, before, f, place;
	uint64_t key;
	size_t n, at;
	bool whole;

	if (!scan(&s, "at "))
		return false;
	if (dumps_line_frame(in, s, &key))
		return true;
	if ((n = java_frame_length(s, &at)) == 0)
		return false;
	dumps_tell(in, str_after(s, n), MEANT_TEXT, "text after a frame");
	s = str_head(s, n);
	whole = java_is_told(s) || java_tell_frame(in, s, at);
	buf_clear(&in->other_buf);
	for (line = s; scan(&s, "%t(Compiled Code)", &before); line = s) {
		dumps_tell_name(in, whole ? before : STR(""), "frame");
		buf_str(&in->other_buf, before);
	}
	dumps_tell_name(in, whole ? line : STR(""), "frame");
	buf_str(&in->other_buf, line);
	f = java_dots(&in->text_buf, text_trim(buf_view(&in->other_buf)));
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
	struct str key, class;

	if (str_is(tag, "4XESTACKTRACE"))
		return javacore_frame(in, s);
	if (str_is(tag, "5XESTACKTRACE")) {
		if (!scan(&s, "%*tentered lock: ") || !split_lock(in, &s, &key, &class))
			return false;
		dumps_hold(in, key, class);
		return true;
	}
	if (str_is(tag, "3XMJAVALTHREAD"))
		return javacore_java(in, s);
	if (str_is(tag, "3XMTHREADBLOCK"))
		return javacore_block(in, s);
	if (str_is(tag, "3XMTHREADINFO1"))
		javacore_tid(in, s);
	else if (str_is(tag, "4XENATIVESTACK"))
		in->count[DROP_NATIVE]++;
	else if (str_is(tag, "3XMCPUTIME") && scan(&s, "%*ttotal: "))
		in->t.cpu = text_ns(str_until(s, ' '), 9);
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
	const struct in_report *reports;
	struct str name, key, class;

	if (str_is(tag, "1LKDEADLOCK")) {
		j->number++;
		j->first = in->nreports;
	} else if (str_is(tag, "2LKDEADLOCKTHR")) {
		if (!scan(&s, "Thread \"%t\" (", &name))
			return false;
		if (in->nreports > j->first)
			dumps_report_holder(in, name);
		reports = SCRATCH(in->reports, struct in_report);
		if (in->nreports == j->first ||
		    !str_eq(dumps_str(in, (struct text_at){ reports[j->first].name, 0 }), name))
			dumps_report(in, j->number, name);
	} else if (str_is(tag, "4LKDEADLOCKOBJ") && in->nreports > j->first &&
	    split_lock(in, &s, &key, &class)) {
		/* The lock of the repeated one is known. */
		if (SCRATCH(in->reports, struct in_report)[in->nreports - 1].lock == 0)
			dumps_report_lock(in, key, class);
	} else
		return false;
	return true;
}

/* False: nothing of the line was read. */
static bool
javacore_line(struct javacore *j, struct str tag, struct str line)
{
	struct dumps_in *in = j->in;
	struct str s = text_trim(str_after(line, tag.n)), rest = s;

	if (str_is(tag, "1TIDATETIME")) {
		dumps_when(in, text_trim(scan(&rest, "%*t: ") ? rest : s));
	} else if (str_is(tag, "1XMCURTHDINFO")) {
		/* Without details there is only this. */
		j->current = j->details;
		dumps_thread_end(in);
	} else if (str_is(tag, "1XMTHDINFO")) {
		j->current = false;
	} else if (str_is(tag, "0SECTION")) {
		j->current = false;
		dumps_thread_end(in);
	} else if (str_is(tag, "3XMTHREADINFO")) {
		return javacore_thread(j, s, line.s);
	} else if (str_is(tag, "1TISIGINFO")) {
		/* Not one that a user asked for. */
		if (!str_has(s, STR("\"user\"")))
			dumps_reason(in, s, false);
		dumps_tell(in, str_after(s, str_until(s, ')').n), MEANT_TEXT, "reason");
	} else if (str_is(tag, "1CIJAVAVERSION")) {
		dumps_program(in, s);
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

	in->reader = (struct in_reader){ java_waits, NULL };
	dumps_begin(in, DUMP_OPENJ9);
	while (dumps_line(in, &line)) {
		/* Several cores in one file. */
		if (str_begins(line, "0SECTION") && str_has(line, STR("TITLE")) && in->in_dump &&
		    (in->in_thread || dumps_dump(in)->first < in->nthreads)) {
			dumps_begin(in, DUMP_OPENJ9);
			j = (struct javacore){ .in = in, .details = j.details };
		}
		tag = str_until(line, ' ');
		if (javacore_line(&j, tag, line))
			dumps_tell(in, tag, MEANT_FORM, "tag");
	}
	dumps_end(in);
}
