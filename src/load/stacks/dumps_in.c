/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dumps and threads being read.
 */
#include "config.h"

#include <assert.h>

#include "dumps_in.h"

void
dumps_open(struct dumps_in *in, struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);

	memset(in, 0, sizeof *in);
	samples_open(&in->s, st, w);
	in->st = st;
	in->work = w;
	in->err = err;
	in->base = (const char *)m->data;
	in->text = in->lines.rest = (struct str){ in->base, (size_t)m->size };
	in->s.counts = COUNT_WEIGHT;
	in->event = samples_event(&in->s, STR("threads"), WEIGHT_COUNT, "threads", err);
	in->bad = in->event == 0;
	/* States are known by their words; the first is unknown. */
	for (unsigned i = 0; i < DUMP_STATES && !in->bad; i++) {
		static const char *const words[] = { DUMP_STATE_WORDS };

		in->bad = samples_state(&in->s, str_of(words[i]), err) == 0;
	}
}

void
dumps_close(struct dumps_in *in)
{
	samples_close(&in->s);
	for (size_t i = 0; i < IN_COLUMNS; i++)
		narrow_free(&in->columns[i]);
	SCRATCH_FREE(&in->dumps, &in->threads, &in->locks, &in->holds, &in->told, &in->frames, &in->exact, &in->open_frames, &in->last);
	idmap_free(&in->by_line);
	idmap_free(&in->by_frame);
	idmap_free(&in->by_exact);
	idmap_free(&in->by_lock);
	idmap_free(&in->by_who);
	idmap_free(&in->by_seen);
	idmap_free(&in->by_listed);
	scratch_free(&in->joins);
	texts_free(&in->own);
	buf_free(&in->text_buf);
	buf_free(&in->other_buf);
	buf_free(&in->name_buf);
}

/* ---- text --------------------------------------------------------------------------- */

struct text_at
dumps_text(struct dumps_in *in, struct str s)
{
	struct text_at at = { 0, 0 };

	s = str_head(s, REF_MAX);
	in->bad = in->bad || !samples_text(&in->s, &in->own, s, &at.ref, &at.own, in->err);
	return at;
}

struct str
dumps_str(const struct dumps_in *in, uint64_t ref, uint32_t own)
{
	return own != 0 ? str_of(texts_at(&in->own, own)) : store_text(in->st, ref);
}

bool
dumps_tick(struct dumps_in *in, uint64_t at)
{
	enum { TICK = 1 << 16 };

	if (!in->bad && at - in->ticked >= TICK) {
		in->ticked = at;
		in->bad = !work_go(in->work, at, in->err);
	}
	return !in->bad;
}

bool
dumps_line(struct dumps_in *in, struct str *line)
{
	in->line_at = in->lines.rest.s;
	return dumps_tick(in, (uint64_t)(in->lines.rest.s - in->base)) && dump_lines_next(&in->lines, line);
}

void
dumps_join_begin(struct dumps_in *in)
{
	buf_clear(&in->name_buf);
	in->njoins = 0;
}

void
dumps_join(struct dumps_in *in, struct str s)
{
	struct in_join new = { s.s, in->name_buf.n, s.n };

	buf_str(&in->name_buf, s);
	in->bad = in->bad || in->name_buf.bad ||
	    !make_add(&in->joins, &in->njoins, &new, sizeof new, UINT32_MAX, "lines of a frame", in->err);
}

/* ---- dumps ---------------------------------------------------------------------------- */

struct in_dump *
dumps_dump(struct dumps_in *in)
{
	assert(!in->in_dump || in->ndumps > 0);
	return in->in_dump ? &SCRATCH(in->dumps, struct in_dump)[in->ndumps - 1] : &in->none;
}

/* The threads of the open dump are complete: they become rows of columns. */
static void
dumps_keep(struct dumps_in *in)
{
	const struct in_thread *t = SCRATCH(in->threads, struct in_thread);
	struct narrow *c = in->columns;
	uint64_t n = in->nthreads - dumps_dump(in)->first;

	for (uint64_t i = 0; i < n && !in->bad; i++, t++) {
		const uint64_t values[IN_COLUMNS] = { t->listed, t->name, t->name_own, t->id, t->id_own, t->tid, t->state, t->raw, t->raw_own,
		    t->want, t->lock, t->holder, t->how, t->stack, t->cpu, t->elapsed, t->count, t->flags, t->queue, t->parent };

		assert(t->holder <= in->nthreads && t->lock <= in->nlocks && t->stack <= in->nexact);
		for (size_t k = 0; k < IN_COLUMNS; k++)
			in->bad = in->bad || !narrow_add(&c[k], values[k], in->err);
	}
}

/* A dump without threads is dropped. */
void
dumps_end(struct dumps_in *in)
{
	struct in_dump *d = dumps_dump(in);

	if (!in->in_dump)
		return;
	dumps_thread_end(in);
	if (in->bad)
		return;
	if (d->first < in->nthreads) {
		dumps_resolve(in);
		dumps_keep(in);
	} else {
		in->nlocks = in->dump_locks;
		in->nholds = in->dump_holds;
		in->ntold = in->dump_told;
		in->ndumps--;
	}
	in->in_dump = in->owned = false;
	idmap_clear(&in->by_lock);
	idmap_clear(&in->by_seen);
}

void
dumps_begin(struct dumps_in *in, enum dump_kind kind, struct str when)
{
	struct in_dump new = { .kind = (uint8_t)kind, .when = dumps_text(in, when).ref };

	assert(kind < DUMP_KINDS);
	dumps_end(in);
	dumps_tell_words(in, when);
	new.time = dumps_time(when);
	new.reason = in->reason;
	in->reason = 0;
	new.first = (uint32_t)in->nthreads;
	in->dump_locks = in->nlocks;
	in->dump_holds = in->nholds;
	in->dump_told = in->ntold;
	in->bad = in->bad || !make_add(&in->dumps, &in->ndumps, &new, sizeof new, MAKE_MOST, "dumps", in->err);
	in->in_dump = !in->bad;
}

void
dumps_reason(struct dumps_in *in, struct str s, bool next)
{
	uint64_t *reason = in->in_dump && !next ? &dumps_dump(in)->reason : &in->reason;

	assert(s.n == 0 || s.s != NULL);
	dumps_tell_words(in, s);
	if (*reason == 0)
		*reason = dumps_text(in, s).ref;
}

void
dumps_other(struct dumps_in *in)
{
	in->count[DROP_OTHER]++;
	dumps_tell_other(in);
	if (in->in_dump)
		dumps_dump(in)->other++;
}

bool
dumps_repeats(struct dumps_in *in, struct str number)
{
	uint32_t row, found;

	dumps_thread_end(in);
	if (!in->in_dump || in->bad)
		return false;
	row = (uint32_t)in->nthreads + 1;
	in->bad = !idmap_enter(&in->by_seen, idmap_hash_text(number, 0), row, &found, in->err);
	return !in->bad && found != row;
}

struct in_thread *
dumps_row(struct dumps_in *in, uint64_t row)
{
	assert(row > dumps_dump(in)->first && row <= in->nthreads);
	return &SCRATCH(in->threads, struct in_thread)[row - 1 - dumps_dump(in)->first];
}

struct in_thread *
dumps_of_number(struct dumps_in *in, struct str number)
{
	uint32_t row = in->in_dump ? idmap_get(&in->by_seen, idmap_hash_text(number, 0)) : 0;

	return row == 0 || row > in->nthreads ? NULL : dumps_row(in, row);
}

/* ---- threads ---------------------------------------------------------------------------- */

void
dumps_thread(struct dumps_in *in, struct str name, const char *at)
{
	struct text_at text;

	dumps_thread_end(in);
	dumps_tell_lines(in, at);
	dumps_tell(in, name, MEANT_WHO, "thread");
	if (in->bad || !in->in_dump)
		return;
	text = dumps_text(in, name);
	in->t = (struct in_thread){ .name = text.ref, .name_own = text.own, .cpu = UINT64_MAX, .elapsed = UINT64_MAX, .count = 1,
	    .offset = at >= in->base ? (uint64_t)(at - in->base) : 0 };
	in->t.name_key = dumps_owner_key(OWNER_NAME, name);
	in->thread_holds = in->nholds;
	in->nopen = 0;
	in->in_thread = true;
	assert(in->ndumps > 0);
}

void
dumps_id(struct dumps_in *in, struct str id)
{
	struct text_at text = dumps_text(in, id);

	dumps_tell_id(in, id);
	in->t.id = text.ref;
	in->t.id_own = text.own;
}

void
dumps_raw(struct dumps_in *in, struct str raw)
{
	struct text_at text = dumps_text(in, raw);

	dumps_tell_words(in, raw);
	in->t.raw = text.ref;
	in->t.raw_own = text.own;
}

/* The row of the same thread in all dumps: by name and id, or by the id of the system. */
static uint32_t
dumps_listed(struct dumps_in *in)
{
	struct in_thread *t = &in->t;
	struct str id = dumps_str(in, t->id, t->id_own), digits = id;
	struct sample_thread new = { .ref = t->name };
	uint64_t key = idmap_hash_text(id, t->name_key), number = t->tid;
	uint32_t row = (uint32_t)in->s.nthreads + 1, found;

	if (id.n == 0 && t->tid != 0)
		key += idmap_hash(t->tid);
	in->bad = !idmap_enter(&in->by_listed, key, row, &found, in->err);
	if (in->bad || found != row)
		return found;
	if (number == 0 && id.n > 0 && (!str_number_any(&digits, &number) || digits.n > 0 || number > UINT32_MAX)) {
		number = 0;
		new.ref = t->name != 0 || t->name_own != 0 ? t->name : t->id;
	}
	new.tid = number > UINT32_MAX ? 0 : (uint32_t)number;
	in->bad = (t->name_own != 0 && !texts_add(&in->s.own, dumps_str(in, 0, t->name_own), &new.own, in->err)) ||
	    !make_add(&in->s.threads, &in->s.nthreads, &new, sizeof new, MAKE_MOST, "threads", in->err);
	return row;
}

bool
dumps_lists(struct dumps_in *in, struct str id)
{
	uint32_t row;

	dumps_thread_end(in);
	if (!in->in_dump || in->bad)
		return false;
	row = idmap_get(&in->by_listed, idmap_hash_text(id, dumps_owner_key(OWNER_NAME, STR(""))));
	return row != 0 && SCRATCH(in->last, uint32_t)[row] > dumps_dump(in)->first;
}

static uint32_t
dumps_exact(struct dumps_in *in)
{
	struct in_exact *e;
	uint32_t at = 0, next;

	for (uint64_t i = in->nopen; i > 0 && !in->bad; i--, at = next) {
		uint32_t frame = SCRATCH(in->open_frames, uint32_t)[i - 1];
		const struct in_frame *f = &SCRATCH(in->frames, struct in_frame)[frame - 1];
		uint64_t key = (uint64_t)at << 32 | frame;

		e = SCRATCH(in->exact, struct in_exact);
		next = in->nexact == 0 ? 0 : e[at].child;
		if (next != 0 && e[next].frame == frame)
			continue;
		if (next != 0 && (next = idmap_get(&in->by_exact, key)) != 0)
			continue;
		/* Row 0 is not a stack. */
		if (make_row(&in->exact, in->nexact + 1, sizeof *e, UINT32_MAX, "different stacks", in->err) == NULL) {
			in->bad = true;
			return 0;
		}
		next = (uint32_t)++in->nexact;
		e = SCRATCH(in->exact, struct in_exact);
		e[next] = (struct in_exact){ .place = f->place, .own = f->own, .method = f->method, .parent = at, .frame = frame,
		    .depth = e[at].depth + 1, .stack = samples_stack(&in->s, e[at].stack, f->method, in->err) };
		in->bad = e[next].stack == 0;
		if (e[at].child == 0)
			e[at].child = next;
		else
			in->bad = in->bad || !idmap_put(&in->by_exact, key, next, in->err);
	}
	return at;
}

static bool
dumps_add(struct dumps_in *in)
{
	uint64_t n = in->nthreads - dumps_dump(in)->first;

	if (!make_add(&in->threads, &n, &in->t, sizeof in->t, MAKE_MOST - in->nthreads, "threads", in->err))
		return false;
	in->nthreads++;
	return true;
}

void
dumps_thread_end(struct dumps_in *in)
{
	struct in_thread *t = &in->t;
	struct sample sample = { .event = in->event };

	if (!in->in_thread || in->bad)
		return;
	if (in->finish != NULL)
		in->finish(in);
	in->in_thread = false;
	t->listed = dumps_listed(in);
	t->stack = dumps_exact(in);
	if (in->bad)
		return;
	assert(t->listed != 0 && t->listed <= in->s.nthreads && t->state < DUMP_STATES);
	in->bad = !scratch_array(&in->last, t->listed + 1ull, sizeof(uint32_t), in->err);
	if (in->bad)
		return;
	SCRATCH(in->last, uint32_t)[t->listed] = (uint32_t)in->nthreads + 1;
	sample.weight = t->count;
	sample.time = dumps_dump(in)->time;
	sample.offset = t->offset;
	sample.thread = t->listed;
	sample.stack = t->stack == 0 ? 0 : SCRATCH(in->exact, struct in_exact)[t->stack].stack;
	sample.state = samples_state(&in->s, str_of((const char *const[]){ DUMP_STATE_WORDS }[t->state]), in->err);
	in->bad = sample.state == 0 || !samples_add(&in->s, &sample, in->err) ||
	    !dumps_add(in);
}
