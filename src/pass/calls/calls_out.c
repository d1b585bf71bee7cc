/*
 * What pass "calls" found, as columns.
 */
#include "config.h"

#include <stdlib.h>

#include "calls_pass.h"

static bool
put_synthetic(struct calls *c, struct err *err)
{
	const struct synthetic *s = SCRATCH(c->synthetic, struct synthetic);
	uint64_t i, n = c->nsynthetic, *wall, *cpu;
	uint32_t *thread, *method;

	if ((thread = store_make(c->st, COL_SYNTHETIC_THREAD, COL_U32, n, err)) == NULL ||
	    (method = store_make(c->st, COL_SYNTHETIC_METHOD, COL_U32, n, err)) == NULL ||
	    (wall = store_make(c->st, COL_SYNTHETIC_WALL, COL_U64, n, err)) == NULL ||
	    (cpu = store_make(c->st, COL_SYNTHETIC_CPU, COL_U64, n, err)) == NULL)
		return false;
	for (i = 0; i < n; i++) {
		thread[i] = s[i].thread;
		method[i] = s[i].method;
		wall[i] = s[i].wall;
		cpu[i] = s[i].cpu;
	}
	return true;
}

/* Threads without records are in no run. */
static bool
take_all(struct calls *c, struct err *err)
{
	if (!scratch_array(&c->threads, c->replay.nthreads, sizeof(struct call_thread), err))
		return false;
	c->nthreads = c->replay.nthreads;
	return true;
}

bool
calls_publish(struct calls *c, struct err *err)
{
	uint32_t *roots, *depths, i;
	const struct call_thread *t;
	uint64_t stacks = c->tree.nnodes - 1;
	bool ok;

	if (!take_all(c, err))
		return false;
	roots = mem_array(c->nthreads + 1u, sizeof *roots);
	depths = mem_array(c->nthreads + 1u, sizeof *depths);
	ok = (roots != NULL && depths != NULL) || fail(err, E_SYSTEM, "no memory");
	for (i = 0; ok && i < c->nthreads; i++) {
		t = calls_thread(c, i + 1);
		roots[i] = t->root;
		depths[i] = t->depth;
		stacks -= t->root != 0;
		if (t->depth + t->fixed.synthetic > c->tree.deepest)
			c->tree.deepest = (uint32_t)(t->depth + t->fixed.synthetic);
	}
	c->tree.depths = depths;
	/* Facts first: columns use up the nodes. */
	ok = ok && calls_threads(c, stacks, err) && build_columns(&c->tree, c->st, roots,
	    c->nthreads, c->replay.nmethods, c->work, err) && put_synthetic(c, err) &&
	    store_pack(c->st, COL_METHOD_RAW, SCRATCH(c->replay.methods, uint64_t),
	    c->replay.nmethods, err);
	free(roots);
	free(depths);
	return ok;
}
