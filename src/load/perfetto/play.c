/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * play: rows in order of time.
 */
#include "config.h"

#include "icecore/chunk.h"
#include "runs.h"

#define BATCH CHUNK_OF(4096u)	/* rows that go from the merging thread to the one that plays them */

struct playing {
	struct perfetto	*p;
	uint64_t	 from, n;	/* when the recorded time begins; rows so far */
	bool		 begun;
};

static pf_play_fn *const players[PF_PACKETS] = {
#define ROW(number, ID, name, when, rows, play, kept, holds) [number] = (play),
	PF_READ(ROW)
#undef ROW
};

static bool
play_row(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	/* All switches come in order of time. */
	if (p->kernel.nleft > 0 && r->time > p->kernel.left_time && !pf_generic_end(p, err))
		return false;
	switch (r->kind) {
	case PF_FTRACE: return pf_play_ftrace(p, r, err);
	case PF_SWITCH: return pf_play_switch(p, r, true, err);
	case PF_WAKING: return pf_play_waking(p, r, err);
	case PF_LOST: return sched_events_lost(p->sched, r->cpu, err);
	case PF_TRACK_EVENT: return pf_play_event(p, r, err);
	case PF_LEVEL: return pf_play_level(p, r, err);
	default: return players[r->b](p, r, r->n == 0 ? STR("") : pf_bytes(p, r->at, r->n), err);
	}
}

/*
 * Whether a row is in the recorded time: kernel events after all CPUs began, track events from the start of
 * the range of interest.
 */
static bool
counts(struct perfetto *p, const struct pf_row *r, uint64_t from)
{
	bool kernel = r->kind < PF_TRACK_EVENT, before = kernel ? r->time < from :
	    r->kind == PF_TRACK_EVENT && r->time < p->range;

	p->count[PF_BEFORE_START] += before && r->kind != PF_LOST;
	return !before;
}

/* Events have a time of their own; descriptions of threads and processes do not. */
static bool
is_event(const struct pf_row *r)
{
	switch (r->kind) {
	case PF_LOST: case PF_DESCRIBED: return false;
	case PF_GENERIC: return r->b < PKT_GENERIC_RENAME;
	case PF_PACKET: return r->flags == 0;
	default: return true;
	}
}

/* Play a row; the first event that counts is where the trace begins. */
static bool
play_next(struct playing *play, const struct pf_row *r, struct err *err)
{
	struct perfetto *p = play->p;

	if (!counts(p, r, play->from))
		return r->kind != PF_SWITCH || pf_play_switch(p, r, false, err);
	if (is_event(r)) {
		if (!play->begun)
			p->first = r->time;
		play->begun = true;
		p->last = r->time > p->last ? r->time : p->last;
		if (r->kind < PF_TRACK_EVENT) {
			p->kernel.kernel_first = p->kernel.kernel_first == 0 ? r->time :
			    p->kernel.kernel_first;
			p->kernel.kernel_last = r->time;
		}
	}
	return play_row(p, r, err);
}

static bool
play_rows(void *to, const void *rows, size_t n, struct err *err)
{
	struct playing *play = to;
	const struct pf_row *row = rows;
	bool ok = true;

	for (size_t i = 0; ok && i < n; i++)
		ok = (i % 256 != 0 || work_go(play->p->l->work, play->n + i, err)) &&
		    play_next(play, &row[i], err);
	play->n += n;
	return ok;
}

bool
pf_play(struct perfetto *p, struct err *err)
{
	struct playing play = { .p = p, .from = p->preserve ? 0 : p->started };
	struct pf_merge *merge = pf_merge_open(p, err);
	bool ok;

	play.from = p->ftrace_start > play.from ? p->ftrace_start : play.from;
	sched_events_expect(p->sched, p->row.nswitches, p->row.nwakes);
	work_start(p->l->work, "events", p->row.nrows + p->row.nlater);
	ok = merge != NULL && relay_run(p->l->work, sizeof(struct pf_row), BATCH, pf_merge_rows, merge,
	    play_rows, &play, err);
	pf_merge_close(merge);
	p->count[PF_BAD_MARK] += p->player.bad;
	SCRATCH_FREE(&p->row.rows, &p->row.runs, &p->row.cpus);
	return ok && pf_generic_end(p, err) && pf_gpu_end(p, err);
}
