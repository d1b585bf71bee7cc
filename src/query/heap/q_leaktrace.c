/*
 * q_leaktrace: why objects are alive, with the references to blame, as lines to read.
 */
#include "config.h"

#include "leaktrace.h"

#define BATCH 1024u		/* objects whose paths are looked for at once */

/*
 * An object asked for.  finding: its row and one, 0: none.  to: where a path is looked for, 0: nowhere; when
 * the finding keeps one, where that begins.
 */
struct target {
	uint32_t	of, finding, to;
	bool		kept;
};

struct trace_list {
	struct rows		 rows;
	struct heap_view	 view;
	struct blame		 blame;
	struct traces		 traces;
	struct findings		 findings;
	size_t			 col;		/* of in: the object */
	int			 finding;	/* of in: the finding; -1: it has none */
	bool			 heads;		/* each trace says what it is of */
	uint64_t		 row, told;	/* of in, the next one; traces there are */
	struct target		 target[BATCH];
	uint32_t		 ends[BATCH];
	size_t			 n;
	bool			 ended;
	struct buf		 text;
};

/* ---- heads ----------------------------------------------------------------------- */

/* " (58.6 KiB, 7.1%)"; no share that is next to nothing. */
static void
add_amount(struct trace_list *s, uint64_t bytes)
{
	double percent = s->view.live == 0 ? 0 : 100.0 * (double)bytes / (double)s->view.live;
	char text[NUM_TEXT];

	num_show_size(text, sizeof text, bytes);
	buf_printf(&s->text, " (%s", text);
	if (percent >= 0.1)
		buf_printf(&s->text, ", %.1f%%", percent);
	buf_chr(&s->text, ')');
}

/* "1. leak: activity com.example.MainActivity @123 (58.6 KiB, 7.1%)" */
static void
make_finding(struct trace_list *s, const struct finding *f, uint32_t number)
{
	const struct finding_row *row = &finding_rows[f->kind];

	buf_clear(&s->text);
	buf_printf(&s->text, "%u. %s: %s", number, severity_names[row->severity], row->name);
	if (f->object != 0) {
		buf_chr(&s->text, ' ');
		slot_object_add(&s->view.heap, f->object, &s->text);
	} else if (f->class != 0) {
		buf_chr(&s->text, ' ');
		heap_class_name(&s->view.heap, f->class, &s->text);
	}
	add_amount(s, f->retained);
}

static bool
say_finding(struct trace_list *s, const struct target *t)
{
	struct finding f;

	finding_get(&s->findings, t->finding - 1, &f);
	make_finding(s, &f, t->finding);
	if (!trace_say(&s->traces, TRACE_HEAD, t->of, t->finding, 0, buf_view(&s->text)))
		return false;
	buf_clear(&s->text);
	finding_why(&s->findings, s->blame.inspector, &f, &s->text);
	if (!trace_say(&s->traces, TRACE_WHY, t->of, t->finding, 3, buf_view(&s->text)))
		return false;
	buf_clear(&s->text);
	buf_str(&s->text, STR("signature: "));
	finding_signature(&s->findings, &f, &s->text);
	return trace_say(&s->traces, TRACE_SIGNATURE, t->of, t->finding, 3,
	    buf_view(&s->text));
}

static bool
say_head(struct trace_list *s, const struct target *t)
{
	if (s->told++ > 0 && !trace_say(&s->traces, TRACE_EMPTY, t->of, t->finding, 0, STR("")))
		return false;
	if (t->finding != 0)
		return say_finding(s, t);
	if (!s->heads)
		return true;
	buf_clear(&s->text);
	slot_object_add(&s->view.heap, t->of, &s->text);
	return trace_say(&s->traces, TRACE_HEAD, t->of, 0, 0, buf_view(&s->text));
}

/* ---- traces ---------------------------------------------------------------------- */

static bool
say_no_way(struct trace_list *s, const struct target *t)
{
	enum heap_strength reach = heap_reach(&s->view.heap, t->of);

	buf_clear(&s->text);
	buf_printf(&s->text, reach == HEAP_STRENGTHS ? "no GC root leads to it: it is %s" :
	    "no GC root leads to it by strong references: it is %s",
	    heap_strength_name(reach));
	return trace_say(&s->traces, TRACE_NOTE, t->of, t->finding, 0, buf_view(&s->text));
}

/* Of the path that a finding keeps only the root has to be looked for. */
static bool
add_target(struct trace_list *s, struct heap_routes *routes, const struct target *t)
{
	struct trace_path p = { .of = t->of, .finding = t->finding };
	struct heap_path path;
	struct finding f;

	if (!say_head(s, t) || t->to == 0)
		return s->rows.err.kind == E_NONE;
	if (heap_routes_to(routes, t->to, &path)) {
		p.object = path.object;
		p.n = path.n;
		p.root = path.root;
	}
	if (t->kept) {
		finding_get(&s->findings, t->finding - 1, &f);
		p.object = f.hop;
		p.n = f.hops;
		p.root_first = true;
	}
	return p.n == 0 ? say_no_way(s, t) : trace_add(&s->traces, &s->view.heap, &p);
}

/* ---- batches --------------------------------------------------------------------- */

static bool
take_target(struct trace_list *s, struct target *t)
{
	uint64_t row = s->row;
	struct finding f;
	struct cell c;

	*t = (struct target){ .of = 0 };
	if (!object_next(s->rows.in, &s->row, s->col, &s->view.heap, &t->of))
		return false;
	t->to = t->of;
	if (s->finding < 0)
		return true;
	rows_cell(s->rows.in, row, (size_t)s->finding, &c);
	if (c.type != CELL_ID || c.u == 0 || c.u > s->findings.n)
		return true;
	t->finding = (uint32_t)c.u;
	finding_get(&s->findings, c.u - 1, &f);
	t->kept = f.hops > 0;
	if (t->kept)
		t->to = f.hop[0];
	return true;
}

static size_t
list_ends(struct trace_list *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->n; i++)
		if (s->target[i].to != 0)
			s->ends[n++] = s->target[i].to;
	return n;
}

/* The next objects and their traces; false when there are no more, or on failure. */
static bool
next_batch(struct trace_list *s)
{
	struct heap_routes *routes = NULL;
	bool ok = true;
	size_t i;

	for (s->n = 0; s->n < BATCH && take_target(s, &s->target[s->n]); )
		if (s->target[s->n].of != 0 || s->target[s->n].finding != 0)
			s->n++;
	if (s->n == 0)
		return false;
	i = list_ends(s);
	if (i > 0 && !heap_routes_open(&routes, &s->blame.links, ROUTE_BLAME, s->ends, i,
	    s->rows.work, &s->rows.err))
		return false;
	for (i = 0; i < s->n && ok; i++)
		ok = add_target(s, routes, &s->target[i]);
	heap_routes_close(routes);
	return ok;
}

static uint64_t
traces_reach(struct rows *r, uint64_t n)
{
	struct trace_list *s = (struct trace_list *)r;

	while (s->traces.nlines < n && !s->ended)
		if (!rows_tick(r, s->row) || !next_batch(s))
			s->ended = true;
	return s->traces.nlines;
}

/* ---- cells ----------------------------------------------------------------------- */

enum trace_col {
	TRACE_COL_TEXT, TRACE_COL_LINE, TRACE_COL_DEPTH, TRACE_COL_FIELD, TRACE_COL_OBJECT,
	TRACE_COL_CLASS, TRACE_COL_MARK, TRACE_COL_WHY, TRACE_COL_SUSPECT,
	TRACE_COL_RETAINED, TRACE_COL_OF, TRACE_COL_FINDING, TRACE_COLS
};

static const struct coldef trace_cols[TRACE_COLS] = {
	[TRACE_COL_TEXT] = { "text", CELL_TEXT, "a line; references to blame are underlined by the next one", false },
	[TRACE_COL_LINE] = { "line", CELL_TEXT, "what it is: head, why, signature, root, hop, mark, note, reference, underline, fold or empty", true },
	[TRACE_COL_DEPTH] = { "depth", CELL_COUNT, "steps from the root", true },
	[TRACE_COL_FIELD] = { "field", CELL_TEXT, "by which the object before refers to it; of a root its kind", true },
	[TRACE_COL_OBJECT] = { "object", CELL_ID, "an object on the way", true },
	[TRACE_COL_CLASS] = { "class", CELL_TEXT, "its class, or of a class its own name", true },
	[TRACE_COL_MARK] = { "mark", CELL_TEXT, "leaking, not leaking or unknown", true },
	[TRACE_COL_WHY] = { "why", CELL_TEXT, "what says so", true },
	[TRACE_COL_SUSPECT] = { "suspect", CELL_BOOL, "the reference to it may be to blame", true },
	[TRACE_COL_RETAINED] = { "retained", CELL_BYTES, "what would be freed with it", true },
	[TRACE_COL_OF] = { "of", CELL_ID, "the object that was asked for", true },
	[TRACE_COL_FINDING] = { "finding", CELL_ID, "number of the finding", true }
};

static void
field_cell(struct trace_list *s, const struct trace_hop *hop, struct cell *c)
{
	const struct column *kind = store_column(s->view.heap.st, COL_ROOT_KIND);
	struct heap_slot slot;

	if (hop->holder == 0) {
		buf_clear(&s->text);
		buf_printf(&s->text, "<%s>", heap_root_name(hop->root == 0 ? ROOT_PSEUDO :
		    (unsigned)column_get(kind, hop->root - 1ull)));
		cell_text(&s->rows, c, &s->text);
	} else if (heap_link(&s->blame.links, hop->holder, hop->object, &slot))
		slot_name_cell(&s->rows, &s->blame.links, &slot, &s->text, c);
}

static void
verdict_cell(const struct verdict *v, enum trace_col col, struct cell *c)
{
	struct str text = str_of(col == TRACE_COL_MARK ? leak_mark_names[v->mark] : v->why);

	c->type = text.n == 0 ? CELL_NONE : CELL_TEXT;
	c->text = text;
}

/* What lines of hops and of the references to them have. */
static void
hop_cell(struct trace_list *s, const struct trace_hop *hop, enum trace_col col, bool reference,
    struct cell *c)
{
	switch (col) {
	case TRACE_COL_DEPTH:
		c->type = CELL_COUNT;
		c->u = hop->depth;
		return;
	case TRACE_COL_SUSPECT:
		c->type = CELL_BOOL;
		c->u = hop->suspect;
		return;
	case TRACE_COL_FIELD:
		field_cell(s, hop, c);
		return;
	default:
		break;
	}
	if (reference)
		return;
	if (col == TRACE_COL_MARK || col == TRACE_COL_WHY)
		verdict_cell(&hop->verdict, col, c);
	else
		object_cell(&s->rows, &s->view, hop->object, col == TRACE_COL_OBJECT ?
		    OBJECT_ID : col == TRACE_COL_CLASS ? OBJECT_LABEL : OBJECT_RETAINED, c);
}

static void
traces_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct trace_list *s = (struct trace_list *)r;
	const struct trace_row *line = &SCRATCH(s->traces.lines, struct trace_row)[row];
	const struct trace_hop *hop = &SCRATCH(s->traces.hops, struct trace_hop)[line->hop];
	bool reference = line->line == TRACE_REFERENCE || line->line == TRACE_UNDERLINE;

	c->type = CELL_NONE;
	switch ((enum trace_col)col) {
	case TRACE_COL_TEXT:
		c->type = CELL_TEXT;
		c->text = (struct str){ SCRATCH(s->traces.chars, char) + line->at, line->n };
		break;
	case TRACE_COL_LINE:
		c->type = CELL_TEXT;
		c->text = str_of(trace_line_names[line->line]);
		break;
	case TRACE_COL_OF:
		cell_number(c, CELL_ID, hop->of);
		break;
	case TRACE_COL_FINDING:
		cell_number(c, CELL_ID, hop->finding);
		break;
	default:
		if (reference || line->line == TRACE_HOP)
			hop_cell(s, hop, (enum trace_col)col, reference, c);
		break;
	}
}

static void
traces_free(struct rows *r)
{
	struct trace_list *s = (struct trace_list *)r;

	traces_close(&s->traces);
	blame_close(&s->blame);
	buf_free(&s->text);
	heap_view_close(&s->view);
}

static const struct rows_ops traces_ops = { .reach = traces_reach, .cell = traces_cell,
	.close = traces_free };

/* ---- commands -------------------------------------------------------------------- */

static bool
leaktrace_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	bool source = in == NULL;
	struct trace_list *s;
	size_t col;

	if (!holders_open(session, stage, &in, &col, err)) {
		rows_close(in);
		return false;
	}
	s = rows_new(sizeof *s, &traces_ops, session, in, err);
	if (s == NULL)
		return false;
	traces_open(&s->traces, &s->rows, &s->blame);
	s->text = BUF_INIT;
	s->col = col;
	s->finding = rows_column(in, STR("finding"));
	s->heads = !source || stage->n != 1 || !token_is_object(&stage->token[0]);
	s->rows.cols = trace_cols;
	s->rows.ncols = TRACE_COLS;
	s->ended = session_store(session) == NULL;
	if (!heap_view_open(&s->view, session, err) || !blame_open(&s->blame, session, err)) {
		rows_close(&s->rows);
		return false;
	}
	if (!s->ended && (s->finding < 0 || !findings_open(&s->findings, &s->view.heap)))
		s->finding = -1;
	*out = &s->rows;
	return true;
}

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_IN_LEN, COL_REACH_OBJECT,
	COL_EACH_PARENT, COL_NONE };

const struct command source_leaktrace = {
	.word = "leaktrace",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_object, ARG_MANY, .name = "@ID..." }),
	.what = "why objects are alive and which references are to blame, as lines",
	.example = "leaktrace @1",
	.needs = needs,
	.cols = trace_cols,
	.ncols = TRACE_COLS,
	.open = leaktrace_open
};

const struct command stage_leaktrace = {
	.word = "leaktrace",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.what = "why the objects of the rows are alive and which references are to blame",
	.example = "findings | head 1 | leaktrace",
	.needs = needs,
	.cols = trace_cols,
	.ncols = TRACE_COLS,
	.open = leaktrace_open
};
