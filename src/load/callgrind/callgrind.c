/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * callgrind: loader of call graphs with costs, as callgrind, cachegrind and programs that write their format
 * save them.
 */
#include "config.h"

#include <string.h>

#include "callgrind.h"

static bool
callgrind_sniff(const uint8_t *head, size_t n)
{
	struct lines l = lines_of((struct str){ (const char *)head, n });
	bool events = false;
	struct str line;

	if (str_begins(l.rest, "# callgrind format") || pstats_sniff(head, n))
		return true;
	if (n == 0 || memchr(head, '\0', n) != NULL)
		return false;
	while (lines_next(&l, &line) && !l.cut) {
		events |= str_begins(line, "events: ");
		if (events && (str_begins(line, "fn=") || str_begins(line, "fl=")))
			return true;
	}
	return false;
}

/* Events whose lines add up to something else than the file says; *less: to less. */
static uint64_t
wrong_sums(const struct callgrind *c, bool *less)
{
	uint64_t n = 0;

	for (size_t i = 0; i < c->nevents && c->event[i].thread == 0 &&
	    (c->has_totals || c->has_summary); i++) {
		const struct callgrind_event *e = &c->event[i];
		uint64_t said = c->has_totals ? e->totals : e->summary;

		*less |= e->sum < said;
		n += e->sum != said;
	}
	return n;
}

static bool
callgrind_facts(const struct callgrind *c)
{
	const uint64_t *n = c->count;
	bool less = false;
	uint64_t wrong = wrong_sums(c, &less), lost = less && c->exact ? wrong : 0;
	const char *reason = n[CALLGRIND_CUT] > 0 ? "the last line is truncated" : n[CALLGRIND_BAD_ARCS] > 0 ?
	    "calls have no cost" : n[CALLGRIND_BAD_COSTS] > 0 ? "lines of costs are damaged" : lost > 0 ?
	    "the costs add up to less than the file says" : "";
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = c->python ? STR("pstats of cProfile") : c->narcs > 0 ||
		    c->exact ? STR("callgrind") : STR("cachegrind") },
		{ FACT_RECORDER, .text = c->recorder, .how = MAKE_ANY },
		{ FACT_COST_COMMAND, .text = c->command, .how = MAKE_ANY },
		/* Profiles have their own facts about events. */
		{ FACT_EVENTS, c->tree ? 0 : c->nevents, MAKE_ANY },
		{ FACT_EVENT, c->tree ? 0 : 1, MAKE_ANY },
		{ FACT_CHOSEN_BY, .text = c->tree ? STR("") : STR("first one in the file"), .how = MAKE_ANY },
		{ FACT_SHAPES, c->tree ? SHAPE_COSTS | SHAPE_SAMPLES : 0, MAKE_ANY },
		{ FACT_PATHS, .text = c->tree ? STR("no function has two callers, so the graph is a tree") :
		    STR(""), .how = MAKE_ANY }, { FACT_FUNCTIONS, c->nfunctions }, { FACT_ARCS, c->narcs },
		{ FACT_COST_LINES, c->nplaces, MAKE_ANY }, { FACT_CYCLE_FUNCTIONS, c->in_cycles },
		{ FACT_COST_PARTS, n[CALLGRIND_PARTS], MAKE_ANY },
		{ FACT_COST_THREADS, c->nthreads, MAKE_ANY }, { FACT_JUMPS, n[CALLGRIND_JUMPS], MAKE_ANY },
		{ FACT_REPAIR_UNREAD_LINES, n[CALLGRIND_UNREAD], MAKE_ANY },
		{ FACT_REPAIR_EXTRA_EVENTS, n[CALLGRIND_EXTRA], MAKE_ANY },
		{ FACT_REPAIR_COST_SUMS, wrong - lost, MAKE_ANY }, { FACT_LOSS_COST_SUMS, lost, MAKE_ANY },
		{ FACT_LOSS_COST_LINES, n[CALLGRIND_BAD_COSTS], MAKE_ANY },
		{ FACT_LOSS_ARCS, n[CALLGRIND_BAD_ARCS], MAKE_ANY },
		{ FACT_REPAIR_LAST_LINE, n[CALLGRIND_LAST], MAKE_ANY },
		{ FACT_LOSS_CUT_LINE, n[CALLGRIND_CUT], MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(reason), .how = MAKE_ANY },
	};

	return make_facts(c->st, facts, NELEM(facts), c->err);
}

static void
callgrind_free(struct callgrind *c)
{
	SCRATCH_FREE(&c->names, &c->functions, &c->arcs, &c->places);
	for (size_t i = 0; i < CALLGRIND_NAMES; i++)
		idmap_free(&c->ids[i]);
	for (size_t i = 0; i < CALLGRIND_MAPS; i++)
		idmap_free(&c->by[i]);
	texts_free(&c->texts);
	for (size_t i = 0; i <= CALLGRIND_THREADS; i++)
		SCRATCH_FREE(&c->threads[i].calls, &c->threads[i].arc_calls);
	for (size_t i = 0; i < CALLGRIND_EVENTS; i++)
		for (size_t kind = 0; kind < CALLGRIND_COST_KINDS; kind++)
			scratch_free(&c->event[i].cost[kind]);
}

static bool
callgrind_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct callgrind c = { .st = st, .work = w, .err = err,
	    .text = { (const char *)m->data, (size_t)m->size } };
	bool ok;

	c.exact = str_begins(c.text, "# callgrind format");
	c.lines = lines_of(c.text);
	scratch_budget_rows(c.text.n / 16);
	work_start_bytes(w, "callgrind", c.text.n);
	c.python = pstats_sniff((const uint8_t *)m->data, (size_t)m->size);
	if (c.python)
		pstats_read(&c);
	else
		callgrind_read(&c);
	ok = !c.bad && (c.count[CALLGRIND_COSTS] > 0 ||
	    fail(err, E_UNREADABLE, "no function with costs (callgrind)")) && callgrind_columns(&c) &&
	    callgrind_facts(&c);
	callgrind_free(&c);
	return ok;
}

const struct loader load_callgrind = {
	"callgrind", "call graph with costs: callgrind, cachegrind, Xdebug, cProfile",
	SHAPE_COSTS, callgrind_sniff, callgrind_load
};
