/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader of profiles of simpleperf, in both forms.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/facts.h"
#include "icecore/perf.h"
#include "simpleperf.h"

/* ---- facts ------------------------------------------------------------------------------------------- */

/* The most important loss. */
static const char *
simple_reason(const struct simple *p)
{
	return p->count[SIMPLE_NO_NAMES] > 0 ? "the file is truncated before its names" :
	    p->count[SIMPLE_TAIL] > 0 ? "the last record is incomplete" :
	    p->count[SIMPLE_BAD] > 0 ? "damaged records" : p->count[SIMPLE_SECTIONS] > 0 ?
	    "damaged tables of names" :
	    p->count[SIMPLE_MAPS] > 0 ? "too many changes of maps" :
	    p->count[SIMPLE_LOST] > 0 ? "simpleperf lost samples; lower the frequency" : "";
}

static bool
simple_facts(struct simple *p, struct err *err)
{
	static const struct make_count counts[] = {
		{ FACT_SWITCH_RECORDS, SIMPLE_SWITCHES }, { FACT_OPEN_WAITS, SIMPLE_OPEN },
		{ FACT_FILE_FRAMES, SIMPLE_UNNAMED }, { FACT_BROKEN_STACKS, SIMPLE_BROKEN },
		{ FACT_ART_FRAMES, SIMPLE_ART }, { FACT_REPAIR_INDEX, SIMPLE_INDEX },
		{ FACT_REPAIR_UNKNOWN_THREAD_RECORDS, SIMPLE_THREAD }, { FACT_REPAIR_IDS, SIMPLE_IDS },
		{ FACT_REPAIR_SAMPLE_COUNT, SIMPLE_MISCOUNT }, { FACT_REPAIR_TRAILING, SIMPLE_TRAILING },
		{ FACT_LOSS_EVENTS, SIMPLE_LOST }, { FACT_LOSS_TAIL_BYTES, SIMPLE_TAIL },
		{ FACT_LOSS_BAD_RECORDS, SIMPLE_BAD }, { FACT_LOSS_NAMES, SIMPLE_NO_NAMES },
		{ FACT_LOSS_NAME_TABLES, SIMPLE_SECTIONS }, { FACT_LOSS_MAPS, SIMPLE_MAPS },
	};
	const struct make_fact texts[] = {
		{ FACT_FORMAT, .text = STR("simpleperf") },
		{ FACT_PRODUCT, .text = p->app, .how = MAKE_ANY },
		{ FACT_SYSTEM, .text = buf_view(&p->system), .how = MAKE_ANY },
		{ FACT_RECORDER, .text = buf_view(&p->recorder), .how = MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(simple_reason(p)), .how = MAKE_ANY },
	};

	return unread_facts(&p->unread, p->s.st, err) &&
	    make_counts(p->s.st, counts, NELEM(counts), p->count, err) &&
	    make_facts(p->s.st, texts, NELEM(texts), err);
}

/* ---- file -------------------------------------------------------------------------------------------- */

static bool
simpleperf_sniff(const uint8_t *head, size_t n)
{
	return str_begins(((struct str){ (const char *)head, n }), SIMPLE_MAGIC) || perf_is_simple(head, n);
}

static bool
simpleperf_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct simple p = { .file = { (const char *)m->data, (size_t)m->size }, .name = BUF_INIT };
	bool ok;

	samples_open(&p.s, st, w);
	ok = str_begins(p.file, SIMPLE_MAGIC) ? simple_report(&p, err) : perf_is_simple(m->data, m->size) ?
	    simple_recording(&p, err) : fail(err, E_UNREADABLE,
	    "neither a report nor a recording of simpleperf");
	ok = ok && (p.nsamples > 0 || fail(err, E_UNREADABLE, "simpleperf: no sample in this file%s",
	    simple_reason(&p)[0] != '\0' ? ", which is truncated or damaged" : "")) &&
	    simple_end(&p, err) && simple_facts(&p, err) && samples_columns(&p.s, err);
	simple_close(&p);
	return ok;
}

const struct loader load_simpleperf = {
	"simpleperf", "simpleperf profile of Android: recording (perf.data) or report (protobuf)",
	    SHAPE_SAMPLES,
	simpleperf_sniff, simpleperf_load
};
