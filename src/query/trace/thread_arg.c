/*
 * thread_arg: the threads that an argument means.
 */
#include "config.h"

#include "trace.h"

static bool
list_add(struct thread_list *list, uint32_t id, struct err *err)
{
	size_t i = list->n;

	if (!mem_grow(&list->id, &list->cap, list->n + 1, sizeof *list->id))
		return fail(err, E_SYSTEM, "no memory for a list of threads");
	for (; i > 0 && list->id[i - 1] > id; i--)
		list->id[i] = list->id[i - 1];
	if (i > 0 && list->id[i - 1] == id) {
		for (; i < list->n; i++)
			list->id[i] = list->id[i + 1];
		return true;
	}
	list->id[i] = id;
	list->n++;
	return true;
}

static bool
add_by_name(struct thread_list *list, const struct store *st, uint32_t n,
    const struct token *t, struct err *err)
{
	bool glob = token_is_glob(t), ok = true;
	struct buf name = BUF_INIT;

	for (uint32_t id = 1; id <= n && ok; id++) {
		buf_clear(&name);
		thread_name(st, id, &name);
		if (name.bad)
			ok = fail(err, E_SYSTEM, "no memory for a name");
		else if (glob ? str_glob(t->text, buf_view(&name)) :
		    str_eq(t->text, buf_view(&name)))
			ok = list_add(list, id, err);
	}
	buf_free(&name);
	return ok;
}

static bool
add_by_tid(struct thread_list *list, const struct column *tids, uint64_t tid,
    struct err *err)
{
	for (uint32_t id = 1; id <= tids->rows; id++)
		if (column_get(tids, id - 1) == tid && !list_add(list, id, err))
			return false;
	return true;
}

/* ---- did you mean -------------------------------------------------------------- */

struct names {
	const struct store	*st;
	struct buf		 name;
};

static struct str
name_of(void *arg, uint64_t i)
{
	struct names *n = arg;

	buf_clear(&n->name);
	thread_name(n->st, (uint32_t)i + 1, &n->name);
	return buf_view(&n->name);
}

static bool
fail_thread(const struct store *st, const struct token *t, uint64_t n, struct err *err)
{
	struct names names = { st, BUF_INIT };

	fail_no_name(t, "thread", "threads", name_of, &names, n, err);
	buf_free(&names.name);
	return false;
}

/* ---- arguments ------------------------------------------------------------------ */

static bool
threads_add(struct thread_list *list, const struct store *st, const struct token *t,
    struct err *err)
{
	const struct column *tids = store_column(st, COL_THREAD_TID);
	size_t before = list->n;
	struct str text = t->text;
	uint64_t number;

	if (tids == NULL)
		return fail(err, E_USAGE, "this file has no threads");
	if (t->kind == TOKEN_WORD && str_has_prefix(text, STR("@"))) {
		text.s++;
		text.n--;
		if (num_u64(text, 10, &number) && number > 0 && number <= tids->rows)
			return list_add(list, (uint32_t)number, err);
	}
	if (!add_by_name(list, st, (uint32_t)tids->rows, t, err))
		return false;
	if (list->n == before && num_u64(text, 10, &number) &&
	    !add_by_tid(list, tids, number, err))
		return false;
	if (list->n == before)
		return fail_thread(st, t, tids->rows, err);
	return true;
}

bool
threads_of_stage(struct thread_list *list, const struct store *st,
    const struct stage *stage, struct err *err)
{
	const struct token *t;
	size_t i = 0;

	while ((t = stage_next(stage, &i)) != NULL) {
		if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
			return fail_at(err, E_USAGE, t->at,
			    "expected a thread here: a name, a tid or @id");
		if (st != NULL && !threads_add(list, st, t, err))
			return false;
	}
	return true;
}
