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

/* Append "name[id]" if there is an id. */
static bool
chrome_counters_name_of(struct chrome_marks *m, const struct chrome_event *e, uint32_t *word, struct err *err)
{
	struct buf *b = &m->in.l->name;

	if (e->id.at == e->id.size)
		return marks_word(&m->in, e->name, word, err);
	buf_clear(b);
	buf_str(b, e->name);
	buf_chr(b, '[');
	buf_str(b, jload_word(e->id));
	buf_chr(b, ']');
	return b->bad ? fail(err, E_SYSTEM, "out of memory (name)") : marks_word(&m->in, buf_view(b), word, err);
}

static bool
chrome_counters_add_value(struct chrome_marks *m, struct mark_counter *new, struct str key, uint64_t time, double value, struct err *err)
{
	uint32_t counter;

	if (!marks_word(&m->in, key, &new->key, err))
		return false;
	counter = mark_set_add(&m->in.counters, new, offsetof(struct mark_counter, series), sizeof *new, "counters", err);
	return counter != 0 && marks_count(&m->in, counter, time, value, err);
}

bool
chrome_counter_add(struct chrome_marks *m, const struct chrome_event *e, struct err *err)
{
	struct mark_counter new = { .process = marks_process(&m->in, e->pid, 0, err) };
	struct json args = e->args;
	struct str key, word;
	double value;

	if (new.process == 0 || !chrome_counters_name_of(m, e, &new.name, err))
		return false;
	if (!scan_open(&args, '{'))
		return true;
	while (scan_member(&args, &key)) {
		if (!scan_plain(&args, &word))
			break;
		if (!num_f64(word, &value) || !isfinite(value))
			m->in.l->no_number++;
		else if (!chrome_counters_add_value(m, &new, key, e->time, value, err))
			return false;
	}
	return true;
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
