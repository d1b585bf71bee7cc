/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view_events: which event of two profiles is compared, and what is said where they have none in common.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "views.h"

/* ---- events that are the same ------------------------------------------------------------------ */

static uint32_t
current(const struct store *st)
{
	return (uint32_t)fact_value(st, FACT_EVENT);
}

/* Without the modifiers of perf: "cycles" of "cycles:u", but all of "sched:sched_switch". */
static struct str
view_events_plain_name(struct str name)
{
	size_t n = name.n;

	while (n > 0 && memchr("ukhIGHpPSDWe", name.s[n - 1], sizeof "ukhIGHpPSDWe" - 1) != NULL)
		n--;
	return n > 1 && n < name.n && name.s[n - 1] == ':' ? (struct str){ name.s, n - 1 } : name;
}

/* Many formats have samples and do not say of what. */
static bool
view_events_says_nothing(struct str name)
{
	return name.n == 0 || str_is(name, "samples");
}

bool
events_alike(const struct store *after, const struct store *before)
{
	struct str a = event_name(after, current(after)), b = event_name(before, current(before)),
	    chosen = STR("--event");

	/* A word that chooses an event in both files may mean different events: cpu, alloc. */
	return view_events_says_nothing(a) || view_events_says_nothing(b) ||
	    str_eq(view_events_plain_name(a), view_events_plain_name(b)) ||
	    (str_eq(fact_text(after, FACT_CHOSEN_BY), chosen) &&
	    str_eq(fact_text(before, FACT_CHOSEN_BY), chosen));
}

static uint64_t
samples_of(const struct store *st, uint32_t event)
{
	return store_cell(st, COL_EVENT_SAMPLES, event);
}

/* An event of the first file that has samples in both. */
static bool
in_both(const struct store *after, const struct store *before, uint32_t event)
{
	return samples_of(before, event) > 0 && samples_of(after,
	    event_named(after, event_name(before, event))) > 0;
}

/* The current one of a file before others, of these the one with most samples. */
static uint32_t
best_common(const struct store *after, const struct store *before)
{
	uint32_t n = (uint32_t)column_rows(store_column(before, COL_EVENT_SAMPLES)), best = 0;
	uint32_t theirs = event_named(before, event_name(after, current(after)));

	if (in_both(after, before, current(before)))
		return current(before);
	if (in_both(after, before, theirs))
		return theirs;
	for (uint32_t i = 1; i <= n; i++)
		if (in_both(after, before, i) && samples_of(before, i) > samples_of(before, best))
			best = i;
	return best;
}

void
events_common(const struct store *after, const struct store *before, uint32_t *of_after, uint32_t *of_before)
{
	bool needed = trace_is_profile(after) && trace_is_profile(before) && !events_alike(after, before);

	*of_before = needed ? best_common(after, before) : 0;
	*of_after = *of_before == 0 ? 0 : event_named(after, event_name(before, *of_before));
}

/* ---- where none is common ----------------------------------------------------------------------- */

enum { EVENTS_NAMED = 4 };	/* limit of events named in an error, of each kind */

/*
 * "; in both: cycles, 'out EUR'": events of one file that the other has too, or has not.  Returns the first.
 */
static struct str
view_events_add_events(const char *label, const struct store *of, const struct store *other, bool common,
    struct buf *b)
{
	const struct column *samples = store_column(of, COL_EVENT_SAMPLES);
	struct str first = STR(""), name;
	unsigned n = 0;

	buf_printf(b, "; %s: ", label);
	for (uint32_t i = 1; i <= column_rows(samples); i++) {
		name = event_name(of, i);
		if (column_get(samples, i - 1) == 0 || (samples_of(other,
		    event_named(other, name)) > 0) != common || n++ > EVENTS_NAMED)
			continue;
		first = first.n == 0 ? name : first;
		buf_text(b, n > EVENTS_NAMED ? ", ..." : n > 1 ? ", " : "");
		buf_str(b, n > EVENTS_NAMED ? STR("") : name);
	}
	buf_text(b, n == 0 ? "none" : "");
	return first;
}

/* "method trace": what a file is, as Info says it. */
static struct str
view_events_format_of(const struct store *st)
{
	return fact_text(st, FACT_FORMAT);
}

bool
events_fail(const struct store *after, const struct store *before, struct err *err)
{
	struct str a = event_name(before, current(before)), b = event_name(after, current(after)), common;
	OWN_BUF text = BUF_INIT;

	if (trace_is_profile(before) != trace_is_profile(after))
		return fail(err, E_USAGE, "'diff' needs two files of the same kind; the first is %.*s, the second %.*s",
		    (int)view_events_format_of(before).n, view_events_format_of(before).s,
		    (int)view_events_format_of(after).n, view_events_format_of(after).s);
	if (a.n > 0 && str_eq(a, b))
		return fail(err, E_USAGE, "different units of the event '%.*s'; record both files in the same way",
		    (int)a.n, a.s);
	buf_text(&text, "different events");
	common = view_events_add_events("in both files", before, after, true, &text);
	view_events_add_events("only in the first", before, after, false, &text);
	view_events_add_events("only in the second", after, before, false, &text);
	if (common.n > 0)
		buf_printf(&text, "; use --event '%.*s'", (int)common.n, common.s);
	else
		buf_text(&text, "; record both with the same event");
	fail(err, E_USAGE, "%.*s", (int)text.n, text.s);
	return false;
}
