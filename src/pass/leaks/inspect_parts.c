/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inspect_parts: smaller parts of Android and of its libraries, and of every Java: classes, class loaders,
 * thread locals, threads.
 */
#include "config.h"

#include "inspect.h"
#include "loader_holds.h"

/* ---- pictures ----------------------------------------------------------------------------- */

void
label_bitmap(struct inspector *in, uint32_t object, struct buf *b)
{
	int64_t w, h;

	if (!field_number(in, object, FIELD("android.graphics.Bitmap", "mWidth"), &w) ||
	    !field_number(in, object, FIELD("android.graphics.Bitmap", "mHeight"), &h))
		return;
	label_sep(b);
	buf_printf(b, "%lldx%lld", (long long)w, (long long)h);
}

/* ---- libraries ------------------------------------------------------------------------------ */

/* The state is the value of a StateFlow, whose field has a suffix in some builds of the library. */
void
inspect_recomposer(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const char *const names[] = { "ShutDown", "ShuttingDown", "Idle", "PendingWork" };
	static const char flow[] = "kotlinx.coroutines.flow.StateFlowImpl";
	uint32_t of = field_object(in, object, FIELD("androidx.compose.runtime.Recomposer", "_state"));
	int state = field_enum(in, of, FIELD(flow, "_state"), names, NELEM(names));

	if (state < 0)
		state = field_enum(in, of, FIELD(flow, "_state$volatile"), names, NELEM(names));
	if (state == 0 || state == 1)
		verdict_yes(v, FINDING_OTHER, state == 0 ? "its state is ShutDown" :
		    "its state is ShuttingDown");
	else if (state > 1)
		verdict_not(v, state == 2 ? "its state is Idle" : "its state is PendingWork");
}

/* ---- class loaders ------------------------------------------------------------------ */

/* Applications may load classes by loaders of their own and drop them, where that is not Android. */
static bool
lives_forever(const struct inspector *in, uint32_t loader)
{
	static const char *const names[] = {
		"jdk.internal.loader.BuiltinClassLoader", "sun.misc.Launcher$AppClassLoader",
		"sun.misc.Launcher$ExtClassLoader", "java.lang.BootClassLoader"
	};

	if (loader == 0 || in->android)
		return true;
	for (size_t i = 0; i < NELEM(names); i++)
		if (inspect_named(in, loader, names[i]))
			return true;
	return false;
}

void
inspect_loader(struct inspector *in, uint32_t object, struct verdict *v)
{
	if (lives_forever(in, object))
		verdict_not(v, "permanent class loader");
	else if (loader_closed(&in->h, object))
		verdict_yes(v, FINDING_LOADER, "it was closed");
}

void
inspect_class_object(struct inspector *in, uint32_t object, struct verdict *v)
{
	uint32_t class = heap_class_of_object(&in->h, object);
	uint64_t loader = column_get(in->class_loader, class - 1ull);
	uint32_t by = class == 0 ? 0 : (uint32_t)column_get(in->loader_object, loader - 1);

	if (class == 0)
		return;
	if (lives_forever(in, by))
		verdict_not(v, "a class");
	else if (loader_closed(&in->h, by))
		verdict_yes(v, FINDING_LOADER, "its class loader was closed");
}

/* ---- thread locals ------------------------------------------------------------------ */

/* A thread local whose key was collected leaks: its value can no longer be read. */
void
inspect_entry(struct inspector *in, uint32_t object, struct verdict *v)
{
	if (!in->android && field_object(in, object, FIELD(NULL, "value")) != 0 &&
	    field_ref(in, object, FIELD("java.lang.ref.Reference", "referent")) == 0)
		verdict_yes(v, FINDING_THREAD_LOCAL, "its ThreadLocal was collected");
}

/* ---- threads -------------------------------------------------------------------------- */

static void
make_running(struct inspector *in)
{
	const struct column *threads = in->h.jthread_object;
	uint64_t object;

	in->running_made = true;
	for (uint64_t i = 0; threads != NULL && i < threads->rows; i++) {
		object = column_get(threads, i);
		if (object != 0 && !idmap_put(&in->running, object, 1, NULL))
			return;
	}
}

void
inspect_thread(struct inspector *in, uint32_t object, struct verdict *v)
{
	uint32_t name = field_object(in, object, FIELD("java.lang.Thread", "name"));
	OWN_BUF b = BUF_INIT;

	if (!in->running_made)
		make_running(in);
	if (idmap_get(&in->running, object) == 0)
		return;
	(void)(heap_string(&in->h, name, 8, &b) || heap_chars(&in->h, name, 8, &b));
	verdict_not(v, str_is(buf_view(&b), "main") ? "the main thread" : "a running thread");
}
