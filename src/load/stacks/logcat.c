/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs of Android, of adb logcat in any of its formats and of Android Studio, and bugreports: uncaught exceptions,
 * tombstones and dumps of ART.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "java.h"
#include "native.h"
#include "readers.h"
#include "reports.h"
#include "text.h"

enum {
	BEFORE_MOST = 128,	/* bytes of a line before its tag, at most */
	CAUSES_MOST = 100	/* causes of an exception whose common frames are read */
};

struct logcat {
	struct dumps_in	*in;
	struct art	 art;
	struct crash	 crash;
	bool		 open;		/* lines belong to an exception */
	bool		 told;		/* the exception has its name */
	bool		 skips;		/* frames are those of a suppressed exception */
	uint64_t	 base;		/* frames of the exceptions that the present one has caused */
	unsigned	 causes;
};

/* ---- lines ------------------------------------------------------------------------------------- */

/*
 * The text of a line with a tag: "E AndroidRuntime: x", "E/AndroidRuntime( 12): x", "E/AndroidRuntime ]",
 * "AndroidRuntime   com.example   E  x".
 */
static bool
logcat_text(struct str line, struct str tag, struct str *text)
{
	struct str before, s;

	if (!str_divide(line, tag, &before, &s) || before.n > BEFORE_MOST ||
	    (before.n > 0 && !is_one_of(before.s[before.n - 1], " /(")))
		return false;
	*text = s;
	/* The tag may be the last word: "E( 12) x  (AndroidRuntime)". */
	if (str_is(s, ")") && str_ends(before, "(")) {
		*text = before;
		text->n--;
		return scan(text, "%*t) ");
	}
	if (scan(text, "%_{(%_%*d)}:{ }"))
		return true;
	return scan(text, "%_]") || (scan(text, "%_%*w%_") && text->n > 3 &&
	    str_begins(str_after(*text, 1), "  ") && (*text = str_after(*text, 3), true));
}

/* Lines without a tag belong to the one above, but not "01-06 ...", "[ 01-06", "I/Tag: x" and "I( 12) x". */
static bool
logcat_has_no_tag(struct str s)
{
	return s.n < 2 || (!is_digit(s.s[0]) && s.s[0] != '[' && !is_one_of(s.s[1], "/("));
}

/* The time in front of a line, if there is one. */
static struct str
logcat_time(struct str line)
{
	struct str s = line;

	(void)scan(&s, "[ ");
	line = s = text_trim(s);
	if (!scan(&s, "%*d-%*d-%*d %*d:%*d:%*d.%*d") && !scan(&s, "%*d-%*d %*d:%*d:%*d.%*d"))
		return STR("");
	return str_head(line, line.n - s.n);
}

/* ---- exceptions ---------------------------------------------------------------------------------- */

static void
turn(uint32_t *frame, uint64_t from, uint64_t to)
{
	for (; from + 1 < to; from++) {
		uint32_t first = frame[from];

		frame[from] = frame[--to];
		frame[to] = first;
	}
}

/* The stack is that of the cause: its frames, and so many outermost ones of the exception that it caused. */
static void
logcat_cause(struct logcat *g, uint64_t more)
{
	struct dumps_in *in = g->in;
	uint32_t *frame = SCRATCH(in->stack, uint32_t);
	uint64_t own = in->nstack - g->base, from;

	if (g->base == 0)
		return;
	more = g->causes > CAUSES_MOST ? 0 : more < g->base ? more : g->base;
	from = g->base - more;
	turn(frame, from, in->nstack);
	turn(frame, from, from + own);
	turn(frame, from + own, in->nstack);
	memmove(frame, frame + from, (size_t)(own + more) * sizeof *frame);
	in->nstack = own + more;
	g->base = 0;
}

static void
logcat_begin(struct logcat *g, struct str name, struct str line)
{
	struct dumps_in *in = g->in;

	dumps_begin(in, DUMP_LOGCAT);
	dumps_when(in, logcat_time(line));
	dumps_thread(in, name, line.s);
	dumps_tell_words(in, line);
	in->t.state = DSTATE_RUNNING;
	g->open = true;
	g->told = g->skips = g->crash.open = false;
	g->crash.fresh = true;
	g->base = g->causes = 0;
}

/* A line of an exception; false: it is none. */
static bool
logcat_detail(struct logcat *g, struct str s)
{
	struct dumps_in *in = g->in;
	struct str line = s, program;
	uint64_t n;

	if (scan(&s, "Process: %t, PID: %u", &program, &n)) {
		dumps_program(in, program);
		dumps_tell(in, program, MEANT_TEXT, "command");
		dumps_dump(in)->pid = n;
	} else if (scan(&s, "at ") && g->told) {
		if (!g->skips && !java_frame(in, s, true))
			return false;
	} else if (scan(&s, "... %u more", &n)) {
		if (!g->skips)
			logcat_cause(g, n);
	} else if (scan(&s, "Caused by: ") && g->told) {
		logcat_cause(g, 0);
		g->base = in->nstack;
		g->causes++;
		g->skips = false;
		dumps_raw(in, s);
	} else if (scan(&s, "Suppressed: ") && g->told)
		g->skips = true;
	else if (scan(&s, "PID: %u$", &n) && !g->told)
		dumps_dump(in)->pid = n;
	else if (!g->told) {
		dumps_reason(in, s, false);
		g->told = true;
	} else
		return false;
	dumps_tell_words(in, line);
	return true;
}

static bool
logcat_exception(struct logcat *g, struct str text, struct str line)
{
	struct str s = text_trim(text), name = s;

	if (scan(&name, "{*** }FATAL EXCEPTION{ IN SYSTEM PROCESS}: ")) {
		logcat_begin(g, name, line);
		return true;
	}
	return g->open && g->in->in_thread && s.n > 0 && logcat_detail(g, s);
}

/* ---- all --------------------------------------------------------------------------------------- */

static void
logcat_finish(struct dumps_in *in)
{
	switch (dumps_dump(in)->kind) {
	case DUMP_ART: java_waits(in); break;
	case DUMP_LOGCAT: logcat_cause(in->reader.state, 0); break;
	default: crash_finish(in); break;
	}
}

/* Lines of the sections of a bugreport, and those that belong to the line above. */
static bool
logcat_plain(struct logcat *g, struct str line)
{
	struct dumps_in *in = g->in;

	if (art_begins(&g->art, line)) {
		g->open = g->crash.open = false;
		g->crash.fresh = true;
		return true;
	}
	if (in->in_dump && dumps_dump(in)->kind == DUMP_ART && !g->art.closed && line.n > 0) {
		art_goes_on(&g->art, line);
		return true;
	}
	if (!logcat_has_no_tag(text_trim(line)))
		return false;
	if (logcat_exception(g, line, line))
		return true;
	/* An exception ends at a line that is not part of it, but its message may have several lines. */
	g->open = g->open && (in->nstack == 0 || line.n == 0);
	return false;
}

static void
logcat_line(struct logcat *g, struct str line)
{
	static const struct str tags[] = { STR("DEBUG"), STR("crash_dump64"), STR("crash_dump32") };
	struct str text = line, s;
	bool tagged = false;

	if (logcat_text(line, STR("AndroidRuntime"), &text)) {
		if (text_trim(text).n == 0)
			dumps_tell_words(g->in, line);
		else if (!logcat_exception(g, text, line))
			dumps_other(g->in);
		return;
	}
	if (logcat_plain(g, line))
		return;
	for (size_t i = 0; i < NELEM(tags) && !tagged; i++)
		tagged = logcat_text(line, tags[i], &text);
	s = text_trim(text);
	if (s.n == 0)
		return;
	if (!crash_takes(&g->crash, s))
		dumps_other(g->in);
	else {
		dumps_tell_words(g->in, str_head(line, line.n - text.n));
		g->open = false;
	}
}

void
logcat_read(struct dumps_in *in)
{
	struct logcat g = { .in = in, .art.in = in,
	    .crash = { .in = in, .heading = STR(""), .program = STR(""), .queue = STR("") } };
	struct str line;

	/* Lines of several tags are read. */
	in->lines.prefix = STR("");
	in->reader = (struct in_reader){ logcat_finish, &g };
	while (dumps_line(in, &line))
		logcat_line(&g, line);
	art_end(&g.art);
	in->reader.state = NULL;
}
