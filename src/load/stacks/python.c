/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Python: py-spy dump as text, faulthandler; and dotnet-stack, whose lines look alike.
 */
#include "config.h"

#include <assert.h>

#include "native.h"
#include "readers.h"
#include "text.h"

/* ---- py-spy ------------------------------------------------------------------------------- */

/* 'Thread 8097 (active+gil): "MainThread"' */
static bool
pyspy_head(struct dumps_in *in, struct str line)
{
	struct str s = line, raw, rest, number, name = STR("");
	uint64_t v;

	if (!str_take(&s, STR("Thread ")))
		return false;
	number = s;
	if (!str_number_any(&s, &v))
		return false;
	number.n -= s.n;
	if (!str_take(&s, STR(" (")) || !str_divide(s, STR(")"), &raw, &rest))
		return false;
	if (str_take(&rest, STR(": \"")) && str_has_suffix(rest, STR("\"")))
		name = str_head(rest, rest.n - 1);
	else if (rest.n > 0)
		return false;
	dumps_thread(in, name, line.s);
	dumps_raw(in, raw);
	in->t.tid = v;
	in->t.state = str_has_prefix(raw, STR("active")) ? DSTATE_RUNNING : str_has_prefix(raw, STR("idle")) ? DSTATE_WAITING : DSTATE_UNKNOWN;
	if (str_has(raw, STR("+gil")))
		dumps_hold(in, STR("GIL"), STR("GIL"));
	return true;
}

/* "    f (a.py:12)" */
static bool
pyspy_frame(struct dumps_in *in, struct str s)
{
	struct str f, place;

	if (!in->in_thread || !str_take(&s, STR("    ")) || s.n == 0 || is_blank(s.s[0]) || s.s[s.n - 1] != ')')
		return false;
	for (size_t i = s.n - 1; i > 2; i--)
		if (s.s[i - 1] == '(' && s.s[i - 2] == ' ' && !is_blank(s.s[i])) {
			f = str_head(s, i - 2);
			place = (struct str){ s.s + i, s.n - i - 1 };
			dumps_frame(in, f, place, false);
			return true;
		}
	return false;
}

void
pyspy_read(struct dumps_in *in)
{
	struct str line, s;
	uint64_t pid;

	in->finish = native_gil;
	dumps_begin(in, DUMP_PY_SPY, STR(""));
	while (dumps_line(in, &line)) {
		s = line;
		if (str_take(&s, STR("Process ")) && str_number(&s, &pid) && str_take(&s, STR(": "))) {
			/* Another process: its threads are a dump of their own. */
			if (dumps_dump(in)->pid != 0)
				dumps_begin(in, DUMP_PY_SPY, STR(""));
			dumps_dump(in)->pid = pid;
			dumps_dump(in)->program = dumps_text(in, s).ref;
			dumps_tell(in, s, MEANT_TEXT, "command");
		} else if (!pyspy_head(in, line) && !pyspy_frame(in, line)) {
			if (str_has_prefix(line, STR("        ")))
				in->count[DROP_LOCALS]++;
			else if (text_trim(line).n > 0)
				dumps_other(in);
		}
	}
	dumps_end(in);
}

/* ---- faulthandler ---------------------------------------------------------------------------- */

/* "Current thread 0x1 [name] (most recent call first):" */
static bool
faulthandler_head(struct dumps_in *in, struct str line)
{
	struct str s = line, key, rest, name = STR("");
	uint64_t v;

	if ((!str_take(&s, STR("Current thread ")) && !str_take(&s, STR("Thread "))) || !str_has(s, STR("(most recent call first")))
		return false;
	key = s;
	if (!text_take_hex(&s, &v))
		return false;
	key.n -= s.n;
	if (str_take(&s, STR(" [")) && str_divide(s, STR("]"), &name, &rest))
		s = rest;
	if (!in->in_dump || dumps_repeats(in, key)) {
		dumps_begin(in, DUMP_FAULTHANDLER, STR(""));
		dumps_repeats(in, key);
	}
	dumps_thread(in, name, line.s);
	dumps_id(in, key);
	return true;
}

/* '  File "/a/b.py", line 12 in f' */
static bool
faulthandler_frame(struct dumps_in *in, struct str s)
{
	struct str file, rest, number, f;

	if (!in->in_thread || !str_take(&s, STR("  File \"")) || !str_divide(s, STR("\", line "), &file, &rest) ||
	    !str_divide(rest, STR(" in "), &number, &f) || (!text_all_digits(number) && !str_eq(number, STR("???"))))
		return false;
	buf_clear(&in->text_buf);
	buf_str(&in->text_buf, text_behind_last(file, '/'));
	buf_chr(&in->text_buf, ':');
	buf_str(&in->text_buf, number);
	dumps_tell_name(in, file, "place");
	dumps_frame(in, f, buf_view(&in->text_buf), false);
	return true;
}

void
faulthandler_read(struct dumps_in *in)
{
	struct str line;

	while (dumps_line(in, &line)) {
		if (str_has_prefix(line, STR("Timeout (")) || str_has_prefix(line, STR("Fatal Python error"))) {
			dumps_other(in);
			dumps_end(in);
			dumps_reason(in, line, true);
		} else if (str_eq(text_trim(line), STR("...")) && in->in_thread) {
			in->t.flags |= DUMP_CUT;
			in->count[DROP_CUT]++;
		} else if (str_has_prefix(line, STR("  Binary file "))) {
			in->count[DROP_NATIVE]++;
			dumps_tell_words(in, line);
			dumps_tell_other(in);
		} else if (!faulthandler_head(in, line) && !faulthandler_frame(in, line) && text_trim(line).n > 0)
			dumps_other(in);
	}
	dumps_end(in);
}

/* ---- dotnet-stack ------------------------------------------------------------------------------ */

static void
dotnet_frame(struct dumps_in *in, struct str s)
{
	struct str module = STR(""), f = s, args, before, rest;
	uint64_t key;

	assert(in->in_thread && s.n > 0);
	if (dumps_line_frame(in, s, &key))
		return;
	dumps_tell_name(in, s, "frame");
	if (str_divide(s, STR("!"), &before, &rest)) {
		module = before;
		f = rest;
	}
	if (!str_eq(s, STR("[Native Frames]")))
		text_cut_args(f, &f, &args);
	dumps_frame(in, f, module, true);
	dumps_line_is(in, key);
}

void
dotnet_read(struct dumps_in *in)
{
	struct str line, s;
	uint64_t tid;

	dumps_begin(in, DUMP_DOTNET, STR(""));
	while (dumps_line(in, &line)) {
		s = line;
		if (str_take(&s, STR("Thread (")) && text_take_hex(&s, &tid) && str_has_prefix(s, STR("):"))) {
			dumps_thread(in, STR(""), line.s);
			dumps_tell_words(in, line);
			in->t.tid = tid;
		} else if (in->in_thread && str_has_prefix(line, STR("  ")) && text_trim(line).n > 0) {
			dotnet_frame(in, text_trim(line));
		} else if (text_trim(line).n > 0)
			dumps_other(in);
	}
	dumps_end(in);
}
