/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asks: command-line options for the loader of a format.
 */
#include "config.h"

#include "icecore/facts.h"

#include "asks.h"

enum ask_kind { ASK_TEXT, ASK_LIST, ASK_FLAG };

static const struct ask {
	const char	*option;
	enum fact_id	 fact;
	unsigned	 shape;		/* shape of the formats that have the option */
	enum ask_kind	 kind;
	size_t		 at;		/* in struct ask_options */
} asks[] = {
#define ASK(name, handle, shape, kind) { #name, FACT_TRACE_ASK_##handle, shape, kind, \
    offsetof(struct ask_options, name) }
	ASK(path, PATH, SHAPE_TABLE, ASK_TEXT), ASK(weight, WEIGHT, SHAPE_TABLE, ASK_LIST),
	    ASK(time, TIME, SHAPE_TABLE, ASK_TEXT),
	ASK(sep, SEP, SHAPE_TABLE, ASK_TEXT), ASK(decimal, DECIMAL, SHAPE_TABLE, ASK_TEXT),
	    ASK(header, HEADER, SHAPE_TABLE, ASK_TEXT),
	ASK(raw, RAW, SHAPE_TABLE, ASK_FLAG),
	ASK(by, BY, SHAPE_MONEY, ASK_TEXT), ASK(categories, CATEGORIES, SHAPE_MONEY, ASK_TEXT),
	ASK(full, FULL, SHAPE_MONEY, ASK_FLAG), ASK(pending, PENDING, SHAPE_MONEY, ASK_FLAG),
	ASK(detail, DETAIL, SHAPE_MARKS, ASK_FLAG),
};

/* Return the value of an option as text: a word, words separated by newlines, or "yes"; empty: not given. */
static struct str
asked_text(const struct ask_options *o, const struct ask *a, struct buf *b)
{
	const char *const *list;
	const void *at;

	if (o == NULL)
		return STR("");
	at = (const char *)o + a->at;
	if (a->kind == ASK_FLAG)
		return *(const bool *)at ? STR("yes") : STR("");
	if (a->kind == ASK_TEXT)
		return str_of(*(const char *const *)at);
	buf_clear(b);
	list = *(const char *const *const *)at;
	for (size_t i = 0; list != NULL && list[i] != NULL; i++)
		buf_printf(b, "%s%s", i > 0 ? "\n" : "", list[i]);
	return buf_view(b);
}

bool
asks_same(const struct store *st, const struct ask_options *o, unsigned shapes)
{
	struct buf b = BUF_INIT;
	bool same = true;

	for (size_t i = 0; same && i < NELEM(asks); i++)
		same = (asks[i].shape & shapes) == 0 ||
		    str_eq(fact_text(st, asks[i].fact), asked_text(o, &asks[i], &b));
	same = same && !b.bad;
	buf_free(&b);
	return same;
}

bool
asks_fit(const struct ask_options *o, const struct loader *l, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok = true;

	for (size_t i = 0; ok && i < NELEM(asks); i++)
		ok = (asks[i].shape & l->shapes) != 0 || asked_text(o, &asks[i], &b).n == 0 ||
		    fail(err, E_USAGE, "--%s is for %s; this file is read as %s", asks[i].option,
		    asks[i].shape == SHAPE_TABLE ? "tables" : asks[i].shape == SHAPE_MONEY ?
		    "bank statements" : "trace events", l->name);
	buf_free(&b);
	return ok;
}

bool
asks_put(struct store *st, const struct ask_options *o, struct err *err)
{
	struct buf b = BUF_INIT;
	struct str text;
	bool ok = true;

	for (size_t i = 0; ok && i < NELEM(asks); i++) {
		text = asked_text(o, &asks[i], &b);
		ok = text.n == 0 || fact_set_text(st, asks[i].fact, text, err);
	}
	ok = ok && (!b.bad || fail(err, E_SYSTEM, "out of memory (options)"));
	buf_free(&b);
	return ok;
}
