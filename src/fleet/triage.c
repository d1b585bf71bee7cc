/*
 * triage: icecore triage.
 */
#include "config.h"

#include <stdio.h>

#include "fleet.h"

/* 33 dumps: 28 ok, 1 salvaged; 0 skipped; 15.9 s */
static void
tell(const struct triage_tally *t, uint64_t ns)
{
	const char *before = ":";

	fprintf(stderr, "%llu dumps", (unsigned long long)t->all);
	for (size_t i = TRIAGE_STATES; i-- > 0; )
		if (t->state[i] > 0) {
			fprintf(stderr, "%s %llu %s", before, (unsigned long long)t->state[i], triage_states[i]);
			before = ",";
		}
	fprintf(stderr, "; %llu skipped; %.1f s\n", (unsigned long long)t->skipped, (double)ns / 1e9);
}

static int
status_of(const struct triage_tally *t, const struct fleet_options *o)
{
	uint64_t bad = t->state[TRIAGE_TIMEOUT] + t->state[TRIAGE_OOM] + t->state[TRIAGE_CRASH] + t->state[TRIAGE_SYSTEM];
	uint64_t done = t->all - t->skipped;

	return fleet_stop != 0 ? E_CANCEL : t->all == 0 ? E_EMPTY :
	    bad > 0 && (double)bad * 100 > (double)o->max_bad * (double)done ? E_INPUT : E_NONE;
}

static bool
run(const struct fleet_options *o, int *status, struct err *err)
{
	struct path_list names = NAMES_INIT;
	struct triage_tally tally = { .all = 0 };
	struct row_file out = OUT_INIT;
	uint64_t since = os_now();
	bool ok;

	fleet_catch();
	ok = names_gather(&names, o, err) && (names.n == 0 || (out_open(&out, o, err) && crew_run(&out, o, &names, &tally, err) &&
	    (o->keep == 0 || keep_exemplars(o, err))));
	out_close(&out);
	if (ok && names.n > 0)
		tell(&tally, os_now() - since);
	else if (ok)
		fprintf(stderr, "icecore: no heap dump (.hprof, .hprof.gz) there\n");
	*status = status_of(&tally, o);
	names_free(&names);
	return ok;
}

static bool
answer(const struct fleet_options *o, int *status, struct err *err)
{
	struct session session = { .nstores = 0 };
	struct buf text = BUF_INIT;
	uint64_t n = 0;
	bool ok = out_read(o->groups != NULL ? o->groups : o->table, &text, err) && rows_session(&session, &text, err) &&
	    rows_answer(&session, o->groups != NULL ? "groups" : "dumps", o, NULL, &n, err);

	*status = n == 0 ? E_EMPTY : E_NONE;
	session_close(&session);
	buf_free(&text);
	return ok;
}

bool
fleet_triage(int argc, char **argv, int *status, struct err *err)
{
	struct fleet_options o;

	if (!fleet_options_read(&o, false, argc, argv, err))
		return false;
	*status = E_NONE;
	if (o.help)
		fleet_help(false);
	else if (o.one != NULL)
		return fleet_one(&o, status, err);
	else if (o.groups != NULL || o.table != NULL)
		return answer(&o, status, err);
	else
		return run(&o, status, err);
	return true;
}
