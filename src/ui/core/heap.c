/*
 * heap: the heap of a dump as far as its passes are done.
 */
#include "config.h"

#include "state.h"

bool
ui_heap(const struct ui *ui, struct heap *h)
{
	const struct session *s = ui->session;

	return (ui_shapes(ui) & SHAPE_GRAPH) != 0 &&
	    heap_open(h, ui_store(ui), s->refs, s->sizes, NULL);
}

bool
ui_heap_want(struct ui *ui, enum col column, struct work *work, struct err *err)
{
	const struct session *s = ui->session;

	return pass_want(ui_store(ui), heap_col(column, s->refs, s->sizes), work, err);
}

bool
ui_heap_has(const struct ui *ui, enum col column)
{
	const struct session *s = ui->session;

	return store_column(ui_store(ui), heap_col(column, s->refs, s->sizes)) != NULL;
}

void
object_name(const struct heap *h, uint32_t object, struct buf *b)
{
	heap_label(h, object, b);
	buf_printf(b, " @%u", object);
}

bool
ui_heap_stopped(const struct ui *ui)
{
	return ui->heap_stopped;
}

void
ui_heap_stop(struct ui *ui, bool stop)
{
	ui->heap_stopped = stop;
}
