/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf_slice: samples of perf script.
 */
#include "config.h"

#include "icecore/perf.h"
#include "load/slice/slice.h"

#define NO_TIME 18446744069414584000u	/* samples of perf record --off-cpu */
#define LOOK 1024u			/* samples between two looks at the clock */

static bool
is_timed(const struct perf_sample *p)
{
	return p->has_time && p->time < NO_TIME;
}

/* The time of the earliest sample; *some: there is one. */
static bool
slice_first(const struct slicing *s, struct str text, uint64_t *first, bool *some, struct err *err)
{
	struct perf_text t;
	struct perf_sample p;

	*first = UINT64_MAX;
	if (!perf_open(&t, text.s, text.n))
		return fail(err, E_UNREADABLE, "no samples");
	for (uint64_t i = 0; perf_next(&t, &p); i++) {
		if (i % LOOK == 0 && !work_go(s->work, t.at / 2, err))
			return false;
		if (is_timed(&p) && p.time < *first)
			*first = p.time;
	}
	*some = *first < UINT64_MAX;
	return true;
}

/* A sample extends from its header to the next header. */
static bool
slice_samples(const struct slicing *s, struct str text, uint64_t first, struct err *err)
{
	uint64_t from = num_add(first, s->from), to = num_add(first, s->to), at = 0;
	struct perf_text t;
	struct perf_sample p;
	bool more = perf_open(&t, text.s, text.n), keep = true;

	for (uint64_t i = 0; more; i++) {
		if (i % LOOK == 0 && !work_go(s->work, text.n / 2 + t.at / 2, err))
			return false;
		more = perf_next(&t, &p);
		if (!more)
			p.offset = text.n;
		if (keep && !slice_put(s, (struct str){ text.s + at, (size_t)(p.offset - at) }, err))
			return false;
		at = p.offset;
		keep = more && is_timed(&p) && p.time >= from && p.time < to;
		s->counts->kept += keep;
		s->counts->left_out += more && !keep;
	}
	return true;
}

bool
perf_slice(const struct slicing *s, struct err *err)
{
	struct str text = slice_text(s);
	uint64_t first;
	bool some;

	s->counts->unit = "sample";
	work_start_bytes(s->work, "samples", text.n);
	if (!slice_first(s, text, &first, &some, err))
		return false;
	return some ? slice_samples(s, text, first, err) :
	    fail(err, E_UNREADABLE, "samples have no times; add 'time' to perf script -F");
}
