/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read records of a method trace from the file, or from columns for text formats.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "trace.h"

#define V2_BLOCK_HEADER 12
/* Later times of damaged blocks are clipped (2 years of ns), so that sums of times do not overflow. */
#define TIME_MAX ((uint64_t)1 << 56)

/* Columns with a wrong type or length were not written by a loader. */
static bool
records_open_columns(struct records *r, const struct store *st, struct err *err)
{
	const struct column *time = store_column(st, COL_EVENT_TIME);
	const struct column *word = store_column(st, COL_EVENT_WORD);
	const struct column *tid = store_column(st, COL_EVENT_TID);
	const struct column *cpu = store_column(st, COL_EVENT_CPU);

	if (time == NULL || word == NULL || time->type != COL_U64 || word->type != COL_U32 ||
	    time->rows < r->rows || word->rows < r->rows ||
	    (tid != NULL && (tid->type != COL_U32 || tid->rows < r->rows)) ||
	    (cpu != NULL && (cpu->type != COL_U64 || cpu->rows < r->rows)))
		return fail(err, E_SYSTEM, "index does not match the trace; --no-index ignores it");
	r->event.time = column_all(time);
	r->event.cpu = column_all(cpu);
	r->event.word = column_all(word);
	r->event.tid = column_all(tid);
	r->event.only = (uint32_t)column_get(store_column(st, COL_LISTED_TID), 0);
	return true;
}

/* The facts may come from a damaged index: all fields of a record must be inside it. */
static bool
layout_fits(const struct records_layout *l)
{
	return (l->tidsize == 1 || l->tidsize == 2) && l->recsize >= 9 &&
	    (l->wall_at == NO_CLOCK || l->wall_at + 4 <= l->recsize) &&
	    (l->cpu_at == NO_CLOCK || l->cpu_at + 4 <= l->recsize);
}

bool
records_open(struct records *r, const struct store *st, struct err *err)
{
	const struct map *m = store_source(st);

	memset(r, 0, sizeof *r);
	r->seg_offset = store_column(st, COL_SEGMENT_OFFSET);
	r->seg_row = store_column(st, COL_SEGMENT_ROW);
	if (r->seg_offset == NULL || r->seg_row == NULL)
		return fail(err, E_USAGE, "no method trace records in this file");
	r->data = m->data;
	r->size = m->size;
	r->rows = fact_value(st, FACT_RECORDS);
	r->wide = fact_value(st, FACT_TRACE_WIDE) != 0;
	r->freq = fact_value(st, FACT_TRACE_FREQ);
	r->layout.kind = (uint8_t)fact_value(st, FACT_TRACE_LAYOUT);
	r->layout.recsize = (uint16_t)fact_value(st, FACT_TRACE_RECSIZE);
	r->layout.tidsize = (uint8_t)fact_value(st, FACT_TRACE_TIDSIZE);
	r->layout.wall_at = (uint8_t)fact_value(st, FACT_TRACE_WALL_AT);
	r->layout.cpu_at = (uint8_t)fact_value(st, FACT_TRACE_CPU_AT);
	if (r->layout.kind == LAYOUT_FIXED && !layout_fits(&r->layout))
		return fail(err, E_SYSTEM, "index does not match: records of %u bytes", r->layout.recsize);
	if (r->layout.kind == LAYOUT_COLUMNS && !records_open_columns(r, st, err))
		return false;
	return records_seek(r, 0) || r->rows == 0 || fail(err, E_SYSTEM,
	    "index does not match the trace; --no-index ignores it");
}

static void
enter_segment(struct records *r, uint64_t seg)
{
	assert(seg < r->seg_row->rows);
	r->seg = seg;
	r->row = column_get(r->seg_row, seg);
	r->at = column_get(r->seg_offset, seg);
	r->seg_end = seg + 1 < r->seg_row->rows ?
	    column_get(r->seg_row, seg + 1) : r->rows;
	/* In a damaged index a segment may be after the last row, or after the next segment. */
	if (r->seg_end > r->rows)
		r->seg_end = r->rows;
	if (r->row > r->seg_end)
		r->row = r->seg_end;
	memset(&r->block, 0, sizeof r->block);
}

bool
records_seek(struct records *r, uint64_t row)
{
	struct record skip[256];
	uint64_t n, seg;

	if (row >= r->rows || r->seg_row->rows == 0) {
		r->row = r->rows;
		return false;
	}
	/* Enter the last segment whose first row is at most row. */
	seg = column_place(r->seg_row, row + 1);
	enter_segment(r, seg == 0 ? 0 : seg - 1);
	if (r->layout.kind == LAYOUT_COLUMNS) {
		r->row = row;
		return true;
	}
	if (r->layout.kind == LAYOUT_FIXED) {
		/* The first segment of a damaged index may begin after row. */
		if (row < r->row) {
			r->row = r->rows;
			return false;
		}
		r->at += (row - r->row) * r->layout.recsize;
		r->row = row;
		return true;
	}
	while (r->row < row) {
		n = row - r->row < NELEM(skip) ? row - r->row : NELEM(skip);
		if (records_read(r, skip, NULL, n) == 0)
			return false;
	}
	return true;
}

/* ---- records of fixed size ---------------------------------------------------- */

static inline void
fixed_record(const uint8_t *p, const struct records_layout *l, struct record *out)
{
	uint32_t word = le32(p + l->tidsize);

	out->tid = l->tidsize == 1 ? p[0] : le16(p);
	out->method = word & ~3u;
	out->action = word & 3;
	out->cpu = l->cpu_at == NO_CLOCK ? 0 : le32(p + l->cpu_at);
	out->wall = l->wall_at == NO_CLOCK ? 0 : le32(p + l->wall_at);
}

static size_t
read_fixed(struct records *r, struct record *out, uint64_t *offsets, size_t max)
{
	/* By value, so that the compiler keeps it in registers. */
	const struct records_layout l = r->layout;
	const uint8_t *p;
	size_t n = max;

	/* checked by records_open */
	assert(l.recsize >= l.tidsize + 4u);
	/* The segment may come from an outdated index: do not read beyond the file. */
	if (r->at > r->size)
		return 0;
	if (n > (r->size - r->at) / l.recsize)
		n = (size_t)((r->size - r->at) / l.recsize);
	p = r->data + r->at;
	if (l.tidsize == 2 && l.cpu_at == 6 && l.wall_at == 10) {
		static const struct records_layout dual = {
			.kind = LAYOUT_FIXED, .tidsize = 2, .wall_at = 10, .cpu_at = 6
		};

		for (size_t i = 0; i < n; i++)
			fixed_record(p + i * l.recsize, &dual, &out[i]);
	} else {
		for (size_t i = 0; i < n; i++)
			fixed_record(p + i * l.recsize, &l, &out[i]);
	}
	for (size_t i = 0; offsets != NULL && i < n; i++)
		offsets[i] = r->at + i * l.recsize;
	r->at += n * l.recsize;
	return n;
}

/* ---- delta-encoded blocks ------------------------------------------------------- */

/* Read the header of the block at r->at. Revision A: it contains its first record. */
static bool
open_block(struct records *r)
{
	bool a = r->layout.kind == LAYOUT_V2A, dual = r->layout.recsize;
	unsigned head = !a ? V2_BLOCK_HEADER : dual ? 21 : 17;
	const uint8_t *p;
	uint64_t size;

	if (r->at > r->size || r->size - r->at < head)
		return false;
	p = r->data + r->at;
	size = a ? le16(p + head - 2) : le32(p + 8);
	/* Deltas are read up to the end of the block, which must be in the file. */
	if (size > r->size - r->at - head)
		return false;
	memset(&r->block, 0, sizeof r->block);
	r->block.tid = le32(p + 1);
	r->block.left = a ? le16(p + head - 4) + 1 : le24(p + 5);
	r->block.end = r->at + head + size;
	r->block.first = a;
	if (a) {
		r->block.method = le32(p + 5);
		if (r->layout.cpu_at != NO_CLOCK)
			r->block.cpu = le32(p + 9);
		if (r->layout.wall_at != NO_CLOCK)
			r->block.wall = le32(p + (dual ? 13 : 9));
	}
	r->at += head;
	return true;
}

/* Add the next delta to *v. */
static inline bool
add_signed(struct records *r, uint64_t *v)
{
	uint64_t d;
	bool ok = sleb(r->data, &r->at, r->block.end, &d);

	*v += ok ? d : 0;
	return ok;
}

static inline bool
add_unsigned(struct records *r, uint64_t *v)
{
	uint64_t d;
	bool ok = uleb(r->data, &r->at, r->block.end, &d);

	*v += ok ? d : 0;
	return ok;
}

/* Revisions A and B: method and action as one delta, then the clocks. */
static bool
delta_record(struct records *r, struct record *out)
{
	uint64_t word = r->block.method;

	if (!r->block.first && (!add_signed(r, &word) ||
	    (r->layout.wall_at != NO_CLOCK && !add_unsigned(r, &r->block.wall)) ||
	    (r->layout.cpu_at != NO_CLOCK && !add_unsigned(r, &r->block.cpu))))
		return false;
	r->block.first = false;
	if (r->layout.kind == LAYOUT_V2B)
		r->block.method = word;
	out->method = word & ~(uint64_t)3;
	out->action = word & 3;
	return true;
}

/* Revision C: time and action as one delta; only an enter names its method. */
static bool
counter_record(struct records *r, struct record *out)
{
	static const uint32_t actions[] = {
		ACT_ENTER, ACT_EXIT_TOP, ACT_UNROLL_TOP, ACT_OTHER
	};
	uint64_t ticks;

	if (!add_signed(r, &r->block.wall) || (r->layout.cpu_at != NO_CLOCK && !add_signed(r, &r->block.cpu)) ||
	    ((r->block.wall & 3) == ACT_ENTER && !add_signed(r, &r->block.method)))
		return false;
	ticks = r->block.wall >> 2;
	out->action = actions[r->block.wall & 3];
	out->method = r->block.method & ~(uint64_t)3;
	out->wall = r->freq == 0 ? ticks :
	    (uint64_t)((unsigned __int128)ticks * 1000000000 / r->freq);
	return true;
}

/*
 * Times of damaged blocks: negative, or so large that sums over threads would overflow (two years in nanoseconds).
 */
static inline uint64_t
sane_time(uint64_t v)
{
	return v < TIME_MAX ? v : v > INT64_MAX ? 0 : TIME_MAX;
}

static size_t
records_read_block(struct records *r, struct record *out, uint64_t *offsets, size_t max)
{
	size_t n = 0;

	if (r->block.end == 0 && !open_block(r))
		return 0;
	for (; n < max && r->block.left > 0; n++, r->block.left--) {
		if (offsets != NULL)
			offsets[n] = r->at;
		out[n].tid = r->block.tid;
		if (r->layout.kind == LAYOUT_V2C) {
			if (!counter_record(r, &out[n]))
				break;
		} else {
			if (!delta_record(r, &out[n]))
				break;
			out[n].wall = r->block.wall;
		}
		out[n].wall = sane_time(out[n].wall);
		out[n].cpu = sane_time(r->block.cpu);
	}
	if (n < max)
		r->block.left = 0;
	return n;
}

/* ---- columns -------------------------------------------------------------------- */

static size_t
records_read_columns(struct records *r, struct record *out, uint64_t *offsets, size_t max)
{
	const uint64_t *time = r->event.time + r->row;
	const uint32_t *word = r->event.word + r->row;

	for (size_t i = 0; i < max; i++) {
		uint32_t action = word[i] & 3;

		/* An exit without a method: the two kinds are two numbers higher. */
		out[i].action = word[i] - 1 < 2 ? action + ACT_EXIT_TOP - ACT_EXIT : action;
		out[i].method = word[i] & ~3u;
		out[i].wall = sane_time(time[i]);
		out[i].cpu = r->event.cpu == NULL ? 0 : sane_time(r->event.cpu[r->row + i]);
		out[i].tid = r->event.tid == NULL ? r->event.only : r->event.tid[r->row + i];
	}
	for (size_t i = 0; offsets != NULL && i < max; i++)
		offsets[i] = UINT64_MAX;
	return max;
}

static size_t
records_read_any(struct records *r, struct record *out, uint64_t *offsets, size_t max)
{
	switch (r->layout.kind) {
	case LAYOUT_FIXED:
		return read_fixed(r, out, offsets, max);
	case LAYOUT_COLUMNS:
		return records_read_columns(r, out, offsets, max);
	default:
		return records_read_block(r, out, offsets, max);
	}
}

size_t
records_read(struct records *r, struct record *out, uint64_t *offsets, size_t max)
{
	size_t n;

	if (r->row >= r->rows)
		return 0;
	if (r->row >= r->seg_end)
		enter_segment(r, r->seg + 1);
	if (max > r->seg_end - r->row)
		max = (size_t)(r->seg_end - r->row);
	n = records_read_any(r, out, offsets, max);
	assert(n <= max);
	r->row += n;
	assert(r->row <= r->seg_end && r->seg_end <= r->rows);
	return n;
}
