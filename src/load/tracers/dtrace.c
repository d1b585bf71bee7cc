/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Aggregations of DTrace by stacks: "module`function+0x1f", leaf first, and the value on a line of its own.
 */
#include "config.h"

#include "icecore/scan.h"
#include "forms.h"

#define DEEP 14			/* blanks before a frame, at least */

struct dtrace {
	struct tracers_in *in;
	uint64_t	 nkeys;		/* plain parts of the key, which are on the path */
	bool		 bars;		/* lines of a distribution */
};

static size_t
blanks_of(struct str s)
{
	return s.n - str_skip_blanks(s).n;
}

static bool
dtrace_is_frame(struct str line, struct str s)
{
	return memchr(s.s, '`', s.n) != NULL || scan(&s, "%*h$") || blanks_of(line) >= DEEP;
}

/* "CPU     ID                    FUNCTION:NAME", and lines below it. */
static bool
is_probe_line(struct str line)
{
	struct str s = text_trim(line);

	return scan(&s, "CPU %_ID ") ? str_has(s, STR("FUNCTION:NAME")) :
	    scan(&s, "%*d%_%*d ") && memchr(s.s, ':', s.n) != NULL && memchr(s.s, '`', s.n) == NULL;
}

static void
dtrace_value(struct dtrace *d, struct str line)
{
	struct tracers_in *in = d->in;
	uint64_t value;

	d->bars = false;
	if (in->nkept == 0 && d->nkeys == 0) {
		in->count[TRACED_NO_STACK]++;
		return;
	}
	if (!tracers_number(in, text_trim(line), &value)) {
		in->npath = d->nkeys = 0;
		tracers_forget(in);
		return;
	}
	if (in->nkept == 0)
		tracers_push_name(in, STR("[no stack]"));
	tracers_event(in, STR("count"), WEIGHT_COUNT, "count");
	tracers_join(in, false);
	tracers_add(in, tracers_stack(in), value, value, line.s);
	d->nkeys = 0;
}

/* "           value  ------------- Distribution ------------- count", and bars below it. */
static bool
is_distribution(struct dtrace *d, struct str line, struct str s)
{
	if (str_has(s, STR("- Distribution -"))) {
		/* The key of a distribution has no value. */
		d->in->count[d->in->nkept > 0 ? TRACED_STACK_HISTOGRAMS : TRACED_HISTOGRAMS]++;
		d->in->npath = d->nkeys = 0;
		tracers_forget(d->in);
		d->bars = true;
	}
	return d->bars && (str_has(s, STR("- Distribution -")) || memchr(line.s, '|', line.n) != NULL);
}

static void
trace_line(struct dtrace *d, struct str line)
{
	struct tracers_in *in = d->in;
	struct str s = text_trim(line);

	if (s.n == 0)
		tracers_part(in);
	else if (is_distribution(d, line, s))
		return;
	else if (is_probe_line(line) || !is_blank(line.s[0]))
		tracers_message(in, line);
	else if (text_all_digits(s))
		dtrace_value(d, line);
	else if (dtrace_is_frame(line, s))
		tracers_keep(in, s);
	else if (blanks_of(line) == 2 && in->nkept == 0) {
		tracers_push_name(in, s);
		d->nkeys++;
	} else
		in->count[TRACED_OTHER]++;
}

void
dtrace_read(struct tracers_in *in)
{
	struct dtrace d = { .in = in };
	struct str line;

	while (tracers_line(in, &line))
		trace_line(&d, line);
	in->count[TRACED_NO_VALUE] += in->nkept > 0;
	tracers_forget(in);
}

/* "              genunix`open+0x25" */
bool
dtrace_line(struct str line)
{
	struct str s = text_trim(line), module, function;

	if (str_begins(s, "CPU "))
		return is_probe_line(line);
	return blanks_of(line) > 0 && scan(&s, "%t`%t", &module, &function) && module.n > 0 &&
	    function.n > 0 && memchr(module.s, ' ', module.n) == NULL &&
	    (blanks_of(line) >= DEEP || str_has(function, STR("+0x")));
}
