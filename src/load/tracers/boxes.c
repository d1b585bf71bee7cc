/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * boxes: finds the box below each box of a flame graph.
 */
#include "config.h"

#include <assert.h>

#include "boxes.h"

/* boxes that may be below a box, of which the best is taken: more overlap only in damaged files */
#define NEAR 64u

/* Length of what two boxes share. */
static uint64_t
overlap(const struct flame_box *a, const struct flame_box *b)
{
	uint64_t from = a->x > b->x ? a->x : b->x, a_end = a->x + a->w, b_end = b->x + b->w,
	    to = a_end < b_end ? a_end : b_end;

	return to > from ? to - from : 0;
}

/* Whether a box can be below; by its middle, if it is not wider than the other. */
static bool
holds(const struct flame_box *below, const struct flame_box *box, uint64_t slack, bool middle)
{
	uint64_t end = below->x + below->w + slack, x = middle ? box->x + box->w / 2 : box->x,
	    to = middle ? x : box->x + box->w;

	return below->x <= x + slack && to <= end + (middle ? 0 : slack);
}

/* The better of two boxes that can be below: with enough left, then with more in common. */
static bool
box_is_better(const struct flame_box *a, const struct flame_box *b, const struct flame_box *box)
{
	bool a_fits = a->left >= box->count, b_fits = b->left >= box->count;

	return a_fits != b_fits ? a_fits : overlap(a, box) > overlap(b, box);
}

/* The box below, among those of a level from *first on that do not end before this one; NULL: there is none. */
static struct flame_box *
box_below(struct tracers_in *in, const struct boxes *b, struct flame_box *box, uint64_t *first, uint64_t end)
{
	struct flame_box *row = b->row.at, *best = NULL;
	unsigned fits = 0;

	assert(*first <= end && end <= b->n);
	while (*first < end && row[*first].x + row[*first].w + b->slack < box->x)
		(*first)++;
	for (unsigned middle = 0; middle < 2 && best == NULL; middle++)
		for (uint64_t i = *first; i < end && i - *first < NEAR && row[i].x <= box->x + box->w + b->slack; i++)
			if (holds(&row[i], box, b->slack, middle != 0)) {
				fits++;
				if (best == NULL || box_is_better(&row[i], best, box))
					best = &row[i];
			}
	in->count[TRACED_GUESSED] += fits > 1;
	return best;
}

void
box_named(struct tracers_in *in, struct flame_box *box, struct str name)
{
	struct thread_told told = { .pid = 0 };

	if (in->bad)
		return;
	if (box->level == 1 && frame_told(name, &told)) {
		box->frame = BOX_THREAD;
		box->thread = samples_thread(&in->s, told.pid, told.tid, told.name, in->err);
		in->bad = box->thread == 0;
	} else {
		box->thread = 0;
		box->frame = samples_frame(&in->s, name, STR(""), 0, in->err);
		in->bad = box->frame == 0;
	}
}

/* Puts a box on the one below it; false: there is none. */
static bool
put_box(struct tracers_in *in, struct flame_box *box, struct flame_box *below)
{
	assert(below != box);
	if (below == NULL || (below->stack == 0 && below->frame != 0 && below->frame != BOX_THREAD)) {
		in->count[TRACED_BOXES]++;
		box->count = 0;
		return false;
	}
	box->left = box->count;
	in->count[TRACED_CHILDREN] += below->left < box->count;
	below->left = below->left < box->count ? 0 : below->left - box->count;
	if (box->frame == BOX_THREAD)
		return true;
	box->thread = below->thread;
	box->stack = in->bad ? 0 : samples_stack(&in->s, below->stack, box->frame, in->err);
	in->bad |= box->stack == 0;
	return true;
}

/* Samples of a box: also the other side's, if it has some of its own. */
static void
boxes_add(struct tracers_in *in, const struct flame_box *box)
{
	struct sample s = { .weight = box->left, .count = 1, .stack = box->stack, .event = in->event,
	    .thread = box->thread != 0 ? box->thread : in->thread,
	    .offset = (uint64_t)(box->at - in->s.source) };

	if (!in->s.differs) {
		in->thread = s.thread;
		if (box->left > 0)
			tracers_add(in, box->stack, box->left, box->left, box->at);
		return;
	}
	assert(box->before <= 2 * BOX_ZERO);
	s.before = box->left + box->before > BOX_ZERO ? box->left + box->before - BOX_ZERO : 0;
	if (s.weight > 0 || s.before > 0)
		in->bad = in->bad || !samples_add(&in->s, &s, in->err);
}

/* Counts of boxes that do not say theirs: their part of the root's width. */
static void
count_by_width(struct tracers_in *in, struct boxes *b)
{
	const struct flame_box *root = &b->row.at[0];

	for (uint64_t i = 0; i < b->n; i++) {
		struct flame_box *box = &b->row.at[i];

		if (box->count != BOX_NO_COUNT)
			continue;
		in->count[TRACED_WIDTHS]++;
		box->count = root->w == 0 || root->count == BOX_NO_COUNT ? 0 :
		    (uint64_t)((double)box->w / (double)root->w * (double)root->count + 0.5);
	}
}

void
boxes_read(struct tracers_in *in, struct boxes *b)
{
	uint64_t from = 0, to = 1, end, below;
	uint32_t thread = in->thread;
	struct flame_box *row;

	if (in->bad || b->n == 0 || (in->bad = !make_sort_both(&b->row.raw, b->n, sizeof *b->row.at, in->s.work,
	    in->err)))
		return;
	row = b->row.at;
	assert(row[0].level == 0 && row[0].frame == 0);
	count_by_width(in, b);
	row[0].left = row[0].count;
	assert(row[0].count != BOX_NO_COUNT && to <= b->n);
	/* A level is put on the one before it, which has the rows from `from' to `to'; the first is the root alone. */
	for (uint64_t i = to; i < b->n && !in->bad; from = i, to = i = end)
		for (end = i, below = from; end < b->n && row[end].level == row[i].level; end++) {
			put_box(in, &row[end], row[i].level == row[from].level + 1 ?
			    box_below(in, b, &row[end], &below, to) : NULL);
			in->bad = in->bad || !work_each(in->s.work, end, 65536, in->err);
		}
	for (uint64_t i = 0; i < b->n && !in->bad; i++, in->thread = thread)
		if (row[i].stack != 0 || row[i].frame == 0 || row[i].frame == BOX_THREAD)
			boxes_add(in, &row[i]);
}
