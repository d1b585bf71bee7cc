/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters among Chrome trace events: a series for each key of each name.
 */
#include "config.h"

#include <math.h>

#include "chrome_marks.h"

#define DECIMALS 6		/* decimals that tracks keep at most */
#define DIGITS 15		/* digits that a double keeps */

/* ---- reading ------------------------------------------------------------------------ */

/* "name[id]" if there is an id. */
static uint32_t
chrome_counters_name_of(struct chrome_marks *m, const struct chrome_event *e)
{
	struct buf *b = &m->l->name;

	if (!e->is.has_id)
		return into_word(m->to, e->is.name);
	buf_clear(b);
	buf_str(b, e->is.name);
	buf_chr(b, '[');
	buf_str(b, e->is.id);
	buf_chr(b, ']');
	return into_word(m->to, into_made(m->to, b));
}

void
chrome_counter_add(struct chrome_marks *m, const struct chrome_event *e)
{
	struct mark_counter new = { .process = into_process(m->to, e->is.pid) };
	struct json args = e->is.args;
	struct str key, word;
	uint32_t counter;
	double value;

	new.name = chrome_counters_name_of(m, e);
	if (!scan_open(&args, '{'))
		return;
	while (scan_member(&args, &key) && scan_plain(&args, &word)) {
		if (!num_f64(word, &value) || !isfinite(value)) {
			m->l->no_number++;
			continue;
		}
		new.key = into_word(m->to, key);
		counter = into_key(m->to, &m->in.counters, &new, offsetof(struct mark_counter, series),
		    sizeof new, "counters");
		INTO(m->to, marks_count(&m->in, counter, e->time, value, m->to->err));
	}
}

/* ---- levels ------------------------------------------------------------------------- */

/* Return the number of decimals that a number of this size can have exactly. */
static unsigned
decimals_most(double v)
{
	unsigned n = DIGITS;

	for (; v >= 1 && n > 0; v /= 10)
		n--;
	return n < DECIMALS ? n : DECIMALS;
}

static uint64_t
fixed(double v, unsigned decimals)
{
	while (decimals-- > 0)
		v *= 10;
	return v <= 0 ? 0 : v < 9e18 ? (uint64_t)(v + 0.5) : (uint64_t)9e18;
}

static unsigned
decimals_of(double v)
{
	unsigned n = decimals_most(fabs(v));
	uint64_t whole = fixed(fabs(v), n);

	for (; n > 0 && whole % 10 == 0; whole /= 10)
		n--;
	return n;
}

static uint64_t
level_of(const struct mark_counter *c, double v)
{
	uint64_t level = fixed(fabs(v), c->decimals);

	return v >= 0 ? c->below + level : level < c->below ? c->below - level : 0;
}

const struct mark_scale marks_decimals = { decimals_of, decimals_most, level_of, true };
