/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runs: rows in order of time, as they are read.
 */
#include "config.h"

#include <assert.h>

#include "runs.h"

bool
pf_row(struct perfetto *p, const struct pf_row *row, struct err *err)
{
	struct pf_run new = { .time = row->time, .at = p->row.nrows, .order = p->row.nruns };

	if ((int64_t)row->time < 0 || row->time >= PF_TIME_MOST)
		return pf_count(p, PF_NEGATIVE);
	if ((int64_t)row->time > p->newest)
		p->newest = (int64_t)row->time;
	if (!p->row.run_goes_on || row->time < p->row.run_time) {
		if (!make_add(&p->row.runs, &p->row.nruns, &new, sizeof new, UINT32_MAX, "runs of events",
		    err))
			return false;
		p->row.run_goes_on = true;
	}
	p->row.run_time = row->time;
	SCRATCH(p->row.runs, struct pf_run)[p->row.nruns - 1].n++;
	p->row.nswitches += row->kind < PF_TRACK_EVENT;
	p->row.nwakes += row->kind < PF_TRACK_EVENT;
	return make_add(&p->row.rows, &p->row.nrows, row, sizeof *row, UINT64_MAX, "events", err);
}

bool
pf_run_later(struct perfetto *p, struct pf_run *new, uint64_t last, uint64_t n, struct err *err)
{
	assert(new->time <= last && last < PF_TIME_MOST && new->kind != 0);
	new->order = p->row.nruns;
	p->row.run_goes_on = false;
	if ((int64_t)last > p->newest)
		p->newest = (int64_t)last;
	p->row.nlater += n;
	return make_add(&p->row.runs, &p->row.nruns, new, sizeof *new, UINT32_MAX, "runs of events", err);
}
