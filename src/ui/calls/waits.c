/*
 * waits: what threads waited in and who ended it, the longest first; waits of idle threads are one last row.
 */
#include "config.h"

#include "ui/list/list.h"

enum { CALLER_W = 100 };		/* columns from which on it is shown */

struct waits {
	struct list	*list;
	bool		 unfolded;	/* idle waits stand one by one */
};

/* Rows without those that are idle, and one about these. */
struct busy {
	struct rows	 rows;		/* of in, with its columns */
	struct scratch	 row;		/* u32: of in */
	uint64_t	 n;		/* of these */
	uint64_t	 idle, wall;	/* how many were left out, and how long they took */
	int		 thread, length;	/* columns */
	struct buf	 text;
};

static uint64_t
reach(struct rows *r, uint64_t n)
{
	struct busy	*b = (struct busy *)r;

	return n < b->n + 1 ? n : b->n + 1;
}

static void
cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct busy	*b = (struct busy *)r;
	char		 n[NUM_TEXT];

	if (row < b->n) {
		rows_cell(r->in, SCRATCH(b->row, uint32_t)[row], col, c);
		return;
	}
	c->type = CELL_NONE;
	if ((int)col == b->length) {
		c->type = CELL_TIME;
		c->u = b->wall;
	} else if ((int)col == b->thread) {
		num_show_count(n, sizeof n, b->idle);
		buf_clear(&b->text);
		buf_printf(&b->text, "+%s idle waits", n);
		c->type = CELL_TEXT;
		c->text = buf_view(&b->text);
	}
}

static void
busy_close(struct rows *r)
{
	struct busy	*b = (struct busy *)r;

	scratch_free(&b->row);
	buf_free(&b->text);
}

static const struct rows_ops busy_ops = { .reach = reach, .cell = cell, .close = busy_close };

static bool
sift(struct busy *b, int idle, struct err *err)
{
	struct rows	*in = b->rows.in;
	struct cell	 c;

	for (uint64_t row = 0; rows_reach(in, row + 1) > row && row < UINT32_MAX; row++) {
		uint32_t at = (uint32_t)row;

		rows_cell(in, row, (size_t)idle, &c);
		if (c.u == 0) {
			if (!scratch_add(&b->row, &b->n, &at, sizeof at, err))
				return false;
			continue;
		}
		rows_cell(in, row, (size_t)b->length, &c);
		b->idle++;
		b->wall = num_add(b->wall, c.u);
	}
	return rows_error(in) == NULL || (*err = *rows_error(in), false);
}

/* Where all are idle, or none, there is nothing to fold. */
static struct rows *
wrap(struct list *l, struct rows *in, struct err *err)
{
	const struct waits *w = l->pane->data;
	int		 idle = rows_column(in, STR("idle"));
	struct busy	*b;

	if (w->unfolded || idle < 0 || rows_column(in, STR("wall")) < 0)
		return in;
	b = rows_new(sizeof *b, &busy_ops, in->session, in, err);
	if (b == NULL)
		return NULL;
	b->thread = rows_column(in, STR("thread"));
	b->length = rows_column(in, STR("wall"));
	if (!sift(b, idle, err)) {
		rows_close(&b->rows);
		return NULL;
	}
	if (b->n > 0 && b->idle > 0)
		return &b->rows;
	b->rows.in = NULL;
	rows_close(&b->rows);
	return in;
}

/* Where there is little room, the innermost call alone. */
static void
draw(struct pane *p, struct area a)
{
	list_of(p)->is.quiet = a.w < CALLER_W ? "caller" : NULL;
	list_pane_draw(p, a);
}

static const struct list_spec waits_list[] = { {
	.columns = "select wall state thread waiting_in caller start_wall thread_id waker_id idle", .sort = "-wall",
	.hide = "thread_id waker_id idle", .empty = "no waits in this file", .wrap = wrap
} };

/* Only the kernel tells who woke a task. */
static void
reset(struct pane *p)
{
	if (ui_shapes(p->ui) & SHAPE_TASKS)
		list_columns(list_of(p), "select wall state thread waiting_in caller ended_by start_wall thread_id waker_id idle",
		    "-wall");
	list_reset(list_of(p));
}

static bool
unfold(struct pane *p)
{
	struct waits	*w = p->data;

	if (w->unfolded)
		return false;
	step_add(p, STEP_GROUP, "unfold");
	w->unfolded = true;
	list_reset(list_of(p));
	return true;
}

static void
keep(struct pane *p, struct buf *b)
{
	list_pane_keep(p, b);
	buf_chr(b, ((struct waits *)p->data)->unfolded);
}

static void
put(struct pane *p, struct str place, bool moved)
{
	struct waits	*w = p->data;

	w->unfolded = place.n > 0 && place.s[place.n - 1] != 0;
	list_pane_put(p, place, moved);
}

/* To the thread then, or to who woke it at the end. */
static bool
act(struct pane *p, enum verb verb)
{
	struct list	*l = list_of(p);
	uint64_t	 at = list_number(l, "start_wall"), end = at + list_number(l, "wall"), id = list_number(l, "thread_id");
	bool		 waker = verb == VERB_GOTO;

	if (verb != VERB_ENTER && verb != VERB_TIME && !waker)
		return list_act(l, verb);
	if (id == 0)
		return list_usable(l) && l->known > 0 && unfold(p);
	id = waker ? list_number(l, "waker_id") : id;
	if (id == 0)
		ui_say(p->ui, "no waker known");
	else
		ui_visit(p->ui, &(struct visit){ .to = PLACE_STRETCH, .id = (uint32_t)id, .from = waker ? end : at,
		    .until = waker ? end + 1 : end });
	return true;
}

/* States are there, or a pass can make them. */
static bool
fits(const struct ui *ui)
{
	const struct store *st = ui_store(ui);

	return (ui_shapes(ui) & SHAPE_TASKS) != 0 || store_column(st, COL_STATE_NAME) != NULL ||
	    (trace_has_clock(st, CLOCK_WALL) && trace_has_clock(st, CLOCK_CPU));
}

const struct pane_kind pane_waits = {
	"Waits", "waits", SHAPE_TRACKS | SHAPE_TASKS | SHAPE_CALLS, IN_WAITS | IN_WAKERS, sizeof(struct waits),
	.like = &list_pane, .lists = waits_list, .nlists = NELEM(waits_list), .plain = true, .ranged = true,
	.path = list_pane_path, .fits = fits, .reset = reset, .draw = draw, .act = act, .keep = keep, .put = put,
	.diff = "waits | group thread state : count, sum wall | diff thread state | select sum_wall_delta sum_wall count_delta count thread state "
	    "change | sort -abs(sum_wall_delta)"
};
