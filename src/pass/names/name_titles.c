/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * name_titles: classes of other languages, and objects that a person knows by more than their class: functions and
 * what they captured by their names, plain objects by their holders.
 */
#include "config.h"

#include <assert.h>

#include "fold.h"

#define MET 4096u		/* titles that were found not long ago */
#define LOOKED 32u		/* referrers that may say where a function is from */
#define WIDE 64u		/* references: a plain object with more has no fields, but entries */

/* "Session 82:6:12": a class that shares its name also has a place. */
static struct str
name_titles_bare(struct str name)
{
	struct str bare, place;
	unsigned colons = 0;

	if (!str_divide_last(name, ' ', &bare, &place))
		return name;
	for (size_t i = 0; i < place.n; i++) {
		if (!is_digit(place.s[i]) && place.s[i] != ':')
			return name;
		colons += place.s[i] == ':';
	}
	return colons == 2 ? bare : name;
}

uint32_t
title_parts(const struct heap_language *l, struct str named)
{
	struct str name = name_titles_bare(named);
	uint32_t parts = str_glob_list(l->libraries, name) ? CLASS_LIBRARY : str_glob_list(l->runtime, name) ?
	    CLASS_JDK :
	    CLASS_PROGRAM;

	if (str_glob_list(l->titled, name))
		return parts | PART_TITLED;
	if (str_glob_list(l->collections, name))
		parts |= PART_COLLECTION;
	if (str_glob_list(l->parts, name))
		parts |= PART_INNER;
	if (str_glob_list(l->texts, name))
		parts |= PART_STRING;
	if (str_glob_list(l->plain, name))
		parts |= PART_PLAIN;
	if (str_glob_list(l->globals, name))
		parts |= PART_GLOBAL;
	return parts;
}

/* A function with these variables shows the owner of them. */
static uint32_t
name_titles_by(const struct folding *f, uint32_t object)
{
	struct heap_walk w;
	uint32_t holder, n = 0, first = 0;

	heap_in(&f->h, object, &w);
	for (; n < LOOKED && (holder = heap_next(&w, NULL)) != 0; n++) {
		if ((name_class(f, holder)->parts & PART_TITLED) &&
		    heap_class(&f->h, holder) != heap_class(&f->h, object))
			return holder;
		if (first == 0 && !(name_class(f, holder)->parts & (PART_TITLED | PART_INNER)))
			first = holder;
	}
	return first;
}

bool
title_find(struct folding *f, uint32_t object, struct title *title)
{
	const struct name_class *c = name_class(f, object);
	struct title *met;

	*title = (struct title){ object, c->text, c->parts };
	if (!(c->parts & PART_TITLED) || f->h.form->title == NULL)
		return true;
	if (f->titles.raw.data == NULL && !array_grow(&f->titles, MET, f->err))
		return false;
	met = &f->titles.at[object % MET];
	if (met->object != object) {
		buf_clear(&f->name);
		f->h.form->title(f->st, object, name_titles_by(f, object), &f->name);
		if (f->name.bad)
			return fail_memory(f->err, "names");
		if (f->name.n > 0) {
			title->parts = title_parts(f->h.form->language, buf_view(&f->name));
			if (!name_text(f, buf_view(&f->name), &title->text))
				return false;
		}
		*met = *title;
	}
	assert(met->object == object);
	*title = *met;
	return true;
}

bool
title_is_wide(const struct folding *f, uint32_t object)
{
	struct heap_walk w;
	uint32_t n = 0;

	if (!(name_class(f, object)->parts & PART_PLAIN))
		return false;
	heap_out(&f->h, object, &w);
	while (n <= WIDE && heap_next(&w, NULL) != 0)
		n++;
	return n > WIDE;
}

bool
title_label(struct folding *f, uint32_t owner, struct label *label)
{
	const struct fold_node *node;
	uint32_t of = f->of.at[owner - 1];
	struct str before, after;
	struct title title;

	assert(owner > 0 && owner <= f->h.objects);
	if (!title_find(f, owner, &title))
		return false;
	label->holder = title.text;
	label->whose = (uint8_t)(title.parts & (CLASS_KINDS - 1));
	if ((name_class(f, owner)->parts & (PART_TITLED | PART_PLAIN)) == 0)
		return true;
	buf_clear(&f->name);
	if (!(title.parts & PART_PLAIN)) {
		/* "load() in app.js" */
		if (!str_divide(texts_get(&f->texts, title.text), STR("() in "), &before, &after) ||
		    str_has_prefix(before, STR("context of ")) || str_has_prefix(before, STR("suspended ")))
			return true;
		buf_str(&f->name, before);
	} else {
		if (of == 0)
			return true;
		node = &SCRATCH(f->nodes, struct fold_node)[of - 1];
		label->whose = (uint8_t)(node->parts & (CLASS_KINDS - 1));
		if (node->label == 0 || !(label->whose & CLASS_PROGRAM))
			return true;
		if (node->holder != 0 && node->kind != NAME_GC_ROOT &&
		    !str_has_prefix(texts_get(&f->texts, node->holder), STR("{"))) {
			buf_str(&f->name, texts_get(&f->texts, node->holder));
			buf_chr(&f->name, '.');
		}
		buf_str(&f->name, texts_get(&f->texts, node->label));
	}
	return f->name.n == 0 || name_text(f, buf_view(&f->name), &label->holder);
}

bool
title_global(struct folding *f, uint32_t object, struct str name, struct label *label)
{
	struct title title;

	if (!title_find(f, object, &title))
		return false;
	if ((title.parts & CLASS_PROGRAM) || ((title.parts & (PART_COLLECTION | PART_PLAIN | PART_STRING)) &&
	    !str_glob_list(f->h.form->language->known, name)))
		label->whose = CLASS_PROGRAM;
	return true;
}
