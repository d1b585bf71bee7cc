/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * findings: what should not be alive and is, and what eats the heap: the detectors, and the objects they
 * are asked about.
 *
 * One pass for each choice of references and of sizes; each keeps its own columns.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_findings.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_names.h"
#include "icecore/columns_objects.h"
#include "icecore/heap_facts.h"
#include "owners.h"

static const struct detector *const detectors[] = {
	&detector_android, &detector_pools, &detector_cursors, &detector_bitmaps, &detector_finalizers,
	&detector_resources, &detector_owners, &detector_hashes, &detector_threads, &detector_loaders,
	&detector_classes,
	    &detector_collections, &detector_copies, &detector_detached,
	NULL
};

#define DETECTORS (NELEM(detectors) - 1)

_Static_assert(DETECTORS <= 16, "struct scan has 16 bits for detectors");

struct scan {
	struct finder	*f;
	void		*state[DETECTORS + 1];
	uint16_t	*wanted;		/* by class (from 0): bits, by detector */
	ARRAY(uint16_t)	wants;
};

/* ---- detectors ------------------------------------------------------------------------ */

static bool
findings_begin_all(struct scan *s)
{
	const struct detector *d;

	for (size_t i = 0; (d = detectors[i]) != NULL; i++) {
		if (d->state_size > 0 && (s->state[i] = mem_array(1, d->state_size)) == NULL)
			return fail_memory(s->f->err, "findings");
		if (d->begin != NULL && !d->begin(s->f, s->state[i]))
			return false;
	}
	return true;
}

static bool
ask_classes(struct scan *s)
{
	const struct detector *d;

	if (!array_grow(&s->wants, s->f->h.classes + 1ull, s->f->err))
		return false;
	s->wanted = s->wants.at;
	for (size_t i = 0; (d = detectors[i]) != NULL; i++)
		for (uint32_t class = 1; d->wants != NULL && class <= s->f->h.classes; class++) {
			if (class % FINDINGS_TICK == 0 && !work_go(s->f->work, 0, s->f->err))
				return false;
			if (d->wants(s->f, s->state[i], class))
				s->wanted[class] |= (uint16_t)(1u << i);
		}
	return true;
}

static bool
show_object(struct scan *s, uint32_t object, unsigned wanted)
{
	for (size_t i = 0; i < DETECTORS; i++) {
		assert((wanted >> i & 1) == 0 || detectors[i]->object != NULL);
		if (wanted >> i & 1 && !detectors[i]->object(s->f, s->state[i], object))
			return false;
	}
	return true;
}

static bool
show_objects(struct scan *s)
{
	const struct heap *h = &s->f->h;
	uint32_t class;

	work_start(s->f->work, "checking objects", h->objects);
	for (uint32_t object = 1; object <= h->objects; object++) {
		if (!work_each(s->f->work, object, FINDINGS_TICK, s->f->err))
			return false;
		class = heap_class(h, object);
		if (class > h->classes || s->wanted[class] == 0 || heap_dominator(h, object) == 0)
			continue;
		if (!show_object(s, object, s->wanted[class]))
			return false;
	}
	return true;
}

static bool
findings_end_all(struct scan *s)
{
	for (size_t i = 0; detectors[i] != NULL; i++)
		if (detectors[i]->end != NULL && !detectors[i]->end(s->f, s->state[i]))
			return false;
	return true;
}

static void
release_all(struct scan *s)
{
	for (size_t i = 0; detectors[i] != NULL; i++) {
		if (detectors[i]->release != NULL && (s->state[i] != NULL || detectors[i]->state_size == 0))
			detectors[i]->release(s->state[i]);
		free(s->state[i]);
	}
	array_free(&s->wants);
}

/* ---- the pass --------------------------------------------------------------------------- */

static bool
findings_run(struct store *st, enum heap_refs refs, enum heap_sizes sizes, struct work *w, struct err *err)
{
	struct owners owners = { .n = 0 };
	struct finder f = { .st = st, .work = w, .err = err, .owners = &owners };
	struct scan s = { .f = &f };
	bool ok;

	if (!heap_open(&f.h, st, refs, sizes, err))
		return false;
	scratch_budget_input(f.h.size, f.h.objects);
	f.live = heap_fact(st, FACT_LIVE_BYTES, refs, sizes);
	f.android = fact_value(st, FACT_HEAP_ANDROID) != 0;
	collection_rows_open(&f.all_collections, &f.h);
	ok = inspector_open(&f.inspector, &f.h, err) && class_sorts(&f.h, &f.sorts, err) &&
	    collections_open(&f.collections, &f.h, err) && owners_open(&owners, &f.h, err) &&
	    findings_begin_all(&s) && ask_classes(&s) && show_objects(&s) && findings_end_all(&s);
	release_all(&s);
	ok = ok && findings_out(&f);
	inspector_close(f.inspector);
	collections_close(f.collections);
	owners_close(&owners);
	SCRATCH_FREE(&f.list, &f.sorts);
	return ok;
}

const struct pass pass_findings = {
	.name = "findings", .what = "findings", .run_choice = findings_run,
	.needs = PASS_COLUMNS(COL_EACH_PARENT, COL_ROOT_FRAME, COL_IN_LEN, COL_NATIVE_OBJECT,
	    COL_EACH_DUP_OBJECT, COL_EACH_NAMES_KIND, COL_EACH_COLLECTIONS),
	.makes = PASS_COLUMNS(FINDINGS_MAKES)
};
