/*
 * act: what keys do in every pane, and what is entered at the prompt.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "room.h"

enum { COPY_MAX = 74994 };	/* bytes; terminals take 100000 of base64 */

/* ---- prompts ------------------------------------------------------------- */

static void
show_keys(struct ui *ui, struct str rest)
{
	(void)rest;
	ui_act(ui, VERB_HELP, NULL);
}

static void
quit(struct ui *ui, struct str rest)
{
	(void)rest;
	ui_act(ui, VERB_QUIT, NULL);
}

static bool has_meaning(struct str word);

static void
save_query(struct ui *ui, struct str name)
{
	struct pane	*p = ui_pane(ui);
	struct buf	 query = BUF_INIT;
	struct err	 err;
	bool		 replaced;

	if (p->kind->text != NULL)
		p->kind->text(p, &query);
	if (query.n == 0)
		buf_str(&query, buf_view(&ui->asked));
	if (query.n == 0 || query.bad)
		ui_say(ui, "there is no query to save yet");
	else if (has_meaning(name))
		ui_say(ui, "'%.*s' means something already; take another name",
		    (int)name.n, name.s);
	else if (!saved_put(name, buf_view(&query), &replaced, &err))
		ui_fail(ui, &err);
	else
		ui_say(ui, "%s :%.*s is %s", replaced ? "replaced:" : "saved:", (int)name.n,
		    name.s, query.s);
	buf_free(&query);
}

/* What the prompt takes beside queries. */
static const struct {
	const char	*word, *what;
	void		(*act)(struct ui *, struct str rest);
} words[] = {
	{ "keys", "show what the keys do", show_keys },
	{ "save", "save NAME: keep the query of this pane; :NAME asks it again", save_query },
	{ "quit", "leave icecore", quit },
	{ "q", "leave icecore", quit },
};

static bool
has_meaning(struct str word)
{
	size_t	i;

	for (i = 0; i < NELEM(words); i++)
		if (str_eq(word, str_of(words[i].word)))
			return true;
	for (i = 0; commands[i] != NULL; i++)
		if (str_eq(word, str_of(commands[i]->word)))
			return true;
	return false;
}

static void
offer_saved(void *c, struct str name, struct str query)
{
	struct buf	what = BUF_INIT;
	char		text[64];

	snprintf(text, sizeof text, "%.*s", (int)name.n, name.s);
	buf_str(&what, query);
	if (!what.bad && what.n > 0)
		completion_offer(c, text, what.s);
	buf_free(&what);
}

void
prompt_words(struct completion *c)
{
	struct err	err;
	size_t		i;

	if (!c->first)
		return;
	saved_each(c, offer_saved, &err);
	for (i = 0; i < NELEM(words); i++)
		completion_offer(c, words[i].word, words[i].what);
}

/* True when the line began with such a word. */
static bool
word_entered(struct ui *ui, struct str line)
{
	struct str	word;
	size_t		i;

	str_split(&line, ' ', &word);
	line = str_trim(line);
	for (i = 0; i < NELEM(words); i++)
		if (str_eq(word, str_of(words[i].word))) {
			words[i].act(ui, line);
			return true;
		}
	return false;
}

/* Asks it, or what was saved under that name. */
static void
query_entered(struct ui *ui, const char *entered)
{
	struct buf	 line = BUF_INIT;
	struct str	 s = str_trim(str_of(entered));
	struct query	*q = NULL;
	struct err	 err;

	if (s.n == 0 || word_entered(ui, s))
		return;
	if (!saved_get(s, &line))
		buf_str(&line, s);
	if (line.bad)
		ui_say(ui, "no memory for the query");
	else if (!query_parse(&q, buf_view(&line), &err) ||
	    (ui_store(ui) != NULL && !query_fits(q, ui_plain(ui), &err))) {
		ui_query_error(ui, buf_view(&line), &err);
		prompt_open(ui, ":", line.s, query_entered);
	} else {
		buf_clear(&ui->asked);
		buf_str(&ui->asked, buf_view(&line));
		if (!ui_add(ui, &pane_query, line.s, &err))
			ui_fail(ui, &err);
	}
	query_free(q);
	buf_free(&line);
}

static void
ask_query(struct ui *ui, bool own)
{
	struct pane	*p = ui_pane(ui);
	struct buf	 b = BUF_INIT;

	if (own && p->kind->text != NULL)
		p->kind->text(p, &b);
	prompt_open(ui, ":", b.n > 0 ? b.s : "", query_entered);
	buf_free(&b);
}

static void
search_entered(struct ui *ui, const char *line)
{
	struct pane	*p = ui_pane(ui);

	if (line == NULL)
		return;
	/* Nothing entered: what was looked for before. */
	if (*line != '\0')
		snprintf(ui->search, sizeof ui->search, "%s", line);
	if (ui->search[0] != '\0' && p->kind->find != NULL)
		p->kind->find(p, ui->search, ui->search_back);
}

static void
search(struct ui *ui, enum verb verb)
{
	struct pane	*p = ui_pane(ui);

	if (p->kind->find == NULL)
		ui_say(ui, "there is nothing to look through here");
	else if (ui->found.set == NULL && (p->kind->where & IN_FRAMES) != 0 && ui->search[0] != '\0' &&
	    (verb == VERB_FIND_NEXT || verb == VERB_FIND_PREV))
		/* The view is another one since it was looked for. */
		p->kind->find(p, ui->search, ui->search_back != (verb == VERB_FIND_PREV));
	else if (verb == VERB_FIND || verb == VERB_FIND_BACK) {
		ui->search_back = verb == VERB_FIND_BACK;
		prompt_open(ui, ui->search_back ? "?" : "/", "", search_entered);
	} else if (ui->search[0] == '\0')
		ui_say(ui, "nothing was looked for yet; / does");
	else
		p->kind->find(p, NULL, ui->search_back != (verb == VERB_FIND_PREV));
}

/* ---- copying ------------------------------------------------------------- */

static void
add_base64(struct buf *b, struct str s)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t	v;
	size_t		i, k, left;

	for (i = 0; i < s.n; i += 3) {
		left = s.n - i < 3 ? s.n - i : 3;
		for (v = 0, k = 0; k < 3; k++)
			v = v << 8 | (k < left ? (unsigned char)s.s[i + k] : 0);
		for (k = 0; k < 4; k++)
			buf_chr(b, k <= left ? digits[v >> (18 - 6 * k) & 63] : '=');
	}
}

static void
copy(struct ui *ui)
{
	struct pane	*p = ui_pane(ui);
	struct buf	 what = BUF_INIT, out = BUF_INIT;

	if (p->kind->copy != NULL)
		p->kind->copy(p, &what);
	if (what.n == 0)
		ui_say(ui, "nothing is selected");
	else if (what.n > COPY_MAX)
		ui_say(ui, "too long for a clipboard; w writes a file");
	else {
		buf_str(&out, STR("\033]52;c;"));
		add_base64(&out, buf_view(&what));
		buf_chr(&out, '\a');
		if (!out.bad)
			screen_raw(buf_view(&out));
		ui_say(ui, "sent to the clipboard (OSC 52)");
	}
	buf_free(&what);
	buf_free(&out);
}

/* ---- writing ------------------------------------------------------------- */

static bool
print_to(struct writer *w, struct rows *rows, int fd, struct err *err)
{
	int	 own = dup(fd);
	FILE	*f = own != -1 ? fdopen(own, "w") : NULL;
	bool	 ok;

	if (f == NULL) {
		if (own != -1)
			close(own);
		return fail_errno(err, "%s", w->path.s);
	}
	ok = rows_print(rows, w->format, 0, f, &w->n, err);
	if (fclose(f) != 0 && ok)
		ok = fail_errno(err, "%s", w->path.s);
	return ok;
}

static bool
write_run(struct task *task, struct work *work, struct err *err)
{
	struct writer	*w = (struct writer *)task;
	struct session	*s = &task->ui->plain;
	struct query	*q = NULL;
	struct rows	*rows = NULL;
	struct file	 file;
	bool		 ok;

	ok = query_parse(&q, buf_view(&w->query), err) &&
	    query_prepare(q, s, work, err) && query_open(q, s, &rows, err) &&
	    file_begin(&file, w->path.s, err);
	if (ok) {
		work_start(work, "writing", 0);
		rows_set_work(rows, work);
		ok = print_to(w, rows, file.fd, err);
		if (ok && rows_error(rows) != NULL) {
			*err = *rows_error(rows);
			ok = false;
		}
		if (ok)
			ok = file_commit(&file, false, err);
		else
			file_abandon(&file);
	}
	rows_close(rows);
	query_free(q);
	return ok;
}

static void
write_done(struct task *task, bool ok, const struct err *err)
{
	struct writer	*w = (struct writer *)task;
	char		 n[NUM_TEXT];

	if (!ok) {
		ui_fail(task->ui, err);
		return;
	}
	num_show_count(n, sizeof n, w->n);
	ui_say(task->ui, "%s: %s rows written as %s", w->path.s, n, format_names[w->format]);
}

static void
write_entered(struct ui *ui, const char *line)
{
	struct writer	*w = &ui->writer;

	if (line == NULL || *line == '\0')
		return;
	buf_clear(&w->path);
	buf_str(&w->path, str_of(line));
	if (w->path.bad || w->query.bad) {
		ui_say(ui, "no memory to write");
		return;
	}
	/* The query says the view by itself. */
	ui_plain(ui);
	w->task.run = write_run;
	w->task.done = write_done;
	task_give(ui, &w->task);
}

static void
ask_write(struct ui *ui)
{
	struct pane	*p = ui_pane(ui);
	struct writer	*w = &ui->writer;

	if (p->kind->text == NULL || w->task.given) {
		ui_say(ui, w->task.given ? "still writing" : "this cannot be written");
		return;
	}
	w->format = p->kind->format;
	buf_clear(&w->query);
	p->kind->text(p, &w->query);
	prompt_open(ui, w->format == FORMAT_FOLDED ? "write folded to: " : "write tsv to: ",
	    "", write_entered);
}

/* ---- panes --------------------------------------------------------------- */

static void
close_pane(struct ui *ui)
{
	struct pane	*p = ui_pane(ui);

	if (!p->extra) {
		ui_say(ui, "this pane stays; Q quits");
		return;
	}
	ui_remove(ui, p);
}

static void
help(struct ui *ui)
{
	struct err	 err;
	size_t		 i;

	for (i = 0; i < ui->npanes; i++)
		if (ui->pane[i]->kind == &pane_help) {
			ui->cur = i;
			return;
		}
	if (!ui_add(ui, &pane_help, "", &err))
		ui_fail(ui, &err);
}

static void
next_clock(struct ui *ui)
{
	struct session	*s = ui->session;
	struct buf	 name = BUF_INIT;
	struct weights	 w;
	size_t		 i;

	weights_of(ui_store(ui), &w);
	for (i = 0; i < CLOCKS; i++) {
		s->clock = (s->clock + 1) % CLOCKS;
		if (w.name[s->clock] != NULL)
			break;
	}
	ui_weight(ui, &name);
	if (!name.bad)
		ui_say(ui, "%s: %s", w.clocks && !w.differs ? "clock" : "weight", name.s);
	buf_free(&name);
	ui_reset(ui);
}

/* The view is changed by what is selected. */
static bool
look(struct ui *ui, enum verb verb)
{
	struct pane	*p = ui_pane(ui);
	struct buf	 name = BUF_INIT;
	bool		 known;

	if (verb == VERB_DELTA && (ui_shapes(ui) & SHAPE_TREES) == 0 && p->kind->act != NULL && p->kind->act(p, verb))
		return true;
	if (p->kind->frame != NULL)
		p->kind->frame(p, &name);
	known = look_act(ui, verb, buf_view(&name));
	buf_free(&name);
	return known;
}

/* ---- the verbs that mean the same everywhere ----------------------------- */

static bool
act_everywhere(struct ui *ui, enum verb verb, const struct press *press)
{
	size_t	i;

	switch (verb) {
	case VERB_HELP:
		help(ui);
		return true;
	case VERB_QUIT:
		ui->quit = true;
		return true;
	case VERB_CLOSE:
		close_pane(ui);
		return true;
	case VERB_NEXT_PANE:
		ui->cur = (ui->cur + 1) % ui->npanes;
		return true;
	case VERB_PREV_PANE:
		ui->cur = (ui->cur + ui->npanes - 1) % ui->npanes;
		return true;
	case VERB_PANE:
		i = press != NULL ? (size_t)(press->name[0] - '1') : 0;
		if (i < ui->npanes)
			ui->cur = i;
		ui->wanted = i;
		return true;
	case VERB_PROMPT:
	case VERB_QUERY:
		ask_query(ui, verb == VERB_QUERY);
		return true;
	case VERB_REDRAW:
		ui->redraw = true;
		ui->preparer.stopped = false;
		ui_pane(ui)->stale = true;
		return true;
	default:
		return false;
	}
}

bool
ui_act(struct ui *ui, enum verb verb, const struct press *press)
{
	struct pane	*p;

	if (act_everywhere(ui, verb, press))
		return true;
	if (ui->state != LOAD_DONE) {
		if (ui->state == LOAD_STOPPED && (verb == VERB_ENTER || verb == VERB_REVERSE))
			ui_load(ui);
		return false;
	}
	switch (verb) {
	case VERB_COPY:
		copy(ui);
		return true;
	case VERB_WRITE:
		ask_write(ui);
		return true;
	case VERB_CLOCK:
		next_clock(ui);
		return true;
	case VERB_FIND: case VERB_FIND_BACK: case VERB_FIND_NEXT: case VERB_FIND_PREV:
		search(ui, verb);
		return true;
	case VERB_HIDE: case VERB_HIDE_LIKE: case VERB_KEEP: case VERB_KEEP_LIKE: case VERB_FOLD_LIKE:
	case VERB_BY: case VERB_VIEW: case VERB_VIEW_UNDO: case VERB_VIEW_ALL: case VERB_EVENT:
	case VERB_OTHER: case VERB_DELTA: case VERB_SCALE:
		return look(ui, verb);
	case VERB_PATH: case VERB_DOMINATORS: case VERB_REFERRERS: case VERB_REFS:
		return ui_heap_act(ui, verb);
	default:
		p = ui_pane(ui);
		return p->kind->act != NULL && p->kind->act(p, verb);
	}
}
