/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bitmaps: the bitmaps of an Android heap dump, with a preview of the selected one, or one alone full-screen.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "icecore/keys.h"
#include "icecore/named.h"
#include "preview.h"
#include "ui/list/list.h"

enum { SPLIT_W = 80, SPLIT_H = 6, LIST_W = 58, WIDE_LIST = 72, NARROW_LIST = 50 };

/* Totals over the rows of the list. */
struct totals {
	uint64_t	n, bytes, twins, waste;	/* twins: bitmaps equal to an earlier one */
};

/* Bitmaps being saved to files. */
struct saving {
	struct task	 task;
	struct session	 session;
	struct buf	 query, said;		/* said: result of saving */
};

struct bitmaps_pane {
	struct list	*list;
	struct preview	 preview;
	struct totals	 totals, new_totals;
	bool		 full;		/* show one bitmap full-screen */
	struct saving	 saving;
};

static const char all_bitmaps[] = "bitmaps | select bytes width as w height as h format copies "
    "retained holder object waste confidence why_empty";
static const char same_bitmaps[] = "bitmaps | where waste > 0 | select waste copies bytes width as w "
    "height as h format holder hash object confidence why_empty";

/* ---- opening ------------------------------------------------------------- */

static bool
warm(struct list *l, struct rows *r, struct work *work, struct err *err)
{
	struct totals	*t = &((struct bitmaps_pane *)l->pane->data)->new_totals;
	uint64_t	 n = rows_reach(r, ROWS_ALL), waste;

	*t = (struct totals){ .n = n };
	work_start(work, "bitmaps", n);
	for (uint64_t row = 0; row < n; row++) {
		if (!work_go(work, row, err))
			return false;
		waste = list_number_at(r, row, "waste");
		t->bytes += list_number_at(r, row, "bytes");
		t->waste += waste;
		t->twins += waste > 0 ? list_number_at(r, row, "copies") - 1 : 0;
	}
	return true;
}

static bool
bitmaps_is_grouped(const struct bitmaps_pane *b)
{
	return strcmp(b->list->base, same_bitmaps) == 0;
}

static void
bitmaps_opened(struct list *l)
{
	struct bitmaps_pane *b = l->pane->data;

	b->totals = b->new_totals;
	l->is.empty = bitmaps_is_grouped(b) ? "no duplicate bitmaps" : "no bitmaps in this dump";
}

static const struct list_spec lists[] = { {
	.base = all_bitmaps, .sort = "-bytes", .hide = "object confidence why_empty hash",
	.warm_first = true, .warm = warm, .opened = bitmaps_opened
} };

/* ---- files --------------------------------------------------------------- */

/* Report "saved 12 pictures in pictures", the file of a single one, or why it was not written. */
static void
tell_saved(struct rows *r, uint64_t n, struct buf *said)
{
	struct cell	file = { .type = CELL_NONE }, one, result, object;
	struct str	folder = STR("."), name;
	uint64_t	written = 0, all = 0;

	for (uint64_t row = 0; row < n; row++) {
		rows_cell(r, row, (size_t)rows_column(r, STR("object")), &object);
		rows_cell(r, row, (size_t)rows_column(r, STR("result")), &result);
		rows_cell(r, row, (size_t)rows_column(r, STR("file")), &one);
		file = one.type == CELL_TEXT ? one : file;
		/* Rows of duplicates have no object. */
		all += object.u != 0;
		written += object.u != 0 && str_has_prefix(result.text, STR("written"));
	}
	if (n == 1 && file.type == CELL_TEXT) {
		buf_str(said, written > 0 ? STR("saved ") : STR(""));
		buf_str(said, memchr(file.text.s, '/', file.text.n) == NULL ? STR("./") : STR(""));
		buf_str(said, file.text);
		if (written == 0)
			buf_printf(said, ": %.*s", (int)result.text.n, result.text.s);
	} else if (n == 1)
		buf_str(said, result.text);
	else {
		if (file.type == CELL_TEXT)
			(void)str_divide_last(file.text, '/', &folder, &name);
		buf_printf(said, "saved %" PRIu64 " bitmaps in %.*s; %" PRIu64 " skipped (existing, duplicate or "
		    "empty)", written,
		    (int)folder.n, folder.s, all - written);
	}
}

static bool
saving_run(struct task *task, struct work *work, struct err *err)
{
	struct saving	*s = (struct saving *)task;
	struct reply	 a;
	bool		 ok = query_ask(&a, buf_view(&s->query), 0, &s->session, work, err);
	uint64_t	 n = ok ? rows_reach(a.rows, ROWS_ALL) : 0;

	buf_clear(&s->said);
	ok = ok && rows_whole(a.rows, err);
	if (ok)
		tell_saved(a.rows, n, &s->said);
	reply_close(&a);
	return ok;
}

static void
saving_done(struct task *task, bool ok, const struct err *err)
{
	const struct saving *s = (const struct saving *)task;

	if (!ok)
		ui_fail(task->ui, err);
	else
		ui_say(task->ui, "%s", s->said.bad ? "saved" : s->said.s);
}

static void
begin(struct pane *p)
{
	struct bitmaps_pane *b = p->data;

	preview_init(&b->preview, p);
	b->saving.task = (struct task){ .run = saving_run, .done = saving_done, .ui = p->ui };
}

static void
bitmaps_pane_close(struct pane *p)
{
	struct bitmaps_pane *b = p->data;

	prompt_disown(p);
	preview_free(&b->preview);
	task_drop(&b->saving.task);
	buf_free(&b->saving.query);
	buf_free(&b->saving.said);
	list_pane_close(p);
}

static void
bitmaps_forget(struct pane *p)
{
	task_drop(&((struct bitmaps_pane *)p->data)->saving.task);
	list_pane_forget(p);
}

static void
bitmaps_reset(struct pane *p)
{
	struct bitmaps_pane *b = p->data;

	preview_reset(&b->preview);
	list_reset(b->list);
}

/* ---- drawing ------------------------------------------------------------- */

/* Return the columns that a list w columns wide omits; the status line shows some of them. */
static const char *
quiet_columns(const struct bitmaps_pane *b, int w)
{
	if (bitmaps_is_grouped(b))
		return w < NARROW_LIST ? "bytes format w h" : w < WIDE_LIST ? "bytes format" : NULL;
	return w < NARROW_LIST ? "retained waste w h copies" :
	    w < WIDE_LIST ? "retained waste" : "waste";
}

static void
bitmaps_draw(struct pane *p, struct area a)
{
	struct bitmaps_pane *b = p->data;
	uint32_t	 object = list_object(b->list);
	int		 half = a.w * 3 / 5 > LIST_W ? a.w * 3 / 5 : LIST_W;

	if (b->full) {
		preview_draw(&b->preview, object, a);
		return;
	}
	if (a.w < SPLIT_W || a.h < SPLIT_H || b->list->now.known == 0)
		half = a.w;
	b->list->is.quiet = quiet_columns(b, half);
	list_draw(b->list, (struct area){ a.y, a.x, a.h, half }, true);
	if (half == a.w)
		return;
	screen_split(a.y, a.x + half, a.h);
	preview_draw(&b->preview, object,
	    (struct area){ a.y, a.x + half + 1, a.h, a.w - half - 1 });
}

/* ---- status text --------------------------------------------------------- */

static void
bitmaps_add_cell(struct list *l, const char *column, const char *before, struct buf *out)
{
	struct cell	c;
	size_t		at;

	if (!list_cell(l, column, &c) || c.type == CELL_NONE)
		return;
	buf_str(out, str_of(before));
	at = out->n;
	cell_show(&c, out);
	screen_fit_from(out, at);
}

/* If the pixel format was guessed, for example "RGB_565 93% sure, f: another". */
static bool
add_guess(struct bitmaps_pane *b, const struct bitmap *bm, struct buf *out)
{
	const char	*name = bm != NULL ? bitmap_format_names[bm->format] : "";

	if (bm == NULL)
		return false;
	if (preview_choice(&b->preview, bm->object) != BITMAP_UNKNOWN)
		buf_printf(out, "%s (chosen)", name);
	else if (bm->format != BITMAP_UNKNOWN && bm->sure < 100)
		buf_printf(out, "%s (%u%% likely)", name, bm->sure);
	else
		return false;
	buf_printf(out, "; %s", hint(VERB_FORMAT, "_: next format").s);
	return true;
}

/* Append the line above a full-screen bitmap. */
static void
path_of_one(struct bitmaps_pane *b, struct buf *out)
{
	const struct bitmap *bm = preview_bitmap(&b->preview, list_object(b->list));

	list_place(b->list, out);
	if (bm == NULL)
		return;
	buf_printf(out, "%s%u%s%u ", glyph(GLYPH_INTO), (unsigned)bm->width,
	    glyph(GLYPH_TIMES), (unsigned)bm->height);
	if (!add_guess(b, bm, out))
		buf_str(out, str_of(bitmap_format_names[bm->format]));
	bitmaps_add_cell(b->list, "bytes", " ", out);
}

static void
bitmaps_path(struct pane *p, struct buf *out)
{
	struct bitmaps_pane *b = p->data;
	const struct totals *t = &b->totals;

	if (!list_usable(b->list) || b->list->now.known == 0)
		return;
	if (b->full) {
		path_of_one(b, out);
		return;
	}
	if (!bitmaps_is_grouped(b)) {
		screen_number(out, "total ", num_show_size, t->bytes);
		screen_number(out, " in ", num_show_count, t->n);
	}
	if (t->twins == 0)
		return;
	screen_number(out, bitmaps_is_grouped(b) ? "" : ", ", num_show_count, t->twins);
	screen_number(out, t->twins == 1 ? " duplicate " : " duplicates ", num_show_size, t->waste);
}

static void
bitmaps_status(struct pane *p, struct buf *out)
{
	struct bitmaps_pane *b = p->data;
	struct list	*l = b->list;
	struct buf	 name = BUF_INIT, rest = BUF_INIT;

	if (!list_has_row(l))
		return;
	bitmaps_add_cell(l, "holder", "", &name);
	buf_str(&rest, STR("  "));
	if (b->full || !add_guess(b, preview_bitmap(&b->preview, list_object(l)), &rest))
		bitmaps_add_cell(l, "retained", "retained ", &rest);
	if (!b->full)
		list_add_place(l, buf_view(&name), &rest);
	p->status_cut = screen_pair(out, &name, &rest, p->status_w);
}

/* ---- asking for a file name ----------------------------------------------- */

static void
folder_entered(void *asker, const char *line)
{
	struct pane	*p = asker;
	struct saving	*s = &((struct bitmaps_pane *)p->data)->saving;

	if (*line == '\0')
		return;
	buf_str(&s->query, STR(" | png "));
	if (!list_quote(str_of(line), &s->query)) {
		ui_say(p->ui, "name too long");
		return;
	}
	s->session = *ui_session(p->ui);
	task_give(p->ui, &s->task);
}

/* A chosen format applies to that bitmap only. */
static void
ask_folder(struct pane *p, bool all)
{
	struct bitmaps_pane *b = p->data;
	struct buf	*query = &b->saving.query;
	uint32_t	 object = list_object(b->list);
	enum bitmap_format format = preview_choice(&b->preview, object);

	if (object == 0 || b->saving.task.given) {
		ui_say(p->ui, "%s", object == 0 ? "no bitmap to save" :
		    hint(VERB_CANCEL, "still saving; _ stops").s);
		return;
	}
	buf_clear(query);
	if (all)
		list_text(b->list, query);
	else {
		buf_str(query, STR("bitmaps"));
		if (format != BITMAP_UNKNOWN)
			buf_printf(query, " %s", bitmap_format_names[format]);
		buf_printf(query, " | where object = %" PRIu32, object);
	}
	named_offer(".");
	prompt_open(PROMPT_LINE, all ? "save all in directory: " : "save as X.png or in directory: ", ".",
	    folder_entered, p);
}

/* ---- keys ---------------------------------------------------------------- */

/* List all bitmaps equal to it. */
static void
bitmaps_enter(struct pane *p)
{
	struct bitmaps_pane *b = p->data;
	struct cell	 c;
	char		 query[160];

	if (!bitmaps_is_grouped(b) || !list_cell(b->list, "hash", &c)) {
		b->full = list_object(b->list) != 0;
		return;
	}
	snprintf(query, sizeof query, "bitmaps | where hash = 0x%" PRIx64 " | select object bytes width height "
	    "format retained holder", c.u);
	ui_ask(p->ui, query);
}

static void
bitmaps_group(struct bitmaps_pane *b)
{
	bool	grouped = bitmaps_is_grouped(b);

	b->full = false;
	step_add(b->list->pane, STEP_GROUP, grouped ? "all bitmaps" : "duplicates");
	list_unlimit(b->list);
	TEXT_COPY(b->list->sort, grouped ? "-bytes" : "-waste");
	list_set(b->list, grouped ? all_bitmaps : same_bitmaps, 0);
}

static void
next_format(struct pane *p)
{
	struct bitmaps_pane *b = p->data;
	uint32_t	 object = list_object(b->list);

	if (!preview_next_format(&b->preview, object))
		ui_say(p->ui, "no other format fits this pixel data");
	else
		ui_say(p->ui, "shown as %s; %s", bitmap_format_names[preview_choice(&b->preview, object)],
		    hint(VERB_FORMAT, "_: next format").s);
}

static bool
bitmaps_act(struct pane *p, enum verb verb)
{
	struct bitmaps_pane *b = p->data;
	bool		 full;

	switch (verb) {
	case VERB_ENTER:
		if (b->list->now.rows == NULL)
			return list_act(b->list, verb);
		bitmaps_enter(p);
		return true;
	case VERB_BACK: case VERB_CLOSE:
		full = b->full;
		b->full = false;
		return full;
	case VERB_GOTO:
		ui_go(p->ui, PLACE_OBJECT, list_object(b->list));
		return true;
	case VERB_GROUP:
		bitmaps_group(b);
		return true;
	case VERB_FORMAT:
		next_format(p);
		return true;
	case VERB_PNG: case VERB_PNG_ALL:
		ask_folder(p, verb == VERB_PNG_ALL);
		return true;
	default:
		return list_act(b->list, verb);
	}
}

/* ---- the pane ------------------------------------------------------------ */

static uint64_t
bitmaps_where(const struct pane *p)
{
	return IN_OBJECTS | (((const struct bitmaps_pane *)p->data)->full ? IN_PICTURE : IN_BITMAPS);
}

static bool
bitmaps_inside(const struct pane *p)
{
	return ((const struct bitmaps_pane *)p->data)->full;
}

/* Only Android dumps have bitmaps. */
static bool
bitmaps_fits(const struct ui *ui)
{
	const struct store *st = ui_store(ui);
	const struct column *names = store_column(st, COL_CLASS_NAME);

	for (uint64_t i = 0; names != NULL && i < names->rows; i++)
		if (heap_same_name(store_text(st, column_get(names, i)),
		    STR("android.graphics.Bitmap")))
			return true;
	return false;
}

const struct pane_kind pane_bitmaps = {
	"Bitmaps", "bitmaps", SHAPE_VALUES, IN_BITMAPS | IN_PICTURE | IN_OBJECTS, sizeof(struct bitmaps_pane),
	LISTS_OF(lists), .fits = bitmaps_fits, .now = bitmaps_where, .inside = bitmaps_inside,
	.on[PANE_BEGINS] = begin, .on[PANE_CLOSES] = bitmaps_pane_close, .on[PANE_RESET] = bitmaps_reset,
	.on[PANE_FORGETS] = bitmaps_forget,
	.draw = bitmaps_draw, .tell[TELL_PATH] = bitmaps_path, .tell[TELL_STATUS] = bitmaps_status,
	.act = bitmaps_act,
	.diff = "bitmaps | group width height : count, sum bytes | diff width height | select sum_bytes_delta "
	    "sum_bytes count_delta count "
	    "width height change | sort -abs(sum_bytes_delta)"
};
