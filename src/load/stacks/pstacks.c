/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * .NET: parallelstacks and pstacks: a tree of stacks, leaves first, with numbers of threads.
 *
 * "~~~~ 7034,4020" names the threads of a leaf.  Frames below it belong to these threads.  A frame further to
 * the left belongs to all leaves above it that are further to the right.
 */
#include "config.h"

#include "icecore/name.h"
#include "icecore/scan.h"
#include "native.h"
#include "readers.h"
#include "text.h"

struct tree_line {
	struct str	text;		/* ids of a leaf, or a function */
	uint64_t	count;		/* threads of the frame; 0: a leaf */
	uint32_t	edge;		/* column where its number or mark ends */
	uint32_t	next;		/* the next line further to the left, from 0 */
};

struct pstacks {
	struct dumps_in	*in;
	struct scratch	 lines;		/* struct tree_line of the tree */
	uint64_t	 nlines, threads;
};

/* The threads of a leaf, which is line i. */
static void
pstacks_leaf(struct pstacks *p, uint64_t i)
{
	struct dumps_in *in = p->in;
	const struct tree_line *l = SCRATCH(p->lines, struct tree_line), *leaf = &l[i++];
	struct str number = str_head(leaf->text, str_hexes(leaf->text)), f, args;
	uint64_t count = i < p->nlines && l[i].count > 0 ? l[i].count : 1, tid;
	uint32_t edge = leaf->edge;
	size_t n;

	dumps_thread(in, STR(""), leaf->text.s);
	for (n = 0; n < leaf->text.n && (is_hex(leaf->text.s[n]) || leaf->text.s[n] == ','); )
		n++;
	dumps_tell(in, str_head(leaf->text, n), MEANT_FORM, "ids");
	dumps_id(in, number);
	if (!in->in_thread)
		return;
	if (count == 1 && num_u64(number, 16, &tid))
		in->t.tid = tid;
	in->t.count = count < UINT32_MAX ? (uint32_t)count : 1;
	p->threads += in->t.count;
	while (i < p->nlines && !in->bad) {
		if (l[i].count == 0 || l[i].edge > edge) {
			/* Another leaf: continue where its tree and this one meet. */
			for (i--; i < p->nlines && l[i].edge >= edge; )
				i = l[i].next;
			continue;
		}
		edge = l[i].edge;
		f = dumps_name(in, l[i++].text, name_end);
		dumps_tell_name(in, f, "frame");
		text_cut_args(f, &f, &args);
		dumps_frame(in, f, STR(""), false);
	}
}

/* All leaves of the tree that was read. */
static void
pstacks_end(struct pstacks *p)
{
	struct tree_line *l = SCRATCH(p->lines, struct tree_line);

	/* From the end: lines that are not further to the left are skipped. */
	for (uint64_t i = p->nlines; i-- > 0; ) {
		uint64_t next = i + 1;

		while (next < p->nlines && l[next].edge >= l[i].edge)
			next = l[next].next;
		l[i].next = (uint32_t)next;
	}
	for (uint64_t i = 0; i < p->nlines && !p->in->bad; i++)
		if (l[i].count == 0)
			pstacks_leaf(p, i);
	dumps_thread_end(p->in);
	p->nlines = 0;
}

static bool
pstacks_line(struct pstacks *p, struct str line)
{
	struct dumps_in *in = p->in;
	struct tree_line new = { .count = 0 };
	struct str s = str_skip_blanks(line);
	uint64_t total;

	if (scan(&s, "==> %u threads with ", &total)) {
		pstacks_end(p);
		in->count[DROP_UNTOLD] += total > p->threads ? total - p->threads : 0;
		p->threads = 0;
		dumps_tell_words(in, line);
		return true;
	}
	if (scan(&s, "____")) {
		pstacks_end(p);
		dumps_tell_words(in, line);
		return true;
	}
	if (!scan(&s, "~~~~") && (!str_number(&s, &new.count) || new.count == 0))
		return false;
	if (s.n == 0 || s.s[0] != ' ')
		return false;
	new.edge = (uint32_t)(s.s - line.s);
	new.text = text_trim(s);
	if (!in->in_dump)
		dumps_begin(in, DUMP_PSTACKS);
	in->bad = in->bad ||
	    !make_add(&p->lines, &p->nlines, &new, sizeof new, UINT32_MAX, "lines of a tree", in->err);
	return true;
}

void
pstacks_read(struct dumps_in *in)
{
	struct pstacks p = { .in = in };
	struct str line;

	in->reader.finish = dotnet_finish;
	while (dumps_line(in, &line))
		if (text_trim(line).n > 0 && !str_is(text_trim(line), "...") && !pstacks_line(&p, line))
			dumps_other(in);
	pstacks_end(&p);
	SCRATCH_FREE(&p.lines);
	dumps_end(in);
}
