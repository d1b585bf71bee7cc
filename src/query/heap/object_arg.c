/*
 * object_arg: the objects and the classes that an argument means.
 */
#include "config.h"

#include <stdlib.h>

#include "heap.h"

const struct arg_type arg_object = { .name = "@ID" };
const struct arg_type arg_class = { .name = "CLASS", .hint = "a class: name, glob, /regex/ or @id", .regex = true,
	.look = LOOK_NAMES, .query = "histogram", .column = "name" };

/* ---- objects ------------------------------------------------------------------- */

static bool
fail_address(uint64_t addr, struct err *err)
{
	return fail(err, E_EMPTY, "there is no object at 0x%llx; a number alone, as @12, "
	    "is the id of an object", (unsigned long long)addr);
}

bool
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
		return fail(err, E_USAGE, "expected an object here: @12 by its id, "
		    "or 0x7f001230 by its address");
	if (id && (value == 0 || value > h->objects))
		return fail(err, E_EMPTY, "there is no object @%llu; this dump has @1 to @%u",
		    (unsigned long long)value, h->objects);
	if (!addr && value > 0 && value <= h->objects)
		*object = (uint32_t)value;
	else
		*object = heap_find(h, value);
	return *object != 0 || fail_address(value, err);
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

	if (t->kind == TOKEN_WORD && object_of_word(h, t->text, object, &why))
		return true;
	if (t->kind != TOKEN_WORD)
		fail(&why, E_USAGE, "expected an object here, as @12 or 0x7f001230");
	return fail_at(err, why.kind, t->at, "%s", why.text);
}

int
object_column(const struct stage *stage, const struct rows *in, struct err *err)
{
	int col = rows_column(in, STR("object"));

	if (col < 0)
		col = rows_column(in, STR("id"));
	if (col < 0)
		fail_at(err, E_USAGE, stage->at, "'%s' takes rows with a column id or object, "
		    "as in '%s'", stage->command->word, stage->command->example);
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

/* ---- names --------------------------------------------------------------------- */

/* For looking through them, one at a time. */
struct name_list {
	const struct heap_names	*names;
	struct buf		 text;		/* of the last one */
};

static struct str
name_at(void *arg, uint64_t i)
{
	struct name_list *list = arg;

	buf_clear(&list->text);
	list->names->name(list->names->heap, (uint32_t)i + 1, &list->text);
	return buf_view(&list->text);
}

static bool
matches(const struct token *t, struct regex *regex, struct str name, bool *hit,
    struct err *err)
{
	if (regex != NULL)
		return regex_test(regex, name, hit, err);
	*hit = token_is_glob(t) ? str_glob(t->text, name) : str_eq(t->text, name);
	return true;
}

bool
names_mark(const struct heap_names *names, const struct token *t, struct regex *regex, uint8_t *has,
    uint32_t *hits, struct err *err)
{
	struct name_list list = { names, BUF_INIT };
	bool ok = true, hit = false;

	for (uint32_t i = 0; i < names->n && ok; i++) {
		ok = matches(t, regex, name_at(&list, i), &hit, err);
		if (!ok || !hit)
			continue;
		has[i + 1] = 1;
		++*hits;
	}
	if (list.text.bad)
		ok = fail(err, E_SYSTEM, "no memory for a name");
	buf_free(&list.text);
	return ok;
}

bool
fail_no_named(const struct heap_names *names, const struct token *t, const char *what, const char *query,
    struct err *err)
{
	struct name_list list = { names, BUF_INIT };

	fail_no_name(t, what, query, name_at, &list, names->n, err);
	buf_free(&list.text);
	return false;
}

/* ---- classes ------------------------------------------------------------------- */

bool
classes_make(struct class_set *set, const struct heap *h, struct err *err)
{
	if (set->has == NULL)
		set->has = mem_array(h->classes + 1ull, 1);
	return set->has != NULL || fail(err, E_SYSTEM, "no memory for a set of classes");
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
		return fail_at(err, E_EMPTY, t->at, "@%u is not a class", object);
	set->has[class] = 1;
	set->n++;
	return true;
}

static bool
classes_add(struct class_set *set, const struct heap *h, const struct token *t,
    struct err *err)
{
	struct heap_names names = { h, heap_class_name, h->classes }, obfuscated = { h, heap_class_obfuscated, h->classes };
	struct regex *regex = NULL;
	uint32_t before = set->n;
	bool ok;

	if (!classes_make(set, h, err))
		return false;
	if (token_is_object(t))
		return add_by_object(set, h, t, err);
	ok = (t->kind != TOKEN_REGEX || regex_compile(&regex, t, err)) &&
	    names_mark(&names, t, regex, set->has, &set->n, err);
	/* Under a mapping file the name in the dump is known as well. */
	if (ok && set->n == before && store_column(h->st, COL_RAW_CLASS) != NULL)
		ok = names_mark(&obfuscated, t, regex, set->has, &set->n, err);
	regex_free(regex);
	return ok && (set->n > before || fail_no_named(&names, t, "class", "histogram", err));
}

void
classes_free(struct class_set *set)
{
	free(set->has);
}

/* ---- all arguments of a stage ---------------------------------------------------- */

/* Without a file only their form is checked. */
static bool
check_argument(const struct token *t, struct err *err)
{
	struct regex *regex;

	if (t->kind == TOKEN_REGEX) {
		if (!regex_compile(&regex, t, err))
			return false;
		regex_free(regex);
		return true;
	}
	if (t->kind == TOKEN_WORD || t->kind == TOKEN_TEXT)
		return true;
	return fail_at(err, E_USAGE, t->at, "expected a class here: a name, a glob or /regex/, "
	    "or an object as @12 or 0x7f001230");
}

bool
classes_of_stage(struct class_set *set, const struct heap *h, const struct stage *stage,
    struct err *err)
{
	const struct token *t;
	size_t i = 0;

	while ((t = stage_next(stage, &i)) != NULL)
		if (!check_argument(t, err) ||
		    (h->st != NULL && !classes_add(set, h, t, err)))
			return false;
	return true;
}

static bool
add_object(struct object_args *args, const struct heap *h, const struct token *t,
    struct err *err)
{
	if (!mem_grow(&args->id, &args->cap, args->n + 1, sizeof *args->id))
		return fail(err, E_SYSTEM, "no memory for a list of objects");
	return object_of_token(h, t, &args->id[args->n++], err);
}

bool
objects_of_stage(struct object_args *args, const struct heap *h, const struct stage *stage,
    struct err *err)
{
	const struct token *t;
	size_t i = 0;

	while ((t = stage_next(stage, &i)) != NULL) {
		if (!check_argument(t, err))
			return false;
		if (h->st != NULL && !(token_is_object(t) ? add_object(args, h, t, err) :
		    classes_add(&args->classes, h, t, err)))
			return false;
	}
	return true;
}

void
object_args_free(struct object_args *args)
{
	free(args->id);
	classes_free(&args->classes);
}
