/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inspect_android: contexts that wrap Activities and services, services, and fragments of AndroidX.
 */
#include "config.h"

#include "inspect.h"

/* ---- contexts -------------------------------------------------------------------- */

/* Return the wrapped context.  A DecorContext wraps the application: prefer the context of its window. */
static uint32_t
wrapped(struct inspector *in, uint32_t context, enum inspect_is is)
{
	uint32_t window, of_window;

	if (is == IS_DECOR_CONTEXT) {
		window = field_object(in, context, FIELD("com.android.internal.policy.DecorContext",
		    "mPhoneWindow"));
		of_window = field_object(in, window, FIELD("android.view.Window", "mContext"));
		if (of_window != 0)
			return of_window;
	}
	return field_object(in, context, FIELD("android.content.ContextWrapper", "mBase"));
}

/* The Activity, Application, Service or other context at the end of a chain of wrappers; 0: none. */
static uint32_t
inspect_android_unwrap(struct inspector *in, uint32_t context)
{
	uint32_t seen = context;
	enum inspect_is is;

	for (unsigned hops = 1; context != 0 && hops < INSPECT_HOPS; hops++) {
		is = inspect_is(in, context);
		if (is != IS_WRAPPER && is != IS_DECOR_CONTEXT)
			return context;
		context = wrapped(in, context, is);
		if (context == seen)
			return 0;
		if ((hops & (hops - 1)) == 0)
			seen = context;
	}
	return 0;
}

/* Without values: those that are not destroyed have a record in ActivityThread. */
static int
activity_destroyed(struct inspector *in, uint32_t activity)
{
	int flag = field_flag(in, activity, FIELD("android.app.Activity", "mDestroyed"));
	struct heap_walk w;
	uint32_t at;

	if (flag >= 0 || in->record == 0 || in->h.in.data == NULL)
		return flag;
	heap_in(&in->h, activity, &w);
	while ((at = heap_next(&w, NULL)) != 0)
		if (heap_class(&in->h, at) == in->record && (in->h.parent == NULL || heap_dominator(&in->h, at) != 0))
			return 0;
	return 1;
}

void
inspect_activity(struct inspector *in, uint32_t object, struct verdict *v)
{
	int destroyed = activity_destroyed(in, object);

	if (destroyed == 1)
		verdict_yes(v, FINDING_ACTIVITY, "no ActivityClientRecord refers to it: destroyed");
	else if (destroyed == 0)
		verdict_not(v, "an ActivityClientRecord refers to it: not destroyed");
}

int
inspect_destroyed(struct inspector *in, uint32_t context)
{
	context = inspect_android_unwrap(in, context);
	return inspect_is(in, context) == IS_ACTIVITY ? activity_destroyed(in, context) : -1;
}

void
inspect_context(struct inspector *in, uint32_t object, struct verdict *v)
{
	uint32_t of = field_object(in, object, FIELD("android.app.ContextImpl", "mOuterContext"));

	if (inspect_is(in, inspect_android_unwrap(in, of)) == IS_APPLICATION)
		verdict_not(v, "mOuterContext is the Application");
}

/* "wraps com.example.MainActivity". */
void
label_wrapper(struct inspector *in, uint32_t object, struct buf *b)
{
	uint32_t end = inspect_android_unwrap(in, object);

	if (inspect_is(in, end) != IS_CONTEXT)
		label_object(in, end, "wraps", b);
}

/* ---- services -------------------------------------------------------------------------- */

/* An application has a few; where it seems to have more, the file is wrong. */
#define SERVICES 65536

static bool
add_service(struct inspector *in, uint32_t service)
{
	return service != 0 && idmap_put(&in->services, service, 1, NULL);
}

/* The values of an ArrayMap: every second element. */
static bool
add_array_map(struct inspector *in, uint32_t map, int64_t *size)
{
	uint32_t elements = field_object(in, map, FIELD("android.util.ArrayMap", "mArray"));
	struct heap_slot slot;

	if (!field_number(in, map, FIELD("android.util.ArrayMap", "mSize"), size) || *size < 0 ||
	    *size > SERVICES)
		return false;
	for (uint32_t i = 0; i < *size; i++)
		if (!heap_element(&in->h, elements, 2 * i + 1, &slot) ||
		    !add_service(in, slot.object))
			return false;
	return true;
}

/* The values of one bucket of a HashMap, whatever the class of its nodes; *left limits cycles. */
static bool
add_bucket(struct inspector *in, uint32_t node, int64_t *left)
{
	for (; node != 0 && *left > 0; node = field_object(in, node, FIELD(NULL, "next")), --*left)
		if (!add_service(in, field_object(in, node, FIELD(NULL, "value"))))
			return false;
	return true;
}

static bool
add_hash_map(struct inspector *in, uint32_t map, int64_t *size)
{
	uint32_t buckets = field_object(in, map, FIELD("java.util.HashMap", "table"));
	struct heap_slot slot;
	int64_t left;

	if (!field_number(in, map, FIELD("java.util.HashMap", "size"), size) || *size < 0 || *size > SERVICES)
		return false;
	left = *size;
	for (uint32_t i = 0; left > 0 && heap_element(&in->h, buckets, i, &slot); i++)
		if (!add_bucket(in, slot.object, &left))
			return false;
	return left == 0;
}

/* A map that cannot be read completely proves nothing about a missing service. */
static void
make_services(struct inspector *in)
{
	uint32_t class = 0, map;
	struct heap_slot slot;
	uint64_t had;
	int64_t size;

	in->services_made = true;
	while ((class = class_find(&in->h, "android.app.ActivityThread", class)) != 0) {
		if (!heap_static(&in->h, class, STR("sCurrentActivityThread"), &slot) ||
		    slot.object == 0)
			continue;
		had = in->services.n;
		map = field_object(in, slot.object, FIELD("android.app.ActivityThread", "mServices"));
		in->services_known = (add_array_map(in, map, &size) ||
		    add_hash_map(in, map, &size)) && in->services.n - had == (uint64_t)size;
		if (!in->services_known)
			return;
	}
}

void
inspect_service(struct inspector *in, uint32_t object, struct verdict *v)
{
	if (!in->services_made)
		make_services(in);
	if (idmap_get(&in->services, object) != 0)
		verdict_not(v, "listed in ActivityThread.mServices: running");
	/* A Service that was never attached to a thread has not begun yet. */
	else if (in->services_known && field_ref(in, object, FIELD("android.app.Service", "mThread")) != 0)
		verdict_yes(v, FINDING_SERVICE, "not in ActivityThread.mServices: destroyed");
}

/* ---- life cycles --------------------------------------------------------------------- */

/* Not leaking by its life cycle; the last two have to be asked otherwise. */
enum state { CREATED, STARTED, RESUMED, INITIALIZED, DESTROYED, STATES };
static const char *const state_names[STATES] = {
	"CREATED", "STARTED", "RESUMED", "INITIALIZED", "DESTROYED"
};
static const char *const alive[] = {
	"its life cycle is CREATED", "its life cycle is STARTED", "its life cycle is RESUMED"
};

static int
registry_state(struct inspector *in, uint32_t registry)
{
	static const char class[] = "androidx.lifecycle.LifecycleRegistry";
	int state = field_enum(in, registry, FIELD(class, "mState"), state_names, STATES);

	return state >= 0 ? state : field_enum(in, registry, FIELD(class, "state"), state_names, STATES);
}

/* A fragment keeps the lifecycle of its view, which ends earlier: DESTROYED proves nothing. */
void
inspect_lifecycle(struct inspector *in, uint32_t object, struct verdict *v)
{
	int state = registry_state(in, object);

	if (state >= 0 && state < INITIALIZED)
		verdict_not(v, alive[state]);
}

/* Since version 1.1, which brought mMaxState, a destroyed fragment gets a new life cycle. */
void
inspect_androidx_fragment(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const char class[] = "androidx.fragment.app.Fragment";
	int state = registry_state(in, field_object(in, object, FIELD(class, "mLifecycleRegistry")));
	int held = field_ref(in, object, FIELD(class, "mFragmentManager"));

	if (state == DESTROYED)
		verdict_yes(v, FINDING_FRAGMENT, "its life cycle is DESTROYED");
	else if (state >= 0 && state < INITIALIZED)
		verdict_not(v, alive[state]);
	else if (held == 1)
		verdict_not(v, "mFragmentManager is not null");
	else if (held == 0 && field_flag(in, object, FIELD(class, "mCalled")) == 1 &&
	    (state < 0 || field_ref(in, object, FIELD(class, "mMaxState")) >= 0))
		verdict_yes(v, FINDING_FRAGMENT, "mFragmentManager is null and mCalled is true");
}
