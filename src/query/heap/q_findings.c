/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_findings: what should not be alive, and what eats the heap.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "icecore/columns_allocations.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_findings.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "icecore/heap_names.h"
#include "leaktrace.h"

struct finding_list {
	struct item_rows	 rows;
	struct blame		 blame;
	struct findings		 findings;
	bool			 wanted[FINDINGS];
	uint64_t		 next;		/* place of the next finding to look at, among all */
	struct finding		 at;		/* the one that was asked for last */
};

/* ---- rows ------------------------------------------------------------------------ */

/* The list has the numbers of those that are wanted. */
static bool
finding_step(struct item_rows *r)
{
	struct finding_list *s = (struct finding_list *)r;
	struct finding f;

	if (s->next >= s->findings.n)
		return false;
	finding_get(&s->findings, s->next++, &f);
	return !s->wanted[f.kind] || item_rows_add_number(r, (uint32_t)s->next);
}

static const void *
q_findings_finding_at(struct item_rows *r, uint64_t row)
{
	struct finding_list *s = (struct finding_list *)r;

	r->number = SCRATCH(r->list, uint32_t)[row];
	finding_get(&s->findings, r->number - 1ull, &s->at);
	return &s->at;
}

/* ---- cells ----------------------------------------------------------------------- */

static void
q_findings_number_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	c->u = s->number;
}

static void
q_findings_severity_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	cell_word(c, severity_names[finding_severity(s->item)]);
}

static void
q_findings_kind_cell(UNUSED struct item_rows *s, uint64_t kind, struct cell *c)
{
	cell_word(c, finding_rows[kind].name);
}

static void
q_findings_percent_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	c->f = finding_percent(&((struct finding_list *)s)->findings, s->item);
}

static void
q_findings_class_cell(struct item_rows *s, uint64_t object, struct cell *c)
{
	const struct finding *f = s->item;

	if (object != 0)
		view_cell(&s->rows, &HEAP(s)->view, object, OBJECT_LABEL, c);
	else
		view_cell(&s->rows, &HEAP(s)->view, f->class, SHOW_CLASS, c);
}

static void
grade_cell(struct item_rows *s, UNUSED uint64_t n, struct cell *c)
{
	c->u = finding_severity(s->item) + 1ull;
}

static bool
q_findings_what(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	finding_what(&((struct finding_list *)s)->findings, s->item, b);
	return b->n > 0;
}

static bool
why_text(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	struct finding_list *l = (struct finding_list *)s;

	finding_why(&l->findings, l->blame.inspector, s->item, b);
	return b->n > 0;
}

static bool
spread_text(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	struct finding_list *l = (struct finding_list *)s;

	return finding_spread(&l->findings, s->item, s->rows.work, b, &s->rows.err) && b->n > 0;
}

static bool
q_findings_signature_text(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	finding_signature(&((struct finding_list *)s)->findings, s->item, b);
	return b->n > 0;
}

/* Append the version of the signature rule. Signatures of different versions cannot be compared. */
static bool
rule_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	bool second = q_findings_signature_text(s, n, b) && str_has_prefix(buf_view(b), STR("v2 "));

	buf_clear(b);
	buf_text(b, second ? "v2" : "v1");
	return true;
}

static bool
q_findings_hash_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	uint64_t hash;

	if (!q_findings_signature_text(s, n, b))
		return false;
	hash = sha256_head(buf_view(b));
	buf_clear(b);
	buf_printf(b, "%016" PRIx64, hash);
	return true;
}

static bool
holder_text(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	finding_holder(&((struct finding_list *)s)->findings, s->item, b);
	return b->n > 0;
}

static bool
q_findings_content_text(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	finding_content(&((struct finding_list *)s)->findings, s->item, b);
	return b->n > 0;
}

static bool
q_findings_path_text(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	const struct finding *f = s->item;

	return blame_text(&((struct finding_list *)s)->blame, f->hop, f->hops, f->owner == 0 ? 0 : f->object,
	    b, &s->rows.err) && b->n > 0;
}

/* The class of what is held: of the objects that gather, else of the object itself. */
static uint32_t
held_class(const struct heap *h, const struct finding *f)
{
	struct name_node node = { .object = f->object };

	if (f->content != 0)
		names_get(h, f->content, &node);
	return node.object == 0 || heap_class_of_object(h, node.object) != 0 ? f->class : heap_class(h,
	    node.object);
}

/* "shop.Cache.put (12.5 MiB)": of objects that stayed the site of most of them, else that of most bytes. */
static bool
made_at_text(struct item_rows *s, UNUSED uint64_t n, struct buf *b)
{
	const struct store *st = s->st;
	uint32_t class = held_class(&HEAP(s)->view.heap, s->item);
	uint64_t row = class == 0 ? 0 : store_cell(st, COL_ALLOC_OLD_ROW, class);
	char bytes[NUM_TEXT];
	struct str site;

	if (row == 0 && class != 0)
		row = store_cell(st, COL_ALLOC_ROW, class);
	site = column_text(store_column(st, COL_MADE_TEXT),
	    row == 0 ? 0 : store_cell(st, COL_MADE_SITE, row));
	if (site.n == 0)
		return false;
	num_show_size(bytes, sizeof bytes, store_cell(st, COL_MADE_BYTES, row));
	buf_str(b, site);
	buf_printf(b, " (%s)", bytes);
	return true;
}

#define OF(member) ITEM(struct finding, member)

#define FINDING_COLUMNS \
	{ "finding", CELL_ID, "rank; 1 is the worst", MORE, COMPUTED(q_findings_number_cell) }, \
	{ "severity", CELL_TEXT, "leak, warning or note", COMPUTED(q_findings_severity_cell, OF(kind)) }, \
	{ "kind", CELL_TEXT, "kind; see 'help findings'", COMPUTED(q_findings_kind_cell, OF(kind)) }, \
	{ "retained", CELL_BYTES, "retained or wasted bytes", NUMBER_OF(OF(retained)) }, \
	{ "percent", CELL_PERCENT, "share of the live heap and its native memory", MORE, \
	    COMPUTED(q_findings_percent_cell, OF(retained)) }, \
	{ "count", CELL_COUNT, "number of objects", MORE, NUMBER_OF(OF(count)) }, \
	{ "object", CELL_ID, "object, or one of the objects", SOME_OF(OF(object)), OBJECT_ID }, \
	{ "class", CELL_TEXT, "class (of a Class object: its name)", COMPUTED(q_findings_class_cell, OF(object)), \
	    .cut = CUT_FRONT }, \
	{ "why", CELL_TEXT, "reason", TEXT(why_text) }, \
	{ "signature", CELL_TEXT, "root path without ids; stable across dumps", MORE, \
	    TEXT(q_findings_signature_text) }, \
	{ "hash", CELL_TEXT, "first 64 bits of the SHA-256 of the signature", MORE, TEXT(q_findings_hash_text) }, \
	{ "rule", CELL_TEXT, "version of the signature rule; compare only equal versions", MORE, TEXT(rule_text) }, \
	{ "holder", CELL_TEXT, "field, thread local or method that holds it", MORE, TEXT(holder_text) }, \
	{ "content", CELL_TEXT, "class of the held object", MORE, TEXT(q_findings_content_text) }, \
	{ "related", CELL_ID, "related object: accumulation point, thread, loader or key", MORE, \
	    SOME_OF(OF(other)), OBJECT_ID, .was = "other" }, \
	{ "spread", CELL_TEXT, "retained bytes of owners or objects: least, median, most", MORE, \
	    TEXT(spread_text) }, \
	{ "addr", CELL_ADDR, "address", MORE, FROM(OBJECT_ADDR, OF(object)) }, \
	{ "path", CELL_TEXT, "suspect references between live and leaking object", MORE, \
	    TEXT(q_findings_path_text) }, \
	{ "what", CELL_TEXT, "holder, count and class of held objects, without " \
	    "packages", MORE, TEXT(q_findings_what), .cut = CUT_FRONT }, \
	{ "grade", CELL_COUNT, "severity as a number: 3 leak, 2 warning, 1 note", MORE, COMPUTED(grade_cell, OF(kind)) }

static const struct coldef finding_cols[] = { FINDING_COLUMNS };
/* With a recording opened with the dump. */
static const struct coldef made_finding_cols[] = {
	FINDING_COLUMNS,
	{ "made_at", CELL_TEXT, "allocation site of the held objects, from the recording", MORE,
	    TEXT(made_at_text), NEEDS(allocations) }
};

/* ---- arguments ------------------------------------------------------------------- */

static bool
want_kind(struct finding_list *s, const struct token *t, struct err *err)
{
	struct guess guess = guess_of(t->text);
	char text[GUESS_TEXT];
	bool found = false;

	if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
		return fail_at(err, E_USAGE, t->at, "expected a kind of finding; 'help findings' lists them");
	for (size_t i = 0; i < FINDINGS; i++) {
		struct str name = str_of(finding_rows[i].name);
		bool hit = token_means(t, name);

		s->wanted[i] |= hit;
		found |= hit;
		guess_try(&guess, finding_rows[i].name);
	}
	if (found)
		return true;
	guess_text(&guess, text, sizeof text);
	return fail_at(err, E_USAGE, t->at, "unknown kind of finding '%.*s'%s",
	    (int)t->text.n, t->text.s, text[0] != '\0' ? text : "; 'help findings' lists them");
}

static bool
want_kinds(struct finding_list *s, const struct stage *stage, struct err *err)
{
	const struct token *t;
	size_t i = 0;

	if (stage->n == 0)
		memset(s->wanted, true, sizeof s->wanted);
	while ((t = stage_next(stage, &i)) != NULL)
		if (!want_kind(s, t, err))
			return false;
	return true;
}

static bool
findings_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct finding_list *s = (struct finding_list *)r;

	if (!want_kinds(s, stage, err) || !blame_open(&s->blame, r->rows.session, err))
		return false;
	findings_open(&s->findings, &HEAP(r)->view.heap);
	return true;
}

static void
findings_end(struct item_rows *s)
{
	blame_close(&((struct finding_list *)s)->blame);
}

static const struct source findings = {
	.domain = &heap_domain, .size = sizeof(struct finding_list), .args = ARGS_OWN,
	    .begin = findings_begin, .step = finding_step,
	.item_at = q_findings_finding_at, .end = findings_end
};

/* ---- help ------------------------------------------------------------------------ */

/* Line i of a text; else i becomes less by as many as it has. */
static bool
q_findings_line_of(const char *text, uint64_t *i, struct str *line)
{
	struct str rest = str_of(text);

	while (str_split(&rest, '\n', line))
		if ((*i)-- == 0)
			return true;
	return false;
}

/* Line i of the explanations: of each kind what it is, then its rule and what to do, line by line. */
static bool
finding_topic(uint64_t i, struct topic *topic)
{

	for (size_t kind = 0; kind < FINDINGS; kind++) {
		*topic = (struct topic){ str_of(finding_rows[kind].name), STR("finding"),
		    str_of(severity_names[finding_rows[kind].severity]),
		    str_of(finding_rows[kind].what) };
		if (i-- == 0)
			return true;
		topic->type = STR("");
		topic->kind = STR("rule");
		if (q_findings_line_of(finding_rows[kind].rule, &i, &topic->meaning))
			return true;
		topic->kind = STR("advice");
		if (q_findings_line_of(finding_rows[kind].advice, &i, &topic->meaning))
			return true;
	}
	return false;
}

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_EACH_PARENT,
	COL_EACH_FINDING_KIND, COL_NONE };

static bool
q_findings_finding_word(size_t i, const char **word, const char **what)
{
	if (i >= FINDINGS)
		return false;
	*word = finding_rows[i].name;
	*what = finding_rows[i].what;
	return true;
}

static void
nothing(const struct session *session, struct buf *b)
{
	struct findings f;
	struct heap h;
	struct err err;

	if (heap_open(&h, session_store(session), session->refs, session->sizes, &err) &&
	    findings_open(&f, &h) && f.n == 0)
		findings_told(&f, b);
}

static const struct arg_type arg_finding = { .name = "KIND", .hint = "kind of finding",
    .look = LOOK_WORDS, .word = q_findings_finding_word };

#define FINDINGS(query, ...) SOURCE("findings", "leaks and memory waste, worst first", query, heap_rows_open), \
    __VA_ARGS__, \
	.source = &findings, .needs = needs, .args = ARGS({ &arg_finding, ARG_OPTIONAL | ARG_MANY }), \
	.nothing = nothing, .names = { "kind", "class", "signature" }

const struct command source_findings = {
	FINDINGS("findings | where severity != note", OVER(SHAPE_GRAPH, finding_cols)),
	.topic = finding_topic
};

const struct command source_made_findings = {
	FINDINGS("findings | select kind retained content made_at", OVER(SHAPE_MADE, made_finding_cols)),
	.to_get = "a recording: icecore DUMP.hprof REC.jfr"
};
