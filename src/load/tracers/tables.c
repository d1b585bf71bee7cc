/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call trees in tables: cost centres of GHC, and VTune.  A line has the depth of a frame and its own cost.
 */
#include "config.h"

#include "icecore/scan.h"
#include "forms.h"

/* ---- GHC ---------------------------------------------------------------------------------- */

enum { GHC_FIELDS = 12 };	/* the last ones of a line; the first two are taken apart */

struct ghc {
	struct tracers_in *in;
	uint64_t	 total;		/* ticks of all */
	bool		 exact;		/* there are columns of ticks and bytes */
	uint32_t	 stack;
};

/* The number of ticks in "(19827 ticks @ 1000 us)", and the lines after the last heading of a tree. */
static bool
ghc_head(struct ghc *g)
{
	struct lines after = lines_of(STR(""));
	struct str line;

	while (tracers_line(g->in, &line)) {
		line = text_trim(line);
		if (scan(&line, "total time%*t(%u", &g->total) || !str_begins(line, "COST CENTRE"))
			continue;
		after = g->in->lines;
		g->exact = str_ends(line, "bytes") && str_has(line, STR("ticks"));
	}
	g->in->lines = after;
	return after.rest.n > 0;
}

/* The last words of a line, the last one first; how many there are. */
static size_t
last_words(struct str s, struct str *words, size_t most)
{
	size_t n = 0;

	for (s = text_trim(s); s.n > 0 && n < most; s = text_trim(s)) {
		size_t from = s.n;

		while (from > 0 && !is_blank(s.s[from - 1]))
			from--;
		words[n++] = str_after(s, from);
		s = str_head(s, from);
	}
	return n;
}

static void
ghc_line(struct ghc *g, struct str line)
{
	struct tracers_in *in = g->in;
	struct str words[GHC_FIELDS], s = str_skip_blanks(line), name, module;
	size_t extra = g->exact ? 2 : 0, n = last_words(line, words, GHC_FIELDS);
	uint64_t ticks = 0, bytes = 0, tenths = 0;
	bool ok = n >= 7 + extra && scan_fixed(words[3 + extra], 1, &tenths) &&
	    is_digit(words[3 + extra].s[0]);

	if (ok && g->exact)
		ok = tracers_number(in, words[1], &ticks) && tracers_number(in, words[0], &bytes);
	else if (ok)
		ticks = ((tenths < 1000 ? tenths : 1000) * (g->total < UINT64_MAX / 2000 ? g->total :
		    UINT64_MAX / 2000) + 500) / 1000;
	if (!ok || !text_take_word(&s, &name) || !text_take_word(&s, &module)) {
		in->count[TRACED_OTHER]++;
		return;
	}
	tracers_level(in, line.n - str_skip_blanks(line).n, NULL);
	tracers_node(in, (struct traced_frame){ .name = buf_set(&in->buf, module, STR("."), name) }, 0,
	    line.s);
	if (in->bad)
		return;
	g->stack = SCRATCH(in->levels, struct traced_level)[in->nlevels - 1].stack;
	tracers_event(in, STR("ticks"), WEIGHT_COUNT, "ticks");
	if (ticks > 0)
		tracers_add(in, g->stack, ticks, ticks, line.s);
	if (bytes > 0) {
		tracers_event(in, STR("bytes"), WEIGHT_BYTES, "bytes");
		tracers_add(in, g->stack, bytes, 1, line.s);
	}
}

void
ghc_read(struct tracers_in *in)
{
	struct ghc g = { .in = in };
	struct str line;

	if (!ghc_head(&g))
		return;
	if (!g.exact)
		in->values = "ticks are computed from %time, which has one decimal: approximate, and rows below 0.05% "
		    "are missing";
	while (tracers_line(in, &line))
		if (text_trim(line).n > 0)
			ghc_line(&g, line);
}

bool
ghc_is(struct str head)
{
	return str_has(str_head(head, 300), STR("Time and Allocation Profiling Report"));
}

/* ---- VTune --------------------------------------------------------------------------------- */

/* Take a cell and the comma behind it.  *b: room for one with quotes in it. */
static struct str
take_cell(struct str *s, struct buf *b)
{
	struct str cell = *s, part;

	if (!str_take(s, STR("\""))) {
		cell = str_until(*s, ',');
		*s = str_after(*s, cell.n + 1);
		return cell;
	}
	cell = str_until(*s, '"');
	*s = str_after(*s, cell.n + 1);
	if (str_begins(*s, "\"")) {
		buf_clear(b);
		buf_str(b, cell);
		while (str_take(s, STR("\""))) {
			part = str_until(*s, '"');
			buf_chr(b, '"');
			buf_str(b, part);
			*s = str_after(*s, part.n + 1);
		}
		cell = buf_view(b);
	}
	str_take(s, STR(","));
	return cell;
}

static void
vtune_line(struct tracers_in *in, struct str line)
{
	struct str s = str_skip_blanks(line), name, seconds;
	size_t depth = line.n - s.n;
	struct traced_frame f;
	uint64_t ns;

	name = text_trim(take_cell(&s, &in->buf));
	seconds = take_cell(&s, &in->name);
	f = (struct traced_frame){ .name = name, .module = str_until(s, ',') };
	if (seconds.n == 0 || !is_digit(seconds.s[0]) || (ns = text_ns(seconds, 9)) == UINT64_MAX) {
		in->count[TRACED_OTHER]++;
		return;
	}
	tracers_level(in, depth, NULL);
	if (in->nlevels == 0 && str_is(name, "Total"))
		tracers_root(in, 0, line.s);
	else
		tracers_node(in, f, 0, line.s);
	if (ns >= 500 && !in->bad)
		tracers_add(in, SCRATCH(in->levels, struct traced_level)[in->nlevels - 1].stack,
		    num_add(ns, 500) / 1000, 1, line.s);
}

void
vtune_read(struct tracers_in *in)
{
	bool on = false;
	struct str line;

	tracers_event(in, STR("CPU time"), WEIGHT_TIME, "us");
	while (tracers_line(in, &line)) {
		if (text_trim(line).n == 0)
			continue;
		if (on)
			vtune_line(in, line);
		else if (!(on = str_begins(line, "Function Stack,")))
			in->count[TRACED_MESSAGES]++;
	}
}
