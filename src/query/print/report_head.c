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
#include "icecore/unread.h"
#include "query/trace/trace.h"
#include "report.h"

#define TITLE_WIDTH 80u
#define LABELS 13u		/* columns of the labels */

bool
report_title(struct printer *p, const char *title, char under, struct err *err)
{
	size_t width = text_width(str_of(title));

	if (p->html)
		return html_element(p, "h2", NULL, str_of(title), err);
	buf_str(&p->line, under == '=' ? STR("") : STR("\n"));
	if (p->md) {
		buf_printf(&p->line, "%s ", under == '=' ? "#" : "##");
		md_text(p, str_of(title));
		buf_chr(&p->line, '\n');
		return print_end(p, err);
	}
	print_raw(p, str_of(title), p->width);
	if (!print_end(p, err))
		return false;
	for (width = width < p->width || p->width == 0 ? width : p->width; width > 0; width--)
		buf_chr(&p->line, under);
	return print_end(p, err);
}

bool
report_pair(struct printer *p, const char *label, struct str raw, bool first, struct err *err)
{
	struct buf line = BUF_INIT;
	bool ok;

	if (p->html)
		return html_pair(p, label, raw, err);
	if (p->md) {
		buf_printf(&p->line, "| %s | ", label);
		md_text(p, raw);
		buf_str(&p->line, first ? STR(" |\n| --- | --- |") : STR(" |"));
		return print_end(p, err);
	}
	buf_printf(&line, "%-*s", (int)LABELS, label);
	buf_str(&line, raw);
	ok = report_words(p, buf_view(&line), LABELS, err);
	p->line.bad |= line.bad;
	buf_free(&line);
	return ok;
}

/* ---- what it is -------------------------------------------------------------------- */

static const char *
kind_name(unsigned shapes)
{
	return (shapes & SHAPE_GRAPH) != 0 ? "heap dump" : (shapes & SHAPE_MONEY) != 0 ? "bank statements" :
	    (shapes & SHAPE_TRIAGE) != 0 ? "triage rows" : (shapes & SHAPE_FOLDER) != 0 ? "directory" :
	    (shapes & SHAPE_DUMPS) != 0 ? "stack dumps" : (shapes & SHAPE_TABLE) != 0 ? "table" :
	    (shapes & SHAPE_COSTS) != 0 ? "call graph with costs" : (shapes & SHAPE_SAMPLES) != 0 ? "profile" :
	    (shapes & SHAPE_TASKS) != 0 ? "scheduler trace" :
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
report_head_is_stamped(const struct report *r, const struct store *st)
{
	return r->o->stamp && strcmp(store_path(st), "-") != 0 && (load_shapes(st) & SHAPE_FOLDER) == 0;
}

/* A directory has no hash. */
static bool
report_head_is_hashed(const struct report *r, const struct store *st)
{
	return !r->o->no_hash && (load_shapes(st) & SHAPE_FOLDER) == 0;
}

static bool
head_file(struct report *r, struct store *st, const char *label, bool first, struct err *err)
{
	struct buf b = BUF_INIT;
	char size[NUM_TEXT];
	struct str digest = r->o->no_hash ? STR("skipped (--no-hash)") : STR("none");
	bool ok = r->o->brief || !report_head_is_hashed(r, st) || store_digest(st, r->work, &digest, err);

	num_show_count(size, sizeof size, store_file(st)->size);
	buf_str(&b, shown_name(store_path(st)));
	buf_printf(&b, "  %s bytes", size);
	if (report_head_is_stamped(r, st)) {
		buf_str(&b, STR("  modified "));
		report_head_add_time(store_file(st), &b);
	}
	ok = ok && report_pair(&r->p, label, buf_view(&b), first, err) &&
	    (r->o->brief || report_pair(&r->p, "sha256", digest, false, err));
	r->p.line.bad |= b.bad;
	buf_free(&b);
	return ok;
}

/* ---- what was lost ------------------------------------------------------------------ */

/* Append "2 calls still open at the end of the thread"; of a flag its meaning alone, and only once. */
static void
report_head_add_count(struct str name, unsigned shapes, const struct cell *value, struct buf *b)
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

/* Print the counts of the fields with that prefix, separated by semicolons, or none.  For losses the reason comes first. */
static bool
head_counts(struct report *r, struct rows *info, const char *label, struct str prefix, struct str none, struct err *err)
{
	unsigned shapes = load_shapes(session_store(r->session));
	struct buf b = BUF_INIT;
	struct cell c, n;
	bool ok;

	if (str_eq(prefix, STR("loss")) && info_find(info, STR("loss.reason"), &c) != NULL)
		cell_show(&c, &b);
	for (uint64_t row = 0; rows_reach(info, row + 1) > row; row++) {
		rows_cell(info, row, 0, &c);
		if (c.type != CELL_TEXT || !str_has_prefix(c.text, prefix))
			continue;
		rows_cell(info, row, 1, &n);
		if (n.type != CELL_TEXT && n.u != 0)
			report_head_add_count(c.text, shapes, &n, &b);
	}
	ok = (b.n == 0 && none.n == 0) || report_pair(&r->p, label, b.n > 0 ? buf_view(&b) : none, false, err);
	r->p.line.bad |= b.bad;
	buf_free(&b);
	return ok;
}

static void
report_head_add_unread(void *of, struct str line)
{
	struct buf *b = of;

	buf_str(b, b->n > 0 ? STR(", ") : STR(""));
	buf_str(b, line);
}

/* Print what is not read, if there is anything. */
static bool
head_unread(struct report *r, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok = info_unread(session_store(r->session), report_head_add_unread, &b);

	ok = ok && !b.bad ? b.n == 0 || report_pair(&r->p, "not read", buf_view(&b), false, err) :
	    fail(err, E_SYSTEM, "out of memory (report)");
	buf_free(&b);
	return ok;
}

/* ---- options -------------------------------------------------------------------------- */

struct str
given_value(const struct report_option *o)
{
	return o->path ? shown_name(o->value) : str_of(o->value);
}

static bool
head_options(struct report *r, struct err *err)
{
	const struct report_option *o;
	struct buf b = BUF_INIT;
	const char *name, *value;
	bool ok, usual;

	for (size_t i = 0; (name = session_option(r->session, i, &value, &usual)) != NULL; i++)
		buf_printf(&b, "%s--%s %s", b.n > 0 ? " " : "", name, value);
	for (size_t i = 0; i < r->o->ngiven; i++) {
		o = &r->o->given[i];
		buf_printf(&b, "%s--%s%s", b.n > 0 ? " " : "", o->name, o->value != NULL ? " " : "");
		if (o->value != NULL)
			buf_str(&b, given_value(o));
	}
	ok = report_pair(&r->p, "options", b.n > 0 ? buf_view(&b) : STR("none"), false, err);
	r->p.line.bad |= b.bad;
	buf_free(&b);
	return ok;
}

/* ---- text ------------------------------------------------------------------------------ */

/* Print the format, and the options that change the answers, the losses and the repairs. */
static bool
head_info(struct report *r, bool options, struct err *err)
{
	struct str no_loss = unread_any(session_store(r->session)) ? STR("") : STR("none");
	struct reply a;
	bool ok = report_ask(r, "info | select field value", &a, err) && report_facts(&r->p, a.rows, true, false, err) &&
	    (r->o->brief || ((!options || head_options(r, err)) && head_unread(r, err) &&
	    head_counts(r, a.rows, "losses", STR("loss"), no_loss, err) && head_counts(r, a.rows, "repairs", STR("repair"), STR("none"), err)));

	ok = ok && rows_whole(a.rows, err);
	reply_close(&a);
	return ok;
}

static bool
head_text(struct report *r, struct err *err)
{
	struct session *s = r->session;
	size_t at = s->at, i = r->compares ? 0 : at, used;
	struct buf title = BUF_INIT;
	bool ok;

	buf_printf(&title, "icecore report: %s%s", r->compares ? "comparison, " : "", kind_name(session_shapes(s)));
	used = title.n + strlen(base_program);
	if (!r->p.md)
		buf_printf(&title, "%*s%s", used < TITLE_WIDTH ? (int)(TITLE_WIDTH - used) : 1, "", base_program);
	ok = r->o->parts ? true : r->p.html ? html_head(r, kind_name(session_shapes(s)), err) :
	    report_title(&r->p, title.bad ? "icecore report" : title.s, '=', err);
	buf_free(&title);
	for (; i <= at && ok; i++) {
		s->at = i;
		ok = (r->o->parts || head_file(r, s->store[i], !r->compares ? "file" : i < at ? "before" : "after", i == 0 || !r->compares, err)) &&
		    head_info(r, i == at, err);
	}
	s->at = at;
	return ok && (!r->p.md || report_pair(&r->p, "tool", str_of(base_program), false, err));
}

/* ---- json ------------------------------------------------------------------------------ */

static bool
file_object(struct report *r, struct store *st, const char *name, struct err *err)
{
	struct buf *b = &r->p.line, time = BUF_INIT;
	struct str digest = STR("");

	if (report_head_is_hashed(r, st) && !store_digest(st, r->work, &digest, err))
		return false;
	buf_printf(b, ",\n\"%s\":{\"name\":", name);
	print_quoted(&r->p, shown_name(store_path(st)));
	buf_printf(b, ",\"bytes\":%llu,\"sha256\":", (unsigned long long)store_file(st)->size);
	if (digest.n > 0)
		print_quoted(&r->p, digest);
	else
		buf_str(b, STR("null"));
	if (report_head_is_stamped(r, st)) {
		report_head_add_time(store_file(st), &time);
		buf_str(b, STR(",\"modified\":"));
		print_quoted(&r->p, buf_view(&time));
		b->bad |= time.bad;
		buf_free(&time);
	}
	buf_chr(b, '}');
	return true;
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

static bool
head_json(struct report *r, struct err *err)
{
	struct session *s = r->session;
	struct buf *b = &r->p.line;
	const char *name, *value;
	bool usual;

	buf_printf(b, "{\"tool\":{\"name\":\"%s\",\"version\":\"%s\"}", PACKAGE_NAME, base_version);
	if (!file_object(r, s->store[s->at], "file", err) ||
	    (r->compares && !file_object(r, s->store[0], "before", err)))
		return false;
	buf_str(b, STR(",\n\"options\":{"));
	for (size_t i = 0; (name = session_option(r->session, i, &value, &usual)) != NULL; i++)
		buf_printf(b, "%s\"%s\":\"%s\"", i > 0 ? "," : "", name, value);
	for (size_t i = 0; i < r->o->ngiven && !b->bad; i++)
		given_object(r, i);
	buf_str(b, STR("},\n\"sections\":{\n"));
	return print_line(&r->p, err);
}

bool
report_head(struct report *r, struct err *err)
{
	return r->o->format == FORMAT_JSON ? head_json(r, err) : head_text(r, err);
}
