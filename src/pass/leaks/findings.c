/*
 * findings: what should not be alive and is, and what eats the heap: the detectors, and the objects they
 * are asked about.
 *
 * One pass for each choice of references and of sizes; each keeps its own columns.
 */
#include "config.h"

#include <stdlib.h>

#include "findings.h"

static const struct detector *const detectors[] = {
	&detector_android, &detector_bitmaps, &detector_finalizers, &detector_suspects,
	&detector_threads, &detector_loaders, &detector_collections, &detector_copies,
	NULL
};

#define DETECTORS (NELEM(detectors) - 1)

struct scan {
	struct finder	*f;
	void		*state[DETECTORS + 1];
	uint16_t	*wanted;		/* by class (from 0): bits, by detector */
	struct scratch	 wants;
};

/* ---- detectors ------------------------------------------------------------------------ */

static bool
begin_all(struct scan *s)
{
	const struct detector *d;
	size_t i;

	for (i = 0; (d = detectors[i]) != NULL; i++) {
		if (d->state_size > 0 && (s->state[i] = mem_array(1, d->state_size)) == NULL)
			return fail(s->f->err, E_SYSTEM, "no memory to look for findings");
		if (d->begin != NULL && !d->begin(s->f, s->state[i]))
			return false;
	}
	return true;
}

static bool
ask_classes(struct scan *s)
{
	const struct detector *d;
	uint32_t class;
	size_t i;

	if (!scratch_array(&s->wants, s->f->h.classes + 1ull, sizeof *s->wanted, s->f->err))
		return false;
	s->wanted = SCRATCH(s->wants, uint16_t);
	for (i = 0; (d = detectors[i]) != NULL; i++)
		for (class = 1; d->wants != NULL && class <= s->f->h.classes; class++) {
			if (class % FINDINGS_TICK == 0 && !work_tick(s->f->work, 0))
				return fail_cancel(s->f->err);
			if (d->wants(s->f, s->state[i], class))
				s->wanted[class] |= (uint16_t)(1u << i);
		}
	return true;
}

static bool
show_object(struct scan *s, uint32_t object, unsigned wanted)
{
	size_t i;

	for (i = 0; i < DETECTORS; i++)
		if (wanted >> i & 1 && !detectors[i]->object(s->f, s->state[i], object))
			return false;
	return true;
}

static bool
show_objects(struct scan *s)
{
	const struct heap *h = &s->f->h;
	uint32_t object, class;

	work_start(s->f->work, "objects looked at for findings", h->objects);
	for (object = 1; object <= h->objects; object++) {
		if (object % FINDINGS_TICK == 0 && !work_tick(s->f->work, object))
			return fail_cancel(s->f->err);
		class = heap_class(h, object);
		if (class > h->classes || s->wanted[class] == 0 || heap_dominator(h, object) == 0)
			continue;
		if (!show_object(s, object, s->wanted[class]))
			return false;
	}
	return true;
}

static bool
end_all(struct scan *s)
{
	size_t i;

	for (i = 0; detectors[i] != NULL; i++)
		if (detectors[i]->end != NULL && !detectors[i]->end(s->f, s->state[i]))
			return false;
	return true;
}

static void
release_all(struct scan *s)
{
	size_t i;

	for (i = 0; detectors[i] != NULL; i++) {
		if (detectors[i]->release != NULL && (s->state[i] != NULL || detectors[i]->state_size == 0))
			detectors[i]->release(s->state[i]);
		free(s->state[i]);
	}
	scratch_free(&s->wants);
}

/* ---- the pass --------------------------------------------------------------------------- */

static bool
run(struct store *st, struct work *w, struct err *err, enum heap_refs refs,
    enum heap_sizes sizes)
{
	struct finder f = { .st = st, .work = w, .err = err, .list = SCRATCH_INIT, .path = SCRATCH_INIT,
	    .sorts = SCRATCH_INIT, .leaks = IDMAP_INIT };
	struct scan s = { .f = &f, .wants = SCRATCH_INIT };
	char name[HEAP_COLUMN];
	bool ok;

	if (!heap_open(&f.h, st, refs, sizes, err))
		return false;
	scratch_budget_input(f.h.size, f.h.objects);
	f.live = store_fact_get(st, heap_column(name, "REFS.SIZES.live_bytes", refs, sizes));
	f.android = store_fact_get(st, "heap.android") != 0;
	ok = inspector_open(&f.inspector, &f.h, err) && class_sorts(&f.h, &f.sorts, err) &&
	    begin_all(&s) && ask_classes(&s) && show_objects(&s) && end_all(&s);
	release_all(&s);
	ok = ok && findings_out(&f);
	inspector_close(f.inspector);
	scratch_free(&f.list);
	scratch_free(&f.sorts);
	return ok;
}

/* The pass for one choice. */
#define FINDINGS_PASS(refs, REFS, sizes, SIZES) \
static bool \
run_##refs##_##sizes(struct store *st, struct work *w, struct err *err) \
{ \
	return run(st, w, err, REFS_##REFS, SIZES_##SIZES); \
} \
static const char *const needs_##refs##_##sizes[] = { #refs "." #sizes ".parent", \
	"root.frame", "in.len", "native.object", \
	#refs "." #sizes ".dup.object", NULL }; \
static const char *const makes_##refs##_##sizes[] = { #refs "." #sizes ".finding.kind", \
	#refs "." #sizes ".finding.object", #refs "." #sizes ".finding.class", \
	#refs "." #sizes ".finding.other", #refs "." #sizes ".finding.retained", \
	#refs "." #sizes ".finding.count", #refs "." #sizes ".finding.number", \
	#refs "." #sizes ".finding.hop", #refs "." #sizes ".finding.hops", \
	#refs "." #sizes ".hop.object", NULL }; \
const struct pass pass_findings_##refs##_##sizes = { \
	.name = "findings", \
	.what = "what should not be alive, and what eats the heap", \
	.needs = needs_##refs##_##sizes, \
	.makes = makes_##refs##_##sizes, \
	.run = run_##refs##_##sizes \
};

HEAP_CHOICES(FINDINGS_PASS)
