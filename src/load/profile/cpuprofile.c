/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * V8 CPU profiles: a tree of nodes, and the top node at each sample.
 */
#include "config.h"

#include <assert.h>

#include "jload.h"

enum { NODES, SAMPLES, DELTAS, START, END, MEMBERS };

struct cpu_node {
	uint32_t	frame, parent;	/* row + 1 of the parent; 0: none */
	uint32_t	stack;		/* 0: not known yet */
	uint64_t	hits;		/* samples with it on top, as stored in the node */
};

struct one_sample {
	uint64_t	time, offset;	/* time first: make_sort */
	uint64_t	node;
	bool		no_node;	/* invalid id */
};

/* ---- nodes --------------------------------------------------------------------------------- */

static struct cpu_node *
cpuprofile_node_of(const struct cpu_nodes *p, uint32_t row)
{
	assert(row != 0 && row <= p->n);
	return &SCRATCH(p->nodes, struct cpu_node)[row - 1];
}

/* Return row + 1 of a node, 0: missing. */
static uint32_t
cpuprofile_row_of(const struct cpu_nodes *p, uint64_t id)
{
	uint32_t row = idmap_get(&p->by_id, id);

	return row > p->before ? row : 0;
}

static bool
cpuprofile_put_node(struct cpu_nodes *p, uint64_t id, const struct cpu_node *node, struct err *err)
{
	return make_add(&p->nodes, &p->n, node, sizeof *node, MAKE_MOST, "nodes", err) &&
	    idmap_put(&p->by_id, id, (uint32_t)p->n, err);
}

static bool
cpuprofile_add_node(void *arg, struct json j, struct err *err)
{
	static const char *const names[] = { "id", "callFrame", "hitCount", NULL },
	    *const frame[] = { "functionName", "url", "lineNumber", "columnNumber", NULL };
	struct cpu_nodes *p = arg;
	struct cpu_node node = { .frame = 0 };
	struct json at[3], function[4];
	uint64_t id, line = 0, column = 0;

	jload_members(p->l, j, names, at);
	jload_members(p->l, at[1], frame, function);
	if (!scan_fixed(jload_word(at[0]), 0, &id)) {
		p->l->bad++;
		return true;
	}
	jload_number(p->l, at[2], 0, &node.hits);
	/* Lines count from 0; -1: there is none. */
	line = scan_fixed(jload_word(function[2]), 0, &line) ? num_add(line, 1) : 0;
	scan_fixed(jload_word(function[3]), 0, &column);
	node.frame = jload_begun(p->l, jload_word(function[0]), jload_word(function[1]), line, column, err);
	return node.frame != 0 && cpuprofile_put_node(p, id, &node, err);
}

/* Set parents, from lists of children or from parent members. */
static bool
cpuprofile_add_parents(void *arg, struct json j, struct err *err)
{
	static const char *const names[] = { "id", "children", "parent", NULL };
	struct cpu_nodes *p = arg;
	struct json at[3];
	struct str word;
	uint32_t row, child;
	uint64_t id;

	(void)err;
	jload_members(p->l, j, names, at);
	if (!scan_fixed(jload_word(at[0]), 0, &id) || (row = cpuprofile_row_of(p, id)) == 0)
		return true;
	if (jload_number(p->l, at[2], 0, &id))
		cpuprofile_node_of(p, row)->parent = cpuprofile_row_of(p, id);
	if (!scan_open(&at[1], '['))
		return true;
	while (scan_item(&at[1])) {
		if (!scan_plain(&at[1], &word))
			break;
		if (!scan_fixed(word, 0, &id)) {
			p->l->no_number++;
			continue;
		}
		child = cpuprofile_row_of(p, id);
		if (child != 0 && child != row)
			cpuprofile_node_of(p, child)->parent = row;
	}
	return true;
}

/* Walk up to a node whose stack is known, and back down; cycles end after as many steps as nodes exist. */
static bool
cpuprofile_find_stack(struct cpu_nodes *p, uint32_t row, uint32_t *stack, struct err *err)
{
	uint64_t n = 0;

	while (row != 0 && cpuprofile_node_of(p, row)->stack == 0 && n <= p->n - p->before) {
		if (!scratch_array(&p->path, n + 1, sizeof row, err))
			return false;
		SCRATCH(p->path, uint32_t)[n++] = row;
		row = cpuprofile_node_of(p, row)->parent;
	}
	*stack = row == 0 ? 0 : cpuprofile_node_of(p, row)->stack;
	while (n-- > 0) {
		struct cpu_node *node = cpuprofile_node_of(p, SCRATCH(p->path, uint32_t)[n]);

		assert(node->frame != 0);
		*stack = samples_stack(&p->l->samples, *stack, node->frame, err);
		if (*stack == 0)
			return false;
		node->stack = *stack;
	}
	return true;
}

bool
cpu_nodes_read(struct cpu_nodes *p, struct json array, struct err *err)
{
	return jload_each(p->l, array, cpuprofile_add_node, p, err);
}

bool
cpu_nodes_join(struct cpu_nodes *p, struct json array, struct err *err)
{
	return jload_each(p->l, array, cpuprofile_add_parents, p, err);
}

bool
cpu_nodes_add(struct cpu_nodes *p, uint64_t id, uint32_t frame, struct err *err)
{
	return cpuprofile_put_node(p, id, &(struct cpu_node){ .frame = frame }, err);
}

void
cpu_nodes_parent(struct cpu_nodes *p, uint64_t id, uint64_t parent)
{
	uint32_t row = cpuprofile_row_of(p, id);

	if (row != 0)
		cpuprofile_node_of(p, row)->parent = cpuprofile_row_of(p, parent);
}

bool
cpu_nodes_stack(struct cpu_nodes *p, uint64_t id, uint32_t *stack, struct err *err)
{
	return cpuprofile_find_stack(p, cpuprofile_row_of(p, id), stack, err);
}

void
cpu_nodes_begin(struct cpu_nodes *p)
{
	assert(p->before <= p->n);
	p->before = p->n;
}

void
cpu_nodes_close(struct cpu_nodes *p)
{
	SCRATCH_FREE(&p->nodes, &p->path);
	idmap_free(&p->by_id);
	*p = (struct cpu_nodes){ .l = p->l };
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Missing and invalid deltas are counted and treated as 0. */
static void
cpuprofile_step(struct cpu_samples *c, struct jload *l, struct json *deltas)
{
	struct str word = STR("");
	uint64_t delta = TIME_ZERO;

	if (!scan_item(deltas) || !scan_plain(deltas, &word) || !jload_time(l, word, 3, &delta))
		l->no_number++;
	c->clock = jload_step(l, c->clock, delta);
}

bool
cpu_samples_read(struct cpu_samples *c, struct jload *l, struct json ids, struct json deltas, struct err *err)
{
	bool timed = scan_open(&deltas, '[');
	struct one_sample one;
	struct str word;

	if (!scan_open(&ids, '['))
		return true;
	while (scan_item(&ids)) {
		if (!work_go(l->work, ids.at, err))
			return false;
		one = (struct one_sample){ .offset = ids.at };
		if (!scan_plain(&ids, &word))
			break;
		one.no_node = !scan_fixed(word, 0, &one.node);
		if (timed)
			cpuprofile_step(c, l, &deltas);
		one.time = c->clock;
		if (!make_add(&c->rows, &c->n, &one, sizeof one, UINT64_MAX, "samples", err))
			return false;
	}
	l->cut |= ids.bad;
	return true;
}

/* Return when a sample ends: at the next one or, for the last, at the end if that is at most `most` later. */
static uint64_t
cpuprofile_end_of(const struct cpu_samples *c, uint64_t i, uint64_t end, uint64_t most)
{
	const struct one_sample *one = SCRATCH(c->rows, struct one_sample);

	assert(i < c->n && (i + 1 == c->n || one[i].time <= one[i + 1].time));
	if (i + 1 < c->n)
		return one[i + 1].time;
	return end < one[i].time || end - one[i].time > most ? one[i].time : end;
}

bool
cpu_samples_add(struct cpu_samples *c, struct cpu_nodes *nodes, struct sample *s, bool timed, uint64_t end, uint64_t most,
    struct err *err)
{
	struct jload *l = nodes->l;

	if (timed && !make_sort(&c->rows, c->n, sizeof(struct one_sample), l->work, err))
		return false;
	for (uint64_t i = 0; i < c->n; i++) {
		const struct one_sample *one = &SCRATCH(c->rows, struct one_sample)[i];

		s->time = one->time;
		s->offset = one->offset;
		s->weight = timed ? cpuprofile_end_of(c, i, end, most) - one->time : 1;
		s->stack = 0;
		if (!one->no_node && !cpu_nodes_stack(nodes, one->node, &s->stack, err))
			return false;
		l->no_node += s->stack == 0;
		if (!samples_add(&l->samples, s, err))
			return false;
	}
	return true;
}

void
cpu_samples_close(struct cpu_samples *c)
{
	scratch_free(&c->rows);
}

/* ---- file ---------------------------------------------------------------------------------- */

static bool
cpuprofile_read_samples(struct cpu_nodes *p, const struct json *at, struct err *err)
{
	struct jload *l = p->l;
	struct sample s = { .thread = samples_thread(&l->samples, 0, 0, STR(""), err) };
	struct cpu_samples samples = { .clock = TIME_ZERO };
	struct json deltas = at[DELTAS];
	uint64_t end = 0;
	bool timed = scan_open(&deltas, '['), ok;

	s.event = samples_event(&l->samples, timed ? STR("time") : STR("samples"),
	    timed ? WEIGHT_TIME : WEIGHT_COUNT, timed ? "ns" : "samples", err);
	if (s.thread == 0 || s.event == 0)
		return false;
	l->no_number += at[START].at < at[START].size && !jload_time(l, jload_word(at[START]), 3, &samples.clock);
	l->no_number += at[END].at < at[END].size && !jload_time(l, jload_word(at[END]), 3, &end);
	ok = cpu_samples_read(&samples, l, at[SAMPLES], at[DELTAS], err) &&
	    cpu_samples_add(&samples, p, &s, timed, end, TIME_MOST, err);
	l->samples.times = timed;
	cpu_samples_close(&samples);
	return ok;
}

/* Without a list of samples, use the hit counts of the nodes. */
static bool
read_hits(struct cpu_nodes *p, struct err *err)
{
	struct sample s = { .thread = samples_thread(&p->l->samples, 0, 0, STR(""), err) };

	s.event = samples_event(&p->l->samples, STR("samples"), WEIGHT_COUNT, "samples", err);
	if (s.thread == 0 || s.event == 0)
		return false;
	for (uint32_t row = 1; row <= p->n; row++) {
		if (row % 4096 == 0 && !work_tick(p->l->work, p->l->doc.size))
			return fail_cancel(err);
		s.weight = cpuprofile_node_of(p, row)->hits < INT64_MAX ? cpuprofile_node_of(p, row)->hits : INT64_MAX;
		if (s.weight > 0 && (!cpuprofile_find_stack(p, row, &s.stack, err) || !samples_add(&p->l->samples, &s, err)))
			return false;
	}
	return true;
}

bool
cpuprofile_load(struct jload *l, struct err *err)
{
	static const char *const members[] = { "nodes", "samples", "timeDeltas", "startTime", "endTime", NULL }, *const no_members[] = { NULL };
	struct cpu_nodes p = { .l = l };
	struct json at[MEMBERS];
	bool ok;

	jload_top(l, members, at, no_members);
	ok = cpu_nodes_read(&p, at[NODES], err) && cpu_nodes_join(&p, at[NODES], err) &&
	    (at[SAMPLES].at < at[SAMPLES].size ? cpuprofile_read_samples(&p, at, err) : read_hits(&p, err));
	cpu_nodes_close(&p);
	return ok;
}
