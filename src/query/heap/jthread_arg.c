/*
 * jthread_arg: the threads of a heap dump that an argument means.
 */
#include "config.h"

#include <stdlib.h>

#include "heap.h"

/* As values of the column stand for threads. */
static void
add_by_number(struct jthread_set *set, const struct column *c, uint64_t number, uint32_t *hits)
{
	for (uint32_t i = 0; i < set->n; i++) {
		if (column_get(c, i) != number)
			continue;
		set->has[i + 1] = 1;
		++*hits;
	}
}

static bool
add(struct jthread_set *set, const struct heap *h, const struct token *t, struct err *err)
{
	const struct column *object = store_column(h->st, COL_JTHREAD_OBJECT);
	const struct column *serial = store_column(h->st, COL_JTHREAD_SERIAL);
	struct heap_names names = { h, heap_thread_name, set->n };
	uint32_t id, hits = 0;
	uint64_t number;

	if (t->kind == TOKEN_WORD && (str_has_prefix(t->text, STR("@")) ||
	    str_has_prefix(t->text, STR("0x")))) {
		if (!object_of_token(h, t, &id, err))
			return false;
		add_by_number(set, object, id, &hits);
	} else if (!names_mark(&names, t, NULL, set->has, &hits, err))
		return false;
	if (hits == 0 && num_u64(t->text, 10, &number))
		add_by_number(set, serial, number, &hits);
	return hits > 0 || fail_no_named(&names, t, "thread", "threads", err);
}

bool
jthreads_of_stage(struct jthread_set *set, const struct heap *h, const struct stage *stage,
    struct err *err)
{
	const struct column *object = h->st == NULL ? NULL :
	    store_column(h->st, COL_JTHREAD_OBJECT);
	const struct token *t;
	size_t i = 0;

	set->n = object == NULL ? 0 : (uint32_t)object->rows;
	if (stage->n == 0)
		return true;
	set->has = mem_array(set->n + 1ull, 1);
	if (set->has == NULL)
		return fail(err, E_SYSTEM, "no memory for a list of threads");
	while ((t = stage_next(stage, &i)) != NULL) {
		if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
			return fail_at(err, E_USAGE, t->at, "expected a thread here: "
			    "a name, its serial number, or @ID");
		if (h->st != NULL && !add(set, h, t, err))
			return false;
	}
	return true;
}

bool
jthreads_have(const struct jthread_set *set, uint32_t jthread)
{
	return jthread > 0 && jthread <= set->n && (set->has == NULL || set->has[jthread]);
}

void
jthreads_free(struct jthread_set *set)
{
	free(set->has);
}
