/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Begins and ends of spans become whole spans.  An end that names a span is evidence: it closes that one,
 * with all spans inside it.
 */
#include "config.h"

#include <assert.h>

#include "spans.h"

#define SEARCH_MOST 64		/* spans of one name, or of any, that are searched for a category; ends of one time */

struct span_args
spans_args_of(const struct spans_in *in, const struct span_row *row)
{
	return row->order < in->nargs ? SCRATCH(in->args, struct span_args)[row->order] : (struct span_args){ 0, 0 };
}

static bool
close_row(struct spans_in *in, struct span_row *row, const struct span_row *end, struct err *err)
{
	struct span_cpu *from = spans_cpu(in, row);
	const struct span_cpu *to = spans_cpu(in, end);
	uint32_t args = spans_args_of(in, end).begin;

	assert(row->kind == SPAN_BEGIN && row->thread == end->thread && row->start <= end->start);
	row->length = end->start - row->start;
	row->kind = SPAN_WHOLE;
	if (from != NULL && to != NULL && from->at != SPAN_NO_CPU && to->at != SPAN_NO_CPU)
		from->length = to->at > from->at ? to->at - from->at : 0;
	if (args == 0)
		return true;
	if (!scratch_array(&in->args, row->order + 1ull, sizeof(struct span_args), err))
		return false;
	SCRATCH(in->args, struct span_args)[row->order].end = args;
	in->nargs = row->order >= in->nargs ? row->order + 1ull : in->nargs;
	return true;
}

/* ---- open spans, by depth from 1 ---------------------------------------------------------------- */

static struct open_span *
open_at(const struct span_pairs *p, uint64_t depth)
{
	assert(depth > 0 && depth <= p->depth);
	return &p->open.at[depth - 1];
}

static bool
open_span(struct span_pairs *p, uint32_t row, uint32_t frame, struct err *err)
{
	if (!array_grow(&p->open, p->depth + 1, err) || !array_grow(&p->innermost, frame + 1ull, err))
		return false;
	p->depth++;
	*open_at(p, p->depth) = (struct open_span){ row, p->innermost.at[frame], (uint32_t)p->depth };
	p->innermost.at[frame] = (uint32_t)p->depth;
	return true;
}

/*
 * Return the depth of the innermost span with the name and the category of an end, which may lack both; 0: no
 * such span.
 */
static uint64_t
named_depth(const struct span_pairs *p, const struct span_row *row, const struct span_row *end)
{
	uint64_t depth = end->frame == 0 ? p->depth : end->frame < p->innermost.raw.size / sizeof *p->innermost.at ?
	    p->innermost.at[end->frame] : 0;

	for (size_t i = 0; depth > 0 && i < SEARCH_MOST; i++) {
		const struct span_row *begin = &row[open_at(p, depth)->row];

		if (end->cat == 0 || begin->cat == 0 || begin->cat == end->cat)
			return depth;
		depth = end->frame == 0 ? depth - 1 : open_at(p, depth)->same;
	}
	return 0;
}

/* The depth of the next span from there outwards that no strange end has closed; 0: none. */
static uint32_t
still_open(struct span_pairs *p, uint32_t depth)
{
	while (depth > 0 && open_at(p, depth)->left != depth) {
		struct open_span *o = open_at(p, depth);

		o->left = o->left == 0 ? 0 : open_at(p, o->left)->left;
		depth = o->left;
	}
	return depth;
}

/*
 * Let each strange end close the innermost span that was open at it, if that span is deeper than depth.  Other
 * strange ends are dropped.
 */
static bool
settle_strange(struct span_pairs *p, struct span_row *row, uint64_t depth, struct err *err)
{
	uint64_t first = p->nstrange;

	while (first > 0 && p->strange.at[first - 1].depth >= depth)
		first--;
	for (uint64_t i = first; i < p->nstrange; i++) {
		const struct strange_end *s = &p->strange.at[i];
		uint32_t of = still_open(p, s->depth);

		if (of <= depth) {
			p->in->no_begin++;
			continue;
		}
		if (!close_row(p->in, &row[open_at(p, of)->row], &s->end, err))
			return false;
		open_at(p, of)->left = of - 1;
		p->in->end_name++;
	}
	p->nstrange = first;
	return true;
}

/* Close all spans deeper than depth at the end of the span around them; end NULL: they never end. */
static bool
close_inner(struct span_pairs *p, struct span_row *row, uint64_t depth, const struct span_row *end, struct err *err)
{
	if (!settle_strange(p, row, depth, err))
		return false;
	for (; p->depth > depth; p->depth--) {
		const struct open_span *o = open_at(p, p->depth);
		struct span_row *begin = &row[o->row];
		uint64_t until = end != NULL ? end->start : p->in->last;

		p->innermost.at[begin->frame] = o->same;
		if (o->left != p->depth)
			continue;
		begin->length = until > begin->start ? until - begin->start : 0;
		begin->kind = end != NULL ? SPAN_WHOLE : SPAN_BEGIN;
		p->in->outer_end += end != NULL;
		p->in->no_end += end == NULL;
	}
	return true;
}

static bool
pair_end(struct span_pairs *p, struct span_row *row, const struct span_row *end, struct err *err)
{
	uint64_t depth = named_depth(p, row, end);

	if (p->depth == 0) {
		p->in->no_begin++;
		return true;
	}
	if (depth == 0) {
		const struct strange_end s = { *end, (uint32_t)p->depth };

		return array_add(&p->strange, &p->nstrange, &s, err);
	}
	if (!close_inner(p, row, depth, end, err) || !close_row(p->in, &row[open_at(p, depth)->row], end, err))
		return false;
	p->innermost.at[row[open_at(p, depth)->row].frame] = open_at(p, depth)->same;
	p->depth--;
	return true;
}

/*
 * Ends of one time may be in any order: if the first of these ends would close an outer span, change it with one of
 * the others that closes the innermost span.
 */
static void
pick_end(const struct span_pairs *p, struct span_row *row, uint64_t at, uint64_t n)
{
	const struct span_row first = row[at];
	uint64_t depth = named_depth(p, row, &first), most = n - at < SEARCH_MOST ? n : at + SEARCH_MOST;

	if (depth == 0 || depth == p->depth)
		return;
	for (uint64_t i = at + 1; i < most && row[i].kind != SPAN_BEGIN && row[i].start == first.start; i++)
		if (row[i].kind == SPAN_END && named_depth(p, row, &row[i]) == p->depth) {
			row[at] = row[i];
			row[i] = first;
			return;
		}
}

bool
spans_pair(struct span_pairs *p, struct span_row *row, uint64_t *n, struct err *err)
{
	uint64_t left = 0;

	for (uint64_t i = 0; i < *n; i++) {
		struct span_row next;

		if (row[i].kind == SPAN_END)
			pick_end(p, row, i, *n);
		next = row[i];
		if (next.kind == SPAN_END) {
			if (!pair_end(p, row, &next, err))
				return false;
			continue;
		}
		if (next.kind == SPAN_BEGIN && !open_span(p, (uint32_t)left, next.frame, err))
			return false;
		assert(left <= i);
		row[left++] = next;
	}
	*n = left;
	return close_inner(p, row, 0, NULL, err);
}

void
spans_pairs_close(struct span_pairs *p)
{
	array_free(&p->open);
	array_free(&p->strange);
	array_free(&p->innermost);
}
