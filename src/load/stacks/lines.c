/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text that logs put before each line of a stack dump.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "dumps_in.h"
#include "java.h"
#include "text.h"

enum { PREFIX_LOOK = 40, PREFIX_LEAST = 3, PREFIX_MOST = 1024, PREFIX_TEXT = 1 << 20 };

static bool
is_go_head(struct str s)
{
	struct str word;

	if (!scan(&s, "goroutine %*d "))
		return false;
	if (str_begins(s, "gp=")) {
		for (int i = 0; i < 3 && s.n > 0 && s.s[0] != '['; i++)
			text_take_word(&s, &word);
	}
	return str_begins(s, "[");
}

static bool
is_task_head(struct str s)
{
	struct str word;

	if (scan(&s, "INFO: task "))
		return text_take_word(&s, &word) && str_begins(s, "blocked");
	return scan(&s, "task:") && text_take_word(&s, &word) && str_begins(str_skip_blanks(s), "state:");
}

/* Heads of threads that debuggers, py-spy, .NET and faulthandler write. */
static bool
is_thread_head(struct str s)
{
	if (str_has(s, STR("(most recent call first)")))
		return str_begins(s, "Thread 0x") || str_begins(s, "Current thread 0x") ||
		    str_begins(s, "Stack (");
	if (!scan(&s, "Thread "))
		return false;
	if (scan(&s, "(%*h):"))
		return true;
	return scan(&s, "%*i (") && (str_begins(s, "idle") || str_begins(s, "active") ||
	    (str_ends(s, ":") && (str_begins(s, "Thread 0x") || str_begins(s, "LWP ") ||
	    str_begins(s, "process "))));
}

/* The first frame of gdb, a thread of lldb or OpenJ9, or a report of HotSpot. */
static bool
is_other_mark(struct str s)
{
	struct str rest = s;

	return (str_begins(s, "#0  ") && str_has(s, STR(" ("))) || scan(&rest, "* thread #%*d") ||
	    str_begins(s, "3XMTHREADINFO ") || str_begins(s, "# A fatal error has been detected by the Java");
}

/* Where a line has a mark of a dump; its length if it has none. */
static size_t
mark_in(struct str line)
{
	size_t from = 0;

	for (size_t i = 0; i < line.n; i++) {
		struct str s = str_after(line, i);

		switch (line.s[i]) {
		case 'F':
			if (str_begins(s, "Full thread dump "))
				return i;
			break;
		case '-':
			if (scan(&s, "----- pid %*d at "))
				return i;
			break;
		case 'g':
			if (is_go_head(s))
				return i;
			break;
		case 'C':
			if (is_thread_head(s) || scan(&s, "CPU: %*d {UID: %*d }PID: %*d Comm: "))
				return i;
			break;
		case 'I': case 't':
			if (is_task_head(s))
				return i;
			break;
		case 's':
			if (str_begins(s, "sysrq: Show "))
				return i;
			break;
		case 'S': case 'T':
			if (is_thread_head(s))
				return i;
			break;
		case '#': case '*': case '3':
			if (is_other_mark(s))
				return i;
			break;
		case 'p':
			if (scan(&s, "pid: %*u, tid: %*d, name: "))
				return i;
			break;
		case '"':
			if ((str_has(s, STR(" nid=")) && hotspot_is_head_at(line, i, &from)) ||
			    scan(&s, "\"%*t\" {daemon }prio=%*d tid="))
				return i;
			break;
		default:
			break;
		}
	}
	return line.n;
}

/* The prefix is used if enough of the lines from the first mark on have it. */
static bool
prefix_common(struct str rest, struct str prefix)
{
	struct lines l = lines_of(rest);
	struct str line;
	unsigned hits = 0, lines = 0;

	while (lines < PREFIX_LOOK && lines_next(&l, &line)) {
		lines++;
		hits += lines_take_prefix(&line, prefix);
	}
	return hits >= (lines < PREFIX_LEAST ? lines : PREFIX_LEAST);
}

void
dump_lines_prefix(struct lines *all)
{
	struct lines l = lines_of(str_head(all->rest, PREFIX_TEXT));
	struct str line, from, p;
	size_t at;

	for (from = l.rest; lines_next(&l, &line); from = l.rest) {
		line = str_head(line, PREFIX_MOST);
		if ((at = mark_in(line)) == line.n)
			continue;
		p = str_head(line, at);
		while (text_trim(p).n > 0 && p.s[p.n - 1] == ' ')
			p.n--;
		if (p.n == 0 || (p.s[0] == '"' && !str_ends(p, ":")))
			return;
		from.n = (size_t)(all->rest.s + all->rest.n - from.s);
		if (prefix_common(from, p)) {
			all->prefix = p;
			return;
		}
	}
}
