/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clocks: times of many clocks become times of one.
 *
 * A snapshot records the values of several clocks at one moment.  Clocks that share a snapshot are
 * neighbours.  A time is converted to the trace's clock over the fewest neighbours, each time by the
 * difference in the last snapshot before it.
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

/* turns: how often ways between clocks may change */
enum { SETS_MOST = 4096, CLOCKS_MOST = 4096, TURNS_MOST = 1024 };

#define CLOCK(c, i) (&SCRATCH((c)->clocks, struct pf_clock)[i])
#define SET(c, i) (&SCRATCH((c)->sets, struct pf_clock_set)[i])

/* A clock in a snapshot. */
struct clock_value {
	uint64_t	key, multiplier;
	int64_t		value;
	bool		incremental;
};

/* Clocks from 64 to 127 belong to the sequence that defines them. */
uint64_t
pf_clock_key(uint32_t sequence, uint32_t id)
{
	return (id >= 64 && id < 128 ? (uint64_t)sequence << 32 : 0) | id;
}

static uint64_t
target(const struct pf_clocks *c)
{
	return pf_clock_key(0, c->trace != 0 ? c->trace : CLOCK_OF_BOOTTIME);
}

void
pf_clocks_close(struct pf_clocks *c)
{
	for (uint64_t i = 0; i < c->nsets; i++)
		scratch_free(&SET(c, i)->values);
	SCRATCH_FREE(&c->clocks, &c->sets);
	idmap_free(&c->by_key);
	idmap_free(&c->by_set);
}

/* ---- ways ----------------------------------------------------------------------------- */

static const int64_t *
values_of(const struct pf_clock_set *s, uint64_t row)
{
	return &SCRATCH(s->values, int64_t)[row * s->n];
}

/* The clocks that were met, and how. */
struct walk {
	uint32_t	at[64], from[64];
	struct pf_hop	hop[64];
	unsigned	n;
};

static bool
walk_has(const struct walk *w, uint32_t clock)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->at[i] == clock)
			return true;
	return false;
}

/* Adds the neighbours of a clock; false: the trace's clock is among them, the last one. */
static bool
clocks_walk_on(const struct pf_clocks *c, struct walk *w, unsigned from)
{
	for (uint32_t s = 0; s < c->nsets; s++) {
		const struct pf_clock_set *set = SET(c, s);
		uint32_t at = 0;

		while (at < set->n && set->clock[at] != w->at[from])
			at++;
		for (uint32_t i = 0; at < set->n && i < set->n && w->n < NELEM(w->at); i++) {
			if (walk_has(w, set->clock[i]))
				continue;
			w->at[w->n] = set->clock[i];
			w->from[w->n] = from;
			w->hop[w->n++] = (struct pf_hop){ s, at, i };
			if (CLOCK(c, set->clock[i])->key == target(c))
				return false;
		}
	}
	return true;
}

static void
clocks_find_way(struct pf_clocks *c, uint32_t clock)
{
	struct pf_clock *k = CLOCK(c, clock);
	struct walk w = { .at = { clock }, .n = 1 };
	unsigned hops = 0, last;

	k->version = c->version;
	k->hops = PF_HOPS + 1;
	for (unsigned i = 0; i < w.n; i++) {
		if (CLOCK(c, w.at[i])->falls || clocks_walk_on(c, &w, i))
			continue;
		for (last = w.n - 1; last != 0; last = w.from[last])
			hops++;
		if (hops > PF_HOPS)
			return;
		k->hops = hops;
		for (last = w.n - 1; last != 0; last = w.from[last])
			k->hop[--hops] = w.hop[last];
		return;
	}
}

/* The last snapshot of a set whose clock was not later than this; the first where all were. */
static uint64_t
snapshot_at(const struct pf_clock_set *s, uint32_t clock, int64_t ns)
{
	uint64_t low = 0, high = s->rows;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;

		if (values_of(s, mid)[clock] <= ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 ? low - 1 : 0;
}

static int64_t
clocks_sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

bool
pf_clock_convert(struct pf_clocks *c, uint64_t key, int64_t time, int64_t *ns)
{
	uint32_t at = idmap_get(&c->by_key, key);
	struct pf_clock *k = at > 0 ? CLOCK(c, at - 1) : NULL;

	*ns = k == NULL ? time : (int64_t)((uint64_t)time * k->multiplier);
	if (k != NULL && k->incremental)
		*ns = k->last = clocks_sum(k->last, *ns);
	if (key == target(c))
		return true;
	if (k == NULL)
		return false;
	if (k->version != c->version)
		clocks_find_way(c, at - 1);
	if (k->hops > PF_HOPS)
		return false;
	for (uint32_t i = 0; i < k->hops; i++) {
		const struct pf_clock_set *s = SET(c, k->hop[i].set);
		const int64_t *v = values_of(s, snapshot_at(s, k->hop[i].from, *ns));

		*ns = clocks_sum(*ns, (int64_t)((uint64_t)v[k->hop[i].to] - (uint64_t)v[k->hop[i].from]));
	}
	return true;
}

bool
pf_clock_realtime(const struct pf_clocks *c, int64_t time, int64_t *ns)
{
	for (uint64_t i = 0; i < c->nsets; i++) {
		const struct pf_clock_set *s = SET(c, i);
		uint32_t from = s->n, to = s->n;
		const int64_t *v;

		for (uint32_t k = 0; k < s->n; k++) {
			from = CLOCK(c, s->clock[k])->key == target(c) ? k : from;
			to = CLOCK(c, s->clock[k])->key == CLOCK_OF_REALTIME ? k : to;
		}
		if (from == s->n || to == s->n || s->rows == 0)
			continue;
		v = values_of(s, snapshot_at(s, from, time));
		*ns = clocks_sum(time, (int64_t)((uint64_t)v[to] - (uint64_t)v[from]));
		return true;
	}
	return false;
}

/* ---- snapshots -------------------------------------------------------------------------- */

/* The row of a clock; UINT32_MAX: it contradicts what it was, or there are too many. */
static uint32_t
clocks_clock_of(struct pf_clocks *c, const struct clock_value *t, struct err *err)
{
	struct pf_clock new = { .key = t->key, .multiplier = t->multiplier, .incremental = t->incremental };
	uint32_t at;

	if ((t->incremental && t->key < 128 && t->key >> 32 == 0 && t->key < 64) ||
	    (t->key == target(c) && t->multiplier != 1) ||
	    !idmap_enter(&c->by_key, t->key, (uint32_t)c->nclocks + 1, &at, err))
		return UINT32_MAX;
	if (at > c->nclocks && c->nclocks == CLOCKS_MOST)
		return UINT32_MAX;
	if (at > c->nclocks && !make_add(&c->clocks, &c->nclocks, &new, sizeof new, CLOCKS_MOST, "clocks",
	    err))
		return UINT32_MAX;
	return CLOCK(c, at - 1)->multiplier == t->multiplier &&
	    CLOCK(c, at - 1)->incremental == t->incremental ? at - 1 : UINT32_MAX;
}

/* The set of these clocks, in their order; NULL: failure. */
static struct pf_clock_set *
set_of(struct pf_clocks *c, const uint32_t *clock, uint32_t n, struct err *err)
{
	struct pf_clock_set new = { .n = n };
	uint64_t key = idmap_hash_text((struct str){ (const char *)clock, n * sizeof *clock }, n);
	uint32_t at;

	memcpy(new.clock, clock, n * sizeof *clock);
	if (!idmap_enter(&c->by_set, key, (uint32_t)c->nsets + 1, &at, err))
		return NULL;
	if (at > c->nsets) {
		if (c->nsets == SETS_MOST)
			return NULL;
		if (!make_add(&c->sets, &c->nsets, &new, sizeof new, SETS_MOST, "sets of clocks", err))
			return NULL;
		c->version++;
	}
	return SET(c, at - 1)->n == n && memcmp(SET(c, at - 1)->clock, clock, n * sizeof *clock) == 0 ?
	    SET(c, at - 1) : NULL;
}

static bool
take_values(struct pf_clocks *c, struct pf_clock_set *s, const struct clock_value *t, struct err *err)
{
	int64_t v[PF_SET_CLOCKS];

	for (uint32_t i = 0; i < s->n; i++) {
		struct pf_clock *k = CLOCK(c, s->clock[i]);

		v[i] = (int64_t)((uint64_t)t[i].value * k->multiplier);
		if (s->rows > 0 && v[i] < values_of(s, s->rows - 1)[i]) {
			if (k->key == target(c)) {
				c->bad++;
				return true;
			}
			c->version += !k->falls;
			k->falls = true;
		}
	}
	if (!scratch_array(&s->values, (s->rows + 1) * s->n, sizeof *v, err))
		return false;
	memcpy(&SCRATCH(s->values, int64_t)[s->rows++ * s->n], v, s->n * sizeof *v);
	for (uint32_t i = 0; i < s->n; i++)
		CLOCK(c, s->clock[i])->last = v[i];
	c->snapshots++;
	return true;
}

static bool
add_snapshot(struct pf_clocks *c, const struct clock_value *t, uint32_t n, struct err *err)
{
	uint32_t clock[PF_SET_CLOCKS];
	struct pf_clock_set *s;

	err->kind = E_NONE;
	for (uint32_t i = 0; i < n; i++) {
		clock[i] = clocks_clock_of(c, &t[i], err);
		for (uint32_t k = 0; k < i && clock[i] != UINT32_MAX; k++)
			if (clock[k] == clock[i])
				clock[i] = UINT32_MAX;
		if (clock[i] == UINT32_MAX) {
			c->bad++;
			return err->kind == E_NONE;
		}
	}
	s = set_of(c, clock, n, err);
	c->bad += s == NULL;
	return s == NULL ? err->kind == E_NONE : take_values(c, s, t, err);
}

bool
pf_clock_pair(struct pf_clocks *c, const uint64_t key[2], const int64_t value[2], struct err *err)
{
	const struct clock_value v[2] = { { key[0], 1, value[0], false }, { key[1], 1, value[1], false } };

	return add_snapshot(c, v, 2, err);
}

#define CLOCK_IN(F) F(1, id, U64) F(2, value, I64) F(3, incremental, U64) F(4, multiplier, U64)
SHAPE(clock_in, "clock_snapshot.clocks", CLOCK_IN)
SHAPE(clocks_in, "clock_snapshot", FIELDS_CLOCKS)

static bool
read_clock(struct str in, uint32_t sequence, struct clock_value *v, uint32_t *id)
{
	struct clock_in c;
	bool whole = clock_in_read(in, &c, NULL);

	*id = (uint32_t)c.id;
	*v = (struct clock_value){ pf_clock_key(sequence, *id), c.multiplier != 0 ? c.multiplier : 1, c.value,
	    c.incremental != 0 };
	return whole && *id != 0 && (sequence != 0 || *id < 64 || *id > 127);
}

bool
pf_clock_snapshot(struct pf_clocks *c, struct str s, uint32_t sequence, struct err *err)
{
	struct clock_value v[PF_SET_CLOCKS];
	struct clocks_in all;
	bool bad = !clocks_in_read(s, &all, NULL), boot = false, file = false;
	uint32_t n = 0, id, primary = (uint32_t)all.primary;

	SHAPE_EACH(s, 1, in) {
		if (n == PF_SET_CLOCKS || !read_clock(in, sequence, &v[n++], &id)) {
			c->bad++;
			return true;
		}
		boot |= id == CLOCK_OF_BOOTTIME;
		file |= id == CLOCK_OF_FILE;
	}
	if (primary == 0 && boot && !file)
		primary = CLOCK_OF_BOOTTIME;
	c->bad += bad;
	if (n > 0 && primary != 0 && primary != c->trace && c->version < TURNS_MOST) {
		c->version++;
		c->trace = primary;
	}
	return n == 0 || add_snapshot(c, v, n, err);
}
