/*
 * findings_out: the paths of the findings, their order, and their columns.
 */
#include "config.h"

#include <string.h>

#include "findings.h"

#define HOPS 100000u		/* of one path that are kept, half of them from each end */
#define HOPS_ALL (1u << 22)	/* of all paths; then of each only HOPS_FEW */
#define HOPS_FEW 64u

struct out {
	struct finder	*f;
	uint8_t		*kind;
	uint32_t	*object, *class, *other, *count, *hop, *hops, *path;
	uint64_t	*retained, *number;
};

/* ---- paths ---------------------------------------------------------------------------- */

/* Appends the path of a row; of one that is too long only its ends. */
static bool
keep_path(struct finder *f, struct finding *finding, struct scratch *all, uint64_t *n)
{
	size_t most = *n < HOPS_ALL ? HOPS : HOPS_FEW;
	uint32_t *to;

	if (!findings_path(f, finding))
		return false;
	if (finding->hops > most) {
		memmove(SCRATCH(f->path, uint32_t) + most / 2, finding->hop + finding->hops - most / 2,
		    most / 2 * sizeof *to);
		finding->hops = most;
	}
	if (!scratch_array(all, *n + finding->hops + 1, sizeof *to, f->err))
		return false;
	to = SCRATCH(*all, uint32_t) + *n;
	if (finding->hops > 0)
		memcpy(to, finding->hop, finding->hops * sizeof *to);
	*n += finding->hops;
	return true;
}

/* ---- columns -------------------------------------------------------------------------- */

static void *
make(struct out *o, enum col col, enum column_type type, uint64_t rows)
{
	return store_make(o->f->st, heap_col(col, o->f->h.refs, o->f->h.sizes),
	    type, rows, o->f->err);
}

static bool
make_columns(struct out *o, uint64_t n, uint64_t hops)
{
	return (o->kind = make(o, COL_EACH_FINDING_KIND, COL_U8, n)) != NULL &&
	    (o->object = make(o, COL_EACH_FINDING_OBJECT, COL_U32, n)) != NULL &&
	    (o->class = make(o, COL_EACH_FINDING_CLASS, COL_U32, n)) != NULL &&
	    (o->other = make(o, COL_EACH_FINDING_OTHER, COL_U32, n)) != NULL &&
	    (o->retained = make(o, COL_EACH_FINDING_RETAINED, COL_U64, n)) != NULL &&
	    (o->count = make(o, COL_EACH_FINDING_COUNT, COL_U32, n)) != NULL &&
	    (o->number = make(o, COL_EACH_FINDING_NUMBER, COL_U64, n)) != NULL &&
	    (o->hop = make(o, COL_EACH_FINDING_HOP, COL_U32, n)) != NULL &&
	    (o->hops = make(o, COL_EACH_FINDING_HOPS, COL_U32, n)) != NULL &&
	    (o->path = make(o, COL_EACH_HOP_OBJECT, COL_U32, hops)) != NULL;
}

static void
put(struct out *o, uint64_t i, const struct finding *finding, uint64_t hop)
{
	o->kind[i] = (uint8_t)finding->kind;
	o->object[i] = finding->object;
	o->class[i] = finding->class;
	o->other[i] = finding->other;
	o->retained[i] = finding->retained;
	o->count[i] = finding->count;
	o->number[i] = finding->number;
	o->hop[i] = (uint32_t)hop;
	o->hops[i] = (uint32_t)finding->hops;
}

/* Those that were too many of a kind count in its first row. */
static void
count_rest(struct finder *f)
{
	struct finding *list = SCRATCH(f->list, struct finding);
	uint64_t i, sum;

	for (i = 0; i < f->n; i++) {
		sum = f->rest[list[i].kind] + list[i].count;
		list[i].count = sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
		list[i].retained = num_add(list[i].retained, f->rest_bytes[list[i].kind]);
		f->rest[list[i].kind] = f->rest_bytes[list[i].kind] = 0;
	}
}

static bool
write_all(struct finder *f, struct scratch *path)
{
	struct finding *list = SCRATCH(f->list, struct finding);
	struct out o = { .f = f };
	uint64_t i, hops = 0, hop = 0;

	f->walked = 0;
	for (i = 0; i < f->n; i++)
		if (!work_tick(f->work, i))
			return fail_cancel(f->err);
		else if (!keep_path(f, &list[i], path, &hops))
			return false;
	if (!make_columns(&o, f->n, hops))
		return false;
	for (i = 0; i < f->n; hop += list[i++].hops)
		put(&o, i, &list[i], hop);
	if (hops > 0)
		memcpy(o.path, path->data, hops * sizeof *o.path);
	return true;
}

bool
findings_out(struct finder *f)
{
	struct scratch path = SCRATCH_INIT;
	bool ok;

	findings_sort(f);
	ok = findings_drop_dominated(f) && findings_drop_told(f) && findings_routes(f) && findings_drop_behind(f) &&
	    findings_group(f);
	if (ok) {
		findings_sort(f);
		count_rest(f);
		findings_sort(f);
		ok = write_all(f, &path);
	}
	scratch_free(&path);
	scratch_free(&f->path);
	idmap_free(&f->leaks);
	heap_routes_close(f->routes);
	f->routes = NULL;
	return ok;
}
