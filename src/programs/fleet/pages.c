/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages: HTML pages of the groups, the dumps, and the findings of each dump.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "fleet.h"

#define PAGE "page"

/* Link to a page by the hash of the path, because names may be too long and contain any character. */
static void
pages_add_link(struct str path, struct buf *b)
{
	char hash[HASH_TEXT];

	hash_text(path, hash);
	buf_printf(b, "%s.html", hash);
}

struct paging {
	struct session	*session;
	struct buf	 path, name, text, html;
	size_t		 folder;	/* bytes of path */
	uint64_t	 dumps;
	const struct out_dir *out;
	struct buf	 inbox;		/* the start of paths in rows that pages leave out */
	uint64_t	 leaks, warnings, others;	/* findings by severity */
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

/* Turn "2026-11-21T09:00:00Z" into "2026-11-21 09:00:00 UTC". */
static void
add_time(struct paging *p, const char *before, struct rows *r, uint64_t row, const char *column)
{
	struct str t;

	if (!rows_text(r, row, column, &p->text))
		return;
	t = buf_view(&p->text);
	buf_str(&p->html, str_of(before));
	if (t.n < 20 || t.s[10] != 'T') {
		html_text(&p->html, t);
		return;
	}
	html_text(&p->html, str_head(t, 10));
	buf_chr(&p->html, ' ');
	html_text(&p->html, (struct str){ t.s + 11, 8 });
	buf_str(&p->html, STR(" UTC"));
}

static void
add_folded(struct paging *p, struct rows *r, uint64_t row)
{
	buf_str(&p->html, STR("<details><summary class=\"dim\">signature</summary><code>"));
	(void)html_cell(&p->html, "", r, row, "signature");
	buf_str(&p->html, STR("</code>"));
	if (html_cell(&p->html, " <span class=\"dim\">", r, row, "hash"))
		buf_str(&p->html, STR("</span>"));
	buf_str(&p->html, STR("</details>\n"));
}

/* For example "shop.Registry.done: 450 shop.Session"; count: also the number. */
static void
add_what(struct paging *p, struct rows *r, uint64_t row, bool count)
{
	bool holder;

	buf_str(&p->html, STR("<h3>"));
	holder = html_cell(&p->html, "", r, row, "holder");
	buf_str(&p->html, holder ? STR(": ") : STR(""));
	if (count && html_cell(&p->html, "", r, row, "count"))
		buf_chr(&p->html, ' ');
	if (!html_cell(&p->html, "", r, row, "content") && !holder)
		(void)html_cell(&p->html, "", r, row, "kind");
	buf_str(&p->html, STR("</h3>\n"));
}

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
	buf_printf(&p->html, "<section class=\"%s\">\n", severity_place(buf_view(&p->text)) < SEVERE ? "leak" : "warning");
	add_what(p, r, row, true);
	buf_str(&p->html, STR("<p>"));
	(void)html_cell(&p->html, "", r, row, "severity");
	(void)html_cell(&p->html, ", ", r, row, "kind");
	(void)html_cell(&p->html, ", ", r, row, "retained");
	(void)html_cell(&p->html, ", ", r, row, "percent");
	(void)html_cell(&p->html, ", longest ", r, row, "wall");
	(void)html_cell(&p->html, "</p>\n<p>", r, row, "why");
	buf_str(&p->html, STR("</p>\n"));
	add_folded(p, r, row);
	buf_str(&p->html, STR("</section>\n"));
	return true;
}

static bool
count_finding(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct paging *p = to;

	(void)err;
	if (rows_text(r, row, "severity", &p->text))
		*(str_eq(buf_view(&p->text), STR("leak")) ? &p->leaks : str_eq(buf_view(&p->text), STR("warning")) ? &p->warnings : &p->others) += 1;
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
	else if (p->leaks + p->warnings + p->others == 0 && is_other(r, row) && rows_text(r, row, "format", &p->text))
		buf_str(title, buf_view(&p->text));
	else if (p->leaks + p->warnings + p->others == 0)
		buf_str(title, STR("no findings"));
	add_number(title, p->leaks, "", "leak");
	add_number(title, p->warnings, p->leaks > 0 ? ", " : "", "warning");
	add_number(title, p->others, p->leaks + p->warnings > 0 ? ", " : "", "finding");
	buf_str(title, state == TRIAGE_SALVAGED ? STR(", damaged") : STR(""));
}

/* Explain why a dump was not or only partly read. */
static void
add_fate(struct paging *p, struct rows *r, uint64_t row)
{
	enum triage_state state = state_of(p, r, row);

	if (state > TRIAGE_SALVAGED)
		return;
	buf_printf(&p->html, "<section class=\"leak\">\n<h3>%s</h3>\n<p>%s", state < TRIAGE_SALVAGED ? "Not read" : "Damaged",
	    state < TRIAGE_SALVAGED ? triage_states[state] : "This page covers the part that could be read");
	(void)html_cell(&p->html, ": ", r, row, "reason");
	buf_str(&p->html, STR("</p>\n</section>\n"));
}

static void
facts_of_dump(struct paging *p, struct rows *r, uint64_t row)
{
	buf_str(&p->html, STR("<p class=\"dim\">"));
	pages_add_path(p, buf_view(&p->name));
	add_time(p, "<br>dumped ", r, row, "dumped_at");
	(void)html_cell(&p->html, "<br>", r, row, "format");
	if (html_cell(&p->html, "; ", r, row, "objects"))
		buf_str(&p->html, STR(" objects"));
	(void)html_cell(&p->html, "; live heap ", r, row, "live_bytes");
	(void)html_cell(&p->html, "<br>app ", r, row, "app");
	(void)html_cell(&p->html, ", build ", r, row, "build");
	(void)html_cell(&p->html, ", process ", r, row, "process");
	buf_str(&p->html, STR("</p>\n"));
}

/* Rows of dumps are numbered in file order. */
static bool
page_of_dump(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct paging *p = to;
	struct buf title = BUF_INIT;
	char query[80];
	json_t *piece;
	bool ok;

	(void)rows_text(r, row, "path", &p->name);
	pages_path_in(p, "");
	pages_add_link(buf_view(&p->name), &p->path);
	if (!p->path.bad && access(p->path.s, F_OK) == 0)
		return true;
	snprintf(query, sizeof query, "findings | where dump = %llu", (unsigned long long)row + 1);
	p->leaks = p->warnings = p->others = 0;
	if (!rows_each(p->session, query, NULL, count_finding, p, err))
		return false;
	title_of_dump(p, r, row, &title);
	buf_clear(&p->html);
	html_begin(&p->html, buf_view(&title));
	p->html.bad |= title.bad || p->path.bad;
	buf_free(&title);
	facts_of_dump(p, r, row);
	add_fate(p, r, row);
	buf_str(&p->html, p->leaks + p->warnings + p->others > 0 ? STR("<h2>Findings</h2>\n") : STR(""));
	ok = rows_each(p->session, query, NULL, add_finding, p, err);
	piece = rows_text(r, row, "key", &p->text) ? piece_read(p->out, buf_view(&p->text)) : NULL;
	buf_str(&p->html, triage_text(piece, "parts"));
	json_decref(piece);
	if (!ok)
		return false;
	buf_str(&p->html, STR("<p><a href=\"index.html\">All findings</a></p>\n"));
	return html_write(&p->html, p->path.s, err);
}

/* ---- the pages about all dumps --------------------------------------------------------- */

static void
add_link_to_dump(struct paging *p, struct rows *r, uint64_t row, const char *column)
{
	if (!rows_text(r, row, column, &p->name))
		return;
	buf_str(&p->html, STR("<a href=\""));
	pages_add_link(buf_view(&p->name), &p->html);
	buf_str(&p->html, STR("\">"));
	pages_add_path(p, buf_view(&p->name));
	buf_str(&p->html, STR("</a>"));
}

/* Columns of the table of files, and their titles. */
static const struct {
	const char	*name, *title;
} file_columns[] = {
	{ "format", "kind" }, { "state", "state" }, { "findings", "findings" }, { "worst", "worst finding" }, { "busiest", "busiest methods" },
	{ "wait", "longest wait" }, { "main_blocks", "main blocked" }, { "live_bytes", "live heap" }, { "app", "app" }, { "build", "build" },
	{ "process", "process" }, { "dumped_at", "dumped" }, { "bytes", "size" }, { "reason", "reason" }
};

static void
add_column(struct paging *p, struct rows *r, uint64_t row, const char *column)
{
	struct cell c;

	if (strcmp(column, "worst") == 0)
		buf_printf(&p->html, "<td class=\"text\" data-order=\"%zu\">", rows_text(r, row, column, &p->text) ? severity_place(buf_view(&p->text)) :
		    NELEM(severities));
	else if (strcmp(column, "wait") == 0)
		buf_printf(&p->html, "<td class=\"text\" data-order=\"%llu\">", cell_named(r, row, column, &c) ? (unsigned long long)c.u : 0);
	else
		buf_str(&p->html, STR("<td class=\"text\">"));
	if (strcmp(column, "dumped_at") == 0)
		add_time(p, "", r, row, column);
	else
		(void)html_cell(&p->html, "", r, row, column);
	buf_str(&p->html, STR("</td>"));
}

static bool
add_dump(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct paging *p = to;

	(void)err;
	buf_str(&p->html, STR("<tr><th scope=\"row\">"));
	add_link_to_dump(p, r, row, "path");
	buf_str(&p->html, STR("</th>"));
	for (size_t i = 0; i < NELEM(file_columns); i++)
		add_column(p, r, row, file_columns[i].name);
	buf_str(&p->html, STR("</tr>\n"));
	return true;
}

/* For example "in 1 of 5 dumps, at most 5.39 MiB". */
static bool
add_group(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct paging *p = to;
	struct cell builds;

	(void)err;
	buf_str(&p->html, STR("<section class=\"warning\">\n"));
	add_what(p, r, row, false);
	(void)html_cell(&p->html, "<p>in ", r, row, "dumps");
	buf_printf(&p->html, " of %llu dumps", (unsigned long long)p->dumps);
	rows_cell(r, row, (size_t)rows_column(r, STR("builds")), &builds);
	if (builds.u > 0)
		buf_printf(&p->html, " and %llu build%s", (unsigned long long)builds.u, builds.u == 1 ? "" : "s");
	(void)html_cell(&p->html, ", at most ", r, row, "retained_max");
	(void)html_cell(&p->html, "; ", r, row, "kind");
	add_time(p, "</p>\n<p class=\"dim\">first ", r, row, "first");
	add_time(p, ", last ", r, row, "last");
	buf_str(&p->html, STR("</p>\n<p>largest in "));
	add_link_to_dump(p, r, row, "exemplar");
	buf_str(&p->html, STR("</p>\n"));
	add_folded(p, r, row);
	buf_str(&p->html, STR("</section>\n"));
	return true;
}

static void
add_card(void *html, uint64_t n, const char *told)
{
	html_card(html, n, told);
}

static bool
pages_make_index(struct paging *p, struct err *err)
{
	struct triage_tally t = { .all = 0 };
	char title[80];

	if (!rows_each(p->session, "dumps | select state", NULL, tally_count, &t, err))
		return false;
	p->dumps = t.all;
	snprintf(title, sizeof title, "Findings in %llu of %llu file%s", (unsigned long long)t.state[TRIAGE_OK], (unsigned long long)t.all,
	    t.all == 1 ? "" : "s");
	buf_clear(&p->html);
	html_begin(&p->html, str_of(title));
	buf_str(&p->html, STR("<div class=\"cards\">\n"));
	tally_each(&t, add_card, &p->html);
	buf_str(&p->html, STR("</div>\n<p><a href=\"dumps.html\">All files</a></p>\n<h2>Findings, most frequent first</h2>\n"));
	pages_path_in(p, "index.html");
	return rows_each(p->session, "groups", NULL, add_group, p, err) && html_write(&p->html, p->path.s, err);
}

static bool
make_all(struct paging *p, struct err *err)
{
	/* Write the pages of the dumps first: the others link to them. */
	if (!rows_each(p->session, "dumps | select path state dumped_at reason objects live_bytes format app build process key", NULL,
	    page_of_dump, p, err))
		return false;
	buf_clear(&p->html);
	html_begin(&p->html, STR("Files"));
	buf_str(&p->html, STR("<p><a href=\"index.html\">All findings</a></p>\n<div class=\"wide\">\n<table class=\"rows sort\">\n"
	    "<thead><tr><th scope=\"col\" class=\"text\">file</th>"));
	for (size_t i = 0; i < NELEM(file_columns); i++)
		buf_printf(&p->html, "<th scope=\"col\" class=\"text\">%s</th>", file_columns[i].title);
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
pages_write(struct paging *p, const struct out_dir *page, const struct buf *rows, const char *inbox, struct err *err)
{
	text_escape(&p->inbox, str_of(inbox));
	buf_chr(&p->inbox, '/');
	outdir_path(page, "", &p->path);
	p->folder = p->path.n;
	if (p->inbox.bad)
		return fail(err, E_SYSTEM, "out of memory (page)");
	return rows_session(p->session, rows, err) && (make_all(p, err) || outdir_fail(page, p->path.bad ? "" : p->path.s + p->folder, err));
}

bool
pages_make(const struct out_dir *out, const char *inbox, struct err *err)
{
	struct session session = { .nstores = 0 };
	struct paging p = { .out = out, .session = &session, .path = BUF_INIT, .name = BUF_INIT, .text = BUF_INIT, .html = BUF_INIT,
	    .inbox = BUF_INIT };
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
	pages_add_link(buf_view(&shown), &b);
	if (outdir_below(&page, out, PAGE, false, &ignored) && !b.bad && !shown.bad)
		(void)unlinkat(page.fd, b.s, 0);
	outdir_close(&page);
	buf_free(&b);
	buf_free(&shown);
}
