/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks being read: words, processes, instants, spans; and their columns.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "profile.h"

struct word {
	uint64_t	ref;
	uint32_t	own;
};

/* Open spans of one key. */
struct span_list {
	uint32_t	within, name;
	uint32_t	top;		/* the innermost one */
};

/* Sort by decreasing total, then by first appearance. */
struct sorted_operation {
	uint64_t	order;
	struct mark_operation is;
};

#define LIST(m, i) (&SCRATCH((m)->lists.rows, struct span_list)[(i) - 1])

/* ---- rows by their leading key bytes -------------------------------------------------- */

uint32_t
mark_set_add(struct mark_set *s, const void *row, size_t key, size_t size, const char *what, struct err *err)
{
	uint64_t hash;
	uint32_t id;

	for (uint64_t seed = 0; ; seed++) {
		hash = hash_bytes(row, key, idmap_hash(seed));
		if ((id = idmap_get(&s->by_key, hash)) == 0)
			break;
		if (memcmp(s->rows.data + (id - 1) * size, row, key) == 0)
			return id;
	}
	return make_add(&s->rows, &s->n, row, size, MAKE_MOST, what, err) &&
	    idmap_put(&s->by_key, hash, (uint32_t)s->n, err) ? (uint32_t)s->n : 0;
}

void
mark_set_free(struct mark_set *s)
{
	scratch_free(&s->rows);
	idmap_free(&s->by_key);
}

void
marks_close(struct marks_in *m)
{
	texts_free(&m->own);
	SCRATCH_FREE(&m->words, &m->instants, &m->spans, &m->counts, &m->series, &m->levels);
	idmap_free(&m->by_word);
	mark_set_free(&m->processes);
	mark_set_free(&m->counters);
	mark_set_free(&m->lists);
	mark_set_free(&m->operations);
	mark_set_free(&m->tracks);
}

/* ---- words -------------------------------------------------------------------------- */

struct str
marks_text(const struct marks_in *m, uint32_t word)
{
	const struct word *w;

	if (word == 0)
		return STR("");
	w = &SCRATCH(m->words, struct word)[word - 1];
	return samples_text_at(&m->l->samples, &m->own, w->ref, w->own);
}

bool
marks_word_of(struct marks_in *m, struct str s, uint32_t *word, struct err *err)
{
	struct word new;
	uint64_t key;

	*word = 0;
	s.n = s.n > REF_MAX ? REF_MAX : s.n;
	if (s.n == 0)
		return true;
	for (uint64_t seed = 0; ; seed++) {
		key = hash_bytes(s.s, s.n, idmap_hash(seed));
		if ((*word = idmap_get(&m->by_word, key)) == 0)
			break;
		if (str_eq(marks_text(m, *word), s))
			return true;
	}
	if (!samples_text(&m->l->samples, &m->own, s, &new.ref, &new.own, err) ||
	    !make_add(&m->words, &m->nwords, &new, sizeof new, MAKE_MOST, "names", err))
		return false;
	*word = (uint32_t)m->nwords;
	return idmap_put(&m->by_word, key, *word, err);
}

bool
marks_word(struct marks_in *m, struct str raw, uint32_t *word, struct err *err)
{
	struct str s = scan_unescape(raw, &m->l->text);

	/* Like a row found by its bytes, but the name is not in the source. */
	if (s.s == m->l->text.s)
		for (size_t i = 0; i < s.n; i++)
			if (m->l->text.s[i] == '\0')
				m->l->text.s[i] = '\1';
	return m->l->text.bad ? fail(err, E_SYSTEM, "out of memory (name)") : marks_word_of(m, s, word, err);
}

bool
marks_word_columns(const struct marks_in *m, struct err *err)
{
	static const struct make_column words[] = { MAKE(COL_WORD_REF, word, ref), MAKE(COL_WORD_OWN, word, own) };
	struct store *st = m->l->st;

	return make_columns(st, words, NELEM(words), MAKE_ROWS(SCRATCH(m->words, struct word), m->nwords), err) &&
	    make_copy(st, COL_WORD_TEXT, COL_BYTES, m->own.bytes.data, m->own.size, err);
}

/* ---- processes ------------------------------------------------------------------------ */

uint32_t
marks_process(struct marks_in *m, struct str pid, uint32_t serial, struct err *err)
{
	struct mark_process new = { .serial = serial };

	if (!marks_word(m, pid, &new.pid, err))
		return 0;
	return mark_set_add(&m->processes, &new, offsetof(struct mark_process, name), sizeof new, "processes", err);
}

struct mark_process *
marks_process_at(const struct marks_in *m, uint32_t process)
{
	assert(process != 0 && process <= m->processes.n);
	return &SCRATCH(m->processes.rows, struct mark_process)[process - 1];
}

bool
marks_process_columns(const struct marks_in *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_PROCESS_PID, mark_process, pid), MAKE(COL_PROCESS_NAME, mark_process, name),
	};

	return make_columns(m->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(m->processes.rows, struct mark_process), m->processes.n), err);
}

bool
marks_parent_columns(const struct marks_in *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_PROCESS_UID, mark_process, uid), MAKE(COL_PROCESS_PARENT, mark_process, parent),
		MAKE(COL_PROCESS_COMMAND, mark_process, command),
	};

	return make_columns(m->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(m->processes.rows, struct mark_process), m->processes.n), err);
}

/* ---- instants ------------------------------------------------------------------------- */

bool
marks_order(const struct marks_in *m, struct scratch *rows, uint64_t n, size_t size, struct err *err)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t *time = (uint64_t *)(void *)(rows->data + i * size);

		*time = m->shown(m->clock, *time);
	}
	return make_sort(rows, n, size, m->l->work, err);
}

bool
marks_instant(struct marks_in *m, const struct mark_instant *new, struct err *err)
{
	m->on_tracks |= new->track != 0;
	return make_add(&m->instants, &m->ninstants, new, sizeof *new, MAKE_MOST, "instants", err);
}

bool
marks_instant_columns(struct marks_in *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_INSTANT_TIME, mark_instant, time), MAKE(COL_INSTANT_NAME, mark_instant, name),
		MAKE(COL_INSTANT_CAT, mark_instant, cat), MAKE(COL_INSTANT_DETAIL, mark_instant, detail),
		MAKE(COL_INSTANT_SCOPE, mark_instant, scope), MAKE(COL_INSTANT_LETTER, mark_instant, letter),
		MAKE(COL_INSTANT_THREAD, mark_instant, thread), MAKE(COL_INSTANT_PROCESS, mark_instant, process),
		MAKE(COL_INSTANT_TRACK, mark_instant, track),
	};

	return marks_order(m, &m->instants, m->ninstants, sizeof(struct mark_instant), err) &&
	    make_columns(m->l->st, columns, NELEM(columns) - !m->on_tracks,
	    MAKE_ROWS(SCRATCH(m->instants, struct mark_instant), m->ninstants), err);
}

/* ---- spans ---------------------------------------------------------------------------- */

struct mark_span *
marks_span(const struct marks_in *m, uint64_t span)
{
	assert(span != 0 && span <= m->nspans && m->span_size >= sizeof(struct mark_span));
	return (struct mark_span *)(void *)(m->spans.data + (span - 1) * m->span_size);
}

/* Return the list of that key; 0: out of memory. */
static uint32_t
marks_in_list_of(struct marks_in *m, uint32_t within, uint32_t name, struct err *err)
{
	struct span_list new = { within, name, 0 };

	return mark_set_add(&m->lists, &new, offsetof(struct span_list, top), sizeof new, "names", err);
}

bool
marks_begin(struct marks_in *m, void *row, uint32_t within, uint32_t name, struct err *err)
{
	struct mark_span *new = row;

	if ((new->list = marks_in_list_of(m, within, name, err)) == 0)
		return false;
	new->outer = LIST(m, new->list)->top;
	new->open = 1;
	if (!make_add(&m->spans, &m->nspans, row, m->span_size, MAKE_MOST, "spans", err))
		return false;
	LIST(m, new->list)->top = (uint32_t)m->nspans;
	return true;
}

bool
marks_innermost(struct marks_in *m, uint32_t within, uint32_t name, uint32_t *span, struct err *err)
{
	uint32_t list = marks_in_list_of(m, within, name, err);

	*span = list == 0 ? 0 : LIST(m, list)->top;
	return list != 0;
}

struct mark_span *
marks_end(struct marks_in *m, uint32_t span, uint64_t time)
{
	struct mark_span *s = marks_span(m, span);

	assert(s->open && LIST(m, s->list)->top == span);
	LIST(m, s->list)->top = s->outer;
	s->end = time;
	s->open = 0;
	return s;
}

struct mark_operation *
marks_operation(struct marks_in *m, uint32_t cat, uint32_t name, uint32_t track, uint32_t process, struct err *err)
{
	struct mark_operation new = { .cat = cat, .name = name, .track = track, .process = process };
	uint32_t row = mark_set_add(&m->operations, &new, offsetof(struct mark_operation, count), sizeof new,
	    "names", err);

	return row == 0 ? NULL : &SCRATCH(m->operations.rows, struct mark_operation)[row - 1];
}

bool
marks_sum_spans(struct marks_in *m, struct err *err)
{
	for (uint64_t i = 1; i <= m->nspans; i++) {
		const struct mark_span *s = marks_span(m, i);
		uint64_t length = s->open ? 0 : s->end - s->start;
		struct mark_operation *o = marks_operation(m, s->cat, s->kind != 0 ? s->kind : s->name,
		    s->track, s->process, err);

		if (o == NULL)
			return false;
		o->open += s->open;
		o->count += !s->open;
		o->total = num_add(o->total, length);
		o->max = length > o->max ? length : o->max;
	}
	return true;
}

bool
marks_operation_columns(const struct marks_in *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_OPERATION_NAME, sorted_operation, is.name),
		MAKE(COL_OPERATION_CAT, sorted_operation, is.cat),
		MAKE(COL_OPERATION_COUNT, sorted_operation, is.count),
		MAKE(COL_OPERATION_TOTAL, sorted_operation, is.total),
		MAKE(COL_OPERATION_MAX, sorted_operation, is.max),
		MAKE(COL_OPERATION_POINTS, sorted_operation, is.points),
		MAKE(COL_OPERATION_OPEN, sorted_operation, is.open),
		MAKE(COL_OPERATION_TRACK, sorted_operation, is.track),
		MAKE(COL_OPERATION_PROCESS, sorted_operation, is.process),
	};
	struct scratch sorted = SCRATCH_INIT;
	uint64_t n = m->operations.n;
	bool ok = scratch_array(&sorted, n, sizeof(struct sorted_operation), err);

	for (uint64_t i = 0; ok && i < n; i++) {
		const struct mark_operation *o = &SCRATCH(m->operations.rows, struct mark_operation)[i];

		SCRATCH(sorted, struct sorted_operation)[i] = (struct sorted_operation){ UINT64_MAX - o->total, *o };
	}
	ok = ok && make_sort(&sorted, n, sizeof(struct sorted_operation), m->l->work, err) &&
	    make_columns(m->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(sorted, struct sorted_operation), n), err);
	scratch_free(&sorted);
	return ok;
}
