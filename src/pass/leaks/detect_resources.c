/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detect_resources: objects whose fields show that they were not released: files, sockets, channels,
 * archives, statements, locks and resources of Android.  detect_cursors.c judges who holds them.
 */
#include "config.h"

#include "icecore/columns_heap.h"
#include "findings.h"
#include "inspect.h"

enum { WANT_ROW = 0x7f, WANT_NONE = 0x7f, WANT_FINALIZER = 0x80 };

#define STANDARD_FILES 3	/* descriptors from here on are not standard input and output */
#define SOCKET_CREATED 1
#define SOCKET_CLOSED 8		/* bits of Socket.state since JDK 21 */
#define THREAD_TERMINATED 2	/* bit of threadStatus */

enum how {
	HOW_NONE, HOW_FALSE, HOW_TRUE, HOW_NULL, HOW_NUMBER, HOW_STREAM, HOW_DESCRIPTOR, HOW_SOCKET,
	HOW_THREAD,		/* a reference to a thread that has ended */
	HOW_CONTEXT		/* a reference to the context of a destroyed Activity */
};

/*
 * The object is not released if no test says that it is, and one says that it is not.  Tests of missing
 * fields say nothing.
 */
static const struct resource_state {
	const char	*class;
	struct resource_test {
		enum how	 how;
		struct inspect_field field;
	} test[3];
} states[] = {
	{ "java.io.FileInputStream", {
	    { HOW_FALSE, { "java.io.FileInputStream", "closed" } },
	    { HOW_DESCRIPTOR, { "java.io.FileInputStream", "fd" } } } },
	{ "java.io.FileOutputStream", {
	    { HOW_FALSE, { "java.io.FileOutputStream", "closed" } },
	    { HOW_DESCRIPTOR, { "java.io.FileOutputStream", "fd" } } } },
	{ "java.io.RandomAccessFile", {
	    { HOW_FALSE, { "java.io.RandomAccessFile", "closed" } },
	    { HOW_DESCRIPTOR, { "java.io.RandomAccessFile", "fd" } } } },
	{ "java.net.Socket", {
	    { HOW_FALSE, { "java.net.Socket", "closed" } },
	    { HOW_TRUE, { "java.net.Socket", "created" } },
	    { HOW_SOCKET, { "java.net.Socket", "state" } } } },
	{ "java.net.ServerSocket", {
	    { HOW_FALSE, { "java.net.ServerSocket", "closed" } },
	    { HOW_TRUE, { "java.net.ServerSocket", "created" } } } },
	{ "java.net.DatagramSocket", {
	    { HOW_FALSE, { "java.net.DatagramSocket", "closed" } },
	    { HOW_TRUE, { "java.net.DatagramSocket", "created" } } } },
	{ "java.nio.channels.spi.AbstractInterruptibleChannel", {
	    { HOW_FALSE, { "java.nio.channels.spi.AbstractInterruptibleChannel", "closed" } },
	    { HOW_TRUE, { "java.nio.channels.spi.AbstractInterruptibleChannel", "open" } },
	    { HOW_NULL, { "sun.nio.ch.FileChannelImpl", "parent" } } } },
	{ "java.util.zip.ZipFile", {
	    { HOW_FALSE, { "java.util.zip.ZipFile", "closeRequested" } },
	    { HOW_NUMBER, { "java.util.zip.ZipFile", "jzfile" } } } },
	{ "java.util.zip.Inflater", { { HOW_STREAM, { "java.util.zip.Inflater", "zsRef" } } } },
	{ "java.util.zip.Deflater", { { HOW_STREAM, { "java.util.zip.Deflater", "zsRef" } } } },
	{ "com.mysql.cj.jdbc.StatementImpl", { { HOW_FALSE,
	    { "com.mysql.cj.jdbc.StatementImpl", "isClosed" } } } },
	{ "com.mysql.jdbc.StatementImpl", { { HOW_FALSE, { "com.mysql.jdbc.StatementImpl", "isClosed" } } } },
	{ "org.postgresql.jdbc.PgStatement", { { HOW_FALSE,
	    { "org.postgresql.jdbc.PgStatement", "isClosed" } } } },
	{ "java.util.concurrent.locks.AbstractOwnableSynchronizer", {
	    { HOW_THREAD, { "java.util.concurrent.locks.AbstractOwnableSynchronizer",
	    "exclusiveOwnerThread" } } } },
	{ "android.content.res.TypedArray", { { HOW_FALSE,
	    { "android.content.res.TypedArray", "mRecycled" } } } },
	{ "android.media.MediaPlayer", { { HOW_NUMBER, { "android.media.MediaPlayer",
	    "mNativeContext" } } } },
	{ "android.os.PowerManager$WakeLock", { { HOW_TRUE,
	    { "android.os.PowerManager$WakeLock", "mHeld" } } } },
	{ "android.net.wifi.WifiManager$WifiLock", { { HOW_TRUE,
	    { "android.net.wifi.WifiManager$WifiLock", "mHeld" } } } },
	{ "android.os.ParcelFileDescriptor", {
	    { HOW_FALSE, { "android.os.ParcelFileDescriptor", "mClosed" } },
	    { HOW_NULL, { "android.os.ParcelFileDescriptor", "mWrapped" } } } },
	{ "android.app.LoadedApk$ReceiverDispatcher", {
	    { HOW_FALSE, { "android.app.LoadedApk$ReceiverDispatcher", "mForgotten" } },
	    { HOW_CONTEXT, { "android.app.LoadedApk$ReceiverDispatcher", "mContext" } } } }
};

struct resources_found {
	/* u8 by class: 1 + row of states, WANT_NONE, or 0: not yet known; and WANT_FINALIZER */
	struct scratch	wants;
	const struct column *strength;	/* class.strength */
};

/* ---- fields --------------------------------------------------------------------------------- */

static bool
is_ended_thread(struct inspector *in, uint32_t thread)
{
	uint32_t holder = field_object(in, thread, FIELD("java.lang.Thread", "holder"));
	int64_t status;

	return (field_number(in, thread, FIELD("java.lang.Thread", "threadStatus"), &status) ||
	    field_number(in, holder, FIELD(NULL, "threadStatus"), &status)) &&
	    (status & THREAD_TERMINATED) != 0;
}

/*
 * 1: it shows that the object is open, 0: that it is released or not ended; -1: nothing.  *other: who has
 * ended.
 */
static int
test_says(struct inspector *in, uint32_t object, const struct resource_test *t, uint32_t *other)
{
	struct inspect_field field = t->field;
	int64_t n;
	int flag;

	switch (t->how) {
	case HOW_FALSE:
	case HOW_TRUE:
		flag = field_flag(in, object, field);
		return flag < 0 ? -1 : flag == (t->how == HOW_TRUE);
	case HOW_NULL:
		flag = field_ref(in, object, field);
		return flag == 1 ? 0 : -1;
	case HOW_NUMBER: return field_number(in, object, field, &n) ? n != 0 : -1;
	case HOW_SOCKET: return field_number(in, object, field,
	    &n) ? (n & (SOCKET_CREATED | SOCKET_CLOSED)) == SOCKET_CREATED : -1;
	case HOW_STREAM: return field_number(in, field_object(in, object, field), FIELD(NULL, "address"),
	    &n) ? n != 0 : -1;
	case HOW_DESCRIPTOR:
		object = field_object(in, object, field);
		return field_number(in, object, FIELD(NULL, "fd"), &n) ||
		    field_number(in, object, FIELD(NULL, "descriptor"), &n) ?
		    n >= STANDARD_FILES : -1;
	case HOW_THREAD:
		*other = field_object(in, object, field);
		return is_ended_thread(in, *other);
	case HOW_CONTEXT:
		*other = field_object(in, object, field);
		return inspect_destroyed(in, *other) == 1;
	case HOW_NONE: break;
	}
	return -1;
}

static bool
is_unreleased(const struct finder *f, const struct resources_found *s, uint32_t object, uint32_t *other)
{
	unsigned row = finder_wanted(f, &s->wants, object) & WANT_ROW;
	bool known = false;
	int says;

	*other = 0;
	for (size_t i = 0; row > 0 && row != WANT_NONE && i < NELEM(states[0].test); i++) {
		if ((says = test_says(f->inspector, object, &states[row - 1].test[i], other)) == 0)
			return false;
		known |= says == 1;
	}
	return known;
}

bool
resource_number(size_t *i, struct kept_field *f)
{
	for (size_t n = 0; n < NELEM(states) * NELEM(states[0].test); n++) {
		const struct resource_test *t = &states[n / NELEM(states[0].test)].test[n % NELEM(states[0].test)];

		if ((t->how == HOW_FALSE || t->how == HOW_TRUE || t->how == HOW_NUMBER ||
		    t->how == HOW_SOCKET) && (*i)-- == 0) {
			*f = (struct kept_field){ t->field.class, t->field.name };
			return true;
		}
	}
	return false;
}

/* ---- the detector ----------------------------------------------------------------------------- */

static bool
detect_resources_begin(struct finder *f, void *state)
{
	struct resources_found *s = state;

	s->strength = store_column(f->st, COL_CLASS_STRENGTH);
	if (!scratch_array(&s->wants, f->h.classes + 1ull, 1, f->err))
		return false;
	for (uint32_t class = 1; class <= f->h.classes; class++)
		for (size_t i = 0; s->wants.data[class] == 0 && i < NELEM(states); i++)
			if (class_is(&f->h, class, states[i].class))
				s->wants.data[class] = (uint8_t)(i + 1);
	return true;
}

static uint32_t
superclass(const struct finder *f, uint32_t class)
{
	uint64_t super = store_cell(f->st, COL_CLASS_SUPER, class);

	return super <= f->h.classes ? (uint32_t)super : 0;
}

/*
 * The row of a class is that of the nearest superclass that is known.  Superclasses may be cyclic in a
 * hostile file.
 */
static bool
detect_resources_wants(struct finder *f, void *state, uint32_t class)
{
	struct resources_found *s = state;
	uint8_t *w = s->wants.data, row = WANT_NONE;
	uint32_t at = class;

	for (uint32_t hops = 0; at != 0 && (w[at] & WANT_ROW) == 0 && hops < f->h.classes; hops++)
		at = superclass(f, at);
	if (at != 0 && (w[at] & WANT_ROW) != 0)
		row = w[at] & WANT_ROW;
	for (at = class; at != 0 && (w[at] & WANT_ROW) == 0; at = superclass(f, at))
		w[at] |= row;
	if (column_get(s->strength, class - 1ull) == HEAP_FINALIZER)
		w[class] |= WANT_FINALIZER;
	return w[class] != WANT_NONE;
}

/* Report one that is unreachable except through its finalizer. */
static bool
look_at_finalizable(struct finder *f, const struct resources_found *s, uint32_t reference)
{
	uint32_t object = heap_field_object(&f->h, reference, "referent"), other;

	if (object == 0 || heap_dominator(&f->h, object) != 0 || !is_unreleased(f, s, object, &other))
		return true;
	return finding_add(f, &(struct finding){ .kind = FINDING_RESOURCE, .object = object,
	    .number = CURSOR_UNREACHABLE, .retained = heap_shallow(&f->h, object) });
}

static bool
detect_resources_look(struct finder *f, void *state, uint32_t object)
{
	struct resources_found *s = state;
	uint32_t other;

	if (finder_wanted(f, &s->wants, object) & WANT_FINALIZER && !look_at_finalizable(f, s, object))
		return false;
	return !is_unreleased(f, s, object, &other) || finding_add(f,
	    &(struct finding){ .kind = FINDING_RESOURCE, .object = object,
	    .number = other != 0 ? CURSOR_ENDED : CURSOR_UNSURE, .other = other });
}

static void
detect_resources_release(void *state)
{
	scratch_free(&((struct resources_found *)state)->wants);
}

const struct detector detector_resources = {
	.state_size = sizeof(struct resources_found), .begin = detect_resources_begin,
	    .wants = detect_resources_wants,
	    .object = detect_resources_look, .release = detect_resources_release
};
