/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages: HTML pages of the groups, the dumps, and the findings of each dump.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "fleet.h"
#include "icecore/phrase.h"

#define PAGE "page"

/* Link to a page by the hash of the path, because names may be too long and contain any character. */
static void
add_link(struct str path, struct buf *b)
{
	char hash[HASH_TEXT];

	hash_text(path, hash);
	buf_printf(b, "%s.html", hash);
}

struct paging {
	struct session	*session;
	struct buf	 path, name, text, html;
	size_t		 folder;	/* bytes of path */
	uint64_t	 heaps, others;	/* files that were read: heap dumps, and the rest */
	const struct out_dir *out;
	struct buf	 inbox;		/* the start of paths in rows that pages leave out */
	uint64_t	 leaks, warnings, rest;	/* findings by severity */
	unsigned	 columns;	/* bits: those of file_columns that some file has */
};

/* Append a path of a row as people in front of a browser know it. */
static void
pages_add_path(struct paging *p, struct str path)
{
	struct str before, name = path;

	if (!str_take(&name, buf_view(&p->inbox)))
		(void)str_divide_last(path, '/', &before, &name);
	html_text(&p->html, name);
}

static void
pages_path_in(struct paging *p, const char *name)
{
	p->path.n = p->folder;
	buf_str(&p->path, str_of(name));
}

static void
add_dump_link(struct paging *p, struct str path)
{
	buf_str(&p->html, STR("<a href=\""));
	add_link(path, &p->html);
	buf_str(&p->html, STR("\">"));
	pages_add_path(p, path);
	buf_str(&p->html, STR("</a>"));
}

/* ---- phrases about a row ----------------------------------------------------------------- */

struct page_row {
	struct paging	*p;
	struct rows	*r;
	uint64_t	 row;
};

static enum amount
page_amount(void *of, struct str name)
{
	const struct page_row *x = of;
	int col = rows_column(x->r, name);
	struct cell c = { .type = CELL_NONE };

	if (col >= 0)
		rows_cell(x->r, x->row, (size_t)col, &c);
	if (c.type == CELL_NONE || (c.type == CELL_TEXT && c.text.n == 0) ||
	    (str_eq(name, STR("builds")) && c.u == 0))
		return AMOUNT_NONE;
	return c.type == CELL_COUNT && c.u == 1 ? AMOUNT_ONE : AMOUNT_MANY;
}

/* Turn "2026-11-21T09:00:00Z" into "2026-11-21 09:00:00 UTC". */
static void
add_time(struct str t, struct buf *b)
{
	if (t.n < 20 || t.s[10] != 'T') {
		html_text(b, t);
		return;
	}
	html_text(b, str_head(t, 10));
	buf_chr(b, ' ');
	html_text(b, (struct str){ t.s + 11, 8 });
	buf_str(b, STR(" UTC"));
}

/* "2 heap dumps": the files that may have the finding, which retains something only in these. */
static void
pages_add_all(const struct paging *p, bool heaps, struct buf *b)
{
	uint64_t n = heaps ? p->heaps : p->others;

	buf_printf(b, "%llu %s%s", (unsigned long long)n, heaps ? "heap dump" : "other file",
	    n == 1 ? "" : "s");
}

/* The result of reading a file, in words. */
static const char *
page_state(struct str state)
{
	return str_eq(state, STR("ok")) ? "with findings" :
	    str_eq(state, STR("salvaged")) ? "damaged" : NULL;
}

/*
 * Columns, as people read them; "all": the files that the group may be in; "name": the path of the dump that
 * the page is about.
 */
static void
page_field(void *of, struct str name, struct buf *b)
{
	static const char *const times[] = { "dumped_at", "first", "last" },
	    *const links[] = { "path", "exemplar" };
	const struct page_row *x = of;
	struct paging *p = x->p;
	int col = rows_column(x->r, name);
	struct cell c = { .type = CELL_NONE };

	if (col >= 0)
		rows_cell(x->r, x->row, (size_t)col, &c);
	buf_clear(&p->text);
	if (c.type != CELL_NONE)
		cell_show(&c, &p->text);
	if (str_eq(name, STR("name")))
		pages_add_path(p, buf_view(&p->name));
	else if (str_eq(name, STR("all")))
		pages_add_all(p, cell_named(x->r, x->row, "retained_max", &c), b);
	else if (str_eq(name, STR("builds")))
		buf_printf(b, "%llu", (unsigned long long)c.u);
	else if (str_eq(name, STR("state")) && page_state(buf_view(&p->text)) != NULL)
		buf_str(b, str_of(page_state(buf_view(&p->text))));
	else if (str_is_one(times, NELEM(times), name))
		add_time(buf_view(&p->text), b);
	else if (!str_is_one(links, NELEM(links), name))
		html_text(b, buf_view(&p->text));
	else if (c.type == CELL_TEXT && c.text.n > 0)
		add_dump_link(p, c.text);
}

static void
add_phrase(struct paging *p, struct rows *r, uint64_t row, const char *phrase)
{
	phrase_add(str_of(phrase), &(struct phrase_fields){ page_amount, page_field,
	    &(struct page_row){ p, r, row } }, &p->html);
}

/* For example "shop.Registry.done: 450 shop.Session". */
#define WHAT(count) "<h3>[{holder}: ]" count "[content?{content}|[holder?|{kind}]]</h3>\n"
#define SIGNATURE "<details><summary class=\"dim\">signature</summary><code>{signature}</code>[ <span " \
    "class=\"dim\">{hash}</span>]</details>\n"

/* ---- the page of a dump ---------------------------------------------------------------- */

/* Severities, the worst first; the table is sorted by their numbers. */
static const char *const severities[] = { "crash", "deadlock", "leak", "warning", "jank", "wait" };
#define SEVERE 3	/* so many of them are red */

static size_t
severity_place(struct str worst)
{
	size_t i = 0;

	while (i < NELEM(severities) && !str_has_prefix(worst, str_of(severities[i])))
		i++;
	return i;
}

static bool
add_finding(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct paging *p = to;

	(void)err;
	(void)rows_text(r, row, "severity", &p->text);
	buf_printf(&p->html, "<section class=\"%s\">\n", severity_place(buf_view(&p->text)) < SEVERE ?
	    "leak" : "warning");
	add_phrase(p, r, row, WHAT("[{count} ]") "<p>{severity}[, {kind}][, {retained}][, {percent}][, longest {wall}]"
	    "[</p>\n<p>{why}]</p>\n" SIGNATURE "</section>\n");
	return true;
}

static bool
count_finding(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct paging *p = to;

	(void)err;
	if (rows_text(r, row, "severity", &p->text))
		*(str_eq(buf_view(&p->text), STR("leak")) ? &p->leaks :
		    str_eq(buf_view(&p->text), STR("warning")) ? &p->warnings : &p->rest) += 1;
	return true;
}

static void
add_number(struct buf *b, uint64_t n, const char *before, const char *what)
{
	if (n > 0)
		buf_printf(b, "%s%llu %s%s", before, (unsigned long long)n, what, n == 1 ? "" : "s");
}

/* Unknown states are shown like crashes. */
static enum triage_state
state_of(struct paging *p, struct rows *r, uint64_t row)
{
	enum triage_state state = TRIAGE_CRASH;

	if (rows_text(r, row, "state", &p->text))
		(void)triage_state_of(buf_view(&p->text), &state);
	return state;
}

/* Only heap dumps have objects. */
static bool
is_other(struct rows *r, uint64_t row)
{
	struct cell objects;

	rows_cell(r, row, (size_t)rows_column(r, STR("objects")), &objects);
	return objects.type == CELL_NONE;
}

/* For example "demo.hprof.gz - 1 leak, 2 warnings", "app.trace - Android method trace", or the state. */
static void
title_of_dump(struct paging *p, struct rows *r, uint64_t row, struct buf *title)
{
	struct str path = buf_view(&p->name), before, after;
	enum triage_state state = state_of(p, r, row);

	buf_str(title, str_divide_last(path, '/', &before, &after) ? after : path);
	buf_str(title, STR(" - "));
	if (state < TRIAGE_SALVAGED)
		buf_str(title, str_of(triage_states[state]));
	else if (p->leaks + p->warnings + p->rest == 0 && is_other(r, row) &&
	    rows_text(r, row, "format", &p->text))
		buf_str(title, buf_view(&p->text));
	else if (p->leaks + p->warnings + p->rest == 0)
		buf_str(title, STR("no findings"));
	add_number(title, p->leaks, "", "leak");
	add_number(title, p->warnings, p->leaks > 0 ? ", " : "", "warning");
	add_number(title, p->rest, p->leaks + p->warnings > 0 ? ", " : "", "finding");
	buf_str(title, state == TRIAGE_SALVAGED ? STR(", damaged") : STR(""));
}

/* Explain why a dump was not or only partly read. */
static void
add_fate(struct paging *p, struct rows *r, uint64_t row)
{
	enum triage_state state = state_of(p, r, row);

	if (state > TRIAGE_SALVAGED)
		return;
	buf_printf(&p->html, "<section class=\"leak\">\n<h3>%s</h3>\n<p>%s",
	    state < TRIAGE_SALVAGED ? "Not read" : "Damaged",
	    state < TRIAGE_SALVAGED ? triage_states[state] : "This page covers the part that could be read");
	add_phrase(p, r, row, "[: {reason}]</p>\n</section>\n");
}

/* The parts of a page may begin with a line that says what happened: it comes first. */
static void
pages_add_story(struct paging *p, struct str *parts)
{
	struct str rest = *parts, line;

	if (!str_has_prefix(rest, STR("<p class=\"story\">")) || !str_split(&rest, '\n', &line) ||
	    !str_has_suffix(line, STR("</p>")))
		return;
	buf_str(&p->html, line);
	buf_chr(&p->html, '\n');
	*parts = rest;
}

/* Rows of dumps are numbered in file order. */
static bool
page_of_dump(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct paging *p = to;
	struct buf title = BUF_INIT;
	char query[80];
	struct triage_row piece = { .n = 0 };
	struct str parts;
	bool ok;

	(void)rows_text(r, row, "path", &p->name);
	pages_path_in(p, "");
	add_link(buf_view(&p->name), &p->path);
	if (!p->path.bad && access(p->path.s, F_OK) == 0)
		return true;
	snprintf(query, sizeof query, "findings | where dump = %llu", (unsigned long long)row + 1);
	p->leaks = p->warnings = p->rest = 0;
	if (!rows_each(p->session, query, NULL, count_finding, p, err))
		return false;
	title_of_dump(p, r, row, &title);
	buf_clear(&p->html);
	html_begin(&p->html, buf_view(&title));
	p->html.bad |= title.bad || p->path.bad;
	buf_free(&title);
	if (rows_text(r, row, "key", &p->text))
		piece_read(p->out, buf_view(&p->text), &piece);
	parts = triage_text(&piece, "parts");
	pages_add_story(p, &parts);
	add_phrase(p, r, row, "<p class=\"dim\">{name}[<br>dumped {dumped_at}][<br>{format}][; {objects} objects][; "
	    "live heap {live_bytes}]"
	    "[<br>app {app}][, build {build}][, process {process}]</p>\n");
	add_fate(p, r, row);
	buf_str(&p->html, p->leaks + p->warnings + p->rest > 0 ? STR("<h2>Findings</h2>\n") : STR(""));
	ok = rows_each(p->session, query, NULL, add_finding, p, err);
	buf_str(&p->html, parts);
	triage_row_free(&piece);
	if (!ok)
		return false;
	buf_str(&p->html, STR("<p><a href=\"index.html\">All findings</a></p>\n"));
	return html_write(&p->html, p->path.s, err);
}

/* ---- the pages about all dumps --------------------------------------------------------- */

/* Columns of the table of files, and their titles. */
static const struct {
	const char	*name, *title;
} file_columns[] = {
	{ "format", "kind" }, { "state", "state" }, { "findings", "findings" }, { "worst", "worst finding" },
	{ "story", "what happened" }, { "busiest", "busiest methods" },
	{ "wait", "longest wait" }, { "main_blocks", "main blocked" }, { "live_bytes", "live heap" },
	{ "app", "app" }, { "build", "build" },
	{ "process", "process" }, { "dumped_at", "dumped" }, { "bytes", "size" }, { "reason", "reason" }
};

static bool
pages_is_size(const char *column)
{
	return str_has_suffix(str_of(column), STR("bytes"));
}

static void
add_column(struct paging *p, struct rows *r, uint64_t row, const char *column)
{
	struct cell c;

	if (strcmp(column, "worst") == 0)
		buf_printf(&p->html, "<td class=\"text\" data-order=\"%zu\">",
		    rows_text(r, row, column, &p->text) ? severity_place(buf_view(&p->text)) :
		    NELEM(severities));
	else if (strcmp(column, "wait") == 0)
		buf_printf(&p->html, "<td class=\"text\" data-order=\"%llu\">",
		    cell_named(r, row, column, &c) ? (unsigned long long)c.u : 0);
	else
		buf_str(&p->html, pages_is_size(column) ? STR("<td>") : STR("<td class=\"text\">"));
	/* A reason may be long. */
	buf_str(&p->html, STR("<div>"));
	page_field(&(struct page_row){ p, r, row }, str_of(column), &p->html);
	buf_str(&p->html, STR("</div></td>"));
}

static bool
pages_find_columns(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct paging *p = to;

	(void)err;
	for (size_t i = 0; i < NELEM(file_columns); i++)
		if (page_amount(&(struct page_row){ p, r, row }, str_of(file_columns[i].name)) != AMOUNT_NONE)
			p->columns |= 1u << i;
	return true;
}

static bool
add_dump(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct paging *p = to;

	(void)err;
	add_phrase(p, r, row, "<tr><th scope=\"row\">{path}</th>");
	for (size_t i = 0; i < NELEM(file_columns); i++)
		if (p->columns >> i & 1)
			add_column(p, r, row, file_columns[i].name);
	buf_str(&p->html, STR("</tr>\n"));
	return true;
}

/* For example "in 1 of 5 heap dumps, at most 5.39 MiB". */
static bool
add_group(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct paging *p = to;

	(void)err;
	add_phrase(p, r, row, "<section class=\"warning\">\n" WHAT("")
	    "[<p>in {dumps}] of {all}[ and {builds build|builds}]"
	    "[, at most {retained_max}][; {kind}][</p>\n<p class=\"dim\">first {first}][, last {last}]</p>\n"
	    "<p>largest in {exemplar}</p>\n" SIGNATURE "</section>\n");
	return true;
}

static void
add_card(void *html, uint64_t n, const char *told)
{
	html_card(html, n, page_state(str_of(told)) != NULL ? page_state(str_of(told)) : told);
}

static bool
pages_count_read(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct paging *p = to;

	(void)err;
	if (state_of(p, r, row) >= TRIAGE_SALVAGED)
		*(is_other(r, row) ? &p->others : &p->heaps) += 1;
	return true;
}

static bool
pages_make_index(struct paging *p, struct err *err)
{
	struct triage_tally t = { .all = 0 };
	char title[80];

	if (!rows_each(p->session, "dumps | select state", NULL, tally_count, &t, err))
		return false;
	snprintf(title, sizeof title, "Findings in %llu of %llu file%s",
	    (unsigned long long)t.state[TRIAGE_OK], (unsigned long long)t.all, t.all == 1 ? "" : "s");
	buf_clear(&p->html);
	html_begin(&p->html, str_of(title));
	buf_str(&p->html, STR("<div class=\"cards\">\n"));
	tally_each(&t, add_card, &p->html);
	buf_str(&p->html, STR("</div>\n<p><a href=\"dumps.html\">All files</a></p>\n<h2>Findings, most frequent "
	    "first</h2>\n"));
	pages_path_in(p, "index.html");
	return rows_each(p->session, "dumps | select state objects", NULL, pages_count_read, p, err) &&
	    rows_each(p->session, "groups", NULL, add_group, p, err) &&
	    html_write(&p->html, p->path.s, err);
}

static bool
make_all(struct paging *p, struct err *err)
{
	/* Write the pages of the dumps first: the others link to them. */
	if (!rows_each(p->session, "dumps | select path state dumped_at reason objects live_bytes format app build "
	    "process key", NULL,
	    page_of_dump, p, err))
		return false;
	buf_clear(&p->html);
	html_begin(&p->html, STR("Files"));
	buf_str(&p->html, STR("<p><a href=\"index.html\">All findings</a></p>\n<div class=\"wide\">\n<table "
	    "class=\"rows sort\">\n"
	    "<thead><tr><th scope=\"col\" class=\"text\">file</th>"));
	if (!rows_each(p->session, "dumps", NULL, pages_find_columns, p, err))
		return false;
	for (size_t i = 0; i < NELEM(file_columns); i++)
		if (p->columns >> i & 1)
			buf_printf(&p->html, "<th scope=\"col\"%s>%s</th>", pages_is_size(file_columns[i].name) ? "" :
			    " class=\"text\"", file_columns[i].title);
	buf_str(&p->html, STR("</tr></thead>\n<tbody>\n"));
	if (!rows_each(p->session, "dumps", NULL, add_dump, p, err))
		return false;
	buf_str(&p->html, STR("</tbody>\n</table>\n</div>\n"));
	pages_path_in(p, "dumps.html");
	return html_write(&p->html, p->path.s, err) && pages_make_index(p, err);
}

/* Without rows: remove what would show the last ones. */
static void
pages_drop(const struct out_dir *page)
{
	(void)unlinkat(page->fd, "dumps.html", 0);
	(void)unlinkat(page->fd, "index.html", 0);
}

static bool
pages_write(struct paging *p, const struct out_dir *page, const struct buf *rows, const char *inbox,
    struct err *err)
{
	text_escape(&p->inbox, str_of(inbox));
	buf_chr(&p->inbox, '/');
	outdir_path(page, "", &p->path);
	p->folder = p->path.n;
	if (p->inbox.bad)
		return fail(err, E_SYSTEM, "out of memory (page)");
	return rows_session(p->session, rows, err) && (make_all(p, err) ||
	    outdir_fail(page, p->path.bad ? "" : p->path.s + p->folder, err));
}

bool
pages_make(const struct out_dir *out, const char *inbox, struct err *err)
{
	struct session session = { .nstores = 0 };
	struct paging p = { .out = out, .session = &session, .path = BUF_INIT, .name = BUF_INIT,
	    .text = BUF_INIT, .html = BUF_INIT, .inbox = BUF_INIT };
	struct out_dir page = OUT_DIR_INIT;
	struct buf text = BUF_INIT;
	bool ok = out_read(out, &text, err) && outdir_below(&page, out, PAGE, true, err);

	if (ok && text.n > 0)
		ok = pages_write(&p, &page, &text, inbox, err);
	else if (ok)
		pages_drop(&page);
	session_close(&session);
	outdir_close(&page);
	buf_free(&p.path);
	buf_free(&p.name);
	buf_free(&p.text);
	buf_free(&p.html);
	buf_free(&p.inbox);
	buf_free(&text);
	return ok;
}

void
pages_forget(const struct out_dir *out, struct str path)
{
	struct buf b = BUF_INIT, shown = BUF_INIT;
	struct out_dir page;
	struct err ignored;

	text_escape(&shown, path);
	add_link(buf_view(&shown), &b);
	if (outdir_below(&page, out, PAGE, false, &ignored) && !b.bad && !shown.bad)
		(void)unlinkat(page.fd, b.s, 0);
	outdir_close(&page);
	buf_free(&b);
	buf_free(&shown);
}
