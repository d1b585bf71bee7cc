/*
 * slice: which formats are cut, and by whom.
 */
#include "config.h"

#include "icecore/facts.h"
#include "slice.h"

static const struct slicer {
	const char	*loader, *unit;
	bool		(*make)(const struct slice *, struct err *);
} slicers[] = {
	{ "perfetto", "event", slice_packets },
	{ "sched", "line", slice_sched },
	{ "jfr", "chunk", slice_jfr },
	{ "perf", "sample", slice_perf },
};

static const struct slicer *
slicer_of(const struct store *st)
{
	const struct loader *l = load_loader(st);

	for (size_t i = 0; l != NULL && i < NELEM(slicers); i++)
		if (strcmp(slicers[i].loader, l->name) == 0)
			return &slicers[i];
	return NULL;
}

bool
slice_can(const struct store *st, struct err *err)
{
	const struct loader *l = load_loader(st);

	return slicer_of(st) != NULL || fail(err, E_UNREADABLE, "%s is not cut by time, only Perfetto, ftrace text, JFR and perf script are; "
	    "'range FROM TO' in a query limits what it reads", l != NULL ? l->name : "a file of this format");
}

bool
slice_put(const struct slice *s, struct str bytes, struct err *err)
{
	s->told->written += bytes.n;
	return bytes.n == 0 || s->put(s->arg, bytes, err);
}

bool
slice_make(const struct slice *s, struct err *err)
{
	const struct slicer *slicer = slicer_of(s->st);

	if (slicer == NULL)
		return slice_can(s->st, err);
	*s->told = (struct sliced){ .unit = slicer->unit, .size = store_source(s->st)->size };
	s->told->cut = fact_value(s->st, FACT_LOSS_GZIP) + fact_value(s->st, FACT_LOSS_LZ4) + fact_value(s->st, FACT_LOSS_ZLIB) +
	    fact_value(s->st, FACT_LOSS_HTML) > 0;
	return slicer->make(s, err);
}
