/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgrind_costs: lines of costs, and the events, threads, arcs and places of the source that they belong
 * to.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "callgrind.h"

/* ---- events --------------------------------------------------------------------------- */

bool
callgrind_word(struct str *rest, struct str *word)
{
	*rest = str_skip_blanks(*rest);
	(void)str_split_any(rest, " \t", word);
	return word->n > 0;
}

/* Return the event of that name; events of one thread have none. CALLGRIND_EVENTS: too many events. */
static size_t
event_named_so(struct callgrind *c, struct str name)
{
	size_t i = 0;

	while (i < c->nevents && !str_eq(c->event[i].name, name))
		i++;
	if (i == c->nevents && i < c->most_events)
		c->event[c->nevents++].name = name;
	return i < c->nevents ? i : CALLGRIND_EVENTS;
}

/* An event of the current thread alone, "Ir thread 2". */
static size_t
event_of_thread(struct callgrind *c, size_t all)
{
	struct str name = str_head(c->event[all].name, 100);
	char text[160];
	uint32_t own;
	size_t i = 0;
	int n = snprintf(text, sizeof text, "%.*s thread %llu", (int)name.n, name.s,
	    (unsigned long long)c->threads[c->thread].number);

	assert(n > 0 && (size_t)n < sizeof text);
	if (!texts_place(&c->texts, (struct str){ text, (size_t)n }, &own, c->err)) {
		c->bad = true;
		return CALLGRIND_EVENTS;
	}
	while (i < c->nevents && c->event[i].own != own)
		i++;
	if (i == c->nevents && i < c->most_events) {
		c->event[i].own = own;
		c->event[i].thread = c->thread;
		c->nevents++;
	}
	c->count[CALLGRIND_EXTRA] += i == c->nevents;
	return i < c->nevents ? i : CALLGRIND_EVENTS;
}

static void
events_of_thread(struct callgrind *c)
{
	for (size_t i = 0; i < c->ncolumns; i++) {
		size_t all = c->of_column[i].all;

		c->of_column[i].own = (uint16_t)(c->thread == 0 || all == CALLGRIND_EVENTS || c->bad ?
		    CALLGRIND_EVENTS : event_of_thread(c, all));
	}
}

void
callgrind_events(struct callgrind *c, struct str words)
{
	struct str name;
	size_t event;

	c->ncolumns = 0;
	while (callgrind_word(&words, &name)) {
		event = event_named_so(c, name);
		for (size_t i = 0; i < c->ncolumns; i++)
			event = c->of_column[i].all == event ? CALLGRIND_EVENTS : event;
		c->count[CALLGRIND_EXTRA] += event == CALLGRIND_EVENTS || c->ncolumns == CALLGRIND_COLUMNS;
		if (c->ncolumns < CALLGRIND_COLUMNS)
			c->of_column[c->ncolumns++].all = (uint16_t)event;
	}
	events_of_thread(c);
}

void
callgrind_no_thread(struct callgrind *c)
{
	c->thread = 0;
	events_of_thread(c);
}

void
callgrind_thread(struct callgrind *c, uint64_t number)
{
	size_t i = 1;

	while (i <= c->nthreads && c->threads[i].number != number)
		i++;
	if (i > CALLGRIND_THREADS) {
		callgrind_no_thread(c);
		c->count[CALLGRIND_EXTRA] += c->ncolumns;
		return;
	}
	if (i > c->nthreads)
		c->threads[++c->nthreads].number = number;
	c->thread = (uint32_t)i;
	events_of_thread(c);
}

void
callgrind_join_threads(struct callgrind *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nevents; i++) {
		struct callgrind_event *e = &c->event[i];

		if (e->thread == 0) {
			struct callgrind_event kept = *e;

			*e = c->event[n];
			c->event[n++] = kept;
		}
	}
	if (c->nthreads < 2) {
		c->nevents = n;
		c->nthreads = 0;
	}
}

/* ---- rows ----------------------------------------------------------------------------- */

static uint32_t
arc_of(struct callgrind *c)
{
	struct callgrind_arc arc = { c->function, c->call.callee };
	uint64_t pair = (uint64_t)arc.caller << 32 | arc.callee;
	uint32_t found = idmap_get(&c->by[BY_PAIR], pair);

	if (found != 0)
		return found;
	MAKE_PUT(c, arcs, arc, MAKE_MOST, "arcs");
	c->bad = c->bad || !idmap_put(&c->by[BY_PAIR], pair, (uint32_t)c->narcs, c->err);
	return (uint32_t)c->narcs;
}

/* The row of the current line; 0: the file has no lines, or failed. */
static uint32_t
cost_place(struct callgrind *c)
{
	struct callgrind_place place = { c->line_file, c->line, c->function };
	uint32_t found = c->place;
	uint64_t key;

	if (c->line_position >= c->npositions)
		return 0;
	if (found != 0)
		return found;
	if (c->file_hash == 0)
		c->file_hash = idmap_hash_text(c->line_file, 1);
	key = idmap_hash(c->file_hash + c->line) ^ idmap_hash(c->file_hash ^ (uint64_t)c->function << 32);
	c->bad = c->bad || !idmap_enter(&c->by[BY_LINE], key, (uint32_t)(c->nplaces + 1), &found, c->err);
	if (found > c->nplaces)
		MAKE_PUT(c, places, place, MAKE_MOST, "lines");
	return c->place = c->bad ? 0 : found;
}

/* ---- costs ------------------------------------------------------------------------------ */

/* A position: a number, a difference from the position before, or * for no difference. */
static bool
take_position(struct str *s, uint64_t *at)
{
	uint64_t n;
	bool less, more;

	if (str_take(s, STR("*")))
		return true;
	less = str_take(s, STR("-"));
	more = !less && str_take(s, STR("+"));
	if (!str_number_any(s, &n))
		return false;
	*at = more ? num_add(*at, n) : !less ? n : *at > n ? *at - n : 0;
	return true;
}

/* The costs of a line by column; those that it lacks are 0.  False: the line cannot be read. */
static bool
read_costs(struct callgrind *c, struct str s, uint64_t *cost)
{
	uint64_t line = c->line, other = 0;

	for (size_t i = 0; i < c->npositions; i++) {
		s = str_skip_blanks(s);
		if (!take_position(&s, i == c->line_position ? &line : &other) ||
		    (s.n > 0 && !is_blank(s.s[0])))
			return false;
	}
	for (size_t i = 0; i < c->ncolumns; i++) {
		s = str_skip_blanks(s);
		cost[i] = 0;
		if (s.n > 0 && (!str_number_any(&s, &cost[i]) || (s.n > 0 && !is_blank(s.s[0]))))
			return false;
	}
	if (line != c->line)
		c->place = 0;
	c->line = line;
	return c->ncolumns > 0 && str_skip_blanks(s).n == 0;
}

/* Add to row n, from 1, of numbers. */
static void
callgrind_sum(struct callgrind *c, struct scratch *numbers, uint32_t n, uint64_t value)
{
	uint64_t *sum;

	if (n == 0 || value == 0 || c->bad)
		return;
	sum = make_row(numbers, n - 1, sizeof *sum, MAKE_MOST, "costs", c->err);
	c->bad = sum == NULL;
	if (sum != NULL)
		*sum = num_add(*sum, value);
}

/* Add a cost to a row of that kind, and to a place. */
static void
add_cost(struct callgrind *c, size_t event, enum callgrind_costs kind, uint32_t n, uint32_t place,
    uint64_t cost)
{
	struct callgrind_event *e = &c->event[event % CALLGRIND_EVENTS];

	assert(kind == COSTS_SELF || kind == COSTS_ARC);
	if (event == CALLGRIND_EVENTS)
		return;
	assert(event < c->nevents && place <= c->nplaces);
	callgrind_sum(c, &e->cost[kind], n, cost);
	callgrind_sum(c, &e->cost[kind == COSTS_SELF ? COSTS_LINE : COSTS_BELOW], place, cost);
	e->sum = kind == COSTS_SELF ? num_add(e->sum, cost) : e->sum;
}

static void
add_costs(struct callgrind *c, enum callgrind_costs kind, uint32_t n, const uint64_t *cost)
{
	bool any = false;
	uint32_t place;

	for (size_t i = 0; i < c->ncolumns; i++)
		any |= cost[i] > 0;
	/* The cost of calls of itself is in its lines already. */
	place = any && !(kind == COSTS_ARC && c->call.callee == c->function) ? cost_place(c) : 0;
	for (size_t i = 0; i < c->ncolumns && any; i++) {
		add_cost(c, c->of_column[i].all, kind, n, place, cost[i]);
		add_cost(c, c->of_column[i].own, kind, n, place, cost[i]);
	}
}

void
callgrind_called(struct callgrind *c, const uint64_t *cost)
{
	uint32_t n = arc_of(c);

	assert(c->thread <= c->nthreads && c->call.callee <= c->nfunctions);
	for (uint32_t t = 0; ; t = c->thread) {
		callgrind_sum(c, &c->threads[t].calls, c->call.callee, c->call.calls);
		callgrind_sum(c, &c->threads[t].arc_calls, n, c->call.calls);
		if (t == c->thread)
			break;
	}
	if (!c->bad)
		add_costs(c, COSTS_ARC, n, cost);
}

void
callgrind_self(struct callgrind *c, const uint64_t *cost)
{
	add_costs(c, COSTS_SELF, c->function, cost);
}

void
callgrind_outer_calls(struct callgrind *c, uint32_t function, uint64_t n)
{
	callgrind_sum(c, &c->threads[0].calls, function, n);
}

void
callgrind_cost_line(struct callgrind *c, struct str line)
{
	uint64_t cost[CALLGRIND_COLUMNS];
	bool called = c->call.open, fits = read_costs(c, line, cost) && c->function != 0;

	c->call.open = false;
	if (called && fits && c->call.callee != 0)
		callgrind_called(c, cost);
	else if (!called && fits)
		callgrind_self(c, cost);
	c->count[CALLGRIND_COSTS] += fits;
	c->count[CALLGRIND_BAD_COSTS] += !called && !fits;
	c->count[CALLGRIND_BAD_ARCS] += called && (!fits || c->call.callee == 0);
}
