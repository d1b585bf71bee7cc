/*
 * tally: how many dumps ended in which state.
 */
#include "config.h"

#include <stdio.h>

#include "fleet.h"
#include "icecore/directory.h"

void
tally_tell_states(const struct triage_tally *t)
{
	const char *before = ":";

	fprintf(stderr, "%llu dump%s", (unsigned long long)t->all, t->all == 1 ? "" : "s");
	for (size_t i = TRIAGE_STATES; i-- > 0; )
		if (t->state[i] > 0) {
			fprintf(stderr, "%s %llu %s", before, (unsigned long long)t->state[i], triage_states[i]);
			before = ",";
		}
}

void
tally_begin(void)
{
	const char *scratch = directory_temporary();

	if (directory_in_memory(scratch))
		fprintf(stderr, "icecore: %s is in memory (tmpfs); to unpack dumps on a disk, set TMPDIR\n", scratch);
}

/* 33 dumps: 28 ok, 1 salvaged; 4 skipped; 15.9 s */
void
tally_tell(const struct triage_tally *t, uint64_t ns, bool cut)
{
	tally_tell_states(t);
	fprintf(stderr, "; %llu skipped; %.1f s%s\n", (unsigned long long)t->skipped, (double)ns / 1e9,
	    cut ? "; interrupted; run the same command again to continue" : "");
}

int
tally_status(const struct triage_tally *t, const struct fleet_options *o)
{
	uint64_t bad = t->state[TRIAGE_TIMEOUT] + t->state[TRIAGE_OOM] + t->state[TRIAGE_CRASH] + t->state[TRIAGE_SYSTEM];
	uint64_t done = t->all - t->skipped;

	return fleet_stop != 0 ? E_CANCEL : t->all == 0 ? E_EMPTY :
	    bad > 0 && (double)bad * 100 > (double)o->max_bad * (double)done ? E_INPUT : E_NONE;
}
