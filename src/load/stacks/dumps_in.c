/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dumps and threads being read.
 */
#include "config.h"

#include <assert.h>

#include "load/decode.h"
#include "dumps_in.h"
#include "text.h"

enum { UNREAD_LINES = 2 };	/* so many lines where the frames of a thread should be are a stack */

void
dumps_open(struct dumps_in *in, struct store *st, struct work *w, struct err *err)
{
	memset(in, 0, sizeof *in);
	samples_open(&in->s, st, w);
	in->err = err;
	counts_open(&in->counts, st, err);
	in->text = (struct str){ in->s.source, (size_t)in->s.source_size };
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
	counts_close(&in->counts);
	for (size_t i = 0; i < IN_COLUMNS; i++)
		narrow_free(&in->columns[i]);
	SCRATCH_FREE(&in->dumps, &in->threads, &in->locks, &in->holds, &in->reports, &in->frames, &in->exact,
	    &in->stack, &in->labels.set, &in->last,
	    &in->meaning.joins);
	for (size_t i = 0; i < IN_MAPS; i++)
		idmap_free(&in->by[i]);
	texts_free(&in->own);
	buf_free(&in->text_buf);
	buf_free(&in->other_buf);
	buf_free(&in->name_buf);
}

/* ---- text --------------------------------------------------------------------------- */

bool
dumps_tick(struct dumps_in *in, uint64_t at)
{
	in->bad = in->bad || !lines_look(&in->lines, at, in->s.work, in->err);
	return !in->bad;
}

bool
dumps_line(struct dumps_in *in, struct str *line)
{
	in->meaning.line = in->lines.rest.s;
	return dumps_tick(in, (uint64_t)(in->lines.rest.s - in->s.source)) && lines_next(&in->lines, line);
}

void
dumps_join_begin(struct dumps_in *in)
{
	buf_clear(&in->name_buf);
	in->meaning.njoins = 0;
}

void
dumps_join(struct dumps_in *in, struct str s)
{
	struct in_join new = { s.s, in->name_buf.n, s.n };

	buf_str(&in->name_buf, s);
	in->bad = in->bad || in->name_buf.bad ||
	    !make_add(&in->meaning.joins, &in->meaning.njoins, &new, sizeof new, UINT32_MAX,
	    "lines of a frame", in->err);
}

/* ---- dumps ---------------------------------------------------------------------------- */

/* The threads of the open dump are complete: they become rows of columns. */
static void
dumps_keep(struct dumps_in *in)
{
	const struct in_thread *t = SCRATCH(in->threads, struct in_thread);
	struct narrow *c = in->columns;
	uint64_t n = in->nthreads - dumps_dump(in)->first;

	for (uint64_t i = 0; i < n && !in->bad; i++, t++) {
		const uint64_t values[IN_COLUMNS] =
		    { t->listed, t->name.ref, t->name.own, t->id.ref, t->id.own, t->tid, t->state, t->raw.ref,
		    t->raw.own, t->want, t->lock, t->holder, t->how, t->stack, t->cpu, t->elapsed, t->count,
		    t->flags, t->queue, t->parent, t->labels };

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
		in->nlocks = in->before.locks;
		in->nholds = in->before.holds;
		in->nreports = in->before.reports;
		in->ndumps--;
	}
	in->in_dump = in->owned = false;
	idmap_clear(&in->by[BY_LOCK]);
	idmap_clear(&in->by[BY_SEEN]);
}

void
dumps_begin(struct dumps_in *in, enum dump_kind kind)
{
	struct in_dump new = { .kind = kind, .time = UINT64_MAX, .reason = in->reason };

	assert(kind < DUMP_KINDS);
	dumps_end(in);
	in->reason = 0;
	new.first = (uint32_t)in->nthreads;
	in->before = (struct in_rows){ in->nlocks, in->nholds, in->nreports };
	MAKE_PUT(in, dumps, new, MAKE_MOST, "dumps");
	in->in_dump = !in->bad;
}

void
dumps_when(struct dumps_in *in, struct str when)
{
	dumps_tell_words(in, when);
	dumps_dump(in)->when = dumps_text(in, when).ref;
	dumps_dump(in)->time = text_time(when);
}

void
dumps_program(struct dumps_in *in, struct str program)
{
	dumps_dump(in)->program = dumps_text(in, program).ref;
}

void
dumps_reason(struct dumps_in *in, struct str s, bool next)
{
	uint64_t *reason = in->in_dump && !next ? &dumps_dump(in)->reason : &in->reason;

	assert(s.n == 0 || s.s != NULL);
	/* A later line tells of itself. */
	if (in->json || s.s < in->lines.rest.s)
		dumps_tell_words(in, s);
	if (*reason == 0)
		*reason = dumps_text(in, s).ref;
}

void
dumps_unread(struct dumps_in *in)
{
	in->count[DROP_OTHER]++;
	in->t.unread += in->in_thread && in->nstack == 0 && in->t.unread < UNREAD_LINES;
	if (in->in_dump)
		dumps_dump(in)->other++;
}

void
dumps_context(struct dumps_in *in)
{
	dumps_tell_other(in);
	in->count[DROP_REPORT]++;
}

void
dumps_between(struct dumps_in *in, struct str s)
{
	dumps_tell_other(in);
	if (!banner_of_dump(s))
		dumps_unread(in);
}

void
dumps_other(struct dumps_in *in)
{
	const char *line = in->json ? in->lines.rest.s : in->meaning.line;
	struct str s = str_until((struct str){ line, (size_t)(in->lines.rest.s - line) }, '\n');

	(void)lines_take_prefix(&s, in->lines.prefix);
	dumps_between(in, text_trim(s));
}

bool
dumps_repeats(struct dumps_in *in, struct str number)
{
	uint32_t row, found;

	dumps_thread_end(in);
	if (!in->in_dump || in->bad)
		return false;
	row = (uint32_t)in->nthreads + 1;
	in->bad = !idmap_enter(&in->by[BY_SEEN], idmap_hash_text(number, 0), row, &found, in->err);
	return !in->bad && found != row;
}

bool
dumps_begin_for(struct dumps_in *in, enum dump_kind kind, struct str number)
{
	if (in->in_dump && !dumps_repeats(in, number))
		return false;
	dumps_begin(in, kind);
	dumps_repeats(in, number);
	return true;
}

struct in_thread *
dumps_of_number(struct dumps_in *in, struct str number)
{
	uint32_t row = in->in_dump ? idmap_get(&in->by[BY_SEEN], idmap_hash_text(number, 0)) : 0;

	return row == 0 || row > in->nthreads ? NULL : dumps_row(in, row);
}

/* ---- threads ---------------------------------------------------------------------------- */

void
dumps_thread(struct dumps_in *in, struct str name, const char *at)
{
	dumps_thread_end(in);
	dumps_tell_lines(in, at);
	dumps_tell(in, name, MEANT_WHO, "thread");
	if (in->bad || !in->in_dump)
		return;
	in->t = (struct in_thread){ .name = dumps_text(in, name), .cpu = UINT64_MAX, .elapsed = UINT64_MAX,
	    .count = 1, .offset = at >= in->s.source ? (uint64_t)(at - in->s.source) : 0 };
	in->t.name_key = dumps_owner_key(OWNER_NAME, name);
	in->thread_holds = in->nholds;
	in->nstack = 0;
	in->in_thread = true;
	assert(in->ndumps > 0);
}

void
dumps_id(struct dumps_in *in, struct str id)
{
	dumps_tell_id(in, id);
	in->t.id = dumps_text(in, id);
}

void
dumps_raw(struct dumps_in *in, struct str raw)
{
	dumps_tell_words(in, raw);
	in->t.raw = dumps_text(in, raw);
}

/* The row of the same thread in all dumps: by name and id, or by the id of the system. */
static uint32_t
dumps_listed(struct dumps_in *in)
{
	struct in_thread *t = &in->t;
	struct str id = dumps_str(in, t->id), digits = id;
	struct sample_thread new = { .ref = t->name.ref };
	uint64_t key = idmap_hash_text(id, t->name_key), number = t->tid;
	uint32_t row = (uint32_t)in->s.nthreads + 1, found;

	if (id.n == 0 && t->tid != 0)
		key += idmap_hash(t->tid);
	in->bad = !idmap_enter(&in->by[BY_LISTED], key, row, &found, in->err);
	if (in->bad || found != row)
		return found;
	if (number == 0 && id.n > 0 &&
	    (!str_number_any(&digits, &number) || digits.n > 0 || number > UINT32_MAX)) {
		number = 0;
		new.ref = t->name.ref != 0 || t->name.own != 0 ? t->name.ref : t->id.ref;
	}
	new.tid = number > UINT32_MAX ? 0 : (uint32_t)number;
	in->bad = (t->name.own != 0 && !texts_add(&in->s.own, dumps_str(in, t->name), &new.own, in->err)) ||
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
	row = idmap_get(&in->by[BY_LISTED], idmap_hash_text(id, dumps_owner_key(OWNER_NAME, STR(""))));
	return row != 0 && SCRATCH(in->last, uint32_t)[row] > dumps_dump(in)->first;
}

static uint32_t
dumps_exact(struct dumps_in *in)
{
	struct in_exact *e;
	uint32_t at = 0, next;

	for (uint64_t i = in->nstack; i > 0 && !in->bad; i--, at = next) {
		uint32_t frame = SCRATCH(in->stack, uint32_t)[i - 1];
		const struct in_frame *f = &SCRATCH(in->frames, struct in_frame)[frame - 1];
		uint64_t key = (uint64_t)at << 32 | frame;

		e = SCRATCH(in->exact, struct in_exact);
		next = in->nexact == 0 ? 0 : e[at].child;
		if (next != 0 && e[next].frame == frame)
			continue;
		if (next != 0 && (next = idmap_get(&in->by[BY_EXACT], key)) != 0)
			continue;
		/* Row 0 is not a stack. */
		if (make_row(&in->exact, in->nexact + 1, sizeof *e, UINT32_MAX, "different stacks",
		    in->err) == NULL) {
			in->bad = true;
			return 0;
		}
		next = (uint32_t)++in->nexact;
		e = SCRATCH(in->exact, struct in_exact);
		e[next] = (struct in_exact){ .place = f->place, .method = f->method, .parent = at,
		    .frame = frame, .depth = e[at].depth + 1,
		    .stack = samples_stack(&in->s, e[at].stack, f->method, in->err) };
		in->bad = e[next].stack == 0;
		if (e[at].child == 0)
			e[at].child = next;
		else
			in->bad = in->bad || !idmap_put(&in->by[BY_EXACT], key, next, in->err);
	}
	return at;
}

void
dumps_thread_end(struct dumps_in *in)
{
	struct in_thread *t = &in->t;
	struct sample sample = { .event = in->event };
	uint64_t n = in->nthreads - dumps_dump(in)->first;

	if (!in->in_thread || in->bad)
		return;
	if (in->reader.finish != NULL)
		in->reader.finish(in);
	in->in_thread = false;
	in->count[DROP_STACKS] += in->nstack == 0 && t->unread == UNREAD_LINES;
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
	sample.labels = t->labels;
	sample.stack = t->stack == 0 ? 0 : SCRATCH(in->exact, struct in_exact)[t->stack].stack;
	sample.state = samples_state(&in->s, str_of((const char *const[]){ DUMP_STATE_WORDS }[t->state]),
	    in->err);
	in->bad = sample.state == 0 || !samples_add(&in->s, &sample, in->err) ||
	    !make_add(&in->threads, &n, t, sizeof *t, MAKE_MOST - in->nthreads, "threads", in->err);
	in->nthreads += !in->bad;
}
