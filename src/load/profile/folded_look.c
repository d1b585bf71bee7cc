/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Detect the form of folded stacks: with one count or two, with a thread or without.
 */
#include "config.h"

#include <string.h>

#include "load/decode.h"
#include "folded.h"

#define LINES_A_TICK 64
#define FIRST_BYTES 65536

/* ---- lines ------------------------------------------------------------------------------------ */

void
folded_comment(struct folded_lines *l, struct str line)
{
	l->comments++;
	line = folded_trim(line);
	if (l->mode.n == 0 && str_take(&line, STR("# mode: ")))
		l->mode = line;
}

bool
folded_differs(const struct folded_lines *l)
{
	return l->twos > 0 && l->twos >= l->ones;
}

void
folded_add(struct folded_lines *all, const struct folded_lines *l)
{
	all->ones += l->ones;
	all->twos += l->twos;
	all->comments += l->comments;
	all->ignored += l->ignored;
	if (all->mode.n == 0)
		all->mode = l->mode;
}

bool
folded_go_on(struct folded *f, const char *at, struct err *err)
{
	return work_go(f->work, ((uint64_t)(at - f->data) - f->from) * f->parts, err);
}

bool
folded_each(struct folded *f, uint64_t size, bool (*take)(struct folded *, struct str, struct err *), struct err *err)
{
	struct str rest = { f->data + f->from, (size_t)size }, line;

	f->lines = (struct folded_lines){ .ones = 0 };
	if (f->from == 0)
		str_take(&rest, STR("\xef\xbb\xbf"));
	for (uint64_t n = 0; str_split(&rest, '\n', &line); n++) {
		if ((n % LINES_A_TICK == 0 && !folded_go_on(f, line.s, err)) || !take(f, line, err))
			return false;
	}
	return true;
}

/* ---- first examination of the file ------------------------------------------------------------ */

uint64_t
folded_thread(const struct thread_told *told)
{
	return (uint64_t)told->pid << 32 | told->tid;
}

/* Keep the first name of a thread. */
static bool
folded_look_note_name(struct folded *f, struct named new, struct err *err)
{
	return idmap_get(&f->by_tid, new.key) != 0 ||
	    (make_add(&f->names, &f->nnames, &new, sizeof new, MAKE_MOST, "threads", err) &&
	    idmap_put(&f->by_tid, new.key, (uint32_t)f->nnames, err));
}

static bool
folded_look_look_at_thread(struct folded *f, struct str stack, struct err *err)
{
	struct thread_told told;

	if (f->unthreaded || !thread_told(&stack, &told)) {
		f->unthreaded = true;
		return true;
	}
	return told.name.n == 0 || folded_look_note_name(f, (struct named){ folded_thread(&told), told.name }, err);
}

/* Check the stack with and without its last number, which may be a count or part of a name. */
static bool
look_at_line(struct folded *f, struct str line, struct err *err)
{
	struct str stack, count, shorter, before;

	return !folded_line(&f->lines, line, &stack, &count, &shorter, &before) ||
	    (folded_look_look_at_thread(f, stack, err) &&
	    (before.n == 0 || folded_look_look_at_thread(f, shorter, err)));
}

static bool
look_at_part(void *arg, uint64_t i, struct work *w, struct err *err)
{
	struct folded *f = (struct folded *)arg + i;

	f->work = w;
	return folded_each(f, f->size, look_at_line, err);
}

/* Look at all parts and merge the results into the first part. */
static bool
look_at_all(struct folded *all, struct work *w, struct err *err)
{
	if (!pool_run(w, all->parts, look_at_part, all, err))
		return false;
	for (const struct folded *f = all + 1; f < all + all->parts; f++) {
		folded_add(&all->lines, &f->lines);
		all->unthreaded |= f->unthreaded;
		for (uint64_t i = 0; i < f->nnames && !all->unthreaded; i++)
			if (!folded_look_note_name(all, SCRATCH(f->names, struct named)[i], err))
				return false;
	}
	return true;
}

bool
folded_look(struct folded *all, bool sure, struct work *w, struct err *err)
{
	const char *end = all->size == 0 ? NULL :
	    memrchr(all->data, '\n', all->size < FIRST_BYTES ? all->size : FIRST_BYTES);

	all->work = w;
	work_start_bytes(w, "folded stacks: counts", all->parts * all->size);
	if (!sure && end != NULL && !folded_each(all, (uint64_t)(end - all->data), look_at_line, err))
		return false;
	/* If every stack has a thread, its name may come later. */
	if ((sure || !all->unthreaded) && !look_at_all(all, w, err))
		return false;
	for (struct folded *f = all; f < all + all->parts; f++) {
		f->differs = f->s.differs = folded_differs(&all->lines);
		f->mode = all->lines.mode;
		f->threads = !all->unthreaded;
	}
	return true;
}
