/*
 * CPU profiles of V8: a tree of nodes, and which of them was on top at each sample.
 */
#include "config.h"

#include <assert.h>

#include "jload.h"

enum { NODES, SAMPLES, DELTAS, START, END, MEMBERS };

struct cpu_node {
	uint32_t	frame, parent;	/* row + 1 of the parent; 0: none */
	uint32_t	stack;		/* 0: not known yet */
	uint64_t	hits;		/* samples with it on top, as it says itself */
};

static bool
number_at(struct json j, uint64_t *v)
{
	struct str s;

	return j.at < j.size && json_word(&j, &s) && json_fixed(s, 0, v);
}

static struct cpu_node *
node_of(const struct cpu_nodes *p, uint32_t row)
{
	assert(row != 0 && row <= p->n);
	return &SCRATCH(p->nodes, struct cpu_node)[row - 1];
}

/* Row + 1 of a node, 0: it is not there. */
static uint32_t
row_of(const struct cpu_nodes *p, uint64_t id)
{
	uint32_t row = idmap_get(&p->by_id, id);

	return row > p->before ? row : 0;
}

static bool
put_node(struct cpu_nodes *p, uint64_t id, const struct cpu_node *node, struct err *err)
{
	return make_add(&p->nodes, &p->n, node, sizeof *node, MAKE_MOST, "nodes", err) &&
	    idmap_put(&p->by_id, id, (uint32_t)p->n, err);
}

static bool
add_node(void *arg, struct json j, struct err *err)
{
	static const char *const names[] = { "id", "callFrame", "hitCount", NULL }, *const frame[] = { "functionName", "url", "lineNumber", "columnNumber",
	    NULL };
	struct cpu_nodes *p = arg;
	struct cpu_node node = { .frame = 0 };
	struct json at[3], function[4];
	uint64_t id, line = 0, column = 0;

	jload_members(p->l, j, names, at);
	jload_members(p->l, at[1], frame, function);
	if (!number_at(at[0], &id)) {
		p->l->bad++;
		return true;
	}
	number_at(at[2], &node.hits);
	/* Lines count from 0; -1: there is none. */
	line = number_at(function[2], &line) ? line + 1 : 0;
	number_at(function[3], &column);
	node.frame = jload_begun(p->l, jload_word(function[0]), jload_word(function[1]), line, column, err);
	return node.frame != 0 && put_node(p, id, &node, err);
}

/* Parents, by the lists of children or by what nodes say themselves. */
static bool
add_parents(void *arg, struct json j, struct err *err)
{
	static const char *const names[] = { "id", "children", "parent", NULL };
	struct cpu_nodes *p = arg;
	struct json at[3];
	uint32_t row, child;
	uint64_t id;

	(void)err;
	jload_members(p->l, j, names, at);
	if (!number_at(at[0], &id) || (row = row_of(p, id)) == 0)
		return true;
	if (number_at(at[2], &id))
		node_of(p, row)->parent = row_of(p, id);
	if (!json_open(&at[1], '['))
		return true;
	while (json_item(&at[1])) {
		if (!number_at(at[1], &id) || !json_skip(&at[1]))
			break;
		child = row_of(p, id);
		if (child != 0 && child != row)
			node_of(p, child)->parent = row;
	}
	return true;
}

/* From a node up to one whose stack is known, and back; a circle ends after as many steps as there are nodes. */
static bool
find_stack(struct cpu_nodes *p, uint32_t row, uint32_t *stack, struct err *err)
{
	uint64_t n = 0;

	while (row != 0 && node_of(p, row)->stack == 0 && n <= p->n - p->before) {
		if (!scratch_array(&p->path, n + 1, sizeof row, err))
			return false;
		SCRATCH(p->path, uint32_t)[n++] = row;
		row = node_of(p, row)->parent;
	}
	*stack = row == 0 ? 0 : node_of(p, row)->stack;
	while (n-- > 0) {
		struct cpu_node *node = node_of(p, SCRATCH(p->path, uint32_t)[n]);

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
	return jload_each(p->l, array, add_node, p, err);
}

bool
cpu_nodes_join(struct cpu_nodes *p, struct json array, struct err *err)
{
	return jload_each(p->l, array, add_parents, p, err);
}

bool
cpu_nodes_add(struct cpu_nodes *p, uint64_t id, uint32_t frame, struct err *err)
{
	return put_node(p, id, &(struct cpu_node){ .frame = frame }, err);
}

void
cpu_nodes_parent(struct cpu_nodes *p, uint64_t id, uint64_t parent)
{
	uint32_t row = row_of(p, id);

	if (row != 0)
		node_of(p, row)->parent = row_of(p, parent);
}

bool
cpu_nodes_stack(struct cpu_nodes *p, uint64_t id, uint32_t *stack, struct err *err)
{
	return find_stack(p, row_of(p, id), stack, err);
}

void
cpu_nodes_begin(struct cpu_nodes *p)
{
	p->before = p->n;
}

void
cpu_nodes_close(struct cpu_nodes *p)
{
	SCRATCH_FREE(&p->nodes, &p->path);
	idmap_free(&p->by_id);
	*p = (struct cpu_nodes){ .l = p->l };
}

/* A sample lasts until the next one. */
static bool
read_samples(struct cpu_nodes *p, const struct json *at, struct err *err)
{
	struct json ids = at[SAMPLES], deltas = at[DELTAS];
	struct sample s = { .thread = samples_thread(&p->l->samples, 0, 0, STR(""), err), .weight = 1 };
	uint64_t clock = 0, end = 0, id, us = 0;
	bool timed = json_open(&deltas, '[');

	s.event = samples_event(&p->l->samples, timed ? STR("time") : STR("samples"),
	    timed ? WEIGHT_TIME : WEIGHT_COUNT, timed ? "ns" : "samples", err);
	if (s.thread == 0 || s.event == 0)
		return false;
	number_at(at[START], &clock);
	number_at(at[END], &end);
	if (!json_open(&ids, '['))
		return true;
	/* The first delta is from the start to the first sample. */
	if (timed && json_item(&deltas) && number_at(deltas, &us) && json_skip(&deltas))
		clock = num_add(clock, us);
	while (json_item(&ids)) {
		if (!work_go(p->l->work, ids.at, err))
			return false;
		s.offset = ids.at;
		if (!number_at(ids, &id) || !json_skip(&ids))
			break;
		us = end > clock ? end - clock : 0;
		if (timed && json_item(&deltas) && (!number_at(deltas, &us) || !json_skip(&deltas)))
			us = 0;
		s.time = clock > UINT64_MAX / 1000 ? UINT64_MAX : clock * 1000;
		s.weight = !timed ? 1 : us > INT64_MAX / 1000 ? INT64_MAX : us * 1000;
		clock = num_add(clock, us);
		if (!find_stack(p, row_of(p, id), &s.stack, err) ||
		    !samples_add(&p->l->samples, &s, err))
			return false;
	}
	p->l->samples.times = timed;
	p->l->cut |= ids.bad;
	return true;
}

/* Without a list of samples the nodes' counts tell how many there were. */
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
		s.weight = node_of(p, row)->hits < INT64_MAX ? node_of(p, row)->hits : INT64_MAX;
		if (s.weight > 0 && (!find_stack(p, row, &s.stack, err) || !samples_add(&p->l->samples, &s, err)))
			return false;
	}
	return true;
}

bool
cpuprofile_load(struct jload *l, struct err *err)
{
	static const char *const members[] = { "nodes", "samples", "timeDeltas", "startTime", "endTime", NULL };
	struct cpu_nodes p = { .l = l };
	struct json at[MEMBERS];
	bool ok;

	jload_members(l, l->doc, members, at);
	ok = cpu_nodes_read(&p, at[NODES], err) && cpu_nodes_join(&p, at[NODES], err) &&
	    (at[SAMPLES].at < at[SAMPLES].size ? read_samples(&p, at, err) : read_hits(&p, err));
	cpu_nodes_close(&p);
	return ok;
}
