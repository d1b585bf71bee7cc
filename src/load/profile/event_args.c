/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All args of a call, read from their positions in the file.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_trace.h"
#include "icecore/event_args.h"
#include "annotations.h"
#include "chrome_marks.h"

#define ITEMS_MOST 10000u		/* maximum number for one call */
#define BYTES_MOST ((size_t)1 << 20)

struct member {
	struct str	 key;		/* still escaped */
	struct json	 value;
};

struct said {
	struct scratch	 members;	/* in the order of the file */
	struct idmap	 by_key;	/* number, from 1 */
	uint64_t	 n;
	struct buf	 name, value;
	void		(*tell)(void *, const struct event_arg *);
	void		*to;
	size_t		 items, bytes;
	bool		 full, more;	/* limit reached; more members exist than are read */
};

/* ---- values ----------------------------------------------------------------------------------- */

static void
event_args_put_arg(struct said *a, unsigned depth, struct str name, struct str value)
{
	size_t room = BYTES_MOST - a->bytes;
	struct event_arg arg = { depth, name, value };

	if (a->items == ITEMS_MOST || name.n > room) {
		a->full = true;
		return;
	}
	arg.value = str_head(value, room - name.n);
	a->full = arg.value.n < value.n;
	a->items++;
	a->bytes += name.n + arg.value.n;
	a->tell(a->to, &arg);
}

/* Read the value at j and advance j; true: a plain value, as in the file, without members to list. */
static bool
event_args_take_plain(struct json *j, unsigned depth, struct str *raw)
{
	char c = scan_peek(j);
	struct json inner = *j;
	uint64_t from = j->at;

	if (c != '{' && c != '[')
		return scan_word(j, raw);
	inner.at++;
	c = scan_peek(&inner);
	if (depth + 1 < ARGS_DEPTH && c != '}' && c != ']')
		return false;
	scan_skip(j);
	*raw = (struct str){ j->base + from, (size_t)(j->at - from) };
	return true;
}

/* Read a member of the args, with nested members. */
static void
tell_value(struct said *a, struct str key, struct json j)
{
	uint64_t item[ARGS_DEPTH] = { 0 };	/* number of members so far */
	bool list[ARGS_DEPTH] = { false };
	struct str name = scan_unescape(key, &a->name), raw;
	char number[24];
	unsigned depth = 0;

	while (!a->full) {
		char open = scan_peek(&j);

		if (event_args_take_plain(&j, depth, &raw)) {
			event_args_put_arg(a, depth, name, open == '"' ? scan_unescape(raw, &a->value) : raw);
		} else if (j.bad) {
			return;
		} else {
			event_args_put_arg(a, depth, name, STR(""));
			scan_open(&j, open);
			list[++depth] = open == '[';
			item[depth] = 0;
		}
		while (depth > 0 && !(list[depth] ? scan_item(&j) : scan_member(&j, &key)))
			depth--;
		if (depth == 0)
			return;
		snprintf(number, sizeof number, "[%llu]", (unsigned long long)item[depth]++);
		name = list[depth] ? str_of(number) : scan_unescape(key, &a->name);
	}
}

/* ---- members ---------------------------------------------------------------------------------- */

/* Add the members of an object.  A duplicate name replaces the earlier value. */
static bool
event_args_add_members(struct said *a, struct json j, struct err *err)
{
	struct member new;
	uint32_t number;

	if (j.at == j.size || !scan_open(&j, '{'))
		return true;
	while (scan_member(&j, &new.key)) {
		new.value = j;
		number = idmap_get(&a->by_key, idmap_hash_text(new.key, 0));
		if (number != 0)
			SCRATCH(a->members, struct member)[number - 1].value = j;
		else if (a->n == ITEMS_MOST)
			a->more = true;
		else if (!scratch_add(&a->members, &a->n, &new, sizeof new, err) ||
		    !idmap_put(&a->by_key, idmap_hash_text(new.key, 0), (uint32_t)a->n, err))
			return false;
		if (!scan_skip(&j))
			break;
	}
	return true;
}

/* Read the args of a begin or an end; at = size: none. */
static struct json
args_at(const struct store *st, column_id col, uint64_t row)
{
	const struct map *m = store_source(st);

	return chrome_args_at((struct json){ .base = (const char *)m->data, .size = m->size },
	    store_cell(st, col, row));
}

bool
event_args(const struct store *st, uint64_t row, void (*tell)(void *, const struct event_arg *), void *to)
{
	struct said a = { .by_key = IDMAP_INIT, .name = BUF_INIT, .value = BUF_INIT, .tell = tell, .to = to };
	struct err err;
	bool ok;

	if (store_column(st, COL_ARGS_PLACE) != NULL)
		return annotations_tell(st, store_cell(st, COL_EVENT_ARGS, row),
		    store_cell(st, COL_EVENT_END_ARGS, row), tell, to);
	ok = event_args_add_members(&a, args_at(st, COL_EVENT_ARGS, row), &err) && event_args_add_members(&a,
	    args_at(st, COL_EVENT_END_ARGS, row), &err);

	for (uint64_t i = 0; ok && !a.full && i < a.n; i++)
		tell_value(&a, SCRATCH(a.members, struct member)[i].key, SCRATCH(a.members, struct member)[i].value);
	ok = ok && !a.full && !a.more && !a.name.bad && !a.value.bad;
	scratch_free(&a.members);
	idmap_free(&a.by_key);
	buf_free(&a.name);
	buf_free(&a.value);
	return ok;
}

void
args_detail(const struct store *st, uint64_t begin, uint64_t end, struct buf *to)
{
	annotations_detail(st, begin, end, to);
}

void
event_detail(const struct store *st, uint64_t row, struct buf *to)
{
	const struct json args[] = { args_at(st, COL_EVENT_ARGS, row), args_at(st, COL_EVENT_END_ARGS, row) };
	struct jload l = { .text = BUF_INIT };

	if (store_column(st, COL_ARGS_PLACE) != NULL) {
		annotations_detail(st, store_cell(st, COL_EVENT_ARGS, row),
		    store_cell(st, COL_EVENT_END_ARGS, row), to);
		return;
	}
	chrome_detail_add(&l, args, to);
	to->bad |= l.text.bad;
	buf_free(&l.text);
}
