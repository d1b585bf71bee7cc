/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The calls of a function graph: a tree for each task, whose durations are printed, and starts or not.
 *
 * Printed times have fewer digits than durations, and sums of long durations are rounded.  So durations are kept, and
 * starts move, until a call is inside the one around it and behind the one before it.  A call without a printed start
 * begins where the one before it ends.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "graph.h"

#define GRAIN 2000u	/* ns: printed times are less exact than durations */
#define INTERRUPT STR("[interrupt]")
#define UNKNOWN STR("[unknown]")

/*
 * A call; last and prev: its last child, and the call before it, then its first child and the call after it.  depth:
 * even for functions, odd for interrupts, which have those of their functions around them; 0: the root of a track.
 */
struct graph_node {
	uint64_t	start, length;	/* GRAPH_UNKNOWN: not printed */
	uint64_t	inside;		/* length of the children that have no place yet */
	uint64_t	reach;		/* from the start to the end of a child, or its own */
	uint32_t	frame, parent, last, prev;
	uint32_t	depth;
	bool		open;		/* the trace ends inside it */
};

/* A task, or a CPU whose task is unknown. */
struct graph_track {
	struct str	name;
	uint64_t	cpu;
	uint32_t	tid, root, top, thread;
	bool		known;		/* the task is known */
	bool		interrupt;	/* the next function is that of an interrupt */
};

static struct graph_node *
graph_node_at(const struct graph_tree *g, uint32_t node)
{
	assert(node != 0 && node <= g->nnodes);
	return &SCRATCH(g->nodes, struct graph_node)[node - 1];
}

static struct graph_track *
graph_track_at(const struct graph_tree *g, uint32_t track)
{
	assert(track != 0 && track <= g->ntracks);
	return &SCRATCH(g->tracks, struct graph_track)[track - 1];
}

void
graph_tree_close(struct graph_tree *g)
{
	SCRATCH_FREE(&g->nodes, &g->tracks);
	idmap_free(&g->by_task);
	idmap_free(&g->by_cpu);
}

/* ---- tracks ----------------------------------------------------------------------------------- */

static uint32_t
graph_add_node(struct graph_tree *g, const struct graph_node *new)
{
	INTO_ROW(g->to, g->nodes, g->nnodes, *new, "calls");
	return g->to->bad ? 0 : (uint32_t)g->nnodes;
}

/* The track of a key; 0: failure. */
static uint32_t
graph_track_of(struct graph_tree *g, uint64_t key, const struct graph_track *like)
{
	struct graph_track new = *like;
	uint32_t track = idmap_get(&g->by_task, key);

	if (track != 0 || g->to->bad)
		return g->to->bad ? 0 : track;
	new.root = new.top = graph_add_node(g,
	    &(const struct graph_node){ .start = GRAPH_UNKNOWN, .length = GRAPH_UNKNOWN });
	INTO_ROW(g->to, g->tracks, g->ntracks, new, "tasks");
	into_map(g->to, &g->by_task, key, (uint32_t)g->ntracks);
	return g->to->bad ? 0 : (uint32_t)g->ntracks;
}

/* Tasks have their ids, idle tasks and unknown ones a CPU. */
static uint64_t
graph_task_key(bool known, uint32_t tid, uint64_t cpu)
{
	return known && tid != 0 ? tid : ((cpu & UINT32_MAX >> 2) + 1) << 32 | !known;
}

static uint32_t
graph_task_track(struct graph_tree *g, uint32_t tid, struct str name, uint64_t cpu)
{
	uint32_t track = graph_track_of(g, graph_task_key(true, tid, cpu),
	    &(const struct graph_track){ .tid = tid, .cpu = tid != 0 ? GRAPH_UNKNOWN : cpu, .known = true });

	if (track != 0 && name.n > 0)
		graph_track_at(g, track)->name = name;
	return track;
}

/* The unknown task that ran on a CPU before its first switch is the one that leaves. */
static void
graph_take_switch(struct graph_tree *g, const struct graph_line *l)
{
	uint64_t left = graph_task_key(true, l->from, l->cpu);
	uint32_t ran = idmap_get(&g->by_task, graph_task_key(false, 0, l->cpu)), next;

	if (ran != 0 && !graph_track_at(g, ran)->known && idmap_get(&g->by_task, left) == 0) {
		graph_track_at(g, ran)->known = true;
		graph_track_at(g, ran)->tid = l->from;
		graph_track_at(g, ran)->cpu = l->from != 0 ? GRAPH_UNKNOWN : l->cpu;
		into_map(g->to, &g->by_task, left, ran);
	}
	(void)graph_task_track(g, l->from, l->from_task, l->cpu);
	if ((next = graph_task_track(g, l->tid, l->task, l->cpu)) != 0)
		into_map(g->to, &g->by_cpu, l->cpu, next);
}

static uint32_t
graph_line_track(struct graph_tree *g, const struct graph_line *l)
{
	uint32_t track = l->has_task ? graph_task_track(g, l->tid, l->task, l->cpu) : idmap_get(&g->by_cpu, l->cpu);

	if (track == 0)
		return graph_track_of(g, graph_task_key(false, 0, l->cpu),
		    &(const struct graph_track){ .cpu = l->cpu });
	if (l->has_task && l->cpu != GRAPH_UNKNOWN)
		into_map(g->to, &g->by_cpu, l->cpu, track);
	return track;
}

/* ---- calls ------------------------------------------------------------------------------------ */

/* End the calls that are at least that deep: their ends are missing. */
static void
graph_end_deeper(struct graph_tree *g, struct graph_track *t, uint32_t depth)
{
	for (; graph_node_at(g, t->top)->depth >= depth; t->top = graph_node_at(g, t->top)->parent)
		g->outer_end += graph_node_at(g, t->top)->depth % 2 == 0;
}

static uint32_t
graph_frame_of(struct graph_tree *g, struct str name, bool user)
{
	return INTO_ID(g->to, samples_frame(g->to->samples, name, STR(""), user ? 0 : 'k', g->to->err));
}

/* Add a call inside the innermost one; opens: it is the innermost one then. */
static uint32_t
graph_enter(struct graph_tree *g, uint32_t track, const struct graph_node *like, bool opens)
{
	struct graph_node new = *like;
	uint32_t top = graph_track_at(g, track)->top, node;

	new.parent = top;
	new.prev = graph_node_at(g, top)->last;
	if ((node = graph_add_node(g, &new)) == 0)
		return 0;
	graph_node_at(g, top)->last = node;
	if (opens)
		graph_track_at(g, track)->top = node;
	return node;
}

static void
graph_take_call(struct graph_tree *g, uint32_t track, const struct graph_line *l)
{
	struct graph_track *t = graph_track_at(g, track);
	struct graph_node new = { .start = l->time, .length = l->length, .depth = 2 * l->depth + 2 };

	graph_end_deeper(g, t, new.depth);
	if (t->interrupt) {
		struct graph_node outer = { .start = l->time, .length = GRAPH_UNKNOWN, .depth = new.depth - 1,
		    .frame = graph_frame_of(g, INTERRUPT, false) };

		t->interrupt = false;
		if (graph_enter(g, track, &outer, true) == 0)
			return;
	}
	new.frame = graph_frame_of(g, l->name, l->user);
	g->calls++;
	g->timeless += l->time == GRAPH_UNKNOWN;
	(void)graph_enter(g, track, &new, l->kind == GRAPH_OPEN);
}

/* Times are less exact than lengths: they are a lower limit. */
static void
graph_set_end(struct graph_node *n, uint64_t time, uint64_t length)
{
	n->length = length;
	if (n->start != GRAPH_UNKNOWN && time != GRAPH_UNKNOWN && time > n->start)
		n->reach = time - n->start;
}

/* A call that began before the trace: the deeper ones before its end were made by it. */
static void
graph_begun_before(struct graph_tree *g, uint32_t track, const struct graph_line *l)
{
	struct graph_node new = { .start = GRAPH_UNKNOWN, .length = l->length, .depth = 2 * l->depth + 2,
	    .frame = graph_frame_of(g, l->name.n > 0 ? l->name : UNKNOWN, l->user) };
	uint32_t node = graph_enter(g, track, &new, false), first = 0, at;

	g->no_begin++;
	g->calls++;
	if (node == 0)
		return;
	for (at = graph_node_at(g, node)->prev; at != 0 && graph_node_at(g, at)->depth > new.depth;
	    at = graph_node_at(g, at)->prev) {
		graph_node_at(g, at)->parent = node;
		first = at;
	}
	if (l->time != GRAPH_UNKNOWN && (l->length != GRAPH_UNKNOWN || first == 0))
		graph_node_at(g, node)->start = l->length < l->time ? l->time - l->length : l->time;
	if (first == 0)
		return;
	graph_node_at(g, node)->last = graph_node_at(g, node)->prev;
	graph_node_at(g, node)->prev = at;
	graph_node_at(g, first)->prev = 0;
}

static void
graph_take_close(struct graph_tree *g, uint32_t track, const struct graph_line *l)
{
	struct graph_track *t = graph_track_at(g, track);
	uint32_t depth = 2 * l->depth + 2;
	struct graph_node *n;
	struct str name;

	graph_end_deeper(g, t, depth + 1);
	n = graph_node_at(g, t->top);
	if (n->depth != depth) {
		graph_begun_before(g, track, l);
		return;
	}
	name = str_until(samples_frame_name(g->to->samples, n->frame), ' ');
	g->end_name += l->name.n > 0 && !str_eq(name, l->name);
	graph_set_end(n, l->time, l->length);
	t->top = n->parent;
}

/* The innermost interrupt ends, and what is open in it. */
static void
graph_take_return(struct graph_tree *g, uint32_t track, const struct graph_line *l)
{
	struct graph_track *t = graph_track_at(g, track);
	uint32_t at = t->top;

	t->interrupt = false;
	while (graph_node_at(g, at)->depth != 0 && graph_node_at(g, at)->depth % 2 == 0)
		at = graph_node_at(g, at)->parent;
	if (graph_node_at(g, at)->depth == 0)
		return;
	graph_end_deeper(g, t, graph_node_at(g, at)->depth + 1);
	graph_set_end(graph_node_at(g, at), l->time, GRAPH_UNKNOWN);
	t->top = graph_node_at(g, at)->parent;
}

void
graph_take(struct graph_tree *g, const struct graph_line *l)
{
	uint32_t track;

	assert(l->kind < GRAPH_KINDS);
	if (l->kind == GRAPH_SWITCH) {
		graph_take_switch(g, l);
		return;
	}
	if (l->kind < GRAPH_OPEN || (track = graph_line_track(g, l)) == 0)
		return;
	if (l->kind == GRAPH_INTERRUPT)
		graph_track_at(g, track)->interrupt = true;
	else if (l->kind == GRAPH_RETURN)
		graph_take_return(g, track, l);
	else if (l->kind == GRAPH_CLOSE)
		graph_take_close(g, track, l);
	else
		graph_take_call(g, track, l);
}

/* ---- times ------------------------------------------------------------------------------------ */

/* From here on, calls are in order: last is the first child, prev the call after it. */
static void
order_children(struct graph_tree *g, struct graph_node *n)
{
	uint32_t next = 0, at = n->last, before;

	for (; at != 0; at = before) {
		before = graph_node_at(g, at)->prev;
		graph_node_at(g, at)->prev = next;
		next = at;
	}
	n->last = next;
}

/* The next call of a track after one whose children are done; leave gets those that are done; 0: the track ends. */
static uint32_t
graph_next(struct graph_tree *g, uint32_t at, void (*leave)(struct graph_tree *, struct graph_node *, void *),
    void *arg)
{
	while (graph_node_at(g, at)->depth != 0) {
		struct graph_node *n = graph_node_at(g, at);

		leave(g, n, arg);
		if (n->prev != 0)
			return n->prev;
		at = n->parent;
	}
	return 0;
}

/*
 * A call without a printed length lasts until its last child ends, and not less long than they last together.  Without
 * a start, it begins with its first child.
 */
static void
graph_measure(struct graph_tree *g, struct graph_node *n, void *arg)
{
	struct graph_node *up = graph_node_at(g, n->parent);
	uint64_t end;

	(void)arg;
	if (n->length == GRAPH_UNKNOWN)
		n->length = n->inside > n->reach ? n->inside : n->reach;
	up->inside = num_add(up->inside, n->length);
	if (n->start == GRAPH_UNKNOWN)
		return;
	up->start = up->start == GRAPH_UNKNOWN ? n->start : up->start;
	end = num_add(n->start, n->length);
	up->reach = end > up->start && end - up->start > up->reach ? end - up->start : up->reach;
}

struct placing {
	struct calls_in	*calls;
	uint32_t	thread;
};

static void
graph_add_event(struct graph_tree *g, const struct placing *p, const struct graph_node *n, uint64_t time,
    enum action act)
{
	struct call_event e = { .time = time, .cpu = SPAN_NO_CPU, .thread = p->thread, .word = 4 * n->frame + act };

	INTO(g->to, calls_in_add(p->calls, &e, g->to->err));
}

/* start and length of what is around a call are the place that is left for it and the calls after it. */
static void
graph_place(struct graph_tree *g, struct graph_node *n, const struct placing *p)
{
	struct graph_node *up = graph_node_at(g, n->parent);
	uint64_t spare = up->length > up->inside ? up->length - up->inside : 0, cut;
	uint64_t move = n->start == GRAPH_UNKNOWN || n->start < up->start ? 0 : n->start - up->start;

	up->inside -= n->length < up->inside ? n->length : up->inside;
	move = move < spare ? move : spare;
	cut = n->length > up->length - move ? n->length - (up->length - move) : 0;
	g->overlap += cut > 0;
	g->overlap_time = num_add(g->overlap_time, cut);
	g->moved += n->start != GRAPH_UNKNOWN && n->start > up->start + move + GRAIN;
	n->length -= cut;
	n->start = up->start + move;
	up->start = n->start + n->length;
	up->length -= move + n->length;
	graph_add_event(g, p, n, n->start, ACT_ENTER);
}

static void
graph_leave(struct graph_tree *g, struct graph_node *n, void *arg)
{
	if (!n->open)
		graph_add_event(g, arg, n, n->start + n->length, ACT_EXIT);
}

static void
graph_track_calls(struct graph_tree *g, const struct graph_track *t, struct placing *p)
{
	struct graph_node *root = graph_node_at(g, t->root);
	uint32_t at;

	for (at = t->top; at != t->root; at = graph_node_at(g, at)->parent)
		graph_node_at(g, at)->open = true;
	for (at = root->last; at != 0; )
		at = graph_node_at(g, at)->last != 0 ? graph_node_at(g, at)->last :
		    graph_next(g, at, graph_measure, NULL);
	*root = (struct graph_node){ .length = SCHED_TIME_MOST, .inside = root->inside, .last = root->last };
	for (at = root->last; at != 0 && !g->to->bad; ) {
		if (at % 65536 == 0 && !into_go(g->to, at))
			return;
		graph_place(g, graph_node_at(g, at), p);
		at = graph_node_at(g, at)->last != 0 ? graph_node_at(g, at)->last : graph_next(g, at, graph_leave, p);
	}
}

static uint32_t
graph_track_thread(struct graph_tree *g, const struct graph_track *t)
{
	char cpu[32];
	struct str name = t->name;

	if (t->cpu != GRAPH_UNKNOWN) {
		snprintf(cpu, sizeof cpu, "%sCPU %llu", t->known ? "idle, " : "", (unsigned long long)t->cpu);
		name = str_of(cpu);
	}
	return INTO_ID(g->to, samples_thread_new(g->to->samples, 0, t->tid, name, g->to->err));
}

uint32_t
graph_thread(struct graph_tree *g, uint32_t tid, struct str name)
{
	uint32_t track = graph_task_track(g, tid, name, GRAPH_UNKNOWN);

	if (track != 0 && graph_track_at(g, track)->thread == 0)
		graph_track_at(g, track)->thread = graph_track_thread(g, graph_track_at(g, track));
	return g->to->bad ? 0 : graph_track_at(g, track)->thread;
}

void
graph_calls(struct graph_tree *g, struct calls_in *calls)
{
	struct placing p = { .calls = calls };

	work_start(g->to->work, "calls", g->nnodes);
	for (uint32_t i = 1; i <= g->nnodes && !g->to->bad; i++)
		order_children(g, graph_node_at(g, i));
	for (uint32_t i = 1; i <= g->ntracks && into_go(g->to, i); i++) {
		if (graph_node_at(g, graph_track_at(g, i)->root)->last == 0)
			continue;
		p.thread = graph_track_at(g, i)->thread = graph_track_thread(g, graph_track_at(g, i));
		graph_track_calls(g, graph_track_at(g, i), &p);
	}
}
