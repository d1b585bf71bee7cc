/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dumps of ART and Dalvik: traces.txt of an ANR, kill -3.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "java.h"
#include "native.h"
#include "readers.h"
#include "reports.h"
#include "text.h"

/* ---- heads ------------------------------------------------------------------------------ */

static enum dump_state
art_state(struct str raw, bool attached)
{
	static const struct dump_words states[] = {
		{ DSTATE_RUNNING, "Runnable|RUNNABLE" }, { DSTATE_BLOCKED, "Blocked|MONITOR" },
		{ DSTATE_TIMED, "TimedWaiting|TIMED_WAIT" }, { DSTATE_SLEEPING, "Sleeping" },
		{ DSTATE_NATIVE, "Native|NATIVE" }, { DSTATE_SUSPENDED, "Suspended|SUSPENDED" },
		{ DSTATE_ENDED, "Terminated|ZOMBIE" }, { DSTATE_NEW, "Starting|STARTING|INITIALIZING" },
		{ DSTATE_WAITING, "WAIT|VMWAIT" }, { DSTATE_UNKNOWN, NULL }
	};
	struct str word = str_until(raw, ' ');
	enum dump_state state = str_begins(word, "Waiting") ? DSTATE_WAITING :
	    dumps_state(word, str_eq, states);

	return state == DSTATE_UNKNOWN && !attached ? DSTATE_NATIVE : state;
}

static bool
art_head(struct dumps_in *in, struct str line)
{
	struct str name, rest, id, tid;
	bool daemon, apart;

	for (name = str_after(line, 1); java_name(line, &name, &rest); ) {
		if (!scan(&rest, " {daemon }?{prio=%*d }{tid=%d}{sysTid=%d}{(not attached)}?", &daemon, &id,
		    &tid, &apart) || (id.n == 0 && tid.n == 0 && !apart))
			continue;
		if (!in->in_dump)
			dumps_begin(in, DUMP_ART);
		dumps_thread(in, name, line.s);
		dumps_id(in, id);
		dumps_raw(in, text_trim(rest));
		in->t.flags |= daemon ? DUMP_DAEMON : 0;
		in->t.state = art_state(text_trim(rest), !apart && !str_has(rest, STR("(not attached)")));
		str_number(&tid, &in->t.tid);
		return true;
	}
	return false;
}

/* "----- pid 7 at 2026-11-25 04:14:39 -----" */
static bool
art_process(struct art *a, struct str line)
{
	struct dumps_in *in = a->in;
	struct str when;
	uint64_t pid;

	if (str_begins(line, "----- end ")) {
		dumps_tell_words(in, line);
		dumps_thread_end(in);
		a->closed = true;
		return true;
	}
	if (!scan(&line, "----- pid %u at %t -----", &pid, &when))
		return false;
	in->count[DROP_NO_END] += in->in_dump && !a->closed && a->headed;
	dumps_tell_words(in, line);
	dumps_begin(in, DUMP_ART);
	dumps_when(in, when);
	dumps_dump(in)->pid = pid;
	a->headed = true;
	a->closed = false;
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

/* "f(int)+12" up to the bracket that closes it. */
static size_t
art_symbol_length(struct str s)
{
	size_t depth = 1, n = 0;

	for (; n < s.n; n++) {
		depth += s.s[n] == '(';
		if (s.s[n] == ')' && --depth == 0)
			break;
	}
	return n;
}

/* "#00 pc 00012 /lib/libc.so (deleted) (offset 0x1000) (read+12) (BuildId: 1)" */
bool
art_native(struct dumps_in *in, struct str s)
{
	struct str module, symbol = STR(""), rest, line, address;
	bool deleted = false;
	uint64_t key;

	assert(in->in_thread);
	if (!scan(&s, "{native: }#%*d %_pc %_"))
		return false;
	dumps_tell_id(in, str_until(s, ' '));
	address = str_until(s, ' ');
	if (str_hexes(address) == address.n)
		s = str_after(s, address.n);
	s = str_skip_blanks(s);
	if (dumps_line_frame(in, s, &key))
		return true;
	module = str_until(s, ' ');
	s = str_after(s, module.n);
	(void)scan(&s, "{ (deleted)}?{ (offset 0x%*x)}", &deleted);
	if (!str_begins(s, " (BuildId: ") && str_begins(s, " (")) {
		symbol = str_head(str_after(s, 2), art_symbol_length(str_after(s, 2)));
		s = str_after(s, 2 + symbol.n);
		(void)scan(&s, ")");
	}
	(void)scan(&s, " (BuildId: %*t)");
	dumps_tell(in, s, MEANT_TEXT, "text after a frame");
	module.n += deleted ? strlen(" (deleted)") : 0;
	line = symbol;
	if (scan(&line, "%l+%*d$", &rest))
		symbol = rest;
	if (symbol.n == 0 || str_is(symbol, "???"))
		symbol = buf_set(&in->text_buf, STR("["), text_after_last(module, '/'), STR("]"));
	dumps_frame(in, symbol, module, true);
	dumps_line_is(in, key);
	return true;
}

/* "kernel: f+0x1/0x2", "kernel: [<0>] f" */
static bool
art_kernel(struct dumps_in *in, struct str s)
{
	struct str f;

	if (!scan(&s, "kernel: "))
		return false;
	if (str_begins(s, "(couldn")) {
		dumps_tell_words(in, s);
		in->count[DROP_UNAVAILABLE]++;
		return true;
	}
	if (str_begins(s, "[<") && !scan(&s, "%*t]%_"))
		return false;
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

	if (scan(&s, "at ")) {
		if (!java_frame(in, s, true))
			dumps_other(in);
	} else if (scan(&s, "| "))
		art_note(in, s);
	else if (str_begins(s, "- "))
		in->count[DROP_LOCKS] += !java_lock_line(in, s, &relock);
	else if (str_begins(s, "(no managed stack") || str_begins(s, "(no native stack") ||
	    str_begins(s, "native: (backtrace"))
		dumps_tell_words(in, s);
	else if (!art_native(in, s) && !art_kernel(in, s))
		dumps_other(in);
}

/* In front of the threads, the runtime tells of its classes, heap, compiler and collections. */
static bool
art_is_statistic(struct str line)
{
	return line.s[0] != '"' && line.s[0] != '#' && !str_begins(line, "at ") && !str_begins(line, "| ");
}

bool
art_begins(struct art *a, struct str line)
{
	return art_process(a, line) || art_head(a->in, line);
}

void
art_goes_on(struct art *a, struct str line)
{
	struct dumps_in *in = a->in;
	struct str rest = line;

	if (in->in_dump && (scan(&rest, "Cmd line: ") || scan(&rest, "Cmdline: "))) {
		dumps_tell(in, rest, MEANT_WHO, "command line");
		dumps_program(in, rest);
		return;
	}
	if (scan(&rest, "Subject: ")) {
		dumps_tell(in, str_head(line, line.n - rest.n), MEANT_FORM, "subject");
		dumps_tell(in, rest, MEANT_TEXT, "subject");
		dumps_reason(in, rest, true);
	}
	line = text_trim(line);
	if (line.n > 0 && in->in_thread)
		art_detail(in, line);
	else if (line.n > 0 && in->in_dump && dumps_dump(in)->first == in->nthreads && art_is_statistic(line))
		dumps_tell_other(in);
	else if (line.n > 0)
		dumps_other(in);
}

void
art_end(struct art *a)
{
	struct dumps_in *in = a->in;

	dumps_thread_end(in);
	in->count[DROP_NO_END] += in->in_dump && a->headed && !a->closed && dumps_dump(in)->first < in->nthreads;
	dumps_end(in);
}

void
art_read(struct dumps_in *in)
{
	struct art a = { .in = in };
	struct str line;

	in->reader.finish = java_waits;
	while (dumps_line(in, &line))
		if (!art_begins(&a, line))
			art_goes_on(&a, line);
	art_end(&a);
}
