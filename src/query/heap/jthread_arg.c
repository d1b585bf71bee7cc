/*
 * jthread_arg: the threads of a heap dump that an argument means.
 */
#include "config.h"

#include <stdlib.h>

#include "heap.h"

static bool
fail_thread(const struct heap *h, const struct token *t, uint32_t n, struct err *err)
{
	struct name_list names = { h, heap_thread_name, BUF_INIT };

	fail_no_name(t, "thread", "threads", name_at, &names, n, err);
	buf_free(&names.text);
	return false;
}

static bool
add_by_name(struct jthread_set *set, const struct heap *h, const struct token *t,
    bool *found, struct err *err)
{
	struct name_list names = { h, heap_thread_name, BUF_INIT };
	bool glob = token_is_glob(t), bad;
	struct str name;
	uint32_t i;

	for (i = 0; i < set->n; i++) {
		name = name_at(&names, i);
		if (!(glob ? str_glob(t->text, name) : str_eq(t->text, name)))
			continue;
		set->has[i + 1] = 1;
		*found = true;
	}
	bad = names.text.bad;
	buf_free(&names.text);
	return !bad || fail(err, E_SYSTEM, "no memory for a name");
}

/* As values of the column stand for threads. */
static void
add_by_number(struct jthread_set *set, const struct column *c, uint64_t number, bool *found)
{
	uint32_t i;

	for (i = 0; i < set->n; i++) {
		if (column_get(c, i) != number)
			continue;
		set->has[i + 1] = 1;
		*found = true;
	}
}

static bool
add(struct jthread_set *set, const struct heap *h, const struct token *t, struct err *err)
{
	const struct column *object = store_column(h->st, COL_JTHREAD_OBJECT);
	const struct column *serial = store_column(h->st, COL_JTHREAD_SERIAL);
	bool found = false;
	uint32_t id;
	uint64_t number;

	if (t->kind == TOKEN_WORD && (str_has_prefix(t->text, STR("@")) ||
	    str_has_prefix(t->text, STR("0x")))) {
		if (!object_of_token(h, t, &id, err))
			return false;
		add_by_number(set, object, id, &found);
	} else if (!add_by_name(set, h, t, &found, err))
		return false;
	if (!found && num_u64(t->text, 10, &number))
		add_by_number(set, serial, number, &found);
	return found || fail_thread(h, t, set->n, err);
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
