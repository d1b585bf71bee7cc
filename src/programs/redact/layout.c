/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout: the fields of classes and their superclasses, and which fields are kept.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/kept.h"
#include "redact.h"

#define LEFT_LEAST (1u << 24)	/* maximum number of fields */

/* ---- words ------------------------------------------------------------------------------------ */

struct kept_pair {
	uint32_t	class, field;	/* 1 + the number of each word */
	enum kept	how;
};

struct words {
	struct str	*word;		/* distinct, with dots; pointers to constants or into own */
	struct idmap	 by_name;	/* 1 + number of a word */
	struct kept_pair *pair;
	size_t		 n, cap, pairs, pairs_cap, longest;
	char		**own;		/* copies of the user's fields */
	size_t		 nown, own_cap;
};

uint32_t
words_find(const struct words *w, struct str s)
{
	return s.n > w->longest || s.n == 0 ? 0 : idmap_get(&w->by_name, name_hash(s));
}

static bool
layout_add_word(struct words *w, struct str s, uint32_t *number)
{
	*number = words_find(w, s);
	if (*number != 0)
		return true;
	if (!mem_grow(&w->word, &w->cap, w->n + 1, sizeof *w->word))
		return false;
	w->word[w->n++] = s;
	w->longest = s.n > w->longest ? s.n : w->longest;
	*number = (uint32_t)w->n;
	return idmap_put(&w->by_name, name_hash(s), *number, NULL);
}

static bool
add_pair(struct words *w, struct str class, struct str field, enum kept how, struct err *err)
{
	struct kept_pair p = { .how = how };

	if (!layout_add_word(w, class, &p.class) || !layout_add_word(w, field, &p.field) ||
	    !mem_grow(&w->pair, &w->pairs_cap, w->pairs + 1, sizeof p))
		return fail(err, E_SYSTEM, "out of memory (kept fields)");
	w->pair[w->pairs++] = p;
	return true;
}

/* Parse CLASS.FIELD; the class may have dots or slashes. */
static bool
add_own(struct words *w, const char *text, struct err *err)
{
	struct str class, field;
	char *copy;

	if (!mem_grow(&w->own, &w->own_cap, w->nown + 1, sizeof *w->own) ||
	    (copy = mem_copy(str_of(text))) == NULL)
		return fail(err, E_SYSTEM, "out of memory (kept fields)");
	w->own[w->nown++] = copy;
	for (char *p = copy; *p != '\0'; p++)
		*p = *p == '/' ? '.' : *p;
	if (!str_divide_last(str_of(copy), '.', &class, &field) || class.n == 0 || field.n == 0)
		return fail(err, E_USAGE, "'%s' is not CLASS.FIELD, e.g. app.Foo.bar", text);
	return add_pair(w, class, field, KEPT_ALWAYS, err);
}

bool
words_open(struct words **out, const char *const *keep, struct err *err)
{
	struct words *w = *out = mem_array(1, sizeof *w);
	struct kept_field f;
	bool ok = w != NULL || fail(err, E_SYSTEM, "out of memory (kept fields)");

	for (size_t i = 0; ok && kept_field(i, &f); i++)
		ok = add_pair(w, str_of(f.class), str_of(f.name), f.of_class != NULL ? KEPT_COUNTED :
		    KEPT_ALWAYS, err) && (f.of_class == NULL ||
		    add_pair(w, str_of(f.of_class), str_of(f.of_name), KEPT_COUNT, err));
	for (size_t i = 0; ok && keep != NULL && keep[i] != NULL; i++)
		ok = add_own(w, keep[i], err);
	return ok;
}

void
words_free(struct words *w)
{
	for (size_t i = 0; w != NULL && i < w->nown; i++)
		free(w->own[i]);
	if (w != NULL) {
		free(w->own);
		free(w->word);
		idmap_free(&w->by_name);
		free(w->pair);
	}
	free(w);
}

/* Whether a field is kept in all objects; class, field: 1 + their numbers. */
static bool
keeps(const struct words *w, uint32_t class, uint32_t field)
{
	for (size_t i = 0; class != 0 && field != 0 && i < w->pairs; i++)
		if (w->pair[i].class == class && w->pair[i].field == field && w->pair[i].how == KEPT_ALWAYS)
			return true;
	return false;
}

/* The i-th kept field of a class, 1 + number of its word, and how it is kept; 0: no more. */
static uint32_t
kept_word_of(const struct words *w, uint32_t class, size_t i, enum kept *how)
{
	for (size_t k = 0; class != 0 && k < w->pairs; k++)
		if (w->pair[k].class == class && i-- == 0) {
			*how = w->pair[k].how;
			return w->pair[k].field;
		}
	return 0;
}

/* ---- classes ------------------------------------------------------------------------------------ */

struct class_layout *
layout_of(const struct learned *l, uint64_t id)
{
	uint32_t row = idmap_get(&l->class_of, id);

	return row == 0 ? NULL : &SCRATCH(l->classes, struct class_layout)[row - 1];
}

struct class_layout *
layout_first(const struct learned *l, uint64_t id)
{
	struct class_layout *c = layout_of(l, id);

	return c != NULL && c->dump ? c : NULL;
}

struct class_layout *
layout_next(const struct learned *l, const struct class_layout *c)
{
	return c->next == 0 ? NULL : &SCRATCH(l->classes, struct class_layout)[c->next - 1];
}

/* Return 1 + the number of the word that a string equals. */
static uint32_t
layout_word_of(const struct learned *l, uint64_t string)
{
	uint32_t word = idmap_get(&l->word, string);

	return word == 0 ? 0 : word - 1;
}

bool
layout_keeps_static(const struct learned *l, uint64_t class, uint64_t name)
{
	const struct class_layout *c = layout_of(l, class);

	return c != NULL && keeps(l->words, layout_word_of(l, c->name), layout_word_of(l, name));
}

/* Return a class, or NULL: a missing record ends the chain of superclasses. */
static struct class_layout *
above(const struct learned *l, const struct class_layout *c)
{
	return layout_first(l, c->super);
}

/*
 * Mark the field with this name in the class, or in the nearest superclass that declares it. A hostile file
 * may contain many classes with the same name: their number is limited.
 */
static void
keep_field(const struct learned *l, struct class_layout *c, uint32_t word, enum kept how, uint64_t *left)
{
	struct field_layout *f;

	for (unsigned steps = 0; c != NULL && steps < LAYOUT_STEPS && *left > c->fields; steps++,
	    c = above(l, c)) {
		*left -= c->fields + 1;
		f = c->fields == 0 ? NULL : &SCRATCH(l->fields, struct field_layout)[c->field];
		for (uint32_t i = 0; i < c->fields; i++)
			if (layout_word_of(l, f[i].name) == word) {
				f[i].kept = f[i].kept > how ? f[i].kept : (uint8_t)how;
				c->counts |= how == KEPT_COUNT;
				return;
			}
	}
}

/*
 * Find the next superclass with fields, and its distance. Classes without fields are skipped once, for all
 * classes below them. Cycles end the chain.
 */
static void
link_class(const struct learned *l, struct class_layout *c)
{
	struct class_layout *last = c, *up;
	uint32_t n = 0, next = 0, steps = 0;

	c->linked = true;
	while ((up = above(l, last)) != NULL && up->fields == 0 && !up->linked) {
		up->linked = true;
		last = up;
		n++;
	}
	if (up != NULL && up->fields > 0) {
		next = (uint32_t)(up - SCRATCH(l->classes, struct class_layout)) + 1;
		steps = 1;
	} else if (up != NULL) {
		next = up->next;
		steps = up->steps + 1;
	}
	for (n += steps; next != 0; c = above(l, c), n--) {
		c->next = next;
		c->steps = n;
		if (c == last)
			break;
	}
}

bool
layouts_finish(struct learned *l, struct work *work, struct err *err)
{
	struct class_layout *c = SCRATCH(l->classes, struct class_layout);
	uint64_t left = 16 * (l->nclasses + l->nfields) + LEFT_LEAST;
	uint32_t word, field;
	enum kept how;

	work_start(work, "classes", l->nclasses);
	for (uint64_t i = 0; i < l->nclasses; i++) {
		if (i % 1024 == 0 && !work_go(work, i, err))
			return false;
		if (!c[i].dump)
			continue;
		word = layout_word_of(l, c[i].name);
		for (size_t k = 0; (field = kept_word_of(l->words, word, k, &how)) != 0; k++)
			keep_field(l, &c[i], field, how, &left);
		if (!c[i].linked)
			link_class(l, &c[i]);
	}
	return true;
}
