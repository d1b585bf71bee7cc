/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Backtraces of eu-stack and lldb.
 */
#include "config.h"

#include "icecore/name.h"
#include "icecore/scan.h"
#include "native.h"
#include "readers.h"
#include "text.h"

/* ---- eu-stack ---------------------------------------------------------------------------- */

/* "pthread_cond_wait@@GLIBC_2.3.2" without the version. */
static struct str
without_version(struct str f)
{
	struct str name = str_until(f, '@'), version = str_after(f, name.n);

	if (name.n == f.n || memchr(version.s, ' ', version.n) != NULL || version.s[version.n - 1] == '@')
		return f;
	return name;
}

/* "#0  0x00007f1 - 1 read - /lib/libc.so.6" */
static bool
eustack_frame(struct dumps_in *in, struct str s)
{
	struct str f = STR(""), module = STR(""), rest, number;
	uint64_t key;

	if (!in->in_thread || !scan(&s, "#%*d %_%*h{%_- 1}"))
		return false;
	rest = s = text_trim(s);
	if (dumps_line_frame(in, s, &key))
		return true;
	if (!scan(&rest, "- ")) {
		f = str_head(s, name_end(s));
		rest = str_after(s, f.n);
	}
	if (rest.s == s.s + 2 || scan(&rest, " - ")) {
		module = text_place(rest, &number);
		if (memchr(module.s, '/', module.n) != NULL || memchr(module.s, '.', module.n) != NULL ||
		    str_begins(module, "[")) {
			dumps_tell_name(in, module, "module");
			module = text_after_last(module, '/');
			rest = number;
		} else
			module = STR("");
	}
	dumps_tell(in, rest, MEANT_TEXT, "text after a frame");
	f = without_version(f);
	if (f.n == 0)
		f = buf_set(&in->text_buf, STR("["), module.n > 0 ? module : STR("??"), STR("]"));
	dumps_frame(in, f, module, false);
	dumps_line_is(in, key);
	return true;
}

/* "    a/b.c:12:3" below a frame. */
static bool
eustack_place(struct dumps_in *in, struct str line)
{
	struct str s = text_trim(line), before, number;

	if (!is_blank(line.s[0]) || in->nstack == 0 || !in->in_thread || memchr(s.s, ' ', s.n) != NULL ||
	    !str_divide_last(s, ':', &before, &number) || !text_all_digits(number))
		return false;
	if (text_all_digits(text_after_last(before, ':')) && memchr(before.s, ':', before.n) != NULL)
		s = before;
	dumps_replace_place(in, text_after_last(s, '/'));
	return true;
}

void
eustack_read(struct dumps_in *in)
{
	struct str line, s, number, program;
	uint64_t pid;

	in->reader = (struct in_reader){ native_finish, NULL };
	while (dumps_line(in, &line)) {
		s = line;
		if (scan(&s, "PID %u - %t", &pid, &program)) {
			dumps_begin(in, DUMP_EU_STACK);
			dumps_dump(in)->pid = pid;
			dumps_program(in, program);
			dumps_tell(in, program, MEANT_TEXT, "command");
			continue;
		}
		if (in->in_dump && scan(&s, "TID %d", &number)) {
			dumps_thread(in, STR(""), line.s);
			dumps_id(in, number);
			str_number(&number, &in->t.tid);
			continue;
		}
		if (text_trim(line).n > 0 && !eustack_frame(in, line) && !eustack_place(in, line))
			dumps_other(in);
	}
	dumps_end(in);
}

/* ---- lldb ------------------------------------------------------------------------------------ */

struct lldb {
	struct dumps_in	*in;
	bool		 asked;		/* the text has a command that prints backtraces */
	bool		 dump;		/* a backtrace command was read: its output follows */
};

/* "* thread #1, name = 'x', stop reason = signal SIGSTOP" */
static bool
lldb_head(struct lldb *l, struct str line)
{
	struct dumps_in *in = l->in;
	struct str s = line, number, name, rest;
	uint64_t tid;

	if (!scan(&s, "* thread #%d", &number) && !scan(&s, "  thread #%d", &number))
		return false;
	if (!l->dump) {
		if (l->asked) {
			/* The list of threads that lldb prints when it attaches. */
			dumps_tell_words(in, line);
			dumps_thread_end(in);
			return true;
		}
		dumps_begin(in, DUMP_LLDB);
		l->dump = true;
	}
	rest = s;
	(void)(scan(&rest, "%*tname = '%t'", &name) || scan(&rest, "{%*tqueue = '%t'}", &name));
	dumps_thread(in, name, line.s);
	dumps_id(in, number);
	if (text_number_after(s, STR("tid = "), &tid))
		in->t.tid = tid;
	if (!scan(&s, "%*tstop reason = "))
		return true;
	dumps_raw(in, s);
	rest = s;
	if (str_begins(s, "EXC_") || str_begins(s, "hit program assert") ||
	    (scan(&rest, "signal ") && native_fails(rest))) {
		in->t.flags |= DUMP_REPORTED;
		dumps_reason(in, s, false);
	}
	return true;
}

static struct str
lldb_without(struct str s, struct str end)
{
	return str_has_suffix(s, end) ? str_head(s, s.n - end.n) : s;
}

/* The text after a function with its arguments, which may be values with blanks, brackets and places. */
static struct str
lldb_rest(struct str body)
{
	struct str name = body, rest = str_after(body, name_end(body));
	size_t depth = 0;
	bool quoted = false;

	if (rest.n == 0 || rest.s[0] != '(')
		return rest;
	for (size_t i = (size_t)(rest.s - name.s); i < body.n; i++) {
		char c = body.s[i];

		if (quoted) {
			i += c == '\\';
			quoted = c != '"';
		} else if (c == '"')
			quoted = true;
		else if (c == '(')
			depth++;
		else if (c == ')' && --depth == 0)
			return str_after(body, i + 1);
	}
	return STR("");
}

/* "f(int) + 12 [inlined] at a.c:1:2", after the module. */
static void
lldb_function(struct dumps_in *in, struct str body, struct str module)
{
	struct str place = module, rest, offset, args = STR("");

	(void)scan(&body, "%*t [inlined] ");
	rest = lldb_rest(body);
	body.n -= rest.n;
	offset = rest;
	(void)scan(&rest, "{ [artificial]}{ [inlined]}{ +%_%*d}");
	(void)scan(&rest, "{ [artificial]}{ [inlined]}");
	dumps_tell(in, str_head(offset, offset.n - rest.n), MEANT_FORM, "offset");
	if (scan(&rest, " at "))
		place = text_place(rest, &rest);
	offset = rest;
	(void)scan(&rest, "{ [artificial]}{ [inlined]}");
	dumps_tell(in, str_head(offset, offset.n - rest.n), MEANT_FORM, "mark");
	dumps_tell(in, rest, MEANT_TEXT, "text after a frame");
	body = lldb_without(lldb_without(body, STR(" [artificial]")), STR(" [inlined]"));
	text_cut_args(body, &body, &args);
	dumps_frame(in, text_trim(body), place, false);
	dumps_tell_name(in, module, "module");
	dumps_tell(in, args, MEANT_TEXT, "arguments");
	if (in->in_thread && in->t.want == WANT_NOTHING)
		native_mutex(in, body, args);
}

/* "  * frame #0: 0x0007f libc.so.6`read + 12" */
static bool
lldb_frame(struct dumps_in *in, struct str s)
{
	const char *at = s.s;
	struct str module;
	uint64_t number;

	if (!scan(&s, "  * frame #%u: %*h ", &number) && !scan(&s, "{    }frame #%u: %*h ", &number))
		return false;
	/* Frames that somebody copied without the line of their thread. */
	if (!in->in_thread || (number == 0 && in->nstack > 0)) {
		if (!in->in_dump)
			dumps_begin(in, DUMP_LLDB);
		dumps_thread(in, STR(""), at);
	}
	if (scan(&s, "%t`", &module))
		lldb_function(in, s, module);
	else
		lldb_function(in, STR(""), s);
	return true;
}

void
lldb_read(struct dumps_in *in)
{
	struct lldb l = { .in = in };
	struct lines ahead = in->lines;
	struct str line, s;

	in->reader = (struct in_reader){ native_finish, NULL };
	while (!l.asked && lines_next(&ahead, &line))
		l.asked = str_begins(line, "(lldb)") &&
		    (str_has(line, STR("bt")) || str_has(line, STR("backtrace")));
	while (dumps_line(in, &line)) {
		s = line;
		if (scan(&s, "(lldb) ") && (str_begins(s, "bt") || str_begins(s, "thread backtrace"))) {
			dumps_begin(in, DUMP_LLDB);
			dumps_tell_words(in, line);
			l.dump = true;
		} else if (str_begins(line, "Process ") && str_has(line, STR(" stopped"))) {
			dumps_end(in);
			dumps_tell_words(in, line);
			l.dump = false;
		} else if (str_begins(line, "(lldb)"))
			dumps_tell(in, str_head(line, 6), MEANT_FORM, "prompt");
		else if (l.asked && !l.dump && (scan(&s, "    frame #%*d: %*h ") || scan(&s, "  * frame #%*d: %*h ")))
			/* Of the list of threads: the backtrace repeats it. */
			dumps_tell_other(in);
		else if (!lldb_head(&l, line) && !lldb_frame(in, line) && text_trim(line).n > 0)
			dumps_other(in);
	}
	dumps_end(in);
}
