/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for folded stacks: "frame;frame;frame count", root first, as stackcollapse tools, async-profiler, py-spy and
 * others write them.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/facts.h"

#include "load/decode.h"
#include "folded.h"

#define FRAMES_AHEAD 16
#define LOOKS 64		/* places in a text that are examined for similarity of lines */
#define LOOK_BYTES 65536
#define FRAMES_MOST (1u << 24)	/* frames in a stack: more are found only in damaged lines */

/* A frame whose look-up is prefetched. */
struct next_frame {
	struct str	text;
	uint64_t	key, end;
	uint32_t	frame;
	char		kind;
	bool		waker;
};

static bool
folded_sniff(const uint8_t *head, size_t n)
{
	return folded_door(head, n) == FOLDED_YES && !foreign_text((struct str){ (const char *)head, n });
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Return the length of the common prefix of two texts. */
static size_t
folded_common(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n, i;

	for (i = 0; i + 32 <= n && memcmp(a.s + i, b.s + i, 16) == 0 &&
	    memcmp(a.s + i + 16, b.s + i + 16, 16) == 0; i += 32)
		;
	while (i < n && a.s[i] == b.s[i])
		i++;
	return i;
}

/*
 * Return whether most lines share a prefix with the previous one, as in sorted files.  Then one thread, which
 * keeps the last stack, is faster than several, each of which looks up all names again.
 */
static bool
lines_go_on(const struct map *m)
{
	uint64_t same = 0, all = 0;

	for (uint64_t i = 0; i < LOOKS; i++) {
		struct str rest = str_head(str_after((struct str){ (const char *)m->data, (size_t)m->size },
		    m->size / LOOKS * i),
		    LOOK_BYTES), cut, before, line;

		if (!str_line(&rest, &cut) || !str_line(&rest, &before) || !str_line(&rest, &line))
			continue;
		same += folded_common(before, line);
		all += line.n;
	}
	return same > all / 4;
}

/* Keep those frames of the last stack that this one begins with. */
static void
keep_common(struct folded *f, struct str stack)
{
	const struct open_frame *open = SCRATCH(f->open, struct open_frame);
	size_t same = folded_common(f->last, stack);
	uint64_t end;

	for (; f->nopen > 0; f->nopen--) {
		end = open[f->nopen - 1].end;
		assert(end <= f->last.n);
		if (end < same || (end == same && (stack.n == same || stack.s[same] == ';')))
			break;
	}
	f->last = stack;
}

/*
 * Annotations that tools append to names: kernel, JIT, inlined, waker; async-profiler: interpreted, compiled by C1.
 */
static char
take_kind(struct str *frame)
{
	const char *end = frame->s + frame->n;

	if (frame->n < 5 || end[-1] != ']' || end[-3] != '[' || end[-4] != '_' ||
	    memchr("kjiw01", end[-2], 6) == NULL)
		return 0;
	frame->n -= 4;
	return end[-2];
}

/* Parse the next frames of a stack, the first of which begins at from; prefetch their hash entries. */
static size_t
folded_look_ahead(const struct folded *f, struct str stack, uint64_t from, struct next_frame *next)
{
	bool waker = f->nopen > 0 && SCRATCH(f->open, struct open_frame)[f->nopen - 1].waker;
	size_t n = 0;

	for (; n < FRAMES_AHEAD && from <= stack.n; n++) {
		struct str text = str_until(str_after(stack, from), ';');
		bool asleep = str_eq(text, STR("--"));
		char kind;

		next[n].end = from + text.n;
		from = next[n].end + 1;
		kind = take_kind(&text);
		if (kind == 0 && waker && text.n > 0)
			kind = 'w';
		waker |= asleep;
		if (text.n == 0)
			text = STR("[unnamed]");
		next[n].text = text;
		next[n].kind = kind;
		next[n].waker = waker;
		next[n].key = samples_ahead(&f->s, text, kind);
	}
	return n;
}

/* Add frames on top of the last stack. Only the first look-up is far away in memory; the others mostly follow it. */
static bool
folded_push_frames(struct folded *f, struct next_frame *next, size_t n, struct err *err)
{
	struct open_frame new = { .stack = f->nopen == 0 ? 0 :
	    SCRATCH(f->open, struct open_frame)[f->nopen - 1].stack };

	for (size_t i = 0; i < n; i++) {
		if ((next[i].frame = samples_named(&f->s, next[i].key, next[i].text, next[i].kind, err)) == 0)
			return false;
		if (i == 0)
			samples_stack_ahead(&f->s, new.stack, next[i].frame);
	}
	for (size_t i = 0; i < n; i++) {
		new = (struct open_frame){ next[i].end, samples_stack(&f->s, new.stack, next[i].frame, err),
		    next[i].waker };
		if (new.stack == 0 || !make_add(&f->open, &f->nopen, &new, sizeof new, FRAMES_MOST, "frames", err))
			return false;
	}
	return true;
}

static bool
folded_find_stack(struct folded *f, struct str stack, uint32_t *id, struct err *err)
{
	struct next_frame next[FRAMES_AHEAD];
	uint64_t from;
	size_t n;

	keep_common(f, stack);
	for (;;) {
		from = f->nopen == 0 ? 0 : SCRATCH(f->open, struct open_frame)[f->nopen - 1].end + 1;
		if (from > stack.n || f->nopen == FRAMES_MOST)
			break;
		if (f->nopen % 1024 >= 1024 - FRAMES_AHEAD && !folded_go_on(f, stack.s, err))
			return false;
		samples_stack_ahead(&f->s, f->nopen == 0 ? 0 :
		    SCRATCH(f->open, struct open_frame)[f->nopen - 1].stack, 0);
		n = folded_look_ahead(f, stack, from, next);
		n = n < FRAMES_MOST - f->nopen ? n : FRAMES_MOST - f->nopen;
		if (!folded_push_frames(f, next, n, err))
			return false;
	}
	assert(f->nopen <= FRAMES_MOST);
	f->too_deep += from <= stack.n;
	assert(f->nopen > 0);
	*id = SCRATCH(f->open, struct open_frame)[f->nopen - 1].stack;
	return true;
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Take the thread off the front of the stack, if all stacks have one. */
static bool
folded_take_thread(struct folded *f, struct str *stack, uint32_t *thread, struct err *err)
{
	struct thread_told told;
	uint32_t place;

	*thread = f->thread;
	if (!f->threads || !thread_told(stack, &told))
		return true;
	place = told.name.n > 0 ? 0 : idmap_get(&f->all->by_tid, folded_thread(&told));
	if (place != 0)
		told.name = SCRATCH(f->all->names, struct named)[place - 1].name;
	*thread = samples_thread(&f->s, told.pid, told.tid, told.name, err);
	return *thread != 0;
}

/* The innermost frames may be the profiler's own; what they allocate is for their caller. */
static void
folded_drop_hooks(struct str *stack)
{
	const char *semicolon;

	while ((semicolon = memrchr(stack->s, ';', stack->n)) != NULL &&
	    hook_told(str_after(*stack, (size_t)(semicolon + 1 - stack->s))))
		stack->n = (size_t)(semicolon - stack->s);
}

/* Read the counts of a line; decimals of the second one also change the first. */
static bool
folded_read_weights(struct folded *f, struct str count, struct str before, struct sample *sample,
    struct err *err)
{
	unsigned decimals;

	if (!samples_weight(&f->s, count, &sample->weight, err))
		return false;
	if (before.n == 0)
		return true;
	decimals = f->s.decimals;
	if (!samples_weight(&f->s, before, &sample->before, err))
		return false;
	return decimals == f->s.decimals || samples_weight(&f->s, count, &sample->weight, err);
}

static bool
folded_read_line(struct folded *f, struct str line, struct err *err)
{
	struct sample sample = { .event = f->event, .offset = (uint64_t)(line.s - f->data) };
	struct str stack, count, shorter, before;

	if (!folded_line(&f->lines, line, &stack, &count, &shorter, &before))
		return true;
	if (!f->differs) {
		before = STR("");
	} else if (before.n > 0) {
		stack = shorter;
	} else {
		/* Nothing remains after the first count. */
		before = count;
		count = STR("0");
	}
	if (!folded_read_weights(f, count, before, &sample, err) ||
	    !folded_take_thread(f, &stack, &sample.thread, err))
		return false;
	/* Excimer and others write a semicolon before the first frame. */
	while (str_take(&stack, STR(";")))
		;
	folded_drop_hooks(&stack);
	/* A line with only a thread has no frames.  An empty line without a thread is a frame without a name. */
	if ((stack.n > 0 || !f->threads) && !folded_find_stack(f, stack, &sample.stack, err))
		return false;
	return samples_add(&f->s, &sample, err);
}

/* ---- all ----------------------------------------------------------------------------------- */

/* Austin counts microseconds or bytes. */
static bool
begin_event(struct folded *f, struct str mode, struct err *err)
{
	enum weight_type type = WEIGHT_COUNT;
	const char *unit = "samples";

	if (str_eq(mode, STR("wall")) || str_eq(mode, STR("cpu"))) {
		type = WEIGHT_TIME;
		unit = "us";
	} else if (str_eq(mode, STR("memory"))) {
		type = WEIGHT_BYTES;
		unit = "bytes";
	}
	f->s.counts = type == WEIGHT_COUNT && !f->differs ? COUNT_WEIGHT : COUNT_ONE;
	f->event = samples_event(&f->s, mode.n > 0 ? mode : STR("samples"), type, unit, err);
	if (f->event != 0 && !f->threads)
		f->thread = samples_thread(&f->s, 0, 0, STR(""), err);
	return f->event != 0 && (f->threads || f->thread != 0);
}

static bool
folded_read_part(void *arg, uint64_t i, struct work *w, struct err *err)
{
	struct folded *f = (struct folded *)arg + i;

	f->work = w;
	return begin_event(f, f->mode, err) && folded_each(f, f->size, folded_read_line, err);
}

static bool
folded_put_facts(struct folded *f, struct err *err)
{
	const struct folded_lines *l = &f->lines;
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("folded stacks") },
		{ FACT_KIND, .text = str_of(f->differs ? "differential" : ""), .how = MAKE_ANY },
		{ FACT_LINES, l->ones + l->twos }, { FACT_COMMENT_LINES, l->comments },
		{ FACT_LOSS_DEEP_STACKS, f->too_deep, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(f->too_deep > 0 ?
		"too many frames in the stacks (limit: 2^24)" : ""),
		    .how = MAKE_ANY },
		{ FACT_REPAIR_IGNORED_LINES, l->ignored },
		{ FACT_REPAIR_ONE_COUNT, f->differs ? l->ones : 0 },
		{ FACT_REPAIR_TWO_COUNTS, f->differs ? 0 : l->twos },
	};

	return make_facts(f->s.st, facts, NELEM(facts), err);
}

static void
folded_open_part(struct folded *all, uint64_t i, uint64_t n, struct store *st, struct work *w)
{
	const struct map *m = store_source(st);
	const char *data = (const char *)m->data;
	uint64_t from = text_part(data, m->size, i, n);

	all[i] = (struct folded){ .data = data, .from = from, .parts = n, .all = all };
	all[i].size = text_part(data, m->size, i + 1, n) - from;
	assert(all[i].size <= m->size - from);
	samples_open(&all[i].s, st, w);
}

static void
folded_close_part(struct folded *f)
{
	samples_close(&f->s);
	SCRATCH_FREE(&f->open, &f->names);
	idmap_free(&f->by_tid);
}

/*
 * Read all parts and join them to the first. *alike: as for samples_join, and the lines had the assumed form.
 */
static bool
folded_read_parts(struct folded *all, uint64_t n, struct store *st, struct work *w, bool *alike, struct err *err)
{
	bool ok;

	for (uint64_t i = 0; i < n; i++)
		folded_open_part(all, i, n, st, w);
	if (!folded_look(all, !*alike, w, err))
		return false;
	work_start_bytes(w, "folded stacks", all->parts * all->size);
	ok = pool_run(w, n, folded_read_part, all, err);
	for (uint64_t i = 1; i < n; i++)
		folded_add(&all->lines, &all[i].lines);
	*alike = folded_differs(&all->lines) == all->differs && str_eq(all->lines.mode, all->mode);
	for (uint64_t i = 1; ok && *alike && i < n; i++) {
		ok = samples_join(&all->s, &all[i].s, alike, err);
		all->too_deep += all[i].too_deep;
		folded_close_part(&all[i]);
	}
	return ok && (!*alike || all->lines.ones + all->lines.twos > 0 ||
	    fail(err, E_UNREADABLE, "not folded stacks: no line ends in a blank and a number"));
}

static bool
folded_load(struct store *st, struct work *w, struct err *err)
{
	uint64_t n = lines_go_on(store_source(st)) ? 1 : text_parts(store_source(st)->size);
	struct folded *all = mem_array(n, sizeof *all);
	bool ok, alike = true;

	if (all == NULL)
		return fail(err, E_SYSTEM, "out of memory (folded stacks)");
	/* Budget for half the size of the text: stacks may need it if few of them continue another one. */
	scratch_budget_rows(store_source(st)->size / 32);
	do {
		ok = folded_read_parts(all, n, st, w, &alike, err) &&
		    (!alike || (folded_put_facts(all, err) && samples_columns(&all->s, err)));
		for (uint64_t i = 0; i < n; i++)
			folded_close_part(&all[i]);
		n = 1;
	} while (ok && !alike);
	free(all);
	return ok;
}

const struct loader load_folded = {
	"folded", "folded stacks: one or two counts a line",
	SHAPE_SAMPLES | SHAPE_ROWS, folded_sniff, folded_load, .threads = true
};
