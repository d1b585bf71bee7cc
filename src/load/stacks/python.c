/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Python: py-spy dump as text, faulthandler; and dotnet-stack, whose lines look alike.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "native.h"
#include "readers.h"
#include "text.h"

/* ---- py-spy ------------------------------------------------------------------------------- */

static bool
pyspy_head(struct dumps_in *in, struct str line)
{
	struct str s = line, raw, name;
	uint64_t id;

	if (!scan(&s, "Thread %i (%t){: \"%l\"}$", &id, &raw, &name))
		return false;
	dumps_thread(in, name, line.s);
	dumps_raw(in, raw);
	in->t.tid = id;
	in->t.state = str_has_prefix(raw, STR("active")) ? DSTATE_RUNNING : str_has_prefix(raw, STR("idle")) ? DSTATE_WAITING : DSTATE_UNKNOWN;
	if (str_has(raw, STR("+gil")))
		dumps_hold(in, STR("GIL"), STR("GIL"));
	return true;
}

static bool
pyspy_frame(struct dumps_in *in, struct str s)
{
	struct str f, place;

	if (!in->in_thread || !scan(&s, "    %l (%l)$", &f, &place) || f.n == 0 || is_blank(f.s[0]) || place.n == 0 || is_blank(place.s[0]))
		return false;
	dumps_frame(in, f, place, false);
	return true;
}

void
pyspy_read(struct dumps_in *in)
{
	struct str line, s, program;
	uint64_t pid;

	in->finish = native_gil;
	dumps_begin(in, DUMP_PY_SPY, STR(""));
	while (dumps_line(in, &line)) {
		s = line;
		if (scan(&s, "Process %u: %t", &pid, &program)) {
			/* Another process: its threads are a dump of their own. */
			if (dumps_dump(in)->pid != 0)
				dumps_begin(in, DUMP_PY_SPY, STR(""));
			dumps_dump(in)->pid = pid;
			dumps_dump(in)->program = dumps_text(in, program).ref;
			dumps_tell(in, program, MEANT_TEXT, "command");
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

static bool
faulthandler_head(struct dumps_in *in, struct str line)
{
	struct str s = line, key, name;

	if (!scan(&s, "Current thread %h{ [%l]} (most recent call first", &key, &name) &&
	    !scan(&s, "Thread %h{ [%l]} (most recent call first", &key, &name))
		return false;
	if (!in->in_dump || dumps_repeats(in, key)) {
		dumps_begin(in, DUMP_FAULTHANDLER, STR(""));
		dumps_repeats(in, key);
	}
	dumps_thread(in, name, line.s);
	dumps_id(in, key);
	return true;
}

static bool
faulthandler_frame(struct dumps_in *in, struct str s)
{
	struct str file, number, f;

	if (!in->in_thread || !scan(&s, "  File \"%t\", line %t in %t", &file, &number, &f) || (!text_all_digits(number) && !str_eq(number, STR("???"))))
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
	struct str f = s, module, args;
	uint64_t key;

	assert(in->in_thread && s.n > 0);
	if (dumps_line_frame(in, s, &key))
		return;
	dumps_tell_name(in, s, "frame");
	(void)scan(&f, "{%t!}", &module);
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
		if (scan(&s, "Thread (%i):", &tid)) {
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
