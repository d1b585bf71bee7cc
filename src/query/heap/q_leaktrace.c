/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_leaktrace: why objects are alive, with the references to blame, as lines to read.
 */
#include "config.h"

#include "icecore/columns_dominators.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "leaktrace.h"

#define AT_ONCE 1024u		/* objects whose paths are looked for at once */

/*
 * An object asked for.  finding: its row and one, 0: none.  to: where a path is looked for, 0: nowhere; when
 * the finding keeps one, where that begins.
 */
struct target {
	uint32_t	of, finding, to;
	bool		kept;
};

/* A line of the trace, which is about a hop or about the reference to a hop. */
struct shown {
	const struct trace_row	*row;
	const struct trace_hop	*hop;
	const char		*mark, *why;	/* status of a hop, and the reason; or NULL */
	uint32_t		 object;	/* likewise, or 0 */
	uint32_t		 depth, suspect;	/* UINT32_MAX: the line is of neither */
	uint32_t		 of, finding;
	uint8_t			 line;
};

struct trace_list {
	struct item_rows	 rows;
	struct blame		 blame;
	struct traces		 traces;
	struct findings		 findings;
	int			 finding;	/* column of in that has the finding; -1: there is none */
	bool			 heads;		/* each trace says what it is of */
	uint64_t		 told;		/* traces there are */
	struct target		 target[AT_ONCE];
	uint32_t		 ends[AT_ONCE];
	size_t			 n;
	struct scratch		 levels;	/* room for heap_reach_find */
	struct buf		 text;
	struct shown		 shown;		/* line of the row that was asked for last */
};

/* ---- heads ----------------------------------------------------------------------- */

/* " (58.6 KiB, 7.1%)"; no share that is next to nothing. */
static void
q_leaktrace_add_amount(struct trace_list *s, const struct finding *f)
{
	double percent = finding_percent(&s->findings, f);
	char text[NUM_TEXT];

	num_show_size(text, sizeof text, f->retained);
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
	buf_printf(&s->text, "%u. %s: %s", number, severity_names[finding_severity(f)], row->name);
	if (f->object != 0) {
		buf_chr(&s->text, ' ');
		slot_object_add(&HEAP(&s->rows)->view.heap, f->object, &s->text);
	} else if (f->class != 0) {
		buf_chr(&s->text, ' ');
		heap_class_name(&HEAP(&s->rows)->view.heap, f->class, &s->text);
	}
	q_leaktrace_add_amount(s, f);
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
	buf_text(&s->text, "signature: ");
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
	slot_object_add(&HEAP(&s->rows)->view.heap, t->of, &s->text);
	return trace_say(&s->traces, TRACE_HEAD, t->of, 0, 0, buf_view(&s->text));
}

/* ---- traces ---------------------------------------------------------------------- */

static bool
say_no_way(struct trace_list *s, const struct target *t)
{
	enum heap_strength reach;

	if (!heap_reach_find(&HEAP(&s->rows)->view.heap, t->of, &s->levels, &reach, s->rows.rows.work,
	    &s->rows.rows.err))
		return false;
	buf_clear(&s->text);
	buf_printf(&s->text, "%s%s path from a GC root: %s", t->finding != 0 ? "no suspect reference: " : "",
	    reach == HEAP_STRENGTHS ? "no" : "no strong", heap_strength_name(reach));
	return trace_say(&s->traces, TRACE_NOTE, t->of, t->finding, 0, buf_view(&s->text));
}

/* A finding may keep its path: then routes are searched only for the root. */
static bool
q_leaktrace_add_target(struct trace_list *s, struct heap_routes *routes, const struct target *t)
{
	struct trace_path p = { .of = t->of, .finding = t->finding };
	struct heap_path path;
	struct finding f;

	if (!say_head(s, t))
		return false;
	if (t->to == 0)
		return t->finding == 0 || trace_say(&s->traces, TRACE_NOTE, t->of, t->finding, 0,
		    STR("no suspect reference: the finding is not about one object"));
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
		p.owner = f.owner == 0 ? 0 : f.object;
	}
	return p.n == 0 ? say_no_way(s, t) : trace_add(&s->traces, &HEAP(&s->rows)->view.heap, &p);
}

/* ---- batches --------------------------------------------------------------------- */

static bool
take_target(struct trace_list *s, struct target *t)
{
	uint64_t row = s->rows.row;
	struct finding f;
	struct cell c;

	*t = (struct target){ .of = 0 };
	if (!heap_rows_next(&s->rows, &t->of))
		return false;
	t->to = t->of;
	if (s->finding < 0)
		return true;
	rows_cell(s->rows.rows.in, row, (size_t)s->finding, &c);
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

	for (s->n = 0; s->n < AT_ONCE && take_target(s, &s->target[s->n]); )
		if (s->target[s->n].of != 0 || s->target[s->n].finding != 0)
			s->n++;
	if (s->n == 0)
		return false;
	i = list_ends(s);
	if (i > 0 && !heap_routes_open(&routes, &s->blame.links, ROUTE_BLAME, s->ends, i,
	    s->rows.rows.work, &s->rows.rows.err))
		return false;
	for (i = 0; i < s->n && ok; i++)
		ok = q_leaktrace_add_target(s, routes, &s->target[i]);
	heap_routes_close(routes);
	return ok;
}

static bool
traces_step(struct item_rows *r)
{
	struct trace_list *s = (struct trace_list *)r;
	bool more = next_batch(s);

	r->n = s->traces.nlines;
	return more;
}

/* ---- cells ----------------------------------------------------------------------- */

static const void *
line_at(struct item_rows *r, uint64_t row)
{
	struct trace_list *s = (struct trace_list *)r;
	const struct trace_row *line = &s->traces.lines.at[row];
	const struct trace_hop *hop = &s->traces.hops.at[line->hop];
	bool is_hop = line->line == TRACE_HOP;
	bool on_path = is_hop || line->line == TRACE_REFERENCE || line->line == TRACE_UNDERLINE;
	const char *why = is_hop ? hop->verdict.why : NULL;

	s->shown = (struct shown){ .row = line, .hop = hop, .line = line->line,
	    .mark = is_hop ? leak_mark_names[hop->verdict.mark] : NULL,
	    .why = why != NULL && why[0] != '\0' ? why : NULL, .object = is_hop ? hop->object : 0,
	    .depth = on_path ? hop->depth : UINT32_MAX, .suspect = on_path ? hop->suspect : UINT32_MAX,
	    .of = hop->of, .finding = hop->finding };
	return &s->shown;
}

static void
q_leaktrace_text_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	const struct trace_list *s = (const struct trace_list *)r;

	c->text = (struct str){ s->traces.chars.at + s->shown.row->at, s->shown.row->n };
}

static void
q_leaktrace_field_cell(struct item_rows *s, uint64_t depth, struct cell *c)
{
	const struct trace_hop *hop = ((const struct shown *)s->item)->hop;

	c->type = CELL_NONE;
	if (depth != UINT32_MAX)
		hop_name_cell(s, &((struct trace_list *)s)->blame.links, hop->holder, hop->object, hop->root,
		    hop->inside, c);
}

#define OF(member) ITEM(struct shown, member)

static const struct coldef trace_cols[] = {
	{ "text", CELL_TEXT, "text line; suspect references are underlined", COMPUTED(q_leaktrace_text_cell),
	    .cut = CUT_MIDDLE },
	{ "line", CELL_TEXT, "line kind: head, root, hop, mark, reference, underline, ...",
	    MORE, MADE(.words = trace_line_names, OF(line)) },
	{ "depth", CELL_COUNT, "distance from the root", MORE, FROM(SHOW_KNOWN, OF(depth)) },
	{ "field", CELL_TEXT, "reference to this object; for a root, its type", MORE,
	    COMPUTED(q_leaktrace_field_cell, OF(depth)) },
	{ "object", CELL_ID, "object on the path", MORE, SOME_OF(OF(object)), OBJECT_ID },
	{ "class", CELL_TEXT, "class (of a Class object: its name)", MORE, FROM(OBJECT_LABEL, OF(object)) },
	{ "status", CELL_TEXT, "leaking, not leaking or unknown", MORE, FROM(SHOW_WORD, OF(mark)),
	    .was = "mark" },
	{ "why", CELL_TEXT, "reason for the status", MORE, FROM(SHOW_WORD, OF(why)) },
	{ "suspect", CELL_BOOL, "suspect reference", MORE, FROM(SHOW_KNOWN, OF(suspect)) },
	{ "retained", CELL_BYTES, "retained size", MORE, FROM(OBJECT_RETAINED, OF(object)) },
	{ "target", CELL_ID, "target object", MORE, SOME_OF(OF(of)), OBJECT_ID, .was = "of" },
	{ "finding", CELL_ID, "finding number", MORE, SOME_OF(OF(finding)) }
};

/* ---- commands -------------------------------------------------------------------- */

static bool
traces_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct trace_list *s = (struct trace_list *)r;
	bool source = stage->command->kind == COMMAND_SOURCE;

	traces_open(&s->traces, &r->rows, &s->blame);
	s->finding = rows_column(r->rows.in, STR("finding"));
	if (s->finding >= 0)
		r->rows.reads |= COLUMN_BIT((size_t)s->finding);
	s->heads = !source || stage->n != 1 || !token_is_object(&stage->token[0]);
	if (!blame_open(&s->blame, r->rows.session, err))
		return false;
	if (s->finding < 0 || !findings_open(&s->findings, &HEAP(r)->view.heap))
		s->finding = -1;
	return true;
}

static void
traces_end(struct item_rows *r)
{
	struct trace_list *s = (struct trace_list *)r;

	traces_close(&s->traces);
	blame_close(&s->blame);
	scratch_free(&s->levels);
	buf_free(&s->text);
}

static const struct source traces = {
	.domain = &heap_domain, .size = sizeof(struct trace_list), OVER_OBJECTS,
	    .begin = traces_begin, .step = traces_step,
	.item_at = line_at, .end = traces_end
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_IN_LEN, COL_EACH_PARENT, COL_NONE };

const struct command source_leaktrace = {
	HEAP_SOURCE("leaktrace", "leak trace: path from a GC root, suspect references marked",
	    "leaktrace @1", trace_cols, traces, needs),
	.args = ARGS({ &arg_object, ARG_MANY, .name = "@ID..." })
};

const struct command stage_leaktrace = {
	HEAP_STAGE("leaktrace", "leak traces of the objects",
	    "findings | head 1 | leaktrace", trace_cols, traces, needs)
};
