/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * args: where the args of track events stand, and the texts that they refer to by numbers.  They are read
 * when they are asked for.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_trace.h"
#include "perfetto.h"

enum { KIND_NAME = 3, KIND_VALUE = 29, PREFIX_MOST = 10 };

SHAPE(arg_named, "name", FIELDS_NAMED)

/* A row of args.place. */
struct event_args {
	uint64_t	place;
	uint32_t	names;
};

/* A text with a number. */
struct arg_text {
	uint64_t	of, number, place;
};

/* Bytes that were unpacked are kept, with their length before them. */
static bool
args_keep(struct perfetto *p, struct str s, uint64_t *place, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok;

	proto_put_varint(&b, s.n);
	buf_str(&b, s);
	*place = 1 + p->file.n + p->arg.nargs_own;
	ok = (!b.bad || fail(err, E_SYSTEM, "out of memory (args)")) &&
	    scratch_array(&p->arg.args_own, p->arg.nargs_own + b.n, 1, err);
	if (ok) {
		memcpy(p->arg.args_own.data + p->arg.nargs_own, b.s, b.n);
		p->arg.nargs_own += b.n;
	}
	buf_free(&b);
	return ok;
}

/* 1 + where the length stands that is before these bytes; it may be padded. */
static bool
args_place(struct perfetto *p, struct str s, uint64_t *place, struct err *err)
{
	uint64_t at = pf_offset(p, s.s), n;

	for (unsigned k = 1; at < p->file.n && k <= PREFIX_MOST && k <= at; k++) {
		struct str prefix = { p->file.s + at - k, k };

		if (proto_varint(&prefix, &n) && prefix.n == 0 && n == s.n) {
			*place = 1 + at - k;
			return true;
		}
	}
	return args_keep(p, s, place, err);
}

bool
pf_args(struct perfetto *p, const struct pf_row *r, uint32_t *number, struct err *err)
{
	struct event_args new = { .names = pf_state(p, r->a)->names };

	if (!args_place(p, pf_bytes(p, r->at, r->n), &new.place, err) ||
	    !PF_ADD(p->arg, args, new, "args", err))
		return false;
	*number = (uint32_t)p->arg.nargs;
	assert(p->arg.nargs <= UINT32_MAX);
	return true;
}

/* ---- columns ------------------------------------------------------------------------------------------- */

static bool
put_rows(struct perfetto *p, column_id col, bool of_end, struct err *err)
{
	const struct calls_in *c = &p->l->spans.calls;
	const struct span_args *args = SCRATCH(c->args, struct span_args);
	enum column_type type = column_fit(p->arg.nargs);
	void *to = store_make(p->l->st, col, type, c->nargs, err);

	for (uint64_t i = 0; to != NULL && i < c->nargs; i++)
		column_set(to, type, i, of_end ? args[i].end : args[i].begin);
	return to != NULL;
}

static bool
calls_columns(struct perfetto *p, struct err *err)
{
	const struct calls_in *c = &p->l->spans.calls;
	bool ends = false;

	for (uint64_t i = 0; i < c->nargs; i++)
		ends |= SCRATCH(c->args, struct span_args)[i].end != 0;
	return c->nargs == 0 || (put_rows(p, COL_EVENT_ARGS, false, err) &&
	    (!ends || put_rows(p, COL_EVENT_END_ARGS, true, err)));
}

static int
by_number(const void *x, const void *y)
{
	const struct arg_text *a = x, *b = y;

	return num_order(a->of, b->of, num_order(a->number, b->number, 0));
}

/* The texts of all states that an event with args has. */
static bool
find_texts(struct perfetto *p, struct scratch *texts, uint64_t *n, struct err *err)
{
	struct scratch used = SCRATCH_INIT;
	bool ok = scratch_array(&used, p->seq.nnames + 1ull, 1, err);

	for (uint64_t i = 0; ok && i < p->arg.nargs; i++) {
		assert(SCRATCH(p->arg.args, struct event_args)[i].names <= p->seq.nnames);
		used.data[SCRATCH(p->arg.args, struct event_args)[i].names] = 1;
	}
	for (uint64_t i = 0; ok && i < p->seq.ninterned; i++) {
		const struct pf_interned *t = &SCRATCH(p->seq.interned, struct pf_interned)[i];
		struct arg_text new = { .of = (uint64_t)t->names << 8 | t->field, .number = t->iid };
		struct arg_named in;
		struct str text;

		if ((t->field != KIND_NAME && t->field != KIND_VALUE) || !used.data[t->names])
			continue;
		(void)arg_named_read(pf_bytes(p, t->at, t->n), &in, NULL);
		text = str_head(in.name, PF_TEXT_MOST);
		ok = text.n == 0 || args_place(p, text, &new.place, err);
		ok = ok && make_add(texts, n, &new, sizeof new, MAKE_MOST, "names of args", err);
	}
	scratch_free(&used);
	if (ok && *n > 0)
		qsort(texts->data, *n, sizeof(struct arg_text), by_number);
	return ok;
}

bool
pf_args_columns(struct perfetto *p, struct err *err)
{
	static const struct make_column args[] = { MAKE_FIT(COL_ARGS_PLACE, event_args, place),
	    MAKE(COL_ARGS_NAMES, event_args, names) }, columns[] = { MAKE(COL_ARG_TEXT_OF, arg_text, of),
	    MAKE(COL_ARG_TEXT_NUMBER, arg_text, number), MAKE_FIT(COL_ARG_TEXT_PLACE, arg_text, place) },
	    marks[] = { MAKE(COL_INSTANT_ARGS, mark_instant, args) };
	struct scratch texts = SCRATCH_INIT;
	uint64_t n = 0;
	bool ok;

	if (p->arg.nargs == 0)
		return true;
	ok = calls_columns(p, err) && find_texts(p, &texts, &n, err) &&
	    make_columns(p->l->st, args, NELEM(args), MAKE_ROWS(SCRATCH(p->arg.args, struct event_args),
	    p->arg.nargs), err) && make_columns(p->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(texts, struct arg_text), n), err) &&
	    make_columns(p->l->st, marks, NELEM(marks),
	    MAKE_ROWS(SCRATCH(p->marks.instants, struct mark_instant), p->marks.ninstants), err) &&
	    pf_async_args(p, err) && make_copy(p->l->st, COL_ARGS_OWN, COL_BYTES, p->arg.args_own.data,
	    p->arg.nargs_own, err);
	scratch_free(&texts);
	return ok;
}
