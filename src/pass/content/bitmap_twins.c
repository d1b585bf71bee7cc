/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bitmap_twins: which bitmaps have the same pixels.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/make.h"
#include "bitmaps.h"

#define SLICE (256u << 10)	/* bytes between two ticks */
#define TRIES 16		/* different contents of one hash: no accident makes a second */

/* A bitmap with data; bitmaps with equal content are adjacent in the end. */
struct twin {
	uint64_t	hash;
	uint32_t	i;		/* place of the bitmap in the list */
	bool		done;
};

/* ---- contents --------------------------------------------------------------------- */

static bool
hash_of(const struct bitmap *b, uint64_t *done, uint64_t *hash, struct work *w, struct err *err)
{
	const uint64_t of[] = { b->width, b->height, b->format, b->image };
	uint8_t head[sizeof of];
	uint64_t h, n;

	/* Bytes in this order give the same hash on every processor. */
	for (size_t i = 0; i < sizeof head; i++)
		head[i] = (uint8_t)(of[i / 8] >> i % 8 * 8);
	h = hash_bytes(head, sizeof head, 1);
	for (uint64_t at = 0; at < b->size; at += n) {
		n = b->size - at < SLICE ? b->size - at : SLICE;
		h = hash_bytes(b->data + at, n, h);
		*done += n;
		if (!work_go(w, *done, err))
			return false;
	}
	/* 0 means no data. */
	*hash = h != 0 ? h : 1;
	return true;
}

static bool
bitmap_twins_same(const struct bitmap *a, const struct bitmap *b, bool *is, struct work *w, struct err *err)
{
	uint64_t n;

	*is = a->width == b->width && a->height == b->height && a->format == b->format &&
	    a->image == b->image && a->size == b->size;
	for (uint64_t at = 0; *is && a->data != b->data && at < a->size; at += n) {
		n = a->size - at < SLICE ? a->size - at : SLICE;
		*is = memcmp(a->data + at, b->data + at, n) == 0;
		if (!work_go(w, 0, err))
			return false;
	}
	return true;
}

/* ---- groups -------------------------------------------------------------------------- */

static uint32_t
bitmap_twins_object_at(const struct bitmaps *all, uint32_t i)
{
	return all->list.at[i];
}

/* The first of t, and those that equal it. */
static bool
take_group(struct bitmaps *all, struct twin *t, uint64_t n, struct work *w, struct err *err)
{
	struct bitmap_twins *twins = all->twins.at;
	struct bitmap leader, other;
	uint32_t copies = 0;
	bool is;

	bitmap_get(all, bitmap_twins_object_at(all, t->i), &leader);
	for (uint64_t i = 0; i < n; i++) {
		if (t[i].done || !bitmap_get(all, bitmap_twins_object_at(all, t[i].i), &other))
			continue;
		if (!bitmap_twins_same(&leader, &other, &is, w, err))
			return false;
		if (!is)
			continue;
		t[i].done = true;
		copies++;
		twins[t[i].i].first = leader.object;
	}
	/* The first equals itself. */
	assert(copies > 0 && t[0].done);
	for (uint64_t i = 0; i < n; i++)
		if (twins[t[i].i].first == leader.object)
			twins[t[i].i].copies = copies;
	return true;
}

static bool
group_all(struct bitmaps *all, struct twin *t, uint64_t n, struct work *w, struct err *err)
{
	uint64_t to;
	unsigned tries = 0;

	for (uint64_t from = 0; from < n; from++) {
		assert(from == 0 || t[from - 1].hash <= t[from].hash);
		if (from == 0 || t[from].hash != t[from - 1].hash)
			tries = 0;
		if (t[from].done || tries == TRIES)
			continue;
		tries++;
		for (to = from + 1; to < n && t[to].hash == t[from].hash; to++)
			;
		if (to - from > 1 && !take_group(all, t + from, to - from, w, err))
			return false;
	}
	return true;
}

/* ---- all ------------------------------------------------------------------------------- */

/* Each one alone so far, and a twin for each that has data. */
static bool
hash_all(struct bitmaps *all, struct scratch *list, uint64_t *n, struct work *w, struct err *err)
{
	struct bitmap_twins *twins;
	struct twin one = { .done = false };
	uint64_t done = 0;
	struct bitmap b;

	if (!array_grow(&all->twins, all->n, err))
		return false;
	twins = all->twins.at;
	work_start(w, "contents of bitmaps", 0);
	for (uint32_t i = 0; i < all->n; i++) {
		twins[i] = (struct bitmap_twins){ .first = bitmap_twins_object_at(all, i), .copies = 1 };
		if (!work_go(w, done, err))
			return false;
		if (!bitmap_get(all, bitmap_twins_object_at(all, i), &b) || b.data == NULL)
			continue;
		one.i = i;
		if (!hash_of(&b, &done, &one.hash, w, err) || !scratch_add(list, n, &one, sizeof one, err))
			return false;
		twins[i].hash = one.hash;
	}
	return true;
}

static bool
find_shared(struct bitmaps *all, struct work *w, struct err *err)
{
	struct bitmap_twins *twins = all->twins.at;
	OWN_IDMAP arrays = IDMAP_INIT;
	struct bitmap b;
	bool ok = true;

	for (uint32_t i = 0; ok && i < all->n; i++) {
		if (!work_tick(w, i))
			ok = fail_cancel(err);
		else if (twins[i].copies > 1 && bitmap_get(all, bitmap_twins_object_at(all, i), &b) &&
		    b.place == BITMAP_JAVA) {
			twins[i].shares = idmap_get(&arrays, b.buffer) != 0;
			ok = idmap_put(&arrays, b.buffer, 1, err);
		}
	}
	return ok;
}

static bool
bitmap_twins_find_twins(struct bitmaps *all, struct work *w, struct err *err)
{
	ARRAY(struct twin) list = ARRAY_INIT;
	uint64_t n = 0;
	bool ok = hash_all(all, &list.raw, &n, w, err) &&
	    make_sort(&list.raw, n, sizeof(struct twin), w, err);

	ok = ok && group_all(all, list.at, n, w, err) && find_shared(all, w, err);
	array_free(&list);
	all->twins_known = ok;
	return ok;
}

bool
bitmap_twins(struct bitmaps *all, uint32_t object, struct bitmap_twins *out, struct work *w,
    struct err *err)
{
	uint32_t row = bitmaps_row(all, object);

	*out = (struct bitmap_twins){ .first = object, .copies = 1 };
	if (!all->twins_known && !bitmap_twins_find_twins(all, w, err))
		return false;
	if (row < all->n)
		*out = all->twins.at[row];
	return true;
}
