/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tally: count dumps by state.
 */
#include "config.h"

#include <stdio.h>

#include "fleet.h"
#include "icecore/directory.h"

void
tally_each(const struct triage_tally *t, void (*each)(void *, uint64_t, const char *), void *to)
{
	each(to, t->state[TRIAGE_OK], "with findings");
	each(to, t->state[TRIAGE_CLEAN], "clean");
	each(to, t->state[TRIAGE_SALVAGED], "damaged");
	for (size_t i = TRIAGE_SALVAGED; i-- > 0; )
		if (t->state[i] > 0)
			each(to, t->state[i], triage_states[i]);
}

static void
tell_state(void *before, uint64_t n, const char *told)
{
	fprintf(stderr, "%s %llu %s", *(const char **)before, (unsigned long long)n, told);
	*(const char **)before = ",";
}

void
tally_tell_states(const struct triage_tally *t)
{
	const char *before = ":";

	fprintf(stderr, "%llu dump%s", (unsigned long long)t->all, t->all == 1 ? "" : "s");
	if (t->all > t->skipped)
		tally_each(t, tell_state, &before);
}

bool
tally_count(void *tally, struct rows *r, uint64_t row, struct err *err)
{
	struct triage_tally *t = tally;
	struct buf state = BUF_INIT;
	enum triage_state is;

	(void)err;
	t->all++;
	if (rows_text(r, row, "state", &state) && triage_state_of(buf_view(&state), &is))
		t->state[is]++;
	buf_free(&state);
	return true;
}

void
tally_begin(void)
{
	const char *scratch = directory_temporary();

	struct buf shown = BUF_INIT;

	if (system_in_memory(scratch)) {
		text_fit_buf(&shown, str_of(scratch));
		fprintf(stderr, "icecore: %s is in memory (tmpfs); to unpack dumps to a disk, set TMPDIR\n",
		    shown.n > 0 ? shown.s : "");
	}
	buf_free(&shown);
}

/* For example "33 dumps: 28 with findings, 0 clean, 1 damaged, 4 unreadable; 4 skipped; 15.9 s". */
void
tally_tell(const struct triage_tally *t, uint64_t ns, bool cut)
{
	tally_tell_states(t);
	fprintf(stderr, "; %llu skipped; %.1f s%s\n", (unsigned long long)t->skipped, (double)ns / 1e9,
	    cut ? "; interrupted; run the same command again to resume" : "");
}

int
tally_status(const struct triage_tally *t, const struct fleet_options *o)
{
	uint64_t bad = t->state[TRIAGE_TIMEOUT] + t->state[TRIAGE_OOM] + t->state[TRIAGE_CRASH] +
	    t->state[TRIAGE_SYSTEM];
	uint64_t done = t->all - t->skipped;

	return fleet_stop != 0 ? E_CANCEL : t->all == 0 ? E_EMPTY :
	    bad > 0 && (double)bad * 100 > (double)o->max_bad * (double)done ? E_INPUT : E_NONE;
}
