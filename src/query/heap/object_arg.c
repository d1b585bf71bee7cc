/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * object_arg: the objects, classes and threads of a heap dump that an argument means.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_heap.h"
#include "heap.h"

const struct arg_type arg_object = { .name = "@ID" };
const struct arg_type arg_class = { .name = "CLASS", .hint = "class: name, glob, /regex/ or @id",
    .regex = true,
	.look = LOOK_NAMES, .query = "histogram", .column = "name" };

/* ---- objects ------------------------------------------------------------------- */

/*
 * "@12" is object number 12, "0x7f001230" the one at that address; of digits alone the number, else the
 * address.
 */
static bool
object_of_word(const struct heap *h, struct str word, uint32_t *object, struct err *err)
{
	bool id = str_has_prefix(word, STR("@"));
	bool addr = str_has_prefix(word, STR("0x"));
	uint64_t value;

	if (id) {
		word.s++;
		word.n--;
	}
	if (!num_u64(word, id ? 10 : 0, &value))
		return fail(err, E_USAGE, "expected an object: @12 (id) or 0x7f001230 (address)");
	if (id && (value == 0 || value > h->objects))
		return fail(err, E_EMPTY, "no object @%llu; ids run from @1 to @%u",
		    (unsigned long long)value, h->objects);
	if (!addr && value > 0 && value <= h->objects)
		*object = (uint32_t)value;
	else
		*object = heap_find(h, value);
	return *object != 0 || fail(err, E_EMPTY, "no object at 0x%llx; ids are written @12",
	    (unsigned long long)value);
}

bool
token_is_object(const struct token *t)
{
	return t->kind == TOKEN_WORD && t->text.n > 0 && (t->text.s[0] == '@' ||
	    (t->text.s[0] >= '0' && t->text.s[0] <= '9'));
}

bool
object_of_token(const struct heap *h, const struct token *t, uint32_t *object,
    struct err *err)
{
	struct err why = { .at = ERR_NOWHERE };

	/* In the store of no file every number may be an object. */
	*object = 0;
	if (store_is_blank(h->st))
		return true;
	if (t->kind == TOKEN_WORD && object_of_word(h, t->text, object, &why))
		return true;
	if (t->kind != TOKEN_WORD)
		fail(&why, E_USAGE, "expected an object, e.g. @12 or 0x7f001230");
	return fail_at(err, why.kind, t->at, "%s", why.text);
}

int
object_column(const struct stage *stage, const struct rows *in, struct err *err)
{
	int col = rows_column(in, STR("object"));

	if (col < 0)
		col = rows_column(in, STR("id"));
	/* Any other column of objects will do, such as a dominator alone. */
	if (col < 0 || (in->cols[col].type != CELL_NONE && in->cols[col].of != ID_OBJECT &&
	    rows_ids(in, ID_OBJECT) >= 0))
		col = rows_ids(in, ID_OBJECT);
	if (col < 0)
		fail_at(err, E_USAGE, stage->at,
		    "'%s' needs rows with a column of objects, such as id or object, e.g. '%s'",
		    stage->command->word, stage->command->example);
	else if (in->cols[col].type != CELL_NONE && in->cols[col].of != ID_OBJECT) {
		fail_at(err, E_USAGE, stage->at,
		    "'%s' takes rows of objects, as in '%s'; column '%s' of these rows has no objects",
		    stage->command->word, stage->command->example, in->cols[col].name);
		col = -1;
	}
	return col;
}

uint32_t
cell_object(const struct heap *h, const struct cell *c)
{
	return c->type == CELL_ID && c->u <= h->objects ? (uint32_t)c->u : 0;
}

bool
object_next(struct rows *in, uint64_t *row, size_t col, const struct heap *h, uint32_t *object)
{
	struct cell c;

	if (rows_reach(in, *row + 1) <= *row)
		return false;
	rows_cell(in, (*row)++, col, &c);
	*object = cell_object(h, &c);
	return true;
}

/* ---- classes ------------------------------------------------------------------- */

bool
classes_make(struct class_set *set, const struct heap *h, struct err *err)
{
	if (set->has == NULL)
		set->has = mem_array(h->classes + 1ull, 1);
	return set->has != NULL || fail_memory(err, "set of classes");
}

static bool
add_by_object(struct class_set *set, const struct heap *h, const struct token *t,
    struct err *err)
{
	uint32_t object, class;

	if (!object_of_token(h, t, &object, err))
		return false;
	class = heap_class_of_object(h, object);
	if (class == 0)
		return store_is_blank(h->st) || fail_at(err, E_EMPTY, t->at, "@%u is not a Class object",
		    object);
	set->has[class] = 1;
	set->n++;
	return true;
}

static bool
classes_add(struct class_set *set, const struct heap *h, const struct token *t,
    struct err *err)
{
	struct named names = { .what = "class", .query = "histogram", .n = h->classes, .heap = h,
	    .heap_name = heap_class_name }, obfuscated = names;
	struct regex *regex = NULL;
	uint32_t before = set->n;
	bool ok;

	obfuscated.heap_name = heap_class_obfuscated;
	if (!classes_make(set, h, err))
		return false;
	if (token_is_object(t))
		return add_by_object(set, h, t, err);
	ok = (t->kind != TOKEN_REGEX || regex_compile(&regex, t, err)) &&
	    named_mark(&names, t, regex, set->has, &set->n, err);
	/* Under a mapping file the name in the dump is known as well. */
	if (ok && set->n == before && store_column(h->st, COL_RAW_CLASS) != NULL)
		ok = named_mark(&obfuscated, t, regex, set->has, &set->n, err);
	regex_free(regex);
	if (ok && store_is_blank(h->st))
		return true;
	if (ok && set->n == before)
		ok = classes_by_simple_name(set, h, t, err);
	if (!ok || set->n > before)
		return ok;
	return !simple_name_near(h, t, err) && fail_no_named(&names, t, err);
}

void
classes_free(struct class_set *set)
{
	free(set->has);
}

/* ---- all arguments of a stage ---------------------------------------------------- */

static bool
check_argument(const struct token *t, struct err *err)
{
	return t->kind == TOKEN_REGEX || t->kind == TOKEN_WORD || t->kind == TOKEN_TEXT ||
	    fail_at(err, E_USAGE, t->at, "expected a class: name, glob, /regex/, @12 or 0x7f001230");
}

bool
classes_of_stage(struct class_set *set, const struct heap *h, const struct stage *stage,
    struct err *err)
{
	const struct token *t;
	size_t i = 0;

	while ((t = stage_next(stage, &i)) != NULL)
		if (!check_argument(t, err) || !classes_add(set, h, t, err))
			return false;
	return true;
}

static bool
object_arg_add_object(struct object_args *args, const struct heap *h, const struct token *t,
    struct err *err)
{
	if (!mem_grow(&args->id, &args->cap, args->n + 1, sizeof *args->id))
		return fail_memory(err, "list of objects");
	return object_of_token(h, t, &args->id[args->n++], err);
}

bool
objects_of_stage(struct object_args *args, const struct heap *h, const struct stage *stage,
    struct err *err)
{
	const struct token *t;
	size_t i = 0;

	while ((t = stage_next(stage, &i)) != NULL)
		if (!check_argument(t, err) || !(token_is_object(t) ? object_arg_add_object(args, h, t, err) :
		    classes_add(&args->classes, h, t, err)))
			return false;
	return true;
}

void
object_args_free(struct object_args *args)
{
	free(args->id);
	classes_free(&args->classes);
}

/* ---- threads ------------------------------------------------------------------- */

static bool
object_arg_add_thread(struct jthread_set *set, const struct heap *h, const struct token *t, struct err *err)
{
	const struct column *object = store_column(h->st, COL_JTHREAD_OBJECT);
	const struct column *serial = store_column(h->st, COL_JTHREAD_SERIAL);
	struct named names = { .what = "thread", .query = "threads", .n = set->n, .heap = h,
	    .heap_name = heap_thread_name };
	uint32_t id, hits = 0;
	uint64_t number;

	if (t->kind == TOKEN_WORD && (str_has_prefix(t->text, STR("@")) ||
	    str_has_prefix(t->text, STR("0x")))) {
		if (!object_of_token(h, t, &id, err))
			return false;
		named_mark_number(&names, object, id, set->has, &hits);
	} else if (!named_mark(&names, t, NULL, set->has, &hits, err))
		return false;
	if (hits == 0 && num_u64(t->text, 10, &number))
		named_mark_number(&names, serial, number, set->has, &hits);
	return hits > 0 || store_is_blank(h->st) || fail_no_named(&names, t, err);
}

bool
jthreads_of_stage(struct jthread_set *set, const struct heap *h, const struct stage *stage,
    struct err *err)
{
	const struct column *object = store_column(h->st, COL_JTHREAD_OBJECT);
	const struct token *t;
	size_t i = 0;

	set->n = object == NULL ? 0 : (uint32_t)object->rows;
	if (stage->n == 0)
		return true;
	set->has = mem_array(set->n + 1ull, 1);
	if (set->has == NULL)
		return fail_memory(err, "list of threads");
	while ((t = stage_next(stage, &i)) != NULL) {
		if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
			return fail_at(err, E_USAGE, t->at, "expected a thread: name, serial number or @ID");
		if (!object_arg_add_thread(set, h, t, err))
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
