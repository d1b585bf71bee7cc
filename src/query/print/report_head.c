/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report_head: the header of a report: the file, the program that read it and its options, and the losses.
 *
 * Nothing in it depends on the place and time of the report, except the time that --stamp adds.
 */
#include "config.h"

#include <string.h>
#include <time.h>

#include "icecore/directory.h"
#include "icecore/overview.h"
#include "icecore/unread.h"
#include "query/trace/trace.h"
#include "report.h"

#define TITLE_WIDTH 80u

/* ---- what it is -------------------------------------------------------------------- */

const char *
report_head_kind(unsigned shapes)
{
	return (shapes & SHAPE_GRAPH) != 0 ? "heap dump" : (shapes & SHAPE_MONEY) != 0 ? "bank statements" :
	    (shapes & SHAPE_TRIAGE) != 0 ? "triage rows" : (shapes & SHAPE_FOLDER) != 0 ? "directory" :
	    (shapes & SHAPE_DUMPS) != 0 ? "stack dumps" : (shapes & SHAPE_TABLE) != 0 ? "table" :
	    (shapes & SHAPE_COUNTS) != 0 ? "class histogram" : (shapes & SHAPE_NATIVE) != 0 ?
	    "report of native memory" :
	    (shapes & SHAPE_COSTS) != 0 ? "call graph with costs" :
	    (shapes & SHAPE_SAMPLES) != 0 ? "profile" : (shapes & SHAPE_TASKS) != 0 ? "scheduler trace" :
	    (shapes & (SHAPE_CODE | SHAPE_TREES)) == SHAPE_CODE ? "bytecode" :
	    (shapes & (SHAPE_MARKS | SHAPE_CALLS)) == SHAPE_MARKS ? "trace" : "method trace";
}

static void
report_head_add_time(const struct map *m, struct buf *b)
{
	time_t seconds = (time_t)(m->mtime / 1000000000u);
	struct tm tm;
	char text[64];

	if (gmtime_r(&seconds, &tm) != NULL && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm) > 0)
		buf_str(b, str_of(text));
}

/* Input from a pipe has no time: it is a temporary copy, made just now. */
static bool
is_stamped(const struct report *r, const struct store *st)
{
	return r->o->stamp && strcmp(store_path(st), "-") != 0 && (load_shapes(st) & SHAPE_FOLDER) == 0;
}

/* A directory has no hash. */
static bool
is_hashed(const struct report *r, const struct store *st)
{
	return !r->o->no_hash && (load_shapes(st) & SHAPE_FOLDER) == 0;
}

static void
head_file(struct report *r, struct store *st, const char *label, bool first)
{
	struct buf b = BUF_INIT;
	char size[NUM_TEXT];
	struct str digest = r->o->no_hash ? STR("skipped (--no-hash)") : STR("none");

	print_unless(&r->p, r->o->brief || !is_hashed(r, st) ||
	    store_digest(st, r->work, &digest, r->p.err));
	num_show_count(size, sizeof size, store_file(st)->size);
	buf_str(&b, shown_name(store_path(st)));
	buf_printf(&b, "  %s bytes", size);
	if (is_stamped(r, st)) {
		buf_str(&b, STR("  modified "));
		report_head_add_time(store_file(st), &b);
	}
	r->p.line.bad |= b.bad;
	page_pair(&r->p, label, buf_view(&b), first);
	if (!r->o->brief)
		page_pair(&r->p, "sha256", digest, false);
	buf_free(&b);
}

/* ---- what was lost ------------------------------------------------------------------ */

/* Append "2 calls still open at the end of the thread"; of a flag its meaning alone, and only once. */
static void
add_count(struct str name, unsigned shapes, const struct cell *value, struct buf *b)
{
	struct str phrase = info_phrase(name, shapes);
	bool flag = str_has_prefix(phrase, INFO_FLAG);

	if (flag && b->n > 0 && memmem(b->s, b->n, phrase.s + INFO_FLAG.n, phrase.n - INFO_FLAG.n) != NULL)
		return;
	if (b->n > 0)
		buf_str(b, STR("; "));
	if (!flag)
		cell_show(value, b);
	if (!flag && phrase.n > 0)
		buf_chr(b, ' ');
	info_meaning(name, shapes, value, b);
}

/*
 * Print the counts of the fields with that prefix, separated by semicolons, or none.  For losses the reason
 * comes first.
 */
static void
head_counts(struct report *r, struct rows *info, const char *label, struct str prefix, struct str none)
{
	unsigned shapes = load_shapes(session_store(r->session));
	struct buf b = BUF_INIT;
	struct cell c, n;

	if (str_eq(prefix, STR("loss")) && info_find(info, STR("loss.reason"), &c) != NULL)
		cell_show(&c, &b);
	for (uint64_t row = 0; rows_reach(info, row + 1) > row; row++) {
		rows_cell(info, row, 0, &c);
		if (c.type != CELL_TEXT || !str_has_prefix(c.text, prefix))
			continue;
		rows_cell(info, row, 1, &n);
		if (n.type != CELL_TEXT && n.u != 0)
			add_count(c.text, shapes, &n, &b);
	}
	r->p.line.bad |= b.bad;
	if (b.n > 0 || none.n > 0)
		page_pair(&r->p, label, b.n > 0 ? buf_view(&b) : none, false);
	buf_free(&b);
}

static void
report_head_add_unread(void *of, struct str line)
{
	struct buf *b = of;

	buf_str(b, b->n > 0 ? STR(", ") : STR(""));
	buf_str(b, line);
}

/* Print what is not read, if there is anything. */
static void
head_unread(struct report *r)
{
	struct buf b = BUF_INIT;
	bool ok = info_unread(session_store(r->session), report_head_add_unread, &b) && !b.bad;

	print_unless(&r->p, ok || fail(r->p.err, E_SYSTEM, "out of memory (report)"));
	if (b.n > 0)
		page_pair(&r->p, "not read", buf_view(&b), false);
	buf_free(&b);
}

/* ---- options -------------------------------------------------------------------------- */

static void
head_options(struct report *r)
{
	const struct report_option *o;
	struct buf b = BUF_INIT;
	const char *name, *value;
	bool usual;

	for (size_t i = 0; (name = session_option(r->session, i, &value, &usual)) != NULL; i++)
		buf_printf(&b, "%s--%s %s", b.n > 0 ? " " : "", name, value);
	for (size_t i = 0; i < r->o->ngiven; i++) {
		o = &r->o->given[i];
		buf_printf(&b, "%s--%s%s", b.n > 0 ? " " : "", o->name, o->value != NULL ? " " : "");
		if (o->value != NULL)
			buf_str(&b, given_value(o));
	}
	r->p.line.bad |= b.bad;
	page_pair(&r->p, "options", b.n > 0 ? buf_view(&b) : STR("none"), false);
	buf_free(&b);
}

/* ---- text ------------------------------------------------------------------------------ */

/* Print what could not be read.  A page of HTML says it below its heading, if there is anything. */
static void
head_losses(struct report *r, struct rows *info)
{
	bool quiet = r->p.page == PAGE_HTML || unread_any(session_store(r->session));

	head_unread(r);
	head_counts(r, info, "losses", STR("loss"), quiet ? STR("") : STR("none"));
}

/* Print the format, and the options that change the answers, the losses and the repairs. */
static void
head_info(struct report *r, bool options)
{
	struct reply a;

	print_unless(&r->p, report_ask(r, "info | select field value", &a, r->p.err));
	if (!r->p.ended)
		report_facts(&r->p, a.rows, true, false);
	if (!r->o->brief && !r->p.ended) {
		if (options)
			head_options(r);
		if (r->p.page != PAGE_HTML)
			head_losses(r, a.rows);
		head_counts(r, a.rows, "repairs", STR("repair"), STR("none"));
	}
	print_unless(&r->p, a.rows == NULL || rows_whole(a.rows, r->p.err));
	reply_close(&a);
}

void
html_losses(struct report *r)
{
	struct reply a;
	size_t at = r->session->at;

	for (size_t i = r->compares ? 0 : at; i <= at && !r->p.ended; i++) {
		r->session->at = i;
		print_unless(&r->p, report_ask(r, "info | select field value", &a, r->p.err));
		if (!r->p.ended)
			head_losses(r, a.rows);
		print_unless(&r->p, a.rows == NULL || rows_whole(a.rows, r->p.err));
		reply_close(&a);
	}
	r->session->at = at;
}

void
report_head_story(struct report *r, struct buf *b)
{
	struct overview_answer a = { .n = 0 };

	print_unless(&r->p, overview_answer(overview_story(r->by_rows), r->seen, &a, r->work, r->p.err));
	if (a.n > 0)
		buf_str(b, buf_view(&a.item[0].words));
	overview_free(&a);
}

/* Above the facts of the file. */
static void
head_story_text(struct report *r)
{
	struct buf story = BUF_INIT;

	report_head_story(r, &story);
	if (story.n > 0 && !r->p.ended) {
		page_paragraph(&r->p, buf_view(&story), 0);
		print_end(&r->p);
	}
	r->p.line.bad |= story.bad;
	buf_free(&story);
}

void
report_head_files(struct report *r)
{
	struct session *s = r->session;
	size_t at = s->at, i = r->compares ? 0 : at;

	for (; i <= at && !r->p.ended; i++) {
		s->at = i;
		if (!r->o->parts)
			head_file(r, s->store[i], !r->compares ? "file" : i < at ? "before" : "after",
			    i == 0 || !r->compares);
		head_info(r, i == at);
	}
	s->at = at;
}

static void
head_text(struct report *r)
{
	struct session *s = r->session;
	size_t used;
	struct buf title = BUF_INIT;

	buf_printf(&title, "icecore report: %s%s", r->compares ? "comparison, " : "",
	    report_head_kind(session_shapes(s)));
	used = title.n + strlen(base_program);
	if (r->p.page != PAGE_MD)
		buf_printf(&title, "%*s%s", used < TITLE_WIDTH ? (int)(TITLE_WIDTH - used) : 1, "",
		    base_program);
	if (!r->o->parts)
		page_title(&r->p, title.bad ? "icecore report" : title.s, '=');
	buf_free(&title);
	if (!r->o->brief)
		head_story_text(r);
	report_head_files(r);
	if (r->p.page == PAGE_MD)
		page_pair(&r->p, "tool", str_of(base_program), false);
}

/* ---- json ------------------------------------------------------------------------------ */

static void
file_object(struct report *r, struct store *st, const char *name)
{
	struct buf *b = &r->p.line, time = BUF_INIT;
	struct str digest = STR("");

	print_unless(&r->p, !is_hashed(r, st) || store_digest(st, r->work, &digest, r->p.err));
	buf_printf(b, ",\n\"%s\":{\"name\":", name);
	print_quoted(&r->p, shown_name(store_path(st)));
	buf_printf(b, ",\"bytes\":%llu,\"sha256\":", (unsigned long long)store_file(st)->size);
	if (digest.n > 0)
		print_quoted(&r->p, digest);
	else
		buf_str(b, STR("null"));
	if (is_stamped(r, st)) {
		report_head_add_time(store_file(st), &time);
		buf_str(b, STR(",\"modified\":"));
		print_quoted(&r->p, buf_view(&time));
		b->bad |= time.bad;
		buf_free(&time);
	}
	buf_chr(b, '}');
}

/* An option that was given several times is a list. */
static void
given_object(struct report *r, size_t at)
{
	const struct report_option *o = r->o->given, *end = o + r->o->ngiven, *this = o + at;
	struct buf *b = &r->p.line;
	bool many = false;

	for (const struct report_option *i = o; i < this; i++)
		if (strcmp(i->name, this->name) == 0)
			return;
	for (const struct report_option *i = this + 1; i < end; i++)
		many |= strcmp(i->name, this->name) == 0;
	buf_printf(b, "%s\"%s\":%s", b->s[b->n - 1] == '{' ? "" : ",", this->name, many ? "[" : "");
	for (const struct report_option *i = this; i < end; i++) {
		if (strcmp(i->name, this->name) != 0)
			continue;
		if (i > this)
			buf_chr(b, ',');
		if (i->value != NULL)
			print_quoted(&r->p, given_value(i));
		else
			buf_str(b, STR("true"));
	}
	if (many)
		buf_chr(b, ']');
}

static void
head_json(struct report *r)
{
	struct session *s = r->session;
	struct buf *b = &r->p.line;
	struct buf story = BUF_INIT;
	const char *name, *value;
	bool usual;

	buf_printf(b, "{\"tool\":{\"name\":\"%s\",\"version\":\"%s\"}", PACKAGE_NAME, base_version);
	file_object(r, s->store[s->at], "file");
	if (r->compares)
		file_object(r, s->store[0], "before");
	buf_str(b, STR(",\n\"options\":{"));
	for (size_t i = 0; (name = session_option(r->session, i, &value, &usual)) != NULL; i++)
		buf_printf(b, "%s\"%s\":\"%s\"", i > 0 ? "," : "", name, value);
	for (size_t i = 0; i < r->o->ngiven && !b->bad; i++)
		given_object(r, i);
	buf_str(b, STR("},\n\"story\":"));
	report_head_story(r, &story);
	if (story.n > 0)
		print_quoted(&r->p, buf_view(&story));
	else
		buf_str(b, STR("null"));
	b->bad |= story.bad;
	buf_free(&story);
	buf_str(b, STR(",\n\"sections\":{\n"));
	print_line(&r->p);
}

void
report_head(struct report *r)
{
	(r->o->format == FORMAT_JSON ? head_json : head_text)(r);
}
