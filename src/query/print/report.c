/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report: one page about a file: what it is, what looks like a leak, what fills it, what takes the time.
 *
 * Nothing in it depends on where and when it is made: the same file gives the same bytes.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/directory.h"
#include "report.h"

#define REPORT_WIDTH 100
#define TREE_LINES 15
#define TEXT_LINES 40		/* lines of a tree where it is most of the page */

static bool
report_compares(const struct session *session, const struct report_options *o)
{
	return !o->one && o->page != PAGE_TEXT && session_compares(session);
}

static bool
prepare_query(const struct report *r, const char *text, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok;

	if (text == NULL)
		return true;
	section_query(r, text, &b);
	ok = b.bad ? fail(err, E_SYSTEM, "out of memory (report)") :
	    query_want(buf_view(&b), r->session, r->work, err);
	buf_free(&b);
	return ok;
}

bool
report_prepare(struct session *session, const struct report_options *o, struct work *work, struct err *err)
{
	struct report r = { .session = session, .o = o, .work = work,
	    .compares = report_compares(session, o) };
	bool ok = !r.compares || prepare_query(&r, "info", err);

	if (o->page == PAGE_TEXT && !o->one && session->nstores > 1)
		return fail(err, E_USAGE, "%s: %zu files given, but text shows only one; choose it with --file N",
		    store_path(session->store[1]), session->nstores);
	if (!r.compares && !o->one && session->nstores > 1)
		return fail(err, E_USAGE, "%s: cannot be compared with %s; choose one with --file N",
		    store_path(session->store[1]), store_path(session->store[0]));
	if (r.compares)
		session->at = 1;
	for (const struct section *s = sections; s->form != 0 && ok; s++)
		if (section_fits(&r, s))
			ok = prepare_query(&r, s->query, err) && prepare_query(&r, s->rest, err) &&
			    (s->form != AS_TREE || outline_want(session, work, err));
	return ok;
}

/* ---- text and markdown --------------------------------------------------------------- */

/* Print the first column verbatim. */
static void
print_lines(struct printer *p, struct rows *rows)
{
	struct cell c;

	for (uint64_t row = 0; !p->ended && rows_reach(rows, row + 1) > row; row++) {
		rows_cell(rows, row, 0, &c);
		print_raw(p, c.type == CELL_TEXT ? c.text : STR(""), p->width);
		print_unless(p, rows_tick(rows, row));
		print_end(p);
	}
}

static void
print_fields(struct printer *p, struct rows *rows)
{
	struct buf b = BUF_INIT;
	bool first = true;
	struct cell c;

	for (size_t i = 0; i < rows->ncols; i++) {
		rows_cell(rows, 0, i, &c);
		if (c.type == CELL_NONE || (c.type == CELL_TEXT && c.text.n == 0))
			continue;
		buf_clear(&b);
		cell_show(&c, &b);
		p->line.bad |= b.bad;
		page_pair(p, rows->cols[i].name, buf_view(&b), first);
		first = false;
	}
	buf_free(&b);
}

/* Commands to try next, for files of these shapes; 0: for all files. */
static const struct advice {
	unsigned	 shapes;
	const char	*command, *what;
	unsigned	 but;		/* unless they have one of these */
	bool		 compares;	/* the advice is for two files, otherwise for one */
} advice[] = {
	{ 0, "icecore BEFORE AFTER", "open the comparison in the explorer", .compares = true },
	{ SHAPE_GRAPH, "icecore -e 'findings | diff' BEFORE AFTER", "findings that are new, gone or larger",
	    .compares = true },
	{ SHAPE_GRAPH, "icecore -e 'classes | diff' BEFORE AFTER", "classes and their changes",
	    .compares = true },
	{ SHAPE_TREES, "icecore -e 'methods | diff' BEFORE AFTER", "methods and their changes",
	    .compares = true },
	{ SHAPE_TASKS, "icecore -e 'tasks | diff' BEFORE AFTER", "tasks and their changes",
	    .compares = true },
	{ 0, "icecore --report -o md BEFORE AFTER", "this report for a ticket; -o json for a program",
	    .compares = true },
	{ 0, "icecore FILE", "open the explorer" },
	{ SHAPE_GRAPH, "icecore -e 'leaktrace @12' FILE", "leak trace of object 12" },
	{ SHAPE_VALUES, "icecore -e 'fields @12' FILE", "fields of object 12" },
	{ SHAPE_GRAPH, "icecore -e 'dominated @12' FILE", "objects dominated by object 12, largest first" },
	{ SHAPE_GRAPH, "icecore -e 'help findings'", "explanation of each kind of finding" },
	{ SHAPE_TREES, "icecore --text FILE", "call tree as text", .but = SHAPE_MONEY },
	{ SHAPE_SAMPLES, "icecore -e 'calls' -o folded FILE", "folded stacks for flame graph tools",
	    .but = SHAPE_MONEY },
	{ SHAPE_COSTS, "icecore -e 'callers NAME' FILE",
	"callers of a function, with the cost of their calls" },
	{ SHAPE_MONEY, "icecore --text FILE", "accounts, types and payees as text" },
	{ SHAPE_CODE, "icecore -e 'bytecode METHOD' FILE", "instructions of a method" },
	{ 0, "icecore --report -o md FILE", "this report for a ticket; -o json for a program" },
};

static void
print_advice(struct report *r)
{
	unsigned shapes = session_shapes(r->session);

	for (const struct advice *a = advice; a < advice + NELEM(advice); a++)
		if (a->compares == r->compares && (a->shapes == 0 || (a->shapes & shapes) != 0) &&
		    (a->but & shapes) == 0)
			page_advice(&r->p, a->command, r->compares ? 41 : 34, a->what);
}

static void
print_rows_as(struct report *r, enum section_form form, struct rows *rows)
{
	struct printer *p = &r->p;

	switch (form) {
	case AS_TABLE:
		page_table(p, rows);
		break;
	case AS_FACTS:
		report_facts(p, rows, false, true);
		break;
	case AS_FIELDS:
		print_fields(p, rows);
		break;
	case AS_FINDINGS:
		report_findings(p, rows);
		break;
	case AS_LINES:
		print_lines(p, rows);
		break;
	case AS_OVERVIEW:
		report_overview(r);
		break;
	case AS_ADVICE:
		print_advice(r);
		break;
	case AS_PICTURE:
		html_picture(r, rows, DRAW_OPTIONS.min);
		break;
	case AS_POOLS:
		html_pools(r, rows);
		break;
	case AS_CHARTS:
		html_charts(r, rows);
		break;
	case AS_TRACES:
		html_traces(r, rows);
		break;
	case AS_BITMAPS:
		html_bitmaps(r, rows);
		break;
	case AS_TREE:
	case AS_DATA:
		outline_lines(r->session, r->o->page == PAGE_TEXT ? TEXT_LINES : TREE_LINES, p);
		break;
	}
}

static bool
count_rest(struct report *r, const struct section *s, uint64_t *n, struct err *err)
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

/* Print the query for all rows, on several lines if it is long, as in a shell. */
static void
print_more(struct report *r, const char *query)
{
	struct buf command = BUF_INIT;

	command_of(r->session, r->o, str_of(query), r->compares ? "BEFORE AFTER" : "FILE", &command);
	if (r->p.page == PAGE_HTML && !r->compares) {
		buf_str(&command, STR(", "));
		command_explorer(r->session, r->o, shown_name(store_path(session_store(r->session))), str_of(query),
		    &command);
	}
	r->p.line.bad |= command.bad;
	page_more(&r->p, buf_view(&command));
	buf_free(&command);
}

static void
print_section(struct report *r, const struct section *s, struct rows *rows, uint64_t rest)
{
	bool verbatim = s->form == AS_LINES || s->form == AS_TREE || (s->form == AS_OVERVIEW &&
	    r->p.page != PAGE_HTML);
	bool some = s->title == NULL || rows == NULL || rows_reach(rows, 1) > 0;
	struct printer *p = &r->p;
	bool traces = s->form == AS_TRACES && r->o->parts;	/* the page around it has the findings */

	if (s->title != NULL)
		page_title(p, r->compares && s->form == AS_FACTS ? "Overview, after" : traces ?
		    "Leak traces" : s->title, '-');
	if ((s->form == AS_FINDINGS || s->form == AS_TRACES) && !r->compares && !traces) {
		report_sums(p, r->session);
		buf_str(&p->line, some && p->page != PAGE_HTML ? STR("\n") : STR(""));
	}
	if (!some && rest == 0 && s->none != NULL && s->none[0] == '\0')
		return;
	if (some && !p->ended) {
		if (verbatim)
			page_verbatim(p, true);
		print_rows_as(r, s->form, rows);
		if (verbatim)
			page_verbatim(p, false);
		print_unless(p, rows == NULL || rows_whole(rows, p->err));
	} else if (rest == 0)
		page_paragraph(p, str_of(s->none), 0);
	if (rest > 0)
		page_rest(p, rest, s->left);
	if (s->more != NULL && (some || rest > 0))
		print_more(r, s->more);
}

/* ---- json ------------------------------------------------------------------------ */

/* Print an object for each row, separated by commas. */
static void
print_objects(struct report *r, const struct section *s, struct rows *rows)
{
	struct printer *p = &r->p;

	buf_printf(&p->line, "%s\"%s\":[\n", r->printed > 0 ? "," : "", s->name);
	p->rows = rows;
	for (uint64_t row = 0; !p->ended && rows_reach(rows, row + 1) > row; row++) {
		if (row > 0)
			buf_chr(&p->line, ',');
		print_unless(p, rows_tick(rows, row));
		print_object(p, row);
	}
	p->rows = NULL;
	print_unless(p, rows_whole(rows, p->err));
	buf_str(&p->line, STR("]\n"));
	r->printed++;
	print_line(p);
}

/* ---- all ------------------------------------------------------------------------- */

static void
print_answer(struct report *r, const struct section *s)
{
	struct reply a = { .query = NULL };
	uint64_t rest = 0;
	bool json = r->o->format == FORMAT_JSON, some;

	print_unless(&r->p, (s->query == NULL || report_ask(r, s->query, &a, r->p.err)) &&
	    (json || count_rest(r, s, &rest, r->p.err)));
	some = !r->p.ended && (s->none != NULL || s->title == NULL || a.rows == NULL ||
	    rows_reach(a.rows, 1) > 0) && (!s->instead || !r->had || r->p.page != PAGE_HTML);
	r->had = some;
	if (json && !r->p.ended)
		print_objects(r, s, a.rows);
	else if (some)
		print_section(r, s, a.rows, rest);
	reply_close(&a);
}

/* The session that the overview and the story are about: of two files with call trees, that of their difference. */
static void
report_see(struct report *r, struct session *own)
{
	bool trees = (session_shapes(r->session) & SHAPE_TREES) != 0;

	r->seen = r->o->view != NULL ? r->o->view : r->session;
	r->by_rows = r->compares && !trees;
	if (!r->compares || !trees || r->o->view != NULL)
		return;
	*own = *r->session;
	own->view = NULL;
	own->clock = CLOCK_OFF;		/* the change */
	print_unless(&r->p, query_view(r->session, STR("diff"), &own->view, r->work, r->p.err));
	r->seen = own;
}

/* A page of HTML has facts about its file at its end, folded. */
static void
report_print_sections(struct report *r, bool facts)
{
	for (const struct section *s = sections; s->form != 0 && !r->p.ended; s++)
		if (section_wanted(r, s) && facts == (r->p.page == PAGE_HTML && (s->form == AS_FACTS ||
		    s->form == AS_FIELDS)))
			print_answer(r, s);
}

bool
report_print(struct session *session, const struct report_options *o, FILE *to, struct work *work,
    struct err *err)
{
	struct report r = {
		.session = session, .o = o, .work = work, .compares = report_compares(session, o),
		.p = printer_to(to, o->page == PAGE_TEXT ? output_width() : REPORT_WIDTH, err)
	};

	struct session own = { .nstores = 0 };

	if (r.compares)
		session->at = 1;
	r.p.page = o->format == FORMAT_MD ? PAGE_MD : o->format == FORMAT_HTML ? PAGE_HTML : PAGE_PLAIN;
	if (r.p.page == PAGE_HTML) {
		r.p.width = 0;
		r.p.ascii = false;
	}
	report_see(&r, &own);
	(r.p.page == PAGE_HTML ? html_head : report_head)(&r);
	if (o->page == PAGE_REPORT)
		work_start(work, "report", 0);
	report_print_sections(&r, false);
	if (r.p.page == PAGE_HTML) {
		html_facts(&r, true);
		report_head_files(&r);
		report_print_sections(&r, true);
		html_facts(&r, false);
	}
	if (o->format == FORMAT_JSON) {
		buf_str(&r.p.line, STR("}}\n"));
		print_line(&r.p);
	}
	if (r.p.page == PAGE_HTML && !o->parts)
		html_end(&r);
	store_close_pile(own.view, session_store(session));
	printer_free(&r.p);
	return !r.p.ended || r.p.closed;
}
