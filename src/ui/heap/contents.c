/*
 * contents: what passes found in a heap, in a few words: findings, strings
 * that are there twice, bitmaps.
 */
#include "config.h"

#include "heap.h"
#include "ui/term/term.h"

/* ---- findings ------------------------------------------------------------ */

bool
told_findings(const struct heap *h, uint64_t *n, struct buf *b)
{
	struct findings	all;
	struct buf	text = BUF_INIT;

	if (!findings_open(&all, h))
		return false;
	*n = all.n;
	findings_told(&all, &text);
	screen_fit(b, buf_view(&text));
	buf_free(&text);
	return true;
}

/* ---- strings ------------------------------------------------------------- */

bool
told_strings(const struct heap *h, struct buf *b)
{
	const struct column *string = heap_column(h, COL_EACH_DUP_STRING);
	const struct column *waste = heap_column(h, COL_EACH_DUP_WASTE);
	uint64_t	 i, n = 0, bytes = 0;

	if (string == NULL || waste == NULL)
		return false;
	for (i = 0; i < string->rows; i++) {
		if (column_get(string, i) != 1)
			continue;
		n++;
		bytes += column_get(waste, i);
	}
	if (n == 0) {
		buf_str(b, STR("no duplicates"));
		return true;
	}
	screen_number(b, "duplicates ", num_show_size, bytes);
	screen_number(b, " in ", num_show_count, n);
	buf_str(b, n == 1 ? STR(" value") : STR(" values"));
	return true;
}

/* ---- bitmaps ------------------------------------------------------------- */

static bool
tally_run(struct task *task, struct work *work, struct err *err)
{
	struct tally	*t = (struct tally *)task;
	struct bitmaps	*list = NULL;
	struct bitmap	 b;
	struct heap	 h;
	uint32_t	 i;

	t->n = 0;
	t->bytes = 0;
	if (!ui_heap_want(task->ui, COL_NATIVE_OBJECT, work, err) || !ui_heap(task->ui, &h))
		return false;
	if (!bitmaps_open(&list, &h, work, err))
		return false;
	work_start(work, "bitmaps", bitmaps_count(list));
	for (i = 0; i < bitmaps_count(list) && work_tick(work, i); i++)
		if (bitmap_get(list, bitmaps_object(list, i), &b)) {
			t->n++;
			t->bytes += b.bytes;
		}
	bitmaps_close(list);
	return i == t->n || fail_cancel(err);
}

static void
tally_done(struct task *task, bool ok, const struct err *err)
{
	struct tally	*t = (struct tally *)task;

	t->known = ok;
	t->stopped = !ok && !task->put_off;
	if (t->stopped)
		ui_fail(task->ui, err);
}

void
tally_bitmaps(struct ui *ui, struct tally *t)
{
	if (t->known || t->task.given || t->stopped || !ui_heap_has(ui, COL_EACH_CHILDREN))
		return;
	t->task.run = tally_run;
	t->task.done = tally_done;
	task_give(ui, &t->task);
}
