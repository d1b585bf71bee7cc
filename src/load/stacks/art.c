/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dumps of ART and Dalvik: traces.txt of an ANR, kill -3.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "java.h"
#include "readers.h"
#include "text.h"

/* ---- heads ------------------------------------------------------------------------------ */

static enum dump_state
art_state(struct str raw, bool attached)
{
	static const struct { struct str word; enum dump_state state; } states[] = {
		{ STR("Runnable"), DSTATE_RUNNING }, { STR("Blocked"), DSTATE_BLOCKED }, { STR("MONITOR"), DSTATE_BLOCKED },
		{ STR("Waiting"), DSTATE_WAITING }, { STR("WAIT"), DSTATE_WAITING }, { STR("TimedWaiting"), DSTATE_TIMED },
		{ STR("TIMED_WAIT"), DSTATE_TIMED }, { STR("Sleeping"), DSTATE_SLEEPING }, { STR("Native"), DSTATE_NATIVE },
		{ STR("NATIVE"), DSTATE_NATIVE }, { STR("Suspended"), DSTATE_SUSPENDED }, { STR("SUSPENDED"), DSTATE_SUSPENDED },
		{ STR("RUNNABLE"), DSTATE_RUNNING }, { STR("Terminated"), DSTATE_ENDED }, { STR("ZOMBIE"), DSTATE_ENDED },
		{ STR("Starting"), DSTATE_NEW }, { STR("STARTING"), DSTATE_NEW }, { STR("INITIALIZING"), DSTATE_NEW },
		{ STR("VMWAIT"), DSTATE_WAITING },
	};
	struct str word = str_until(raw, ' ');

	for (size_t i = 0; i < NELEM(states); i++)
		if (str_eq(word, states[i].word))
			return states[i].state;
	if (str_has_prefix(word, STR("Waiting")))
		return DSTATE_WAITING;
	return attached ? DSTATE_UNKNOWN : DSTATE_NATIVE;
}

/* Behind the name, ' (not attached)' or ' sysTid=9'. */
static bool
art_take_head(struct str s, bool *daemon, struct str *id, struct str *tid, struct str *raw)
{
	*id = *tid = STR("");
	if (!str_take(&s, STR(" ")))
		return false;
	*daemon = str_take(&s, STR("daemon "));
	if (str_has_prefix(s, STR("prio=")) && !scan(&s, "prio=%*d ", NULL))
		return false;
	if (!scan(&s, "tid=%d", id) && !scan(&s, "sysTid=%d", tid) && !str_take(&s, STR("(not attached)")))
		return false;
	*raw = text_trim(s);
	return true;
}

static bool
art_head(struct dumps_in *in, struct str line)
{
	struct str name, rest, id, tid, raw;
	bool daemon;
	const char *q;

	if (line.n < 2 || line.s[0] != '"')
		return false;
	for (size_t n = line.n - 1; n > 0 && (q = memrchr(line.s + 1, '"', n)) != NULL; n = (size_t)(q - line.s - 1)) {
		name = (struct str){ line.s + 1, (size_t)(q - line.s - 1) };
		rest = (struct str){ q + 1, (size_t)(line.s + line.n - q - 1) };
		if (!art_take_head(rest, &daemon, &id, &tid, &raw))
			continue;
		if (!in->in_dump)
			dumps_begin(in, DUMP_ART, STR(""));
		dumps_thread(in, name, line.s);
		dumps_id(in, id);
		dumps_raw(in, raw);
		in->t.flags |= daemon ? DUMP_DAEMON : 0;
		in->t.state = (uint8_t)art_state(raw, !str_has(rest, STR("(not attached)")));
		if (tid.n > 0)
			str_number(&tid, &in->t.tid);
		return true;
	}
	return false;
}

/* "----- pid 7 at 2026-11-25 04:14:39 -----" */
static bool
art_process(struct dumps_in *in, struct str line)
{
	struct str when;
	uint64_t pid;

	if (str_has_prefix(line, STR("----- end "))) {
		dumps_tell_words(in, line);
		dumps_thread_end(in);
		in->closed = true;
		return true;
	}
	if (!scan(&line, "----- pid %u at %t -----", &pid, &when))
		return false;
	in->count[DROP_NO_END] += in->in_dump && !in->closed && in->headed;
	dumps_tell_words(in, line);
	dumps_begin(in, DUMP_ART, when);
	dumps_dump(in)->pid = pid;
	in->headed = true;
	in->closed = false;
	return true;
}

/* ---- stacks ------------------------------------------------------------------------------- */

/* "| state=S schedstat=( 1 2 3 ) utm=7 stm=8 core=1 HZ=100" */
static void
art_note(struct dumps_in *in, struct str s)
{
	uint64_t utm, stm, hz, tid;

	dumps_tell_words(in, s);
	if (text_number_after(s, STR("sysTid="), &tid))
		in->t.tid = tid;
	if (!text_number_after(s, STR("utm="), &utm) || !text_number_after(s, STR("stm="), &stm))
		return;
	if (!text_number_after(s, STR(" HZ="), &hz) || hz == 0)
		hz = 100;
	if (utm < UINT32_MAX && stm < UINT32_MAX && hz <= 1000000)
		in->t.cpu = (utm + stm) * 1000000000 / hz;
}

/* Take the last " (...)" off, if it begins that way. */
static void
drop_group(struct str *s, struct str begins)
{
	struct str before, rest, end;

	if (str_divide(*s, begins, &before, &rest) && str_divide(rest, STR(")"), &rest, &end) && end.n == 0)
		*s = before;
}

/* "#00 pc 00012 /lib/libc.so (read+12) (BuildId: 1)" */
static bool
art_native(struct dumps_in *in, struct str s)
{
	struct str module, symbol = STR(""), before, digits, rest;
	uint64_t key;

	assert(in->in_thread);
	str_take(&s, STR("native: "));
	if (!str_take(&s, STR("#")) || !text_take_digits(&s) || s.n == 0 || s.s[0] != ' ')
		return false;
	s = str_skip_blanks(s);
	if (!str_take(&s, STR("pc ")))
		return false;
	s = str_skip_blanks(s);
	dumps_tell_id(in, str_until(s, ' '));
	s = str_skip_blanks(str_behind(s, str_hexes(s)));
	if (dumps_line_frame(in, s, &key))
		return true;
	rest = s;
	drop_group(&rest, STR(" (BuildId: "));
	module = str_until(rest, ' ');
	s = str_behind(rest, module.n);
	if (str_take(&s, STR(" (deleted)")))
		module.n += 10;
	if (str_has_prefix(s, STR(" (offset 0x")))
		s = str_behind(s, str_until(s, ')').n + 1);
	if (str_take(&s, STR(" (")) && s.n > 0 && s.s[s.n - 1] == ')')
		symbol = str_head(s, s.n - 1);
	if (str_divide_last(symbol, '+', &before, &digits) && text_all_digits(digits))
		symbol = before;
	if (symbol.n == 0 || str_eq(symbol, STR("???"))) {
		buf_clear(&in->text_buf);
		buf_chr(&in->text_buf, '[');
		buf_str(&in->text_buf, text_behind_last(module, '/'));
		buf_chr(&in->text_buf, ']');
		symbol = buf_view(&in->text_buf);
	}
	dumps_frame(in, symbol, module, true);
	dumps_line_is(in, key);
	return true;
}

/* "kernel: f+0x1/0x2", "kernel: [<0>] f" */
static bool
art_kernel(struct dumps_in *in, struct str s)
{
	struct str f;

	if (!str_take(&s, STR("kernel: ")))
		return false;
	if (str_has_prefix(s, STR("(couldn"))) {
		dumps_tell_words(in, s);
		in->count[DROP_UNAVAILABLE]++;
		return true;
	}
	if (str_has_prefix(s, STR("[<")))
		s = str_skip_blanks(str_behind(s, str_until(s, ']').n + 1));
	f = str_until(s, '+');
	if (f.n == 0 || memchr(f.s, ' ', f.n) != NULL)
		return false;
	dumps_frame(in, f, STR("[kernel]"), true);
	return true;
}

static void
art_detail(struct dumps_in *in, struct str s)
{
	bool relock = false;

	if (str_take(&s, STR("at ")))
		java_frame(in, s);
	else if (str_take(&s, STR("| ")))
		art_note(in, s);
	else if (str_has_prefix(s, STR("- ")))
		in->count[DROP_LOCKS] += !java_lock_line(in, s, &relock);
	else if (str_has_prefix(s, STR("(no managed stack")) || str_has_prefix(s, STR("(no native stack")) ||
	    str_has_prefix(s, STR("native: (backtrace")))
		dumps_tell_words(in, s);
	else if (!art_native(in, s) && !art_kernel(in, s))
		dumps_other(in);
}

void
art_read(struct dumps_in *in)
{
	struct str line, rest;

	in->finish = java_waits;
	while (dumps_line(in, &line)) {
		if (art_process(in, line) || art_head(in, line))
			continue;
		rest = line;
		if (in->in_dump && (str_take(&rest, STR("Cmd line: ")) || str_take(&rest, STR("Cmdline: ")))) {
			dumps_tell(in, rest, MEANT_WHO, "command line");
			dumps_dump(in)->program = dumps_text(in, rest).ref;
			continue;
		}
		rest = line;
		if (str_take(&rest, STR("Subject: "))) {
			dumps_tell(in, str_head(line, line.n - rest.n), MEANT_FORM, "subject");
			dumps_tell(in, rest, MEANT_TEXT, "subject");
			dumps_reason(in, rest, true);
		}
		line = text_trim(line);
		if (line.n > 0 && in->in_thread)
			art_detail(in, line);
		else if (line.n > 0)
			dumps_other(in);
	}
	dumps_thread_end(in);
	in->count[DROP_NO_END] += in->in_dump && in->headed && !in->closed && dumps_dump(in)->first < in->nthreads;
	dumps_end(in);
}
