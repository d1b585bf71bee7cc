/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader of texts with weighted stacks without time, as tracers and profilers print them.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "forms.h"

#define LOOK (1u << 20)	/* bytes in which a form must show, if the format is given */

static bool
tracers_sniff(const uint8_t *head, size_t n)
{
	return n > 0 && memchr(head, '\0', n) == NULL &&
	    tracer_form_of((struct str){ (const char *)head, n }) != NULL;
}

static bool
tracers_facts(struct tracers_in *in, const struct tracer_form *form)
{
	static const struct make_count counts[] = {
		{ FACT_UNREAD_LINES, TRACED_MESSAGES }, { FACT_LOSS_EVENTS, TRACED_LOST_EVENTS },
		{ FACT_LOSS_STACKS, TRACED_LOST_STACKS }, { FACT_UNRESOLVED_FRAMES, TRACED_ADDRESSES },
		{ FACT_UNREAD_HISTOGRAMS, TRACED_HISTOGRAMS },
		{ FACT_UNREAD_STACK_HISTOGRAMS, TRACED_STACK_HISTOGRAMS },
		{ FACT_UNREAD_SINGLE, TRACED_SINGLE }, { FACT_UNREAD_PLAIN, TRACED_PLAIN },
		{ FACT_UNREAD_TEXTS, TRACED_TEXTS }, { FACT_UNREAD_NEGATIVE, TRACED_NEGATIVE },
		{ FACT_UNREAD_ALLOCATIONS, TRACED_ALLOCATIONS }, { FACT_UNREAD_SNAPSHOTS, TRACED_SNAPSHOTS },
		{ FACT_REPAIR_UNREAD_LINES, TRACED_OTHER }, { FACT_REPAIR_LARGE_VALUES, TRACED_LARGE },
		{ FACT_REPAIR_STACKLESS, TRACED_NO_STACK }, { FACT_REPAIR_CHILDREN, TRACED_CHILDREN },
		{ FACT_REPAIR_LEVELS, TRACED_LEVELS }, { FACT_LOSS_KEYS, TRACED_CUT },
		{ FACT_LOSS_VALUES, TRACED_NO_VALUE }, { FACT_UNREAD_ROWS, TRACED_ROWS },
		{ FACT_REPAIR_SUMS, TRACED_SUMS }, { FACT_REPAIR_GUESSED_PLACES, TRACED_GUESSED },
		{ FACT_LOSS_BOXES, TRACED_BOXES }, { FACT_REPAIR_COUNTS_BY_WIDTH, TRACED_WIDTHS },
		{ FACT_REPAIR_UNKNOWN_NAMES, TRACED_NAMES },
	};
	const uint64_t *c = in->count;
	const char *reason = c[TRACED_CUT] > 0 ? "a key ends before its value" : c[TRACED_NO_VALUE] > 0 ?
	    "a stack has no value" : c[TRACED_JSON] > 0 ? "JSON truncated or damaged" : c[TRACED_XML] > 0 ?
	    "XML truncated or damaged" : c[TRACED_LOST_EVENTS] > 0 ? "the tracer lost events" :
	    c[TRACED_BOXES] > 0 ? "boxes without a box below them" : c[TRACED_LOST_STACKS] > 0 ?
	    "the tracer lost stacks" : "";
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = str_of(form->name) },
		{ FACT_SHAPES, in->points.ntracks > 0 ? SHAPE_SAMPLES | SHAPE_TRACKS : 0, MAKE_ANY },
		{ FACT_AXIS, .text = str_of(in->axis), .how = MAKE_ANY },
		{ FACT_VALUES, .text = str_of(in->values), .how = MAKE_ANY },
		{ FACT_PRINTED, .text = buf_view(&in->notes), .how = MAKE_ANY },
		{ FACT_PICTURE, .text = buf_view(&in->picture), .how = MAKE_ANY },
		{ FACT_PEAK, .text = buf_view(&in->peak), .how = MAKE_ANY },
		{ FACT_OTHER_VALUES, .text = buf_view(&in->others), .how = MAKE_ANY },
	}, losses[] = {
		{ FACT_LOSS_XML, c[TRACED_XML] > 0, MAKE_ANY },
		{ FACT_LOSS_JSON, c[TRACED_JSON] > 0, MAKE_ANY },
		{ FACT_LOSS_DEEP_STACKS, c[TRACED_DEEP] > 0, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(reason), .how = MAKE_ANY },
	};

	return make_facts(in->s.st, facts, NELEM(facts), in->err) &&
	    make_counts(in->s.st, counts, NELEM(counts), c, in->err) &&
	    make_facts(in->s.st, losses, NELEM(losses), in->err);
}

/* The error names the data without stacks. */
static bool
no_stacks(const struct tracers_in *in, const struct tracer_form *form)
{
	static const struct { enum traced_count count; const char *what; } others[] = {
		{ TRACED_HISTOGRAMS, "histograms" }, { TRACED_STACK_HISTOGRAMS, "histograms of stacks" },
		{ TRACED_SINGLE, "single values" }, { TRACED_PLAIN, "keys without a stack" },
		{ TRACED_TEXTS, "other values" }, { TRACED_NEGATIVE, "values below 0" },
		{ TRACED_CUT, "incomplete keys" }, { TRACED_NO_VALUE, "stacks without a value" },
	};
	char text[256];
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < NELEM(others) && n < sizeof text; i++)
		if (in->count[others[i].count] > 0)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%" PRIu64 " %s", n == 0 ? ": " :
			    ", ", in->count[others[i].count], others[i].what);
	return fail(in->err, E_UNREADABLE, "no stacks with values (%s)%s", form->name, text);
}

static bool
tracers_load(struct store *st, struct work *w, struct err *err)
{
	const struct tracer_form *form;
	struct tracers_in in;
	bool ok = true;

	tracers_open(&in, st, w, err);
	form = tracer_form_of(str_head(in.text, SNIFF_MAX));
	if (form == NULL)
		form = tracer_form_of(str_head(in.text, LOOK));
	if (form == NULL) {
		ok = fail(err, E_UNREADABLE, "not a text of a tracer: no form of it is recognised");
	} else {
		scratch_budget_rows(in.text.n / 64);
		work_start_bytes(w, form->name, in.text.n);
		form->read(&in);
		ok = !in.bad && (in.s.nsamples > 0 || no_stacks(&in, form)) && tracers_facts(&in, form) &&
		    (in.points.ntracks == 0 || points_columns(&in.points, st, err)) &&
		    samples_columns(&in.s, err);
	}
	tracers_close(&in);
	return ok;
}

const struct loader load_tracers = {
	"tracers", "stacks of a tracer: bpftrace, BCC, DTrace, sample, xctrace, massif, GHC, VTune, V8, flame graphs",
	SHAPE_SAMPLES, tracers_sniff, tracers_load
};
