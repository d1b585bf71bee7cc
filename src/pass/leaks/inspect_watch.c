/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inspect_watch: what LeakCanary watched in the process itself: its KeyedWeakReferences.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "icecore/columns_heap.h"
#include "inspect.h"

static const char *const class_names[] = {
	"leakcanary.KeyedWeakReference", "com.squareup.leakcanary.KeyedWeakReference"
};

static const struct inspect_field referent = { "java.lang.ref.Reference", "referent" };

/* ---- finding them ------------------------------------------------------------------ */

/* When the dump was taken, in ms since the phone was started; 0: not said. */
static int64_t
dump_time(struct inspector *in)
{
	struct heap_slot slot;
	uint32_t class = 0;

	while ((class = class_find(&in->h, class_names[0], class)) != 0)
		if (heap_static(&in->h, class, STR("heapDumpUptimeMillis"), &slot) &&
		    slot.type == HEAP_LONG && slot.bits != 0)
			return (int64_t)slot.bits;
	return 0;
}

/* Return now - then in ms; -1: a time is missing, or then is later. */
static int64_t
inspect_watch_since(int64_t now, int64_t then)
{
	return now > 0 && then > 0 && then <= now ? now - then : -1;
}

static void
inspect_watch_fill(struct inspector *in, struct watch *w)
{
	int64_t then = 0;

	w->watched_for = field_number(in, w->reference, FIELD(class_names[0], "watchUptimeMillis"), &then) ?
	    inspect_watch_since(in->dump_time, then) : -1;
	/* Version 1 has no such time: references that it still watches in a dump were found retained. */
	if (!field_number(in, w->reference, FIELD(class_names[0], "retainedUptimeMillis"), &then))
		then = 0;
	w->retained = then != -1;
	w->retained_for = w->retained ? inspect_watch_since(in->dump_time, then) : -1;
	if (w->retained_for >= 0)
		snprintf(w->why, sizeof w->why, "watched by LeakCanary, retained for %" PRId64 ".%d s",
		    w->retained_for / 1000, (int)(w->retained_for % 1000 / 100));
	else
		snprintf(w->why, sizeof w->why, "watched by LeakCanary, retained");
}

/* If several references watch the same object, keep the one that found it retained first. */
static bool
inspect_watch_add(struct inspector *in, uint32_t reference, struct err *err)
{
	struct watch w = { .reference = reference, .referent = field_object(in, reference, referent) }, *old;
	uint32_t had;

	if (w.referent == 0)
		return true;
	inspect_watch_fill(in, &w);
	had = idmap_get(&in->watch_of, w.referent);
	if (had != 0) {
		old = &in->watches.at[had - 1];
		if (w.retained > old->retained || w.retained_for > old->retained_for)
			*old = w;
		return true;
	}
	if (!array_add(&in->watches, &in->nwatches, &w, err))
		return false;
	in->watched_class[heap_class(&in->h, w.referent)] = true;
	return idmap_put(&in->watch_of, w.referent, (uint32_t)in->nwatches, err);
}

/* Marks the classes of them in of; false: there are no such objects. */
static bool
inspect_watch_mark_classes(const struct inspector *in, bool *of)
{
	const struct column *objects = store_column(in->h.st, COL_CLASS_OBJECTS);
	bool any = false;

	for (size_t i = 0; i < NELEM(class_names); i++)
		for (uint32_t class = 0; (class = class_find(&in->h, class_names[i], class)) != 0; ) {
			of[class] = true;
			any = any || column_get(objects, class - 1ull) != 0;
		}
	return any;
}

bool
inspect_watches_open(struct inspector *in, struct err *err)
{
	uint64_t n = in->h.class == NULL ? 0 : in->h.class->rows;
	bool *of = mem_array(in->h.classes + 1ull, sizeof *of), ok = true;

	if (of == NULL)
		return fail_memory(err, "classes");
	if (inspect_watch_mark_classes(in, of)) {
		in->dump_time = dump_time(in);
		for (uint64_t i = 0; ok && i < n && in->nwatches < UINT32_MAX - 1; i++)
			if (of[heap_class(&in->h, (uint32_t)i + 1)])
				ok = inspect_watch_add(in, (uint32_t)i + 1, err);
	}
	free(of);
	return ok;
}

/* ---- what they say -------------------------------------------------------------------- */

const struct watch *
inspect_watch(const struct inspector *in, uint32_t object)
{
	uint32_t i = idmap_get(&in->watch_of, object);

	return i == 0 ? NULL : &in->watches.at[i - 1];
}

static void
label_time(const char *what, int64_t ms, struct buf *b)
{
	if (ms < 0)
		return;
	label_sep(b);
	buf_printf(b, "%s %" PRId64 ".%d s", what, ms / 1000, (int)(ms % 1000 / 100));
}

/* key "a1b2", description "Activity received onDestroy", watched 10.0 s, retained for 5.0 s. */
void
label_watch(struct inspector *in, const struct watch *w, bool said, struct buf *b)
{
	label_text(in, w->reference, FIELD(NULL, "key"), "key", b);
	label_text(in, w->reference, FIELD(class_names[0], "description"), "description", b);
	label_text(in, w->reference, FIELD(class_names[1], "name"), "name", b);
	label_time("watched", w->watched_for, b);
	if (!said)
		label_time("retained for", w->retained_for, b);
	if (!w->retained) {
		label_sep(b);
		buf_text(b, "not yet retained");
	}
}

/* Label a KeyedWeakReference itself. */
void
label_reference(struct inspector *in, uint32_t object, struct buf *b)
{
	struct watch w = { .reference = object };

	if (field_ref(in, object, referent) == 0) {
		buf_text(b, "cleared");
		return;
	}
	inspect_watch_fill(in, &w);
	label_watch(in, &w, false, b);
}
