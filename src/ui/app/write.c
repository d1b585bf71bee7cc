/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * write: export the result of a pane's query to a file, and copy the selection to the clipboard of the user's
 * terminal.
 */
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/inflate.h"
#include "icecore/named.h"
#include "app.h"

enum { COPY_MAX = 74994 };	/* bytes; terminals accept 100000 bytes of base64 */

/* ---- export to a file ---------------------------------------------------- */

static bool
write_run(struct task *task, struct work *work, struct err *err)
{
	struct app_writer	*w = (struct app_writer *)task;
	struct reply	 a;
	bool		 ok = query_ask(&a, buf_view(&w->query), 0, w->session, work, err);

	if (ok) {
		work_start(work, "writing", 0);
		ok = rows_write(a.rows, w->format, &DRAW_OPTIONS, w->path.s, w->replace, &w->n, &w->size,
		    err);
	}
	reply_close(&a);
	return ok;
}

static void
write_done(struct task *task, bool ok, const struct err *err)
{
	struct app_writer	*w = (struct app_writer *)task;
	bool		 boxes = w->format == FORMAT_SVG || w->format == FORMAT_HTML;
	char		 n[NUM_TEXT], size[NUM_TEXT];

	if (!ok) {
		ui_fail(task->ui, err);
		return;
	}
	num_show_count(n, sizeof n, w->n);
	num_show_size(size, sizeof size, w->size);
	ui_say(task->ui, "saved %s%s: %s %s%s, %s", strchr(w->path.s, '/') == NULL ? "./" : "", w->path.s,
	    n, boxes ? "box" : "row",
	    w->n == 1 ? "" : boxes ? "es" : "s", size);
}

static void
write_entered(void *asker, const char *line)
{
	struct app	*app = asker;
	struct app_writer	*w = &app->writer;

	w->replace = *line == '!';
	line += w->replace;
	if (*line == '\0')
		return;
	buf_clear(&w->path);
	buf_str(&w->path, str_of(line));
	/* The suffix of the name chooses the format; without a suffix add that of the current format. */
	if (!format_of_path(line, &w->format) && strchr(shown_name(line).s, '.') == NULL)
		buf_printf(&w->path, ".%s", format_names[w->format]);
	if (w->path.bad || w->query.bad) {
		ui_say(app->ui, "out of memory (export)");
		return;
	}
	if (!w->replace && access(w->path.s, F_OK) == 0) {
		ui_say(app->ui, "%s exists; !%s overwrites it", w->path.s, w->path.s);
		return;
	}
	/* The query contains the view stages itself. */
	w->session = ui_plain(app->ui);
	app_give(app, &w->task, write_run, write_done);
}

/* Append s; replace characters that a proposed file name may not contain by '_'. */
static void
add_plain(struct buf *b, struct str s, bool lower)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char	c = (unsigned char)s.s[i];

		buf_chr(b, c < 0x80 && (isalnum(c) || (c == '.' && i > 0) || c == '-' || c == '_') ?
		    (char)(lower ? tolower(c) : c) : '_');
	}
}

void
ui_stem(const char *path, struct buf *b)
{
	struct str	 name = str_of(path);
	const char	*slash, *dot;

	while (name.n > 0 && name.s[name.n - 1] == '/')
		name.n--;
	slash = memrchr(name.s, '/', name.n);
	name = inflate_stem(slash != NULL ? str_after(name, (size_t)(slash + 1 - name.s)) : name);
	dot = memrchr(name.s, '.', name.n);
	name.n = dot != NULL && dot > name.s ? (size_t)(dot - name.s) : name.n;
	add_plain(b, name.n == 0 || str_eq(name, STR("-")) ? STR("icecore") : name, false);
}

/* For example "app.classes.tsv": the file name without suffixes, the pane, the format. */
static void
propose(const struct app *app, enum format format, struct buf *b)
{
	ui_stem(store_path(app->session->store[app->session->at]), b);
	buf_chr(b, '.');
	add_plain(b, str_of(ui_pane(app->ui)->kind->name), true);
	buf_printf(b, ".%s", format_names[format]);
}

void
app_write(struct app *app)
{
	static const char *const trees[] = { ".html", ".svg", ".folded", ".dot", NULL };
	static const char *const tables[] = { ".tsv", ".csv", ".json", ".html", NULL };
	struct pane	*p = ui_pane(app->ui);
	struct app_writer	*w = &app->writer;
	struct buf	 name = BUF_INIT;
	bool		 tree = p->kind->format == FORMAT_FOLDED;

	if (w->task.task.given) {
		ui_say(app->ui, "export still running");
		return;
	}
	w->format = tree ? FORMAT_HTML : FORMAT_TSV;
	buf_clear(&w->query);
	pane_tell(p, TELL_FILE, &w->query);
	if (w->query.n == 0)
		pane_tell(p, TELL_QUERY, &w->query);
	if (w->query.n == 0) {
		ui_say(app->ui, "this pane cannot be exported");
		return;
	}
	propose(app, w->format, &name);
	if (!name.bad)
		named_offer(name.s);
	prompt_open(PROMPT_LINE, "save as: ", "", write_entered, app);
	prompt_offer(name.bad ? "" : name.s);
	prompt_suffixes(tree ? trees : tables);
	buf_free(&name);
}

/* ---- copy to the clipboard ----------------------------------------------- */

static void
send(struct ui *ui, struct str what)
{
	struct buf	 out = BUF_INIT;

	if (what.n == 0)
		ui_say(ui, "nothing selected");
	else if (what.n > COPY_MAX)
		ui_say(ui, "too long for the clipboard (limit: 73 KiB)");
	else {
		buf_str(&out, STR("\033]52;c;"));
		buf_base64(&out, what);
		buf_chr(&out, '\a');
		if (!out.bad)
			screen_raw(buf_view(&out));
		ui_say(ui, "sent to clipboard (OSC 52); see 'man icecore', Clipboard");
	}
	buf_free(&out);
}

void
app_copy(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 what = BUF_INIT;

	if (app->overlays.n > 0)
		overlay_text(&app->overlays, &what);
	else
		pane_tell(p, TELL_COPY, &what);
	send(app->ui, buf_view(&what));
	buf_free(&what);
}

/* The address of the pane, or of its query if it has filters or was opened for one. */
void
app_copy_address(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 query = BUF_INIT, path = BUF_INIT, all = BUF_INIT;
	const char	*file = store_path(ui_file(app->ui));
	char		 here[4096];

	pane_tell(p, TELL_QUERY, &query);
	if (file[0] != '/' && getcwd(here, sizeof here) != NULL)
		buf_printf(&path, "%s/", here);
	buf_str(&path, str_of(file));
	if (query.n > 0 && (p->extra || *look_now(app->ui) != '\0'))
		command_address(ui_plain(app->ui), &app->opt->page, buf_view(&path), "q", buf_view(&query), &all);
	else
		command_address(ui_plain(app->ui), &app->opt->page, buf_view(&path), "pane", str_of(p->kind->name),
		    &all);
	send(app->ui, buf_view(&all));
	ui_say(app->ui, "sent to clipboard (OSC 52): %s", all.n > 0 ? all.s : "");
	buf_free(&query);
	buf_free(&path);
	buf_free(&all);
}

/* ---- the overview ---------------------------------------------------------- */

static bool
write_copy_run(struct task *task, struct work *work, struct err *err)
{
	struct app_copier	*c = (struct app_copier *)task;
	struct session	 view = *ui_seen(task->ui), plain = view;
	char		*text = NULL;
	size_t		 n = 0;
	FILE		*to = open_memstream(&text, &n);
	struct report_options page = c->page;
	bool		 ok;

	if (to == NULL)
		return fail(err, E_SYSTEM, "out of memory (copy)");
	plain.view = NULL;
	plain.clock = c->clock;
	page.view = &view;
	work_start(work, "overview", 0);
	ok = report_print(&plain, &page, to, work, err);
	ok = (fclose(to) == 0 || fail(err, E_SYSTEM, "out of memory (copy)")) && ok;
	buf_clear(&c->text);
	if (ok)
		buf_add(&c->text, text, n);
	free(text);
	return ok;
}

static void
copy_done(struct task *task, bool ok, const struct err *err)
{
	struct app_copier	*c = (struct app_copier *)task;

	if (ok)
		send(task->ui, buf_view(&c->text));
	else
		ui_fail(task->ui, err);
}

void
app_copy_page(struct app *app, bool brief)
{
	struct app_copier	*c = &app->copier;

	if (c->task.task.given) {
		ui_say(app->ui, "copy still running");
		return;
	}
	c->clock = look_clock(app->ui);
	c->page = app->opt->page;
	c->page.page = PAGE_OVERVIEW;
	c->page.format = FORMAT_TABLE;
	c->page.one = !look_differs(app->ui);
	c->page.brief = brief;
	app_give(app, &c->task, write_copy_run, copy_done);
}
