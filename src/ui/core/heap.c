/*
 * heap: the heap of a dump as far as its passes are done.
 */
#include "config.h"

#include "state.h"

/* Opened once a version of the store: panes ask for each frame.  Under lock. */
static bool
open_again(struct heap_state *state, const struct store *st, const struct session *s)
{
	uint64_t serial = store_serial(st), version = store_version(st);

	if (state->serial == serial && state->version == version && state->heap.refs == s->refs &&
	    state->heap.sizes == s->sizes)
		return true;
	state->serial = 0;
	if (!heap_open(&state->heap, st, s->refs, s->sizes, NULL))
		return false;
	state->serial = serial;
	state->version = version;
	return true;
}

bool
ui_heap(const struct ui *ui, struct heap *h)
{
	/* What is kept changes nothing that a caller can see. */
	struct heap_state *state = (struct heap_state *)(uintptr_t)&ui->heap;
	bool ok = (ui_shapes(ui) & SHAPE_GRAPH) != 0;

	if (!ok)
		return false;
	pthread_mutex_lock(&state->lock);
	ok = open_again(state, ui_store(ui), ui->session);
	if (ok)
		*h = state->heap;
	pthread_mutex_unlock(&state->lock);
	return ok;
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
	return ui->heap.stopped;
}

void
ui_heap_stop(struct ui *ui, bool stop)
{
	ui->heap.stopped = stop;
}
