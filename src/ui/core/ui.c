/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ui: the open session, and messages.
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "state.h"
#include "ui/term/term.h"

/* ---- the open session ---------------------------------------------------- */

struct session *
ui_session(const struct ui *ui)
{
	return ui->session;
}

const struct session *
ui_seen(const struct ui *ui)
{
	return &ui->seen;
}

const struct ui_options *
ui_options(const struct ui *ui)
{
	return ui->opt;
}

struct store *
ui_store(const struct ui *ui)
{
	return session_store(ui->session);
}

struct store *
ui_file(const struct ui *ui)
{
	const struct session *s = ui->session;

	return s->at < s->nstores ? s->store[s->at] : NULL;
}

unsigned
ui_shapes(const struct ui *ui)
{
	return ui_store(ui) != NULL ? load_shapes(ui_store(ui)) : 0;
}

bool
ui_has_calls(const struct ui *ui)
{
	const struct store *st = ui_store(ui);
	unsigned shapes = ui_shapes(ui);

	if ((shapes & SHAPE_LASTING) != 0)
		return fact_value(st, FACT_SAMPLES) > 0;
	return (shapes & SHAPE_TASKS) == 0 || (shapes & SHAPE_SAMPLES) != 0 ||
	    column_rows(store_column(st, COL_EVENT_WORD)) > 0;
}

bool
ui_has_methods(const struct ui *ui)
{
	return ui_has_calls(ui) && (ui_shapes(ui) & SHAPE_MONEY) == 0;
}

unsigned
ui_version(const struct ui *ui)
{
	return ui->version;
}

void
ui_swapped(struct ui *ui)
{
	ui->version++;
}

void
ui_weight(const struct ui *ui, struct buf *b)
{
	enum clock	clock = ui->session->clock;
	struct weights	w;

	weights_of(ui_store(ui), &w);
	if (!w.clocks && !w.differs && w.type == WEIGHT_COUNT && w.unit.n > 0)
		screen_fit(b, w.unit);
	else
		buf_str(b, str_of(w.name[clock] != NULL ? w.name[clock] : "weight"));
}

/* Return the thread of the method's heaviest node in the call tree. */
uint32_t
ui_method_thread(const struct ui *ui, uint32_t method)
{
	const struct store *st = ui_store(ui);
	const struct column *first = store_column(st, COL_METHOD_FIRST);
	const struct column *node = store_column(st, COL_METHOD_NODE);
	const struct column *total = store_column(st, COL_CALL_TOTAL_WALL);
	uint64_t	row, rows = column_list(first, node, method - 1ull, &row), weight, most = 0, n,
	    best = 0;

	for (; rows > 0; rows--, row++) {
		n = column_get(node, row);
		weight = column_get(total, n - 1);
		if (n != 0 && (best == 0 || weight > most)) {
			best = n;
			most = weight;
		}
	}
	return call_thread(st, (uint32_t)best);
}

const char *
ui_search(const struct ui *ui)
{
	return ui->search;
}

void
ui_set_search(struct ui *ui, const char *text)
{
	TEXT_COPY(ui->search, text);
}

/* ---- the heap of a dump, with the results of passes so far ---------------- */

/* Open the heap once for each version of the store: panes ask at every frame. */
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
	/* The cast is safe: the state is a cache, invisible to callers. */
	struct heap_state *state = (struct heap_state *)(uintptr_t)&ui->heap;

	if ((ui_shapes(ui) & SHAPE_GRAPH) == 0 || !open_again(state, ui_store(ui), ui->session))
		return false;
	*h = state->heap;
	return true;
}

bool
ui_heap_want(const struct session *s, column_id column, struct work *work, struct err *err)
{
	return pass_want(session_store(s), heap_col(column, s->refs, s->sizes), work, err);
}

bool
ui_heap_has(const struct ui *ui, column_id column)
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
	ui->stopped = stop ? ui->stopped : 0;
}

/* ---- messages ------------------------------------------------------------ */

struct message *
ui_message(struct ui *ui)
{
	return &ui->message;
}

void
ui_say(struct ui *ui, const char *fmt, ...)
{
	struct buf	b = BUF_INIT;
	char		raw[sizeof ui->message.text];
	va_list		ap;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof raw, fmt, ap);
	va_end(ap);
	screen_fit(&b, str_of(raw));
	TEXT_COPY(ui->message.text, b.n > 0 ? b.s : "");
	ui->message.bad = false;
	ui->message.skip = 0;
	buf_free(&b);
}

void
ui_say_hint(struct ui *ui, enum verb verb, const char *words)
{
	ui_say(ui, "%s", hint(verb, words).s);
}

/* Report out of memory without allocating. */
void
ui_lacks_memory(struct ui *ui)
{
	snprintf(ui->message.text, sizeof ui->message.text, "out of memory; the screen may be incomplete");
	ui->message.bad = true;
	ui->message.skip = 0;
}

void
ui_fail(struct ui *ui, const struct err *err)
{
	ui_say(ui, "%s", err->kind == E_CANCEL ? "stopped" : err->text);
	ui->message.bad = err->kind != E_CANCEL;
}

/* Show the error, with the query scrolled left until the mark is visible. */
void
ui_query_error(struct ui *ui, struct str query, const struct err *err)
{
	struct buf	b = BUF_INIT, fit = BUF_INIT;
	struct str	rest, line;
	int		h, w;

	query_show_error(query, err, &b);
	rest = buf_view(&b);
	while (str_split(&rest, '\n', &line)) {
		if (fit.n > 0)
			buf_chr(&fit, '\n');
		screen_fit(&fit, line);
	}
	screen_size(&h, &w);
	TEXT_COPY(ui->message.text, fit.n > 0 ? fit.s : err->text);
	ui->message.bad = true;
	ui->message.skip = 0;
	if (err->at != ERR_NOWHERE && err->at > (uint64_t)w * 3 / 4)
		ui->message.skip = (size_t)err->at - (size_t)w / 2;
	buf_free(&b);
	buf_free(&fit);
}

size_t
ui_opened(const struct ui *ui)
{
	size_t	n = 0;

	for (size_t i = 0; i < ui->npanes; i++)
		n += ui->pane[i]->extra;
	return n;
}
