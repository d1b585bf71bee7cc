/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simple_name: the classes that match a name without its package.
 */
#include "config.h"

#include "heap.h"

#define NAMES_MAX 3u		/* that a message lists */

static struct str
simple_of(struct str name)
{
	struct str before, after;

	return str_divide_last(name, '.', &before, &after) ? after : name;
}

/* Names of classes, one at a time, whole or without their packages. */
struct simple_list {
	const struct heap	*heap;
	struct buf		 text;
};

static struct str
simple_at(void *arg, uint64_t i)
{
	struct simple_list *list = arg;

	buf_clear(&list->text);
	heap_class_name(list->heap, (uint32_t)i + 1, &list->text);
	return simple_of(buf_view(&list->text));
}

/* Several class loaders may have a class of one name each. */
static bool
simple_name_is_listed(struct str names, struct str name)
{
	struct str rest = names, one;

	while (str_split(&rest, '\n', &one))
		if (str_eq(one, name))
			return true;
	return false;
}

/* The different names, a line each. */
static unsigned
simple_name_find_names(struct simple_list *list, const struct token *t, struct class_set *set,
    struct buf *names)
{
	unsigned n = 0;

	for (uint32_t class = 1; class <= list->heap->classes; class++) {
		if (!str_eq(simple_at(list, class - 1), t->text))
			continue;
		set->has[class] = 1;
		set->n++;
		set->simple = class;
		if (simple_name_is_listed(buf_view(names), buf_view(&list->text)))
			continue;
		buf_str(names, buf_view(&list->text));
		buf_chr(names, '\n');
		n++;
	}
	return n;
}

static bool
fail_ambiguous(const struct token *t, struct str names, unsigned n, struct err *err)
{
	OWN_BUF b = BUF_INIT;
	struct str name;

	for (unsigned i = 0; i < NAMES_MAX && str_split(&names, '\n', &name) && name.n > 0; i++) {
		buf_text(&b, ", ");
		buf_str(&b, name);
	}
	if (n > NAMES_MAX)
		buf_text(&b, " ...");
	fail_at(err, E_USAGE, t->at, "'%.*s' is ambiguous: %s", (int)t->text.n, t->text.s,
	    b.bad ? "several classes" : b.s + 2);
	return false;
}

bool
classes_by_simple_name(struct class_set *set, const struct heap *h, const struct token *t, struct err *err)
{
	struct simple_list list = { h, BUF_INIT };
	OWN_BUF names = BUF_INIT;
	unsigned n = 0;
	bool ok;

	if ((t->kind == TOKEN_WORD || t->kind == TOKEN_TEXT) && !token_is_glob(t) && t->text.n > 0)
		n = simple_name_find_names(&list, t, set, &names);
	ok = n <= 1 || fail_ambiguous(t, buf_view(&names), n, err);
	buf_free(&list.text);
	return ok;
}

bool
simple_name_near(const struct heap *h, const struct token *t, struct err *err)
{
	struct simple_list list = { h, BUF_INIT };
	char near[GUESS_TEXT];

	guess_among(t->text, simple_at, &list, h->classes, near, sizeof near);
	buf_free(&list.text);
	if (near[0] == '\0')
		return false;
	fail_at(err, E_EMPTY, t->at, "unknown class '%.*s'%s", (int)t->text.n, t->text.s, near);
	return true;
}
