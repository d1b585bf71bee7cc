/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Snapshots of massif.  A tree is bottom up: its root is the allocator, the children of a node are its
 * callers.  Each snapshot with a tree is an event; the peak is the default.  The sizes of all snapshots
 * become tracks.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "icecore/scan.h"
#include "forms.h"

/* Sizes of a snapshot, in bytes, and their sum. */
enum massif_size { SIZE_HEAP, SIZE_EXTRA, SIZE_STACKS, SIZE_ALL, MASSIF_SIZES };

static const struct { const char *line, *track; } sizes[MASSIF_SIZES] = {
	[SIZE_HEAP] = { "mem_heap_B=", "heap allocated" },
	[SIZE_EXTRA] = { "mem_heap_extra_B=", "allocator overhead" },
	[SIZE_STACKS] = { "mem_stacks_B=", "stacks" }, [SIZE_ALL] = { NULL, "heap used" }
};

/* Units of time: nanoseconds, or what a nanosecond of the tracks stands for. */
static const struct { const char *word, *says; uint64_t ns; } units[] = {
	{ "ms", NULL, 1000000 }, { "i", "instructions", 1 }, { "B", "allocated and freed bytes", 1 }
};

struct massif_snapshot {
	uint64_t	time, size[MASSIF_SIZES];
};

struct massif {
	struct tracers_in *in;
	struct scratch	 list;		/* struct massif_snapshot; the last one is still being read */
	struct str	 snapshot, time, unit, kind;
	uint64_t	 nlist;
	uint32_t	 peak;		/* event of the peak; 0: none so far */
	bool		 sized, begun;	/* the size of the heap is known; lines of the tree were read */
};

/*
 * The part of a node that its callers leave: the path goes from the deepest node, the caller, to the
 * allocator.
 */
static void
massif_close(struct tracers_in *in, const struct traced_level *l)
{
	const struct traced_level *levels = SCRATCH(in->levels, struct traced_level);
	uint64_t rest = tracers_self(in, l);

	if (rest == 0 || in->bad)
		return;
	assert(l == &levels[in->nlevels] && in->npath == 0);
	for (uint64_t i = in->nlevels + 1; i-- > 0 && !in->bad; )
		tracers_push_id(in, levels[i].frame);
	tracers_add(in, tracers_stack(in), rest, 1, l->at);
}

/*
 * "0x4F: f (a.c:12)", "0x4F: f (in /lib/x.so)", "(heap allocation functions) malloc", "in 5 places, all below
 * ..."
 */
static struct traced_frame
massif_frame(struct massif *m, struct str s)
{
	struct traced_frame f = { .name = s };
	struct str rest = s, name, in, file;
	uint64_t n;

	if (scan(&rest, "%*h: ")) {
		f.name = rest;
		if (scan(&rest, "%l (%l)$", &name, &in)) {
			f.name = name;
			if (scan(&in, "in "))
				f.module = in;
			else if (scan(&in, "%l:%u$", &file, &n)) {
				f.file = file;
				f.line = n;
			}
		}
		if (str_is(f.name, "???")) {
			f.name = f.module.n > 0 ? text_after_last(f.module, '/') : f.name;
			f.library = true;
		}
		return f;
	}
	if (scan(&rest, "in %u place", &n) && str_has(rest, STR("below"))) {
		buf_clear(&m->in->buf);
		buf_printf(&m->in->buf, "[%" PRIu64 " place%s below the threshold]", n, n == 1 ? "" : "s");
		f.name = buf_view(&m->in->buf);
	} else if (str_begins(s, "(")) {
		f.name = str_head(s, str_until(s, ')').n + 1);
	}
	return f;
}

/* The snapshot that is being read; not NULL if a size of it is known. */
static struct massif_snapshot *
massif_last(const struct massif *m)
{
	return m->nlist == 0 ? NULL : &SCRATCH(m->list, struct massif_snapshot)[m->nlist - 1];
}

static void
massif_end(struct massif *m)
{
	tracers_level(m->in, 0, massif_close);
	m->begun = false;
}

/* The event of a tree that begins. */
static void
massif_tree(struct massif *m)
{
	struct tracers_in *in = m->in;
	bool peak = str_is(m->kind, "peak");

	tracers_event(in, buf_set(&in->buf, peak ? STR("peak snapshot ") : STR("snapshot "),
	    str_head(m->snapshot, 32)), WEIGHT_BYTES, "bytes");
	m->begun = true;
	if (!peak)
		return;
	m->peak = in->event;
	(void)buf_set(&in->peak, STR("snapshot "), str_head(m->snapshot, 32), STR(" at "),
	    str_head(m->time, 32), STR(" "), str_head(m->unit, 32));
}

/* "  n2: 1000 0x4F: f (a.c:12)" */
static bool
massif_node(struct massif *m, struct str line)
{
	struct tracers_in *in = m->in;
	struct str s = str_skip_blanks(line), digits;
	size_t depth = line.n - s.n;
	uint64_t value;

	if (!scan(&s, "n%*d: %d ", &digits) || !tracers_number(in, digits, &value))
		return false;
	if (!m->begun)
		massif_tree(m);
	if (depth == 0)
		in->count[TRACED_SUMS] += m->sized && massif_last(m)->size[SIZE_HEAP] != value;
	tracers_level(in, depth, massif_close);
	tracers_node(in, massif_frame(m, s), value, line.s);
	return true;
}

/* "mem_heap_B=1000" */
static bool
massif_size(struct massif *m, struct str line)
{
	struct massif_snapshot *last = massif_last(m);
	size_t i = 0;

	while (i < SIZE_ALL && !str_take(&line, str_of(sizes[i].line)))
		i++;
	if (i == SIZE_ALL)
		return false;
	if (last == NULL || !tracers_number(m->in, line, &last->size[i]))
		return true;
	last->size[SIZE_ALL] = num_add(last->size[SIZE_ALL], last->size[i]);
	m->sized |= i == SIZE_HEAP;
	return true;
}

static void
massif_snapshot(struct massif *m, struct str number)
{
	static const struct massif_snapshot none;

	m->snapshot = number;
	m->time = m->kind = STR("");
	m->sized = false;
	m->in->bad = m->in->bad || !make_add(&m->list, &m->nlist, &none, sizeof none, MAKE_MOST, "snapshots",
	    m->in->err);
}

static void
massif_line(struct massif *m, struct str line)
{
	struct str s = line;

	if (massif_node(m, line))
		return;
	massif_end(m);
	if (scan(&s, "snapshot=")) {
		massif_snapshot(m, s);
	} else if (scan(&s, "time=")) {
		m->time = s;
		if (massif_last(m) != NULL)
			(void)tracers_number(m->in, s, &massif_last(m)->time);
	} else if (scan(&s, "time_unit: ")) {
		m->unit = s;
	} else if (scan(&s, "heap_tree=")) {
		m->kind = s;
	} else if (!massif_size(m, s) && !str_begins(s, "#") && !str_begins(s, "desc: ") &&
	    !str_begins(s, "cmd: ")) {
		m->in->count[TRACED_OTHER] += text_trim(line).n > 0;
	}
}

/* A track of each size that is not always 0. */
static void
massif_tracks(const struct massif *m)
{
	const struct massif_snapshot *list = SCRATCH(m->list, struct massif_snapshot);
	struct points *points = &m->in->points;
	uint64_t ns = 1;
	bool any;

	for (size_t i = 0; i < NELEM(units); i++) {
		if (!str_eq(m->unit, str_of(units[i].word)))
			continue;
		ns = units[i].ns;
		m->in->axis = units[i].says;
	}
	for (size_t i = 0; i < MASSIF_SIZES && m->nlist > 0; i++) {
		any = i == SIZE_ALL;
		for (uint64_t k = 0; k < m->nlist && !any; k++)
			any = list[k].size[i] > 0;
		m->in->bad = m->in->bad ||
		    (any && !points_track(points, TRACK_LEVEL, sizes[i].track, "bytes", 0, 0, m->in->err));
		for (uint64_t k = 0; k < m->nlist && any && !m->in->bad; k++)
			m->in->bad = !points_add(points, list[k].time > UINT64_MAX / ns ? UINT64_MAX :
			    list[k].time * ns, list[k].size[i], m->in->err);
	}
}

void
massif_read(struct tracers_in *in)
{
	struct massif m = { .in = in };
	struct str line;

	in->upwards = true;
	while (tracers_line(in, &line))
		massif_line(&m, line);
	massif_end(&m);
	massif_tracks(&m);
	scratch_free(&m.list);
	if (m.peak != 0) {
		in->s.chosen = m.peak;
		in->s.chosen_by = "peak of the heap";
	}
}
