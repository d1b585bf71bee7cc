/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched_slice: lines of scheduler text.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "icecore/facts.h"
#include "load/slice/slice.h"
#include "sched.h"

#define LOOK 1024u		/* lines between two looks at the clock */

struct sched_cut {
	const struct slicing	*s;
	struct str		 text;
	uint64_t		 from, to;
	struct active		 active;
	struct buf		 line;
	bool			 kept;		/* the last line with a time; at first they are all kept */
};

typedef bool sched_cut_line(struct sched_cut *, struct str line, uint64_t at, struct err *);

/* line: with its end. */
static bool
each_line(struct sched_cut *c, sched_cut_line *take, struct err *err)
{
	struct str rest = c->text, line;

	for (uint64_t i = 0; rest.n > 0; i++) {
		if (i % LOOK == 0 && !work_go(c->s->work, (uint64_t)(rest.s - c->text.s), err))
			return false;
		line = str_until(rest, '\n');
		line.n += line.n < rest.n;
		if (!take(c, line, (uint64_t)(line.s - c->text.s), err))
			return false;
		rest = str_after(rest, line.n);
	}
	return true;
}

static struct str
without_end(struct str line)
{
	line.n -= line.n > 0 && line.s[line.n - 1] == '\n';
	return line;
}

/* ---- what holds when the part begins ---------------------------------------------------- */

static bool
sched_hold(struct sched_cut *c, struct str line, uint64_t at, struct err *err)
{
	struct sched_line l;
	struct kernel_event e;

	sched_read(without_end(line), &l);
	if (l.kind < SCHED_OTHER || l.kind == SCHED_LOST || l.time >= c->from)
		return true;
	switch (l.kind) {
	case SCHED_SWITCH:
		return active_switch(&c->active, l.cpu, l.from, l.to, l.time, at, err);
	case SCHED_WAKE:
		return active_last(&c->active, active_key(ACTIVE_WAKING, l.to), l.time, at, err);
	case SCHED_EVENT:
		return !kernel_event_read(l.event_kind, l.text, &e) ||
		    active_event(&c->active, l.cpu, l.tid, l.time, at, &e, err);
	case SCHED_MARK:
		return active_mark(&c->active, l.tid, l.time, at, l.text, err);
	default:
		return true;
	}
}

/* ---- the part ---------------------------------------------------------------------------- */

/*
 * The digits of a time as "123.000456:" has them; it is that time.  False: they are written in another way.
 */
static bool
find_time(struct str line, uint64_t time, size_t *at, size_t *whole, size_t *decimals)
{
	uint64_t value, unit;
	size_t end, dot;

	for (end = 0; end < line.n; end++) {
		if (line.s[end] != ':')
			continue;
		for (dot = end; dot > 0 && is_digit(line.s[dot - 1]); )
			dot--;
		*decimals = end - dot;
		if (*decimals == 0 || *decimals > 9 || dot == 0 || line.s[--dot] != '.')
			continue;
		for (*at = dot; *at > 0 && is_digit(line.s[*at - 1]); )
			--*at;
		*whole = dot - *at;
		if (*whole == 0 || *whole > 10)
			continue;
		num_u64((struct str){ line.s + *at, *whole }, 10, &value);
		unit = 1000000000;
		value *= unit;
		for (size_t i = dot + 1; i < end; i++)
			value += (uint64_t)(line.s[i] - '0') * (unit /= 10);
		if (value == time)
			return true;
	}
	return false;
}

/* A line from before with the time at which the part begins. */
static bool
put_held(struct sched_cut *c, struct str line, uint64_t time, uint64_t to, struct err *err)
{
	size_t at, whole, decimals;
	char digits[16];

	c->s->counts->moved++;
	if (!find_time(line, time, &at, &whole, &decimals))
		return slice_put(c->s, line, err);
	buf_clear(&c->line);
	buf_str(&c->line, str_head(line, at));
	snprintf(digits, sizeof digits, "%09" PRIu64, to % 1000000000);
	buf_printf(&c->line, "%*" PRIu64 ".%.*s", (int)whole, to / 1000000000, (int)decimals, digits);
	buf_str(&c->line, str_after(line, at + whole + 1 + decimals));
	return c->line.bad ? fail(err, E_SYSTEM, "out of memory (lines)") :
	    slice_put(c->s, buf_view(&c->line), err);
}

/* Frames of a stack follow their event. */
static bool
is_below(struct str line)
{
	return line.n > 0 && (line.s[0] == ' ' || line.s[0] == '\t');
}

static bool
sched_cut_part(struct sched_cut *c, struct str line, uint64_t at, struct err *err)
{
	struct sched_line l;
	uint64_t above;

	sched_read(without_end(line), &l);
	if (l.kind == SCHED_COMMENT || (l.kind == SCHED_NONE && !is_below(line)))
		return slice_put(c->s, line, err);
	if (l.kind == SCHED_NONE || l.kind == SCHED_LOST || l.kind == SCHED_BAD)
		return !c->kept || slice_put(c->s, line, err);
	c->kept = l.time >= c->from && l.time < c->to;
	c->s->counts->kept += c->kept;
	if (c->kept)
		return slice_put(c->s, line, err);
	if (l.time < c->from && active_is(&c->active, at, &above))
		return put_held(c, line, l.time, c->from - (above < c->from ? above : 0), err);
	c->s->counts->left_out++;
	return true;
}

bool
sched_slice(const struct slicing *s, struct err *err)
{
	uint64_t first = fact_value(s->st, FACT_CLOCK_START);
	struct sched_cut c = { .s = s, .text = slice_text(s),
	    .from = s->from == 0 ? 0 : num_add(first, s->from),
	    .to = num_add(first, s->to), .active = ACTIVE_INIT, .line = BUF_INIT, .kept = true };
	bool ok;

	s->counts->unit = "line";
	work_start_bytes(s->work, "lines before", c.text.n);
	ok = each_line(&c, sched_hold, err) && active_settle(&c.active, s->work, err);
	work_start_bytes(s->work, "lines", c.text.n);
	ok = ok && each_line(&c, sched_cut_part, err);
	active_close(&c.active);
	buf_free(&c.line);
	return ok;
}
