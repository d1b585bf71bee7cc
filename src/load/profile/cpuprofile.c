/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * V8 CPU profiles: a tree of nodes, and the top node at each sample.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_trace.h"
#include "jload.h"

#define NODE(W, V, O) W(id) V(callFrame) W(hitCount) V(children) W(parent) V(positionTicks)
#define FRAME(W, V, O) W(functionName) W(url) W(lineNumber) W(columnNumber)
#define TICK(W, V, O) W(line) W(ticks)
#define PROFILE(W, V, O) V(nodes) V(samples) V(timeDeltas) W(startTime) W(endTime)

JLOAD_SHAPE(node, NODE)
JLOAD_SHAPE(node_frame, FRAME)
JLOAD_SHAPE(tick, TICK)
JLOAD_SHAPE(profile, PROFILE)

struct cpu_node {
	uint32_t	frame, parent;	/* row + 1 of the parent; 0: none */
	uint32_t	stack;		/* 0: not known yet */
	uint64_t	hits;		/* samples with it on top, as stored in the node */
};

/* Samples of a line of a function, in all nodes. */
struct line_ticks {
	uint32_t	frame, line;
	uint64_t	samples;
};

struct one_sample {
	uint64_t	time, offset;	/* time first: make_sort */
	uint64_t	node;
	bool		no_node;	/* invalid id */
};

/* ---- nodes --------------------------------------------------------------------------------- */

static struct cpu_node *
cpuprofile_node_at(const struct cpu_nodes *p, uint32_t row)
{
	assert(row != 0 && row <= p->n);
	return &SCRATCH(p->nodes, struct cpu_node)[row - 1];
}

/* Return row + 1 of a node, 0: missing. */
static uint32_t
node_row(const struct cpu_nodes *p, uint64_t id)
{
	uint32_t row = idmap_get(&p->by_id, id);

	return row > p->before ? row : 0;
}

void
cpu_nodes_add(struct cpu_nodes *p, uint64_t id, uint32_t frame, uint64_t hits)
{
	struct cpu_node new = { .frame = frame, .hits = hits };

	INTO_ROW(&p->l->to, p->nodes, p->n, new, "nodes");
	into_map(&p->l->to, &p->by_id, id, (uint32_t)p->n);
}

/* Add how often each line of the function was sampled. */
static void
cpuprofile_read_ticks(struct jload *l, uint32_t frame, struct json ticks)
{
	JLOAD_EACH(l, ticks, item) {
		struct tick at = tick_read(l, item);
		struct line_ticks new = { .frame = frame };
		uint64_t line, samples;
		uint32_t found;

		if (!jload_number(l, at.line, 0, &line) || !jload_number(l, at.ticks, 0, &samples))
			continue;
		if (line == 0 || line > UINT32_MAX) {
			l->bad++;
			continue;
		}
		new.line = (uint32_t)line;
		found = (uint32_t)l->nticks + 1;
		INTO(&l->to, idmap_enter(&l->by_tick, (uint64_t)frame << 32 | line, found, &found, l->to.err));
		if (found > l->nticks)
			INTO_ROW(&l->to, l->ticks, l->nticks, new, "lines");
		if (!l->to.bad)
			SCRATCH(l->ticks, struct line_ticks)[found - 1].samples =
			    num_add(SCRATCH(l->ticks, struct line_ticks)[found - 1].samples, samples);
	}
}

bool
cpu_ticks_columns(struct jload *l, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_TICKED_METHOD, line_ticks, frame), MAKE(COL_TICKED_LINE, line_ticks, line),
		MAKE(COL_TICKED_SAMPLES, line_ticks, samples),
	};

	return l->nticks == 0 || make_columns(l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(l->ticks, struct line_ticks), l->nticks), err);
}

void
cpu_nodes_read(struct cpu_nodes *p, struct json array)
{
	JLOAD_EACH(p->l, array, item) {
		struct node at = node_read(p->l, item);
		struct node_frame f = node_frame_read(p->l, at.callFrame);
		uint64_t id, hits = 0;
		uint32_t frame;

		if (!scan_fixed(at.id, 0, &id)) {
			p->l->bad++;
			continue;
		}
		if (at.has_hitCount)
			jload_number(p->l, at.hitCount, 0, &hits);
		/* Lines count from 0; -1: there is none. */
		frame = jload_begun(p->l, f.functionName, f.url, num_add(jload_whole(f.lineNumber, UINT64_MAX), 1),
		    jload_whole(f.columnNumber, 0));
		cpu_nodes_add(p, id, frame, hits);
		cpuprofile_read_ticks(p->l, frame, at.positionTicks);
	}
}

/* Set parents, from lists of children or from parent members. */
void
cpu_nodes_join(struct cpu_nodes *p, struct json array)
{
	struct str word;
	uint32_t row, child;
	uint64_t id;

	JLOAD_EACH(p->l, array, item) {
		struct node at = node_read(p->l, item);

		if (!scan_fixed(at.id, 0, &id) || (row = node_row(p, id)) == 0)
			continue;
		if (at.has_parent && jload_number(p->l, at.parent, 0, &id))
			cpuprofile_node_at(p, row)->parent = node_row(p, id);
		for (struct json rest = json_items(at.children); json_next_word(&rest, &word); ) {
			child = jload_number(p->l, word, 0, &id) ? node_row(p, id) : 0;
			if (child != 0 && child != row)
				cpuprofile_node_at(p, child)->parent = row;
		}
	}
}

void
cpu_nodes_parent(struct cpu_nodes *p, uint64_t id, uint64_t parent)
{
	uint32_t row = node_row(p, id);

	if (row != 0)
		cpuprofile_node_at(p, row)->parent = node_row(p, parent);
}

/* Walk up to a node whose stack is known, and back down; cycles end after as many steps as nodes exist. */
static uint32_t
cpuprofile_find_stack(struct cpu_nodes *p, uint32_t row)
{
	struct into *to = &p->l->to;
	uint64_t n = 0;
	uint32_t stack;

	while (row != 0 && cpuprofile_node_at(p, row)->stack == 0 && n <= p->n - p->before && !to->bad) {
		INTO_ROW(to, p->path, n, row, "frames of a stack");
		row = cpuprofile_node_at(p, row)->parent;
	}
	stack = row == 0 ? 0 : cpuprofile_node_at(p, row)->stack;
	while (n-- > 0) {
		struct cpu_node *node = cpuprofile_node_at(p, SCRATCH(p->path, uint32_t)[n]);

		assert(node->frame != 0 || to->bad);
		node->stack = stack = into_stack(to, stack, node->frame);
	}
	return stack;
}

uint32_t
cpu_nodes_stack(struct cpu_nodes *p, uint64_t id)
{
	return cpuprofile_find_stack(p, node_row(p, id));
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
step(struct cpu_samples *c, struct jload *l, struct json *deltas)
{
	struct str word = STR("");
	uint64_t delta = TIME_ZERO;

	if (!json_next_word(deltas, &word) || !jload_time(l, word, 3, &delta))
		l->no_number++;
	c->clock = jload_step(l, c->clock, delta);
}

void
cpu_samples_read(struct cpu_samples *c, struct jload *l, struct json ids, struct json deltas)
{
	struct str word;

	deltas = json_items(deltas);
	JLOAD_EACH(l, ids, id) {
		struct one_sample one = { .offset = id.at };

		if (!scan_plain(&id, &word))
			break;
		one.no_node = !scan_fixed(word, 0, &one.node);
		if (deltas.base != NULL)
			step(c, l, &deltas);
		one.time = c->clock;
		INTO_ROW(&l->to, c->rows, c->n, one, "samples");
	}
}

/* Return when a sample ends: at the next one or, for the last, at the end if that is at most `most` later. */
static uint64_t
end_of(const struct cpu_samples *c, uint64_t i, uint64_t end, uint64_t most)
{
	const struct one_sample *one = SCRATCH(c->rows, struct one_sample);

	assert(i < c->n && (i + 1 == c->n || one[i].time <= one[i + 1].time));
	if (i + 1 < c->n)
		return one[i + 1].time;
	return end < one[i].time || end - one[i].time > most ? one[i].time : end;
}

void
cpu_samples_add(struct cpu_samples *c, struct cpu_nodes *nodes, struct sample *s, bool timed, uint64_t end,
    uint64_t most)
{
	struct jload *l = nodes->l;

	INTO(&l->to, !timed || make_sort(&c->rows, c->n, sizeof(struct one_sample), l->work, l->to.err));
	for (uint64_t i = 0; i < c->n && !l->to.bad; i++) {
		const struct one_sample *one = &SCRATCH(c->rows, struct one_sample)[i];

		s->time = one->time;
		s->offset = one->offset;
		s->weight = timed ? end_of(c, i, end, most) - one->time : 1;
		s->stack = one->no_node ? 0 : cpu_nodes_stack(nodes, one->node);
		l->no_node += s->stack == 0;
		into_sample(&l->to, s);
	}
}

/* ---- file ---------------------------------------------------------------------------------- */

static void
cpuprofile_read_samples(struct cpu_nodes *p, const struct profile *at, struct sample *s)
{
	struct jload *l = p->l;
	struct cpu_samples samples = { .clock = TIME_ZERO };
	bool timed = json_items(at->timeDeltas).base != NULL;
	uint64_t end = 0;

	s->event = into_event(&l->to, timed ? STR("time") : STR("samples"),
	    timed ? WEIGHT_TIME : WEIGHT_COUNT, timed ? "ns" : "samples");
	l->no_number += at->has_startTime && !jload_time(l, at->startTime, 3, &samples.clock);
	l->no_number += at->has_endTime && !jload_time(l, at->endTime, 3, &end);
	cpu_samples_read(&samples, l, at->samples, at->timeDeltas);
	cpu_samples_add(&samples, p, s, timed, end, TIME_MOST);
	l->samples.times = timed;
	scratch_free(&samples.rows);
}

/* Without a list of samples, use the hit counts of the nodes. */
static void
read_hits(struct cpu_nodes *p, struct sample *s)
{
	struct into *to = &p->l->to;

	s->event = into_event(to, STR("samples"), WEIGHT_COUNT, "samples");
	for (uint32_t row = 1; row <= p->n && !to->bad; row++) {
		if (row % 4096 == 0)
			into_go(to, p->l->doc.size);
		s->weight = cpuprofile_node_at(p, row)->hits < INT64_MAX ? cpuprofile_node_at(p, row)->hits :
		    INT64_MAX;
		if (s->weight == 0)
			continue;
		s->stack = cpuprofile_find_stack(p, row);
		into_sample(to, s);
	}
}

void
cpuprofile_load(struct jload *l)
{
	struct cpu_nodes p = { .l = l };
	struct json doc = l->doc;
	struct profile at = profile_take(l, &doc, true);
	struct sample s = { .thread = INTO_ID(&l->to, samples_thread(&l->samples, 0, 0, STR(""), l->to.err)) };

	cpu_nodes_read(&p, at.nodes);
	cpu_nodes_join(&p, at.nodes);
	if (json_is(at.samples))
		cpuprofile_read_samples(&p, &at, &s);
	else
		read_hits(&p, &s);
	cpu_nodes_close(&p);
}
