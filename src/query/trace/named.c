/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * named: what arguments mean by names: threads, and whatever else has names.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "trace.h"

/* The list of names for fail_no_name, which reads one at a time. */
struct name_list {
	const struct named	*of;
	struct buf		 text;		/* text of the last name */
};

static struct str
named_name_at(void *arg, uint64_t i)
{
	struct name_list *list = arg;
	const struct named *of = list->of;

	buf_clear(&list->text);
	if (of->heap != NULL)
		of->heap_name(of->heap, (uint32_t)i + 1, &list->text);
	else
		of->name(of->st, (uint32_t)i + 1, &list->text);
	return buf_view(&list->text);
}

bool
token_means(const struct token *t, struct str name)
{
	return token_is_glob(t) ? str_glob(t->text, name) : str_eq(t->text, name);
}

bool
named_mark(const struct named *of, const struct token *t, struct regex *regex, uint8_t *has, uint32_t *hits,
    struct err *err)
{
	struct name_list list = { of, BUF_INIT };
	bool ok = true, hit = false;
	struct str name;

	for (uint32_t i = 0; i < of->n && ok; i++) {
		name = named_name_at(&list, i);
		if (regex != NULL)
			ok = regex_test(regex, name, &hit, err);
		else
			hit = token_means(t, name);
		if (!ok || !hit)
			continue;
		has[i + 1] = 1;
		++*hits;
	}
	if (list.text.bad)
		ok = fail_memory(err, "name");
	buf_free(&list.text);
	return ok;
}

void
named_mark_number(const struct named *of, const struct column *c, uint64_t number, uint8_t *has,
    uint32_t *hits)
{
	for (uint32_t i = 0; i < of->n; i++) {
		if (column_get(c, i) != number)
			continue;
		has[i + 1] = 1;
		++*hits;
	}
}

bool
fail_no_named(const struct named *of, const struct token *t, struct err *err)
{
	struct name_list list = { of, BUF_INIT };

	fail_no_name(t, of->what, of->query, named_name_at, &list, of->n, err);
	buf_free(&list.text);
	return false;
}

/* False: the token is no "@id" of one of n things. */
bool
named_mark_id(const struct token *t, uint32_t n, uint8_t *has)
{
	struct str text = t->text;
	uint64_t number;

	if (t->kind != TOKEN_WORD || !str_take(&text, STR("@")) || !num_u64(text, 10, &number) ||
	    number == 0 || number > n)
		return false;
	has[number] = 1;
	return true;
}

/* ---- threads -------------------------------------------------------------------- */

static bool
named_mark_threads(const struct named *threads, const struct column *tids, const struct token *t,
    uint8_t *has,
    struct err *err)
{
	uint64_t number;
	uint32_t hits = 0;

	if (named_mark_id(t, threads->n, has))
		return true;
	if (!named_mark(threads, t, NULL, has, &hits, err))
		return false;
	if (hits == 0 && num_u64(t->text, 10, &number))
		named_mark_number(threads, tids, number, has, &hits);
	return hits > 0 || fail_no_named(threads, t, err);
}

static bool
mark_arguments(const struct store *st, const struct stage *stage, const struct column *tids, uint8_t *has,
    struct err *err)
{
	struct named threads = { .what = "thread", .query = "threads", .st = st, .name = thread_name,
	    .n = tids == NULL ? 0 : (uint32_t)tids->rows };
	const struct token *t;
	size_t i = 0;

	while ((t = stage_next(stage, &i)) != NULL) {
		if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
			return fail_at(err, E_USAGE, t->at,
			    "expected a thread: name, tid or @id");
		if (store_is_blank(st))
			continue;
		if (tids == NULL)
			return fail(err, E_USAGE, "no threads in this file");
		if (!named_mark_threads(&threads, tids, t, has, err))
			return false;
	}
	return true;
}

bool
threads_of_stage(struct thread_list *list, const struct store *st, const struct stage *stage, bool all,
    struct err *err)
{
	const struct column *tids = store_column(st, COL_THREAD_TID);
	uint32_t n = tids == NULL ? 0 : (uint32_t)tids->rows;
	uint8_t *has;
	bool ok;

	*list = (struct thread_list){ NULL, 0 };
	if (stage->n == 0 && !all)
		return true;
	has = mem_array(n + 1ull, 1);
	list->id = mem_array(n + 1ull, sizeof *list->id);
	ok = (has != NULL && list->id != NULL) || fail_memory(err, "list of threads");
	ok = ok && mark_arguments(st, stage, tids, has, err);
	for (uint32_t id = 1; ok && id <= n; id++)
		if (stage->n == 0 || has[id])
			list->id[list->n++] = id;
	free(has);
	return ok;
}

/* ---- methods -------------------------------------------------------------------- */

bool
methods_of_stage(uint8_t **has, const struct store *st, const struct stage *stage, struct err *err)
{
	const struct column *raw = store_column(st, COL_METHOD_RAW);
	struct named methods = { .what = "method", .query = "methods", .st = st, .name = method_name,
	    .n = raw == NULL ? 0 : (uint32_t)raw->rows };
	const struct token *t;
	uint32_t hits;
	size_t i = 0;

	*has = mem_array(methods.n + 1ull, 1);
	if (*has == NULL)
		return fail_memory(err, "list of methods");
	if (stage->n == 0)
		return fail_needs(stage, err);
	while ((t = stage_next(stage, &i)) != NULL) {
		hits = 0;
		if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
			return fail_at(err, E_USAGE, t->at, "expected a method: name or @id");
		if (store_is_blank(st) || named_mark_id(t, methods.n, *has))
			continue;
		if (!named_mark(&methods, t, NULL, *has, &hits, err))
			return false;
		if (hits == 0)
			return fail_no_named(&methods, t, err);
	}
	return true;
}

/* ---- times after names -------------------------------------------------------------- */

static uint64_t *
named_bound(struct bounds *b, const struct token *t, bool has_min)
{
	return token_is(t, "from") ? &b->from : token_is(t, "to") ? &b->to : has_min &&
	    token_is(t, "min") ? &b->min : NULL;
}

size_t
bounds_place(const struct stage *stage)
{
	struct bounds b;
	size_t i = 0;

	while (i < stage->n && named_bound(&b, &stage->token[i], true) == NULL)
		i++;
	return i;
}

bool
bounds_read(struct bounds *b, const struct stage *stage, size_t i, bool has_min, struct err *err)
{
	const struct token *t;
	uint64_t *bound;
	struct cell time;

	for (; i < stage->n; i += 2) {
		t = &stage->token[i];
		if ((bound = named_bound(b, t, has_min)) == NULL)
			return fail_at(err, E_USAGE, t->at,
			    has_min ? "expected from, to or min" : "expected from or to");
		if (i + 1 == stage->n)
			return fail_at(err, E_USAGE, stage->end, "expected a time after '%.*s'",
			    (int)t->text.n, t->text.s);
		if (!literal_read(&stage->token[i + 1], CELL_TIME, &time, err))
			return false;
		*bound = time.u;
	}
	return true;
}
