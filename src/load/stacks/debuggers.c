/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Backtraces of eu-stack and lldb.
 */
#include "config.h"

#include "icecore/scan.h"
#include "native.h"
#include "readers.h"
#include "text.h"

/* ---- eu-stack ---------------------------------------------------------------------------- */

/* "pthread_cond_wait@@GLIBC_2.3.2" without the version. */
static struct str
without_version(struct str f)
{
	struct str name = str_until(f, '@'), version = str_behind(f, name.n);

	if (name.n == f.n || memchr(version.s, ' ', version.n) != NULL || version.s[version.n - 1] == '@')
		return f;
	return name;
}

/* "#0  0x00007f1 - 1 read - /lib/libc.so.6" */
static bool
eustack_frame(struct dumps_in *in, struct str s)
{
	struct str f, module, before, rest;
	uint64_t v;

	if (!in->in_thread || !str_take(&s, STR("#")) || !text_take_digits(&s) || s.n == 0 || !is_blank(s.s[0]))
		return false;
	s = str_skip_blanks(s);
	if (!text_take_hex(&s, &v))
		return false;
	rest = str_skip_blanks(s);
	if (str_take(&rest, STR("- 1")))
		s = rest;
	f = s = text_trim(s);
	module = STR("");
	if (str_divide(s, STR(" - "), &before, &rest)) {
		f = before;
		module = text_behind_last(rest, '/');
	} else if (str_take(&s, STR("- "))) {
		f = STR("");
		module = text_behind_last(s, '/');
	}
	f = without_version(f);
	if (f.n == 0) {
		buf_clear(&in->text_buf);
		buf_chr(&in->text_buf, '[');
		buf_str(&in->text_buf, module.n > 0 ? module : STR("??"));
		buf_chr(&in->text_buf, ']');
		f = buf_view(&in->text_buf);
	}
	dumps_frame(in, f, module, false);
	return true;
}

/* "    a/b.c:12:3" below a frame. */
static bool
eustack_place(struct dumps_in *in, struct str line)
{
	struct str s = text_trim(line), before, number;

	if (!is_blank(line.s[0]) || in->nopen == 0 || !in->in_thread || memchr(s.s, ' ', s.n) != NULL ||
	    !str_divide_last(s, ':', &before, &number) || !text_all_digits(number))
		return false;
	if (text_all_digits(text_behind_last(before, ':')) && memchr(before.s, ':', before.n) != NULL)
		s = before;
	dumps_replace_place(in, text_behind_last(s, '/'));
	return true;
}

void
eustack_read(struct dumps_in *in)
{
	struct str line, s, number, program;
	uint64_t pid;

	in->marks = native_marks;
	in->finish = native_finish;
	while (dumps_line(in, &line)) {
		s = line;
		if (scan(&s, "PID %u - %t", &pid, &program)) {
			dumps_begin(in, DUMP_EU_STACK, STR(""));
			dumps_dump(in)->pid = pid;
			dumps_dump(in)->program = dumps_text(in, program).ref;
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
	bool		 dump;		/* it was given */
};

static struct str
quoted_after(struct str s, struct str what)
{
	struct str before, rest;

	return str_divide(s, what, &before, &rest) && memchr(rest.s, '\'', rest.n) != NULL ? str_until(rest, '\'') : STR("");
}

/* "* thread #1, name = 'x', stop reason = signal SIGSTOP" */
static bool
lldb_head(struct lldb *l, struct str line)
{
	struct dumps_in *in = l->in;
	struct str s = line, number, name, before, rest;
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
		dumps_begin(in, DUMP_LLDB, STR(""));
		l->dump = true;
	}
	name = quoted_after(s, STR("name = '"));
	dumps_thread(in, name.n > 0 ? name : quoted_after(s, STR("queue = '")), line.s);
	dumps_id(in, number);
	if (text_number_after(s, STR("tid = "), &tid))
		in->t.tid = tid;
	if (str_divide(s, STR("stop reason = "), &before, &rest))
		dumps_raw(in, rest);
	return true;
}

static struct str
lldb_without(struct str s, struct str end)
{
	return str_has_suffix(s, end) ? str_head(s, s.n - end.n) : s;
}

/* "a.c:1:2" behind the last " at "; an argument may have a place, too. */
static bool
split_place(struct str s, struct str *before, struct str *place)
{
	static const struct str at = STR(" at ");

	for (size_t i = s.n; i-- > 0; ) {
		struct str rest = str_behind(s, i);

		if (!str_take(&rest, at))
			continue;
		*before = str_head(s, i);
		*place = str_until(rest, ' ');
		return text_all_digits(text_behind_last(*place, ':')) && memchr(place->s, ':', place->n) != NULL;
	}
	return false;
}

/* "f(int) + 12 [inlined] at a.c:1:2", behind the module. */
static void
lldb_function(struct dumps_in *in, struct str body, struct str module)
{
	struct str f = body, place = module, before, rest, args = STR(""), offset;

	if (split_place(body, &before, &rest)) {
		f = before;
		place = rest;
	}
	if (str_divide_last(f, '+', &before, &offset) && str_has_suffix(before, STR(" ")) && text_all_digits(text_trim(offset)))
		f = str_head(before, before.n - 1);
	if (str_divide(f, STR(" [inlined] "), &before, &rest))
		f = rest;
	f = lldb_without(lldb_without(f, STR(" [artificial]")), STR(" [inlined]"));
	if (text_cut_args(f, &before, &args))
		f = before;
	dumps_frame(in, text_trim(f), place, false);
	dumps_tell_name(in, module, "module");
	dumps_tell(in, args, MEANT_TEXT, "arguments");
	if (in->in_thread && in->t.want == WANT_NOTHING)
		native_mutex(in, f, args);
}

/* "  * frame #0: 0x0007f libc.so.6`read + 12" */
static bool
lldb_frame(struct dumps_in *in, struct str s)
{
	struct str module, body;

	if (!scan(&s, "  * frame #%*d: %*h ", NULL) && !scan(&s, "    frame #%*d: %*h ", NULL))
		return false;
	if (!str_divide(s, STR("`"), &module, &body)) {
		module = s;
		body = STR("");
	}
	lldb_function(in, body, module);
	return true;
}

void
lldb_read(struct dumps_in *in)
{
	struct lldb l = { .in = in };
	struct dump_lines ahead = in->lines;
	struct str line, s;

	in->marks = native_marks;
	in->finish = native_finish;
	while (!l.asked && dump_lines_next(&ahead, &line))
		l.asked = str_has_prefix(line, STR("(lldb)")) && (str_has(line, STR("bt")) || str_has(line, STR("backtrace")));
	while (dumps_line(in, &line)) {
		s = line;
		if (str_take(&s, STR("(lldb) ")) && (str_has_prefix(s, STR("bt")) || str_has_prefix(s, STR("thread backtrace")))) {
			dumps_begin(in, DUMP_LLDB, STR(""));
			dumps_tell_words(in, line);
			l.dump = true;
		} else if (str_has_prefix(line, STR("Process ")) && str_has(line, STR(" stopped"))) {
			dumps_end(in);
			dumps_tell_words(in, line);
			l.dump = false;
		} else if (str_has_prefix(line, STR("(lldb)")))
			dumps_tell(in, str_head(line, 6), MEANT_FORM, "prompt");
		else if (!lldb_head(&l, line) && !(l.dump && lldb_frame(in, line)) &&
		    text_trim(line).n > 0)
			dumps_other(in);
	}
	dumps_end(in);
}
