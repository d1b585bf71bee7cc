/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * objects_offset: offsets of objects in the file, as 16-bit distances while the order of addresses is mostly
 * that of the file.
 */
#include "config.h"

#include "icecore/columns_objects.h"
#include "icecore/make.h"
#include "objects.h"

#define FAR_SHARE 8u		/* if more than one in this many are far, offsets are stored unchanged */

struct far_object {
	uint64_t	object, offset;
};

static inline uint64_t
objects_offset_of(const struct objects *o, uint64_t i)
{
	return o->offset[i] | (o->high != NULL ? (uint64_t)o->high[i] << 32 : 0);
}

/* Objects that were not met, of a file that has changed since, are far, and none is known. */
static inline bool
is_far(uint64_t offset, uint64_t least)
{
	return offset == 0 || offset - least >= HEAP_LARGE;
}

static inline uint64_t
block_end(const struct objects *o, uint64_t from)
{
	return o->h.objects - from < HEAP_BLOCK ? o->h.objects : from + HEAP_BLOCK;
}

/* The least offset of each block; returns how many objects are far from it. */
static uint64_t
find_least(const struct objects *o, uint64_t *block)
{
	uint64_t n = 0, end, least, most, at;

	for (uint64_t from = 0; from < o->h.objects; from = end) {
		end = block_end(o, from);
		if (from % TICK == 0)
			(void)work_tick(o->work, o->h.size);
		/* Subtract 1, so that 0 (not met) becomes the largest offset. */
		least = UINT64_MAX;
		most = 0;
		for (uint64_t i = from; i < end; i++) {
			at = objects_offset_of(o, i) - 1;
			least = at < least ? at : least;
			most = at > most ? at : most;
		}
		block[from / HEAP_BLOCK] = least + 1;
		for (uint64_t i = from; most - least >= HEAP_LARGE && i < end; i++)
			n += is_far(objects_offset_of(o, i), least + 1);
	}
	return n;
}

/* The objects of a block that are far. */
static bool
put_far(const struct objects *o, uint64_t from, uint64_t least, uint16_t *to, struct scratch *far,
    uint64_t *nfar)
{
	struct far_object row;

	for (uint64_t i = from; i < block_end(o, from); i++) {
		row = (struct far_object){ i + 1, objects_offset_of(o, i) };
		if (!is_far(row.offset, least))
			continue;
		to[i] = HEAP_LARGE;
		if (!scratch_add(far, nfar, &row, sizeof row, o->err))
			return false;
	}
	return true;
}

static bool
put_near(const struct objects *o, const uint64_t *block, struct scratch *far, uint64_t *nfar)
{
	uint16_t *to = store_make(o->st, COL_OBJECT_OFFSET, COL_U16, o->h.objects, o->err);
	uint64_t least, behind, most, end;

	for (uint64_t from = 0; to != NULL && from < o->h.objects; from = end) {
		end = block_end(o, from);
		if (from % TICK == 0 && !work_go(o->work, o->h.size, o->err))
			return false;
		least = block[from / HEAP_BLOCK];
		most = 0;
		for (uint64_t i = from; i < end; i++) {
			behind = objects_offset_of(o, i) - least;
			most = behind > most ? behind : most;
			to[i] = (uint16_t)behind;
		}
		/* An object that was not met is far away, too; least is 0 if none of the block was met. */
		if ((most >= HEAP_LARGE || least == 0) && !put_far(o, from, least, to, far, nfar))
			return false;
	}
	return to != NULL;
}

bool
objects_offsets(const struct objects *o)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_FAR_OBJECT, far_object, object), MAKE_FIT(COL_FAR_OFFSET, far_object, offset)
	};
	uint64_t blocks = (uint64_t)o->h.objects / HEAP_BLOCK + 1, nfar = 0;
	uint64_t *block = store_make(o->st, COL_OFFSET_BLOCK, COL_U64, blocks, o->err);
	OWN_ARRAY(struct far_object) far = ARRAY_INIT;
	bool ok = block != NULL;

	if (ok && find_least(o, block) > o->h.objects / FAR_SHARE) {
		store_trim(o->st, COL_OFFSET_BLOCK, 0);
		ok = make_copy(o->st, COL_OBJECT_OFFSET, COL_U32, o->offset, o->h.objects, o->err) &&
		    (o->high == NULL || make_copy(o->st, COL_OBJECT_HIGH, COL_U8, o->high, o->h.objects,
		    o->err));
	} else
		ok = ok && put_near(o, block, &far.raw, &nfar);
	return ok && make_columns(o->st, columns, NELEM(columns), MAKE_ROWS(far.at, nfar), o->err);
}
