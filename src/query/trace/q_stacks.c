/*
 * q_stacks: the output of perf script as folded stacks, by the rules of the scripts that make flame graphs.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/perf.h"
#include "trace.h"

#define SLICE 64u		/* samples between two ticks */

struct stack_sum {
	struct str	text;		/* set when all are known */
	uint64_t	weight, samples;
};

/* Weights are times, or counts. */
static const struct coldef stacks_cols[2][3] = { {
	{ "stack", CELL_TEXT, "frames, outermost first, separated by semicolons", false },
	{ "weight", CELL_COUNT, "total weight", false, FIELD_OF(struct stack_sum, weight) },
	{ "samples", CELL_COUNT, "samples", false, FIELD_OF(struct stack_sum, samples) }
}, {
	{ "stack", CELL_TEXT, "frames, outermost first, separated by semicolons", false },
	{ "weight", CELL_TIME, "total weight", false, FIELD_OF(struct stack_sum, weight) },
	{ "samples", CELL_COUNT, "samples", false, FIELD_OF(struct stack_sum, samples) }
} };

enum stacks_root { ROOT_COMM, ROOT_PID, ROOT_TID };

struct stacks {
	struct rows		 rows;
	const struct store	*st;
	const struct column	*offset, *weight, *event;	/* of samples */
	uint64_t		 chosen;
	enum stacks_root	 root;
	bool			 kernel, jit, rust, addresses;
	struct perf_text	 text;
	struct keys		 keys;
	struct scratch		 sums;		/* struct stack_sum of key n at n - 1 */
	struct buf		 line, name;
	bool			 known;
};

/* ---- one sample -------------------------------------------------------------------------- */

static void
add_root(struct stacks *s, const struct perf_sample *p)
{
	struct buf *b = &s->line;

	buf_clear(b);
	buf_str(b, p->comm);
	if (s->root != ROOT_COMM && p->has_pid)
		buf_printf(b, "-%u", p->pid);
	else if (s->root != ROOT_COMM)
		buf_str(b, STR("-?"));
	if (s->root == ROOT_TID)
		buf_printf(b, "/%u", p->tid);
	for (size_t i = 0; i < b->n; i++)
		if (b->s[i] == ' ')
			b->s[i] = '_';
}

static void
add_suffix(struct stacks *s, struct str name, const char *suffix, bool again)
{
	if (again || name.n == 0 || memmem(name.s, name.n, suffix, strlen(suffix)) == NULL)
		buf_str(&s->line, str_of(suffix));
}

static void
add_frame(struct stacks *s, const struct perf_frame *f, unsigned names)
{
	struct str symbol = f->symbol, part, name;
	char kind = perf_kind(f, names);
	bool inlined = false;

	for (; perf_part(&symbol, names, &part); inlined = true) {
		name = perf_name(f, part, names, &s->name);
		buf_chr(&s->line, ';');
		buf_str(&s->line, name);
		if (inlined)
			add_suffix(s, name, "_[i]", false);
		else if (kind == 'k' && s->kernel)
			add_suffix(s, name, "_[k]", true);
		else if (kind == 'j' && s->jit)
			add_suffix(s, name, "_[j]", false);
	}
}

/* The stack of the sample that begins at that place. */
static bool
fold_sample(struct stacks *s, uint64_t offset)
{
	unsigned names = PERF_EXACT | (s->addresses ? PERF_ADDRESSES : 0) | (s->rust ? PERF_RUST : 0);
	struct perf_sample p;
	struct perf_frame f;
	uint64_t bad = 0;

	s->text.at = offset;
	if (offset >= s->text.size || !perf_next(&s->text, &p))
		return false;
	add_root(s, &p);
	if (str_eq(buf_view(&s->line), STR("java")))
		names |= PERF_JAVA;
	while (perf_frame(&p.frames, names, &f, &bad))
		add_frame(s, &f, names);
	return true;
}

/* ---- all of them --------------------------------------------------------------------------- */

static bool
add_sample(struct stacks *s, uint64_t row)
{
	struct err *err = &s->rows.err;
	struct stack_sum *sum;
	uint32_t number;

	if (!fold_sample(s, column_get(s->offset, row)))
		return true;
	if (s->line.bad || s->name.bad)
		return fail(err, E_SYSTEM, "out of memory (stack)");
	if (!keys_number(&s->keys, buf_view(&s->line), &number, err) ||
	    !scratch_array(&s->sums, s->keys.n, sizeof *sum, err))
		return false;
	sum = &SCRATCH(s->sums, struct stack_sum)[number - 1];
	sum->weight = num_add(sum->weight, column_get(s->weight, row));
	sum->samples++;
	return true;
}

static int
by_text(const void *x, const void *y)
{
	return str_cmp(((const struct stack_sum *)x)->text, ((const struct stack_sum *)y)->text);
}

static bool
fold_all(struct stacks *s)
{
	for (uint64_t i = 0; i < s->offset->rows; i++) {
		if (i % SLICE == 0 && !rows_tick(&s->rows, i))
			return false;
		if (column_get(s->event, i) == s->chosen && !add_sample(s, i))
			return false;
	}
	for (uint32_t k = 0; k < s->keys.n; k++)
		SCRATCH(s->sums, struct stack_sum)[k].text = keys_text(&s->keys, k + 1);
	if (s->keys.n > 0)
		qsort(s->sums.data, s->keys.n, sizeof(struct stack_sum), by_text);
	return true;
}

static uint64_t
stacks_reach(struct rows *r, uint64_t n)
{
	struct stacks *s = (struct stacks *)r;

	if (n > 0 && !s->known && s->offset != NULL) {
		s->known = true;
		if (!fold_all(s))
			s->keys.n = 0;
	}
	return s->keys.n;
}

static void
stacks_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct stacks *s = (struct stacks *)r;
	const struct stack_sum *sum = &SCRATCH(s->sums, struct stack_sum)[row];

	if (!cell_member(r, s->st, sum, col, &s->line, c))
		c->text = sum->text;
}

static void
stacks_close(struct rows *r)
{
	struct stacks *s = (struct stacks *)r;

	keys_free(&s->keys);
	scratch_free(&s->sums);
	buf_free(&s->line);
	buf_free(&s->name);
}

static const struct rows_ops stacks_ops = { .reach = stacks_reach, .cell = stacks_cell,
	.close = stacks_close };

/* ---- arguments ------------------------------------------------------------------------------ */

static bool
read_arguments(struct stacks *s, const struct stage *stage, struct err *err)
{
	const struct token *t;
	size_t i = 0;

	while ((t = stage_next(stage, &i)) != NULL) {
		if (token_is(t, "comm"))
			s->root = ROOT_COMM;
		else if (token_is(t, "pid"))
			s->root = ROOT_PID;
		else if (token_is(t, "tid"))
			s->root = ROOT_TID;
		else if (token_is(t, "addrs"))
			s->addresses = true;
		else if (token_is(t, "rust"))
			s->rust = true;
		else if (token_is(t, "kernel") || token_is(t, "all") || token_is(t, "jit")) {
			s->kernel |= !token_is(t, "jit");
			s->jit |= !token_is(t, "kernel");
		} else
			return fail_at(err, E_USAGE, t->at,
			    "unknown option; use comm, pid, tid, kernel, jit, all, addrs, rust");
	}
	return true;
}

static bool
find_columns(struct stacks *s, const struct stage *stage, struct err *err)
{
	const struct loader *l = load_loader(s->st);
	const struct map *m = store_source(s->st);

	if (l == NULL || strcmp(l->name, "perf") != 0)
		return fail_at(err, E_USAGE, stage->at, "'stacks' is for perf script; use 'calls | format folded'");
	perf_open(&s->text, (const char *)m->data, m->size);
	s->text.exact = true;
	s->offset = store_column(s->st, COL_SAMPLE_OFFSET);
	s->weight = store_column(s->st, COL_SAMPLE_WEIGHT);
	s->event = store_column(s->st, COL_SAMPLE_EVENT);
	s->chosen = store_fact_get(s->st, "event");
	return true;
}

static bool
stacks_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct stacks *s = rows_of_command(sizeof *s, &stacks_ops, session, stage, in, err);
	struct weights w;

	if (s == NULL)
		return false;
	s->st = session_store(session);
	if (s->st != NULL) {
		weights_of(s->st, &w);
		s->rows.cols = stacks_cols[w.type == WEIGHT_TIME];
	}
	return rows_opened(&s->rows, read_arguments(s, stage, err) &&
	    (s->st == NULL || find_columns(s, stage, err)), out);
}

const struct command source_stacks = {
	SOURCE("stacks", "folded stacks, named as stackcollapse-perf does", "stacks pid all",
	    stacks_open),
	OVER(SHAPE_SAMPLES, stacks_cols[0]),
	.args = ARGS({ NULL, ARG_OPTIONAL, "comm" }, { NULL, ARG_OR, "pid" }, { NULL, ARG_OR, "tid" },
	    { NULL, ARG_OPTIONAL, "kernel" }, { NULL, ARG_OPTIONAL, "jit" },
	    { NULL, ARG_OPTIONAL, "all" }, { NULL, ARG_OPTIONAL, "addrs" },
	    { NULL, ARG_OPTIONAL, "rust" })
};
