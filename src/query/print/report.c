/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report: one page about a file: what it is, what looks like a leak, what fills it, what takes the time.
 *
 * Nothing in it depends on where and when it is made: the same file gives the same bytes.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "report.h"

#define REPORT_WIDTH 100
#define TREE_LINES 15
#define TEXT_LINES 40		/* of a tree where it is most of the page */

/* The second of two files of the same kind is compared with the first, unless a single file was requested. */
static bool
report_compares(const struct session *session, const struct report_options *o)
{
	unsigned first, other;

	if (o->one || session->nstores != 2 || o->page == PAGE_TEXT)
		return false;
	first = load_shapes(session->store[0]) & (SHAPE_GRAPH | SHAPE_TREES | SHAPE_TASKS);
	other = load_shapes(session->store[1]) & (SHAPE_GRAPH | SHAPE_TREES | SHAPE_TASKS);
	return first != 0 && first == other;
}

static bool
prepare_query(const struct report *r, const char *text, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok;

	if (text == NULL)
		return true;
	section_query(r, text, &b);
	ok = b.bad ? fail(err, E_SYSTEM, "out of memory (report)") : query_want(buf_view(&b), r->session, r->work, err);
	buf_free(&b);
	return ok;
}

bool
report_prepare(struct session *session, const struct report_options *o, struct work *work, struct err *err)
{
	struct report r = { .session = session, .o = o, .work = work, .compares = report_compares(session, o) };
	bool ok = !r.compares || prepare_query(&r, "info", err);

	if (o->page == PAGE_TEXT && !o->one && session->nstores > 1)
		return fail(err, E_USAGE, "%s: %zu files given, but text shows only one; choose it with --file N",
		    store_path(session->store[1]), session->nstores);
	if (!r.compares && !o->one && session->nstores > 1)
		return fail(err, E_USAGE, "%s: cannot be compared with %s; choose one with --file N", store_path(session->store[1]),
		    store_path(session->store[0]));
	if (r.compares)
		session->at = 1;
	for (const struct section *s = sections; s->form != 0 && ok; s++)
		if (section_fits(&r, s))
			ok = prepare_query(&r, s->query, err) && prepare_query(&r, s->rest, err) &&
			    (s->form != AS_TREE || outline_want(session, work, err));
	return ok;
}

bool
report_ask(struct report *r, const char *text, struct reply *a, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok;

	*a = (struct reply){ .query = NULL };
	section_query(r, text, &b);
	/* The passes have run by now; only a diff is recomputed for each query. */
	ok = b.bad ? fail(err, E_SYSTEM, "out of memory (report)") : query_ask(a, buf_view(&b), 0, r->session, r->work, err);
	buf_free(&b);
	if (ok) {
		rows_reach(a->rows, 1);
		ok = rows_whole(a->rows, err);
	}
	return ok;
}

/* ---- text and markdown --------------------------------------------------------------- */

/* Print the first column verbatim. */
static bool
print_lines(struct printer *p, struct rows *rows, struct err *err)
{
	struct cell c;

	for (uint64_t row = 0; rows_reach(rows, row + 1) > row; row++) {
		rows_cell(rows, row, 0, &c);
		print_raw(p, c.type == CELL_TEXT ? c.text : STR(""), p->width);
		if (!rows_tick(rows, row) || !print_end(p, err))
			return false;
	}
	return true;
}

static bool
print_fields(struct printer *p, struct rows *rows, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok = true, first = true;
	struct cell c;

	for (size_t i = 0; i < rows->ncols && ok; i++) {
		rows_cell(rows, 0, i, &c);
		if (c.type == CELL_NONE || (c.type == CELL_TEXT && c.text.n == 0))
			continue;
		buf_clear(&b);
		cell_show(&c, &b);
		ok = report_pair(p, rows->cols[i].name, buf_view(&b), first, err);
		first = false;
	}
	p->line.bad |= b.bad;
	buf_free(&b);
	return ok;
}

/* Commands to try next, for files of these shapes; 0: for all files. */
static const struct advice {
	unsigned	 shapes;
	const char	*command, *what;
	unsigned	 but;		/* unless they have one of these */
	bool		 compares;	/* of two files, else of one */
} advice[] = {
	{ 0, "icecore BEFORE AFTER", "open the explorer; D compares", .compares = true },
	{ SHAPE_GRAPH, "icecore -e 'findings | diff' BEFORE AFTER", "findings that are new, gone or larger", .compares = true },
	{ SHAPE_GRAPH, "icecore -e 'classes | diff' BEFORE AFTER", "classes and their changes", .compares = true },
	{ SHAPE_TREES, "icecore -e 'methods | diff' BEFORE AFTER", "methods and their changes", .compares = true },
	{ SHAPE_TASKS, "icecore -e 'tasks | diff' BEFORE AFTER", "tasks and their changes", .compares = true },
	{ 0, "icecore --report -o md BEFORE AFTER", "this report for a ticket; -o json for a program", .compares = true },
	{ 0, "icecore FILE", "open the explorer" },
	{ SHAPE_GRAPH, "icecore -e 'leaktrace @12' FILE", "leak trace of object 12" },
	{ SHAPE_GRAPH, "icecore -e 'fields @12' FILE", "fields of object 12" },
	{ SHAPE_GRAPH, "icecore -e 'dominated @12' FILE", "objects dominated by object 12, largest first" },
	{ SHAPE_GRAPH, "icecore -e 'help findings'", "explanation of each kind of finding" },
	{ SHAPE_TREES, "icecore --text FILE", "call tree as text", .but = SHAPE_MONEY },
	{ SHAPE_SAMPLES, "icecore -e 'calls' -o folded FILE", "folded stacks for flame graph tools", .but = SHAPE_MONEY },
	{ SHAPE_COSTS, "icecore -e 'callers NAME' FILE", "callers of a function, with the cost of their calls" },
	{ SHAPE_MONEY, "icecore --text FILE", "accounts, types and payees as text" },
	{ SHAPE_CODE, "icecore -e 'bytecode METHOD' FILE", "instructions of a method" },
	{ 0, "icecore --report -o md FILE", "this report for a ticket; -o json for a program" },
};

static bool
print_advice(struct report *r, struct err *err)
{
	unsigned shapes = session_shapes(r->session);
	struct printer *p = &r->p;

	for (size_t i = 0; i < NELEM(advice); i++) {
		if (advice[i].compares != r->compares || (advice[i].shapes != 0 && (advice[i].shapes & shapes) == 0) || (advice[i].but & shapes) != 0)
			continue;
		if (p->html) {
			buf_str(&p->line, STR("<p><code>"));
			print_raw(p, str_of(advice[i].command), SIZE_MAX);
			buf_printf(&p->line, "</code>: %s</p>", advice[i].what);
		} else if (p->md)
			buf_printf(&p->line, "- `%s`: %s", advice[i].command, advice[i].what);
		else
			buf_printf(&p->line, "%-*s  %s", r->compares ? 41 : 34, advice[i].command, advice[i].what);
		if (!print_end(p, err))
			return false;
	}
	return true;
}

static bool
print_rows_as(struct report *r, enum section_form form, struct rows *rows, struct err *err)
{
	bool verbatim = form == AS_LINES || form == AS_TREE || form == AS_OVERVIEW;
	struct printer *p = &r->p;
	uint64_t n;
	bool ok;

	/* Lines that are verbatim are indented in Markdown, as a code block. */
	p->indent = p->md && verbatim ? 4 : 0;
	buf_str(&p->line, p->html && verbatim ? STR("<pre>") : STR(""));
	ok = form == AS_TABLE && p->html ? html_rows(p, rows, err) :
	    form == AS_TABLE ? rows_print(rows, p->md ? FORMAT_MD : FORMAT_TABLE, p->width, p->file, &n, err) :
	    form == AS_FACTS ? report_facts(p, rows, false, true, err) : form == AS_FIELDS ? print_fields(p, rows, err) :
	    form == AS_FINDINGS ? report_findings(p, rows, err) : form == AS_LINES ? print_lines(p, rows, err) :
	    form == AS_OVERVIEW ? report_overview(r, err) : form == AS_ADVICE ? print_advice(r, err) :
	    form == AS_PICTURE ? html_picture(r, rows, DRAW_OPTIONS.min, err) : form == AS_POOLS ? html_pools(r, rows, err) :
	    form == AS_CHARTS ? html_charts(r, rows, err) :
	    outline_lines(r->session, r->o->page == PAGE_TEXT ? TEXT_LINES : TREE_LINES, p, err);
	p->indent = 0;
	if (ok && p->html && verbatim) {
		buf_str(&p->line, STR("</pre>"));
		ok = print_end(p, err);
	}
	return (rows == NULL || rows_whole(rows, err)) && ok;
}

static bool
report_count_rest(struct report *r, const struct section *s, uint64_t *n, struct err *err)
{
	struct reply a;
	bool ok;

	*n = 0;
	if (s->rest == NULL)
		return true;
	ok = report_ask(r, s->rest, &a, err);
	if (ok)
		*n = rows_reach(a.rows, ROWS_ALL);
	reply_close(&a);
	return ok;
}

/* Print one line for all rows that are not shown: "+12 idle tasks (CPU below 0.1%)". */
static bool
print_rest(struct report *r, const struct section *s, uint64_t rest, struct err *err)
{
	struct buf *b = &r->p.line;
	char n[NUM_TEXT];

	if (rest == 0)
		return true;
	num_show_count(n, sizeof n, rest);
	buf_printf(b, "%s%s%s %s%s", r->p.html ? "<p class=\"rest\">" : r->p.md ? "\n" : "", r->p.md ? "\\+" : "+", n, s->left,
	    r->p.html ? "</p>" : "");
	return print_end(&r->p, err);
}

/* Print the query for all rows, on several lines if it is long, as in a shell. */
static bool
print_more(struct report *r, const char *query, struct err *err)
{
	const char *files = r->compares ? "BEFORE AFTER" : "FILE";
	struct printer *p = &r->p;
	struct buf text = BUF_INIT;
	bool ok;

	if (!p->html)
		buf_chr(&p->line, '\n');
	buf_str(&text, p->md ? STR("") : p->html ? STR("Full list: ") : STR("(full list: "));
	command_of(r->session, r->o, str_of(query), files, &text);
	buf_str(&text, p->html || p->md ? STR("") : STR(")"));
	if (p->md) {
		buf_str(&p->line, STR("Full list: "));
		md_code(p, buf_view(&text));
	}
	p->line.bad |= text.bad;
	ok = p->md ? print_end(p, err) : p->html ? html_element(p, "p", "rest", buf_view(&text), err) :
	    report_words(p, buf_view(&text), 4, err);
	buf_free(&text);
	return ok;
}

static bool
print_section(struct report *r, const struct section *s, struct rows *rows, uint64_t rest, struct err *err)
{
	struct printer *p = &r->p;
	bool some = s->title == NULL || rows == NULL || rows_reach(rows, 1) > 0;

	if (s->title != NULL && !report_title(p, r->compares && s->form == AS_FACTS ? "Overview, after" : s->title, '-', err))
		return false;
	if (s->form == AS_FINDINGS && !r->compares) {
		if (!report_sums(p, r->session, err))
			return false;
		buf_str(&p->line, some && !p->html ? STR("\n") : STR(""));
	}
	if (!some && rest == 0 && s->none != NULL && s->none[0] == '\0')
		return true;
	if (some ? !print_rows_as(r, s->form, rows, err) : rest == 0 && !report_paragraph(p, str_of(s->none), 0, err))
		return false;
	if (!print_rest(r, s, rest, err))
		return false;
	return s->more == NULL || (!some && rest == 0) || print_more(r, s->more, err);
}

/* ---- json ------------------------------------------------------------------------ */

/* Print an object for each row, separated by commas. */
static bool
print_objects(struct report *r, const struct section *s, struct rows *rows, struct err *err)
{
	struct printer *p = &r->p;
	bool ok = true;

	buf_printf(&p->line, "%s\"%s\":[\n", r->printed > 0 ? "," : "", s->name);
	p->rows = rows;
	for (uint64_t row = 0; ok && rows_reach(rows, row + 1) > row; row++) {
		if (row > 0)
			buf_chr(&p->line, ',');
		ok = rows_tick(rows, row) && print_object(p, row, err);
	}
	p->rows = NULL;
	if (!rows_whole(rows, err) || !ok)
		return false;
	buf_str(&p->line, STR("]\n"));
	r->printed++;
	return print_line(p, err);
}

/* ---- all ------------------------------------------------------------------------- */

static bool
report_print_answer(struct report *r, const struct section *s, struct err *err)
{
	struct reply a = { .query = NULL };
	uint64_t rest = 0;
	bool ok = s->query == NULL || report_ask(r, s->query, &a, err);

	if (ok && r->o->format == FORMAT_JSON)
		ok = print_objects(r, s, a.rows, err);
	else if (ok) {
		ok = report_count_rest(r, s, &rest, err);
		if (ok && (s->none != NULL || s->title == NULL || a.rows == NULL || rows_reach(a.rows, 1) > 0))
			ok = print_section(r, s, a.rows, rest, err);
	}
	reply_close(&a);
	return ok;
}

bool
report_print(struct session *session, const struct report_options *o, FILE *to, struct work *work, struct err *err)
{
	struct report r = {
		.session = session, .o = o, .work = work, .compares = report_compares(session, o),
		.p = printer_to(to, o->page == PAGE_TEXT ? output_width() : REPORT_WIDTH)
	};
	bool ok;

	if (r.compares)
		session->at = 1;
	r.p.md = o->format == FORMAT_MD;
	r.p.html = o->format == FORMAT_HTML;
	if (r.p.html) {
		r.p.width = 0;
		r.p.ascii = false;
	}
	ok = report_head(&r, err);
	if (o->page == PAGE_REPORT)
		work_start(work, "report", 0);
	for (const struct section *s = sections; s->form != 0 && ok; s++)
		if (section_wanted(&r, s))
			ok = report_print_answer(&r, s, err);
	if (ok && o->format == FORMAT_JSON) {
		buf_str(&r.p.line, STR("}}\n"));
		ok = print_line(&r.p, err);
	}
	ok = ok && (!r.p.html || o->parts || html_end(&r, err));
	printer_free(&r.p);
	return ok || r.p.closed;
}
