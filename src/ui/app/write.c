/*
 * write: what leaves the explorer: the answer to the query of a pane goes to a file, what is selected to the clipboard of
 * the user's terminal.
 */
#include "config.h"

#include "app.h"

enum { COPY_MAX = 74994 };	/* bytes; terminals take 100000 of base64 */

/* ---- to a file ----------------------------------------------------------- */

static bool
write_run(struct task *task, struct work *work, struct err *err)
{
	struct app_writer	*w = (struct app_writer *)task;
	struct session	*s = w->session;
	struct query	*q = NULL;
	struct rows	*rows = NULL;
	uint64_t	size;
	bool		 ok;

	ok = query_parse(&q, buf_view(&w->query), err) &&
	    query_prepare(q, s, work, err) && query_open(q, s, &rows, err);
	if (ok) {
		work_start(work, "writing", 0);
		rows_set_work(rows, work);
		ok = rows_write(rows, w->format, &DRAW_OPTIONS, w->path.s, false, &w->n, &size, err);
	}
	rows_close(rows);
	query_free(q);
	return ok;
}

static void
write_done(struct task *task, bool ok, const struct err *err)
{
	struct app_writer	*w = (struct app_writer *)task;
	char		 n[NUM_TEXT];

	if (!ok) {
		ui_fail(task->ui, err);
		return;
	}
	num_show_count(n, sizeof n, w->n);
	ui_say(task->ui, "%s: %s %s written as %s", w->path.s, n, w->format == FORMAT_SVG || w->format == FORMAT_HTML ?
	    "boxes" : "rows", format_names[w->format]);
}

static void
write_entered(void *asker, const char *line)
{
	struct app	*app = asker;
	struct app_writer	*w = &app->writer;

	if (*line == '\0')
		return;
	buf_clear(&w->path);
	buf_str(&w->path, str_of(line));
	if (w->path.bad || w->query.bad) {
		ui_say(app->ui, "out of memory (export)");
		return;
	}
	/* The end of the name tells the format; without one it is that of the pane. */
	format_of_path(w->path.s, &w->format);
	/* The query says the view by itself. */
	w->session = ui_plain(app->ui);
	app_give(app, &w->task, write_run, write_done);
}

void
app_write(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	struct app_writer	*w = &app->writer;

	if (w->task.task.given) {
		ui_say(app->ui, "export still running");
		return;
	}
	w->format = p->kind->format != FORMAT_TABLE ? p->kind->format : FORMAT_TSV;
	buf_clear(&w->query);
	if (p->does.text != NULL)
		p->does.text(p, &w->query);
	if (w->query.n == 0) {
		ui_say(app->ui, "this pane cannot be exported");
		return;
	}
	prompt_open(app->ui, PROMPT_LINE, w->format == FORMAT_FOLDED ? "write folded/.html/.svg to: " :
	    "write tsv/.html to: ", "", write_entered, app);
}

/* ---- to the clipboard ---------------------------------------------------- */

void
app_copy(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 what = BUF_INIT, out = BUF_INIT;

	if (app->overlays.n > 0)
		overlay_text(&app->overlays, &what);
	else if (p->does.copy != NULL)
		p->does.copy(p, &what);
	if (what.n == 0)
		ui_say(app->ui, "nothing selected");
	else if (what.n > COPY_MAX)
		ui_say(app->ui, "too long for the clipboard; w exports to a file");
	else {
		buf_str(&out, STR("\033]52;c;"));
		buf_base64(&out, buf_view(&what));
		buf_chr(&out, '\a');
		if (!out.bad)
			screen_raw(buf_view(&out));
		ui_say(app->ui, "sent to clipboard (OSC 52); see 'man icecore', Clipboard");
	}
	buf_free(&what);
	buf_free(&out);
}
