/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frames_legend: the legend of colours and marks of visible frames.
 */
#include "config.h"

#include <string.h>

#include "icecore/idle.h"
#include "frames.h"
#include "ui/core/core.h"

void
kinds_legend(const char *kinds, struct items *items)
{
	static const struct { char kind; const char *sample; enum role role; const char *what; } rows[] = {
		{ 'k', "[k]", ROLE_KERNEL, "kernel" },
		{ 'j', "[j]", ROLE_JIT, "Java or JIT-compiled, without a package" },
		{ 'c', "[c]", ROLE_INLINED, "class of the objects" },
		{ '0', "[0]", ROLE_JIT, "interpreted" },
		{ '1', "[1]", ROLE_JIT, "compiled by C1" },
		{ 'i', "[i]", ROLE_INLINED, "inlined" },
		{ 'w', "[w]", ROLE_WAKER, "stack of the waker" },
	};

	for (size_t i = 0; i < NELEM(rows); i++)
		if (is_one_of(rows[i].kind, kinds))
			items_sample(items, rows[i].sample, rows[i].role, rows[i].what);
}

static void
add_kinds(const struct frames *f, struct items *items)
{
	struct buf	kinds = BUF_INIT;

	items_sample(items, "frame", ROLE_HUE, f->objects ? "colour: package of the class (first parts)" :
	    "colour: package (first parts)");
	if (!f->objects)
		items_sample(items, "frame", ROLE_PLATFORM, "grey: part of Java or Android");
	for (size_t i = 0; i < f->n; i++)
		if (f->at[i].kind != '\0' && (kinds.n == 0 || !is_one_of(f->at[i].kind, kinds.s)))
			buf_chr(&kinds, f->at[i].kind);
	if (kinds.n > 0)
		kinds_legend(kinds.s, items);
	buf_free(&kinds);
}

void
frames_legend(const struct frames *f, struct items *items)
{
	bool	crowd = false, group = false, idle = false, bug = false;

	for (size_t i = 0; i < f->n; i++) {
		crowd |= f->at[i].crowd;
		group |= box_part(&f->at[i]) == PART_REST && !f->at[i].crowd;
		idle |= f->at[i].idle;
		bug |= f->at[i].bug;
	}
	if (f->differ) {
		items_sample(items, "+", ROLE_GREW + SHADES - 1, "grew; strong: by 50% or more");
		items_sample(items, "-", ROLE_SHRANK + SHADES - 1, "shrank");
		items_sample(items, "=", ROLE_SAME, "unchanged");
	} else
		add_kinds(f, items);
	if (bug)
		items_sample(items, "!", ROLE_NORMAL,
		    hint(VERB_BYTECODE, "its bytecode has bugs (_ shows them)").s);
	items_sample(items, "*", ROLE_MATCH, "search match");
	if (f->leads.n > 0)
		items_sample(items, glyph(GLYPH_MORE), ROLE_NORMAL,
		    "several frames in one row, which is the last one's");
	if (group)
		items_sample(items, f->differ ? glyph(GLYPH_CUT) : "+N", ROLE_DIM,
		    "N frames too narrow to draw");
	if (idle)
		items_sample(items, "+N idle threads", ROLE_DIM,
		    IDLE_BY_STACKS "; not to scale");
	if (crowd)
		items_sample(items, glyph(GLYPH_CROWD), ROLE_DIM, "calls too short to draw");
}
