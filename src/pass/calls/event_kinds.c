/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * event_kinds: kinds of the events of profilers, by their names.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/pass.h"

static const struct { const char *name, *alias; } kinds[] = {
	[EVENT_OTHER] = { "other", NULL }, [EVENT_OF_CPU] = { "cpu", "cpu" },
	    [EVENT_OF_WALL] = { "wall", "wall" },
	[EVENT_OF_MEMORY] = { "allocation", "alloc" }, [EVENT_OF_LOCKS] = { "lock", "lock" },
	    [EVENT_OF_IO] = { "I/O", "io" },
	[EVENT_OF_ERRORS] = { "exception", "exception" }, [EVENT_OF_DURATION] = { "duration", NULL },
};

/* The most informative event of each kind comes first: an alias selects the first one that the file has. */
static const struct { const char *name; enum event_kind kind; } events[] = {
	{ "jdk.CPUTimeSample", EVENT_OF_CPU }, { "jdk.ExecutionSample", EVENT_OF_CPU },
	{ "cpu", EVENT_OF_CPU },
	{ "cpu-clock", EVENT_OF_CPU }, { "task-clock", EVENT_OF_CPU }, { "cycles", EVENT_OF_CPU },
	{ "cpu-cycles", EVENT_OF_CPU },
	{ "cpu_*cycles*", EVENT_OF_CPU }, { "instructions", EVENT_OF_CPU }, { "branch*", EVENT_OF_CPU },
	{ "cache-*", EVENT_OF_CPU },
	{ "itimer", EVENT_OF_CPU }, { "cpu-samples*", EVENT_OF_CPU }, { "ctimer", EVENT_OF_CPU },

	{ "profiler.WallClockSample", EVENT_OF_WALL }, { "wall", EVENT_OF_WALL },
	{ "wall-clock", EVENT_OF_WALL },
	{ "time", EVENT_OF_WALL }, { "real", EVENT_OF_WALL },

	{ "jdk.ObjectAllocationSample", EVENT_OF_MEMORY },
	{ "jdk.ObjectAllocationInNewTLAB", EVENT_OF_MEMORY },
	{ "jdk.ObjectAllocationOutsideTLAB", EVENT_OF_MEMORY }, { "alloc_space", EVENT_OF_MEMORY },
	{ "inuse_space", EVENT_OF_MEMORY },
	{ "space", EVENT_OF_MEMORY }, { "alloc_objects", EVENT_OF_MEMORY },
	{ "inuse_objects", EVENT_OF_MEMORY },
	{ "objects", EVENT_OF_MEMORY }, { "profiler.Malloc", EVENT_OF_MEMORY },
	{ "profiler.LiveObject", EVENT_OF_MEMORY },
	{ "jdk.OldObjectSample", EVENT_OF_MEMORY }, { "js-allocations", EVENT_OF_MEMORY },
	{ "native-allocations", EVENT_OF_MEMORY },
	{ "native-frees", EVENT_OF_MEMORY }, { "alloc", EVENT_OF_MEMORY }, { "allocations", EVENT_OF_MEMORY },
	{ "malloc", EVENT_OF_MEMORY }, { "kmem:*", EVENT_OF_MEMORY },
	{ "kmem not freed", EVENT_OF_MEMORY }, { "pages not freed", EVENT_OF_MEMORY },

	{ "jdk.JavaMonitorEnter", EVENT_OF_LOCKS }, { "jdk.ThreadPark", EVENT_OF_LOCKS },
	{ "jdk.JavaMonitorWait", EVENT_OF_LOCKS },
	{ "jdk.VirtualThreadPinned", EVENT_OF_LOCKS }, { "delay", EVENT_OF_LOCKS },
	{ "contentions", EVENT_OF_LOCKS },
	{ "jdk.JavaMonitor*", EVENT_OF_LOCKS }, { "jdk.BiasedLock*", EVENT_OF_LOCKS },
	{ "profiler.NativeLock", EVENT_OF_LOCKS },
	{ "lock", EVENT_OF_LOCKS },

	{ "jdk.SocketRead", EVENT_OF_IO }, { "jdk.SocketWrite", EVENT_OF_IO },
	{ "jdk.FileRead", EVENT_OF_IO },
	{ "jdk.FileWrite", EVENT_OF_IO }, { "jdk.FileForce", EVENT_OF_IO }, { "jdk.Socket*", EVENT_OF_IO },
	{ "block:*", EVENT_OF_IO },

	{ "jdk.JavaExceptionThrow", EVENT_OF_ERRORS }, { "jdk.JavaErrorThrow", EVENT_OF_ERRORS },
	{ "exceptions", EVENT_OF_ERRORS },

	/* Times between two tracepoints. */
	{ "off-cpu", EVENT_OF_DURATION }, { "offcpu-time", EVENT_OF_DURATION },
	{ "lock contention", EVENT_OF_DURATION }, { "block I/O", EVENT_OF_DURATION },
	{ "block queue", EVENT_OF_DURATION }, { "syscalls", EVENT_OF_DURATION }, { "irq", EVENT_OF_DURATION },
	{ "softirq", EVENT_OF_DURATION }, { "workqueue", EVENT_OF_DURATION },
};

const char *
event_alias(size_t i)
{
	return i + EVENT_OF_CPU < EVENT_OF_DURATION ? kinds[i + EVENT_OF_CPU].alias : NULL;
}

/* Also with the modifiers of perf: "cycles:u". */
static bool
means(size_t row, struct str event)
{
	struct str name = str_of(events[row].name);

	return str_glob(name, event) || (event.n > name.n && event.s[name.n] == ':' &&
	    str_has_prefix(event, name));
}

enum event_kind
event_kind(const struct store *st, uint32_t event)
{
	struct str name = event_name(st, event);

	for (size_t i = 0; i < NELEM(events); i++)
		if (means(i, name))
			return events[i].kind;
	return EVENT_OTHER;
}

struct str
event_kind_name(enum event_kind kind)
{
	return str_of(kinds[kind].name);
}

/* The first event that a row of the table means, of which there is anything. */
static uint32_t
event_of_row(const struct store *st, size_t row)
{
	const struct column *samples = store_column(st, COL_EVENT_SAMPLES);

	for (uint64_t i = 0; i < column_rows(samples); i++)
		if (column_get(samples, i) > 0 && means(row, event_name(st, (uint32_t)i + 1)))
			return (uint32_t)i + 1;
	return 0;
}

/* Find an event by its JFR name: the loader splits the samples of async-profiler into "cpu" and "wall". */
static uint32_t
event_as_recorded(const struct store *st, struct str name)
{
	static const struct { const char *recorded, *event; } names[] = {
		{ "jdk.ExecutionSample", "cpu" }, { "jdk.ExecutionSample", "wall" },
		{ "profiler.WallClockSample", "wall" },
	};
	uint32_t event = 0;

	for (size_t i = 0; i < NELEM(names) && event == 0; i++)
		event = str_is(name, names[i].recorded) ? event_named(st, str_of(names[i].event)) : 0;
	return event;
}

static uint32_t
event_kinds_of_alias(const struct store *st, struct str alias)
{
	uint32_t event = event_as_recorded(st, alias);
	size_t kind = 0;

	while (kind < NELEM(kinds) && (kinds[kind].alias == NULL || !str_is(alias, kinds[kind].alias)))
		kind++;
	for (size_t i = 0; i < NELEM(events) && event == 0; i++)
		event = events[i].kind == kind ? event_of_row(st, i) : 0;
	return event;
}

uint32_t
event_find(const struct store *st, struct str name)
{
	uint64_t i, n = column_rows(store_column(st, COL_EVENT_TYPE));
	uint32_t found = event_named(st, name), times = 0, heap = 0;

	if (found != 0)
		return found;
	for (i = 1; i <= n; i++) {
		struct str s = event_name(st, (uint32_t)i);

		if (s.n > name.n && s.s[name.n] == ':' && str_has_prefix(s, name)) {
			found = (uint32_t)i;
			times++;
		}
		if (heap == 0 && str_take(&s, name) && str_has_prefix(s, STR(" of ")))
			heap = (uint32_t)i;
	}
	return times == 1 ? found : times != 0 ? 0 : heap != 0 ? heap : event_kinds_of_alias(st, name);
}
