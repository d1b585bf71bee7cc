/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * .NET: clrstack and dumpasync of SOS, which dotnet-dump and WinDbg load.
 */
#include "config.h"

#include "icecore/name.h"
#include "icecore/scan.h"
#include "native.h"
#include "readers.h"
#include "text.h"

/* "OS Thread Id: 0x5cc (0)" */
static bool
sos_head(struct dumps_in *in, struct str line)
{
	struct str s = line, number = STR("");
	uint64_t tid;

	if (scan(&s, "STACK %d$", &number)) {
		/* A chain of asynchronous methods, which no thread runs. */
		if (!in->in_dump)
			dumps_begin(in, DUMP_SOS);
		dumps_thread(in, STR(""), line.s);
		dumps_id(in, line);
		dumps_tell_words(in, line);
		if (in->in_thread)
			in->t.state = DSTATE_WAITING;
		return true;
	}
	if (!scan(&s, "OS Thread Id: %i{ (%d)}", &tid, &number))
		return false;
	dumps_begin_for(in, DUMP_SOS, str_until(str_after(line, strlen("OS Thread Id: ")), ' '));
	dumps_thread(in, STR(""), line.s);
	dumps_tell_words(in, line);
	dumps_id(in, number);
	in->t.tid = tid;
	return true;
}

/* "N.C.M(Int32)": what follows the mark of a frame may be a text, too. */
static bool
sos_is_method(struct str s)
{
	s = str_head(s, name_end(s));
	return str_ends(s, ")") && memchr(s.s, '.', str_until(s, '(').n) != NULL;
}

/* Arguments and the place "[/src/Program.cs @ 12]" are not part of a name. */
static void
sos_function(struct dumps_in *in, struct str s)
{
	struct str f, place, number, args;

	if (scan(&s, "%t [%t @ %d]", &f, &place, &number)) {
		place = native_at(in, place, number);
		dumps_tell(in, s, MEANT_TEXT, "text after a frame");
	} else {
		f = s;
		place = STR("");
	}
	f = dumps_name(in, text_trim(f), name_end);
	dumps_tell_name(in, f, "frame");
	text_cut_args(f, &f, &args);
	dumps_frame(in, f, place, false);
}

/* Memory has its text behind numbers, too. */
static bool
sos_is_frame(struct str s)
{
	return s.n > 0 && (s.s[0] == '[' || memchr(s.s, '!', s.n) != NULL || memchr(s.s, '(', s.n) != NULL ||
	    str_begins(s, "<"));
}

/*
 * "00007FFE8B0D6040 00007fc8a1b2d1a9 [HelperMethodFrame: 00007ffe8b0d6040] N.C.M(Int32)": a mark without a
 * method is the name of a frame.  dumpasync has "..00007fb59e80 00007fb59e90 (2) N.C+<M>d__1".
 */
static bool
sos_frame(struct dumps_in *in, struct str s)
{
	struct str mark = STR(""), rest, sp, ip = STR("");

	if (!in->in_thread)
		return false;
	for (rest = s; scan(&rest, "."); )
		;
	if (scan(&rest, "%x %x (%*t) ", &sp, &ip) || (scan(&rest, "%x (%*t) ", &sp) && sp.n >= 8)) {
		dumps_tell_id(in, sp);
		dumps_tell_id(in, ip);
		sos_function(in, rest);
		return true;
	}
	rest = s;
	if (scan(&rest, "%x %x ", &sp, &ip) && sp.n >= 8 && sos_is_frame(text_trim(rest))) {
		dumps_tell_id(in, sp);
		dumps_tell_id(in, ip);
		s = text_trim(rest);
		rest = s;
		if (scan(&rest, "[%t: %x]", &mark, &ip)) {
			dumps_tell_id(in, ip);
			s = str_begins(rest, "\t") ? STR("") : text_trim(rest);
			dumps_tell_words(in, mark);
			dumps_tell(in, rest, MEANT_TEXT, "text after a frame");
		}
		if (s.n > 0 && (mark.n == 0 || sos_is_method(s)))
			sos_function(in, s);
		else if (mark.n > 0)
			dumps_frame(in, buf_set(&in->text_buf, STR("["), mark, STR("]")), STR(""), false);
		return true;
	}
	return false;
}

void
sos_read(struct dumps_in *in)
{
	struct str line, s;

	in->reader.finish = dotnet_finish;
	while (dumps_line(in, &line)) {
		s = text_trim(line);
		if (s.n == 0 || str_begins(s, "Child SP "))
			dumps_tell_words(in, s);
		else if (!sos_head(in, s) && !sos_frame(in, s))
			dumps_other(in);
	}
	dumps_end(in);
}
