/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * events: the kinds of samples of a profile, one of which is current: their names and descriptions.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/pass.h"

#define OTHERS 3u	/* limit of events named in addition to the current one */

/* Return the name in the file; it may be empty. */
static struct str
events_name_in_file(const struct store *st, uint32_t event)
{
	uint64_t own = store_cell(st, COL_EVENT_OWN, event);

	return own != 0 ? column_text(store_column(st, COL_EVENT_TEXT), own) : store_text(st,
	    store_cell(st, COL_EVENT_NAME, event));
}

struct str
event_name(const struct store *st, uint32_t event)
{
	uint64_t n = column_rows(store_column(st, COL_EVENT_TYPE));
	struct str s = events_name_in_file(st, event), samples = STR("samples");

	if (s.n > 0 || event == 0)
		return s;
	/* The file does not name the sampled event.  At most one of its events has no name. */
	for (uint64_t i = 1; i <= n; i++)
		if (str_eq(events_name_in_file(st, (uint32_t)i), samples))
			return STR("unnamed");
	return samples;
}

/* "1 600 samples: --event cpu-samples", of several with their numbers. */
static void
told_beside(const struct store *st, struct buf *b)
{
	const struct column *samples = store_column(st, COL_EVENT_SAMPLES);
	uint64_t calls = fact_value(st, FACT_TRACE_CALLS), n = column_rows(samples) - (calls > 0);
	char text[NUM_TEXT];

	num_show_count(text, sizeof text, fact_value(st, FACT_SAMPLES));
	buf_printf(b, "%s sample%s: --event", text, fact_value(st, FACT_SAMPLES) == 1 ? "" : "s");
	for (uint32_t i = 1; i <= n && i <= OTHERS; i++) {
		struct str name = event_name(st, i);
		const char *quote = memchr(name.s, ' ', name.n) != NULL ? "'" : "";

		buf_printf(b, "%s %s%.*s%s", i > 1 ? "," : "", quote, (int)name.n, name.s, quote);
		num_show_count(text, sizeof text, column_get(samples, i - 1));
		if (n > 1)
			buf_printf(b, " (%s)", text);
	}
	if (n > OTHERS)
		buf_printf(b, ", %llu more", (unsigned long long)(n - OTHERS));
	if (calls > 0)
		buf_text(b, ", calls");
}

void
event_told(const struct store *st, struct buf *b)
{
	const struct column *samples = store_column(st, COL_EVENT_SAMPLES);
	uint64_t n = column_rows(samples), event = fact_value(st, FACT_EVENT), others = 0;

	if (load_shapes(st) & SHAPE_EVENTS)
		told_beside(st, b);
	if (n < 2 || event == 0 || event > n)
		return;
	buf_text(b, "showing event ");
	buf_str(b, event_name(st, (uint32_t)event));
	buf_printf(b, " (%llu %s%s); also in the file: ", (unsigned long long)column_get(samples, event - 1),
	    load_shapes(st) & SHAPE_MONEY ? "transaction" : "sample",
	    column_get(samples, event - 1) == 1 ? "" : "s");
	for (uint64_t i = 0; i < n && others < OTHERS; i++) {
		if (i + 1 == event)
			continue;
		buf_text(b, others++ > 0 ? ", " : "");
		buf_str(b, event_name(st, (uint32_t)i + 1));
		buf_printf(b, " (%llu)", (unsigned long long)column_get(samples, i));
	}
	if (n - 1 > others)
		buf_printf(b, ", %llu more", (unsigned long long)(n - 1 - others));
	buf_text(b, "; choose with --event");
}

uint32_t
event_named(const struct store *st, struct str name)
{
	uint64_t n = column_rows(store_column(st, COL_EVENT_TYPE));

	for (uint64_t i = 1; i <= n; i++)
		if (str_eq(event_name(st, (uint32_t)i), name))
			return (uint32_t)i;
	return 0;
}
