/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * offset: two traces of one run on one axis, by when the threads they share were busy.
 *
 * Time is cut into bins; a thread is busy in a bin or not.  The offset is where these bits of both traces
 * agree best (their correlation), first over all offsets with wide bins, then around the best one with
 * narrower ones.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/track.h"
#include "pass/calls/calls.h"

#define SHARED 16u		/* threads that are looked at, at most */
#define BINS 8192u		/* bins of the longer trace, at first */
#define FINER 8u		/* bins that a bin becomes */
#define LEVELS 3u
#define AROUND 3u		/* bins to both sides that are looked through again with narrower ones */

struct side {
	const struct store	*st;
	uint32_t		 thread[SHARED];
	uint64_t		 length;		/* ns */
	uint64_t		 bins;
	ARRAY(float)	busy;			/* ns in each bin, thread by thread */
	ARRAY(uint64_t)	bits;			/* a bit a bin, thread by thread */
	ARRAY(uint32_t)	before;		/* ones before each word */
};

struct match {
	struct side	side[2];
	size_t		n;			/* threads */
	uint64_t	width;			/* width of a bin, ns */
};

/* ---- threads that both have ---------------------------------------------------------- */

static uint64_t
tid_of(const struct store *st, uint64_t thread)
{
	return store_cell(st, COL_THREAD_TID, thread);
}

static uint64_t
threads_of(const struct store *st)
{
	return column_rows(store_column(st, COL_THREAD_TID));
}

static void
offset_add_pair(struct match *m, uint32_t mine, uint32_t other)
{
	assert(m->n < SHARED);
	m->side[0].thread[m->n] = mine;
	m->side[1].thread[m->n++] = other;
}

static bool
offset_by_tid(struct match *m)
{
	const struct store *a = m->side[0].st, *b = m->side[1].st;
	OWN_IDMAP tids = IDMAP_INIT;
	bool ok = true;
	uint32_t other;

	for (uint64_t i = 1; ok && i <= threads_of(b); i++)
		if (tid_of(b, i) != 0)
			ok = idmap_put(&tids, tid_of(b, i), (uint32_t)i, NULL);
	for (uint64_t i = 1; ok && i <= threads_of(a) && m->n < SHARED; i++)
		if ((other = idmap_get(&tids, tid_of(a, i))) != 0)
			offset_add_pair(m, (uint32_t)i, other);
	return ok;
}

/* The kernel keeps 15 bytes of a name. */
static uint64_t
offset_name_key(const struct store *st, uint64_t thread, struct buf *b)
{
	buf_clear(b);
	thread_name(st, (uint32_t)thread, b);
	return b->n == 0 ? 0 : hash_bytes(b->s, b->n < 15 ? b->n : 15, 0) | 1;
}

/* Names shared by several threads are useless here. */
static bool
offset_names_of(const struct store *st, struct idmap *names, struct buf *b)
{
	uint64_t key;

	for (uint64_t i = 1; i <= threads_of(st) && i < UINT32_MAX; i++) {
		key = offset_name_key(st, i, b);
		if (key != 0 && !idmap_put(names, key,
		    idmap_get(names, key) != 0 ? UINT32_MAX : (uint32_t)i, NULL))
			return false;
	}
	return true;
}

static bool
offset_by_name(struct match *m)
{
	const struct store *a = m->side[0].st, *b = m->side[1].st;
	OWN_IDMAP mine = IDMAP_INIT, others = IDMAP_INIT;
	OWN_BUF name = BUF_INIT;
	bool ok = offset_names_of(a, &mine, &name) && offset_names_of(b, &others, &name);
	uint64_t key;
	uint32_t other;

	for (uint64_t i = 1; ok && i <= threads_of(a) && m->n < SHARED; i++) {
		key = offset_name_key(a, i, &name);
		other = key == 0 || idmap_get(&mine, key) != i ? 0 : idmap_get(&others, key);
		if (other != 0 && other != UINT32_MAX)
			offset_add_pair(m, (uint32_t)i, other);
	}
	return ok;
}

/* ---- when they were busy ---------------------------------------------------------------- */

/* Spreads an amount of busy time evenly from from to to. */
static void
add_busy(const struct match *m, uint64_t bins, float *busy, uint64_t from, uint64_t to, double part)
{
	uint64_t start, end;

	for (uint64_t i = from / m->width; i < bins && i * m->width < to; i++) {
		start = i * m->width > from ? i * m->width : from;
		end = (i + 1) * m->width < to ? (i + 1) * m->width : to;
		busy[i] += (float)((double)(end - start) * part);
	}
}

static void
busy_by_track(const struct match *m, const struct side *s, const struct track *t, float *busy)
{
	uint64_t from, to, v, next;

	for (uint64_t i = t->first; i + 1 < t->first + t->n; i++) {
		from = column_get(t->time, i);
		to = column_get(t->time, i + 1);
		v = column_get(t->value, i);
		next = column_get(t->value, i + 1);
		if (to <= from)
			continue;
		if (t->kind == TRACK_STATE) {
			if (v < STATE_NONE && state_class(s->st, (uint32_t)v) == STATE_RUNNING)
				add_busy(m, s->bins, busy, from, to, 1);
		} else if (next > v)
			add_busy(m, s->bins, busy, from, to, next - v >= to - from ? 1 :
			    (double)(next - v) / (double)(to - from));
	}
}

/* Without tracks a thread is taken to be busy where it has records. */
static bool
busy_by_records(const struct match *m, struct side *s, float *busy)
{
	uint64_t at;
	struct replay r;
	struct event_run run;
	struct err err;
	size_t k;
	bool ok = replay_open(&r, s->st, NULL, &err);

	while (ok && replay_next(&r, &run)) {
		for (k = 0; k < m->n && s->thread[k] != run.thread; k++)
			;
		for (uint32_t i = 0; k < m->n && i < run.n; i++) {
			at = trace_ns(s->st, run.ev[i].wall) / m->width;
			if (at < s->bins)
				busy[k * s->bins + at] = (float)m->width;
		}
	}
	replay_close(&r);
	return ok;
}

static bool
has_activity(const struct store *st, uint32_t thread, struct track *t)
{
	return (track_find(st, thread, "state", t) && t->kind == TRACK_STATE && t->n > 1) ||
	    (track_find(st, thread, "cpu", t) && t->kind == TRACK_CPU && t->n > 1);
}

static bool
read_busy(const struct match *m, struct side *s)
{
	float *busy = s->busy.at;
	bool any = false;
	struct track t;

	memset(busy, 0, s->busy.raw.size);
	for (size_t k = 0; k < m->n; k++)
		if (has_activity(s->st, s->thread[k], &t)) {
			busy_by_track(m, s, &t, busy + k * s->bins);
			any = true;
		}
	return any || busy_by_records(m, s, busy);
}

/* A thread counts as busy in a bin when it ran for a quarter of it. */
static bool
make_bits(struct match *m, struct side *s)
{
	uint64_t words, i, *bits;
	uint32_t *before;
	float *busy;

	assert(m->n > 0 && m->width > 0);
	s->bins = s->length / m->width + 1;
	words = s->bins / 64 + 2;
	if (!array_grow(&s->busy, s->bins * m->n, NULL) ||
	    !array_grow(&s->bits, words * m->n, NULL) ||
	    !array_grow(&s->before, words * m->n, NULL) || !read_busy(m, s))
		return false;
	memset(s->bits.raw.data, 0, s->bits.raw.size);
	busy = s->busy.at;
	for (uint64_t k = 0; k < m->n; k++) {
		bits = s->bits.at + k * words;
		before = s->before.at + k * words;
		for (i = 0; i < s->bins; i++)
			bits[i / 64] |= (uint64_t)(busy[k * s->bins + i] * 4 > (float)m->width) << i % 64;
		for (before[0] = 0, i = 1; i < words; i++)
			before[i] = before[i - 1] + (uint32_t)__builtin_popcountll(bits[i - 1]);
	}
	return true;
}

/* ---- how well they agree ---------------------------------------------------------------- */

struct row {
	const uint64_t	*bits;
	const uint32_t	*before;
};

static struct row
offset_row_of(const struct side *s, size_t k)
{
	uint64_t words = s->bins / 64 + 2;

	return (struct row){ s->bits.at + k * words, s->before.at + k * words };
}

static uint64_t
ones(const struct row *r, uint64_t end)
{
	uint64_t part = r->bits[end / 64] & (((uint64_t)1 << end % 64) - 1);

	return r->before[end / 64] + (unsigned)__builtin_popcountll(part);
}

static uint64_t
bits_at(const struct row *r, uint64_t at)
{
	unsigned shift = at % 64;

	return shift == 0 ? r->bits[at / 64] : r->bits[at / 64] >> shift | r->bits[at / 64 + 1] << (64 - shift);
}

/* Bits that both have in n bins, from bin a of the one and b of the other. */
static uint64_t
offset_both(const struct row *x, uint64_t a, const struct row *y, uint64_t b, uint64_t n)
{
	uint64_t word, sum = 0;

	for (uint64_t i = 0; i < n; i += 64) {
		word = bits_at(x, a + i) & bits_at(y, b + i);
		if (n - i < 64)
			word &= ((uint64_t)1 << (n - i)) - 1;
		sum += (unsigned)__builtin_popcountll(word);
	}
	return sum;
}

/* Square of the correlation with the other trace so many bins later; less when they share little time. */
static double
agreement(const struct match *m, int64_t shift)
{
	const struct side *a = &m->side[0], *b = &m->side[1];
	uint64_t from = shift > 0 ? (uint64_t)shift : 0, skip = shift < 0 ? (uint64_t)-shift : 0, n;
	uint64_t least = a->bins < b->bins ? a->bins : b->bins;
	double cov = 0, var_a = 0, var_b = 0;

	if (from >= a->bins || skip >= b->bins)
		return 0;
	n = a->bins - from < b->bins - skip ? a->bins - from : b->bins - skip;
	if (n < least / 4 || n < 16)
		return 0;
	for (size_t k = 0; k < m->n; k++) {
		struct row x = offset_row_of(a, k), y = offset_row_of(b, k);
		double in_a = (double)(ones(&x, from + n) - ones(&x, from));
		double in_b = (double)(ones(&y, skip + n) - ones(&y, skip));

		cov += (double)offset_both(&x, from, &y, skip, n) - in_a * in_b / (double)n;
		var_a += in_a - in_a * in_a / (double)n;
		var_b += in_b - in_b * in_b / (double)n;
	}
	return var_a <= 0 || var_b <= 0 || cov <= 0 ? 0 :
	    cov * cov / (var_a * var_b) * (double)n / (double)least;
}

/*
 * The best shift between from and to, its quality, and the quality of the best one that is not adjacent to
 * it.
 */
static int64_t
best_shift(const struct match *m, int64_t from, int64_t to, double *first, double *second)
{
	int64_t best = 0, beside = (int64_t)(m->side[0].bins / 64) + 8;
	double v;

	*first = *second = 0;
	for (int64_t shift = from; shift <= to; shift++)
		if ((v = agreement(m, shift)) > *first) {
			*first = v;
			best = shift;
		}
	for (int64_t shift = from; shift <= to; shift++)
		if ((shift < best - beside || shift > best + beside) && (v = agreement(m, shift)) > *second)
			*second = v;
	return best;
}

/* All the way if two thirds of the data agree, and at most half as much elsewhere. */
static unsigned
how_sure(double first, double second)
{
	double apart = (first - second) / first * 4 / 3, good = first * 9 / 4;

	assert(first > 0 && second <= first);
	return (unsigned)(100 * (apart < 1 ? apart : 1) * (good < 1 ? good : 1));
}

static bool
find_offset(struct match *m, int64_t *offset, unsigned *sure)
{
	uint64_t longer = m->side[0].length > m->side[1].length ? m->side[0].length : m->side[1].length;
	double first, second, unused;
	int64_t shift, from, to;

	m->width = longer / BINS + 1;
	if (!make_bits(m, &m->side[0]) || !make_bits(m, &m->side[1]))
		return false;
	shift = best_shift(m, -(int64_t)m->side[1].bins, (int64_t)m->side[0].bins, &first, &second);
	if (first <= 0)
		return false;
	*sure = how_sure(first, second);
	*offset = shift * (int64_t)m->width;
	for (unsigned level = 1; level < LEVELS && m->width > FINER; level++) {
		m->width = (m->width + FINER - 1) / FINER;
		if (!make_bits(m, &m->side[0]) || !make_bits(m, &m->side[1]))
			break;
		from = *offset / (int64_t)m->width - (int64_t)(AROUND * FINER);
		to = *offset / (int64_t)m->width + (int64_t)(AROUND * FINER);
		shift = best_shift(m, from, to, &first, &unused);
		if (first <= 0)
			break;
		*offset = shift * (int64_t)m->width;
	}
	return true;
}

bool
track_offset(const struct store *st, const struct store *other, int64_t *offset, unsigned *sure)
{
	struct match m = { .n = 0 };
	bool ok;

	*offset = 0;
	*sure = 0;
	for (size_t i = 0; i < 2; i++) {
		m.side[i].st = i == 0 ? st : other;
		m.side[i].length = tracks_end(m.side[i].st);
	}
	ok = offset_by_tid(&m) && (m.n > 0 || offset_by_name(&m)) && m.n > 0 && find_offset(&m, offset, sure);
	for (size_t i = 0; i < 2; i++)
		SCRATCH_FREE(&m.side[i].busy, &m.side[i].bits, &m.side[i].before);
	return ok;
}
